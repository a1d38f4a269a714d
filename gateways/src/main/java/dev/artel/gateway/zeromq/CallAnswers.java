package dev.artel.gateway.zeromq;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.protocol.OrchestratorMessage.LogAnswer;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.List;

/// Writes `CALL_OK` and `CALL_FAILED`.
final class CallAnswers {
    private CallAnswers() {}

    /// The answer to call `id`.
    static List<byte[]> write(String id, SessionReply reply) {
        return switch (reply) {
            case SessionReply.Message(var message) -> ok(id, message.toJson());
            case SessionReply.Refreshed(var answer, var record, var _) ->
                    ok(id, record.merge(answer.toJson()));
            case SessionReply.Results(var answers) -> ok(id, answers.getFirst().toJson());
            case SessionReply.NoTask _, SessionReply.Done _ -> ok(id, JsonNull.NULL);
            case SessionReply.UnknownWorker _ ->
                    failed(id, "UNKNOWN_WORKER", "the worker has to register first");
            case SessionReply.TooMany(var after, var detail) -> later(id, after, detail);
            case SessionReply.TryLater(var after, var detail) -> later(id, after, detail);
            case SessionReply.Tasks _, SessionReply.Workers _ ->
                    throw new IllegalStateException(
                            "an answer came that no call asks for: " + reply);
        };
    }

    /// Whether what was reported of a task is kept, since its worker holds it.
    static boolean isKept(SessionReply reply) {
        return reply instanceof SessionReply.Message(LogAnswer(boolean kept, int _)) && kept;
    }

    static List<byte[]> ok(String id, JsonValue body) {
        return PushFrames.write(
                "CALL_OK", JsonObject.builder().put("call_id", id).put("body", body).build());
    }

    static List<byte[]> failed(String id, String code, String message) {
        return PushFrames.write("CALL_FAILED", failure(id, code, message).build());
    }

    static List<byte[]> later(String id, Duration after, String message) {
        return PushFrames.write(
                "CALL_FAILED",
                failure(id, "TRY_LATER", message).put("retry_after_ms", after.toMillis()).build());
    }

    private static JsonObject.Builder failure(String id, String code, String message) {
        return JsonObject.builder().put("call_id", id).put("code", code).put("message", message);
    }
}
