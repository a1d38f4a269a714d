package dev.artel.gateway.http;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.HeartbeatAnswer;
import dev.artel.protocol.ResultAnswer;
import dev.artel.session.SessionReply;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/// Writes answers other than tasks.
final class ReplyWriter {
    private static final String JSON = "application/json; charset=utf-8";

    private ReplyWriter() {}

    static void write(Context ctx, SessionReply reply) {
        var refusal = refusal(reply);
        if (refusal != null) {
            refusal.answer(ctx);
            return;
        }
        var body = body(reply);
        if (body == null) {
            ctx.status(204);
        } else {
            json(ctx, 200, body);
        }
    }

    /// The refusal that a reply is; null if it is none.
    static @Nullable HttpRefusal refusal(SessionReply reply) {
        return switch (reply) {
            case SessionReply.UnknownWorker _ ->
                    new HttpRefusal(ErrorCode.WORKER_NOT_FOUND, "Worker not found");
            case SessionReply.TooMany(var after, var detail) ->
                    HttpRefusal.later(ErrorCode.RATE_LIMITED, after, detail, null);
            case SessionReply.TryLater(var after, var detail) -> HttpRefusal.later(after, detail);
            case SessionReply.Message _,
                    SessionReply.Refreshed _,
                    SessionReply.Results _,
                    SessionReply.NoTask _,
                    SessionReply.Done _,
                    SessionReply.Tasks _,
                    SessionReply.Workers _ ->
                    null;
        };
    }

    /// The body of a reply that is no refusal; null if it has none.
    static @Nullable JsonValue body(SessionReply reply) {
        return switch (reply) {
            case SessionReply.Message(var message) -> message.toJson();
            case SessionReply.Refreshed(var answer, var record, var _) -> refreshed(answer, record);
            case SessionReply.Results(var answers) -> answers.getFirst().toJson();
            case SessionReply.NoTask _, SessionReply.Done _ -> null;
            case SessionReply.UnknownWorker _,
                    SessionReply.TooMany _,
                    SessionReply.TryLater _,
                    SessionReply.Tasks _,
                    SessionReply.Workers _ ->
                    throw new IllegalStateException(
                            "an answer came that no worker's request asks for: " + reply);
        };
    }

    /// The answers to a batch, in its order.
    static void writeAll(Context ctx, SessionReply.Results results) {
        json(ctx, 200, ResultAnswer.toJson(results.answers()));
    }

    private static JsonObject refreshed(HeartbeatAnswer answer, JsonObject record) {
        if (record.isEmpty()) {
            return answer.toJson();
        }
        var isInRecord =
                answer.cancelTasks().isEmpty()
                        && !answer.requireFullSync()
                        && answer.jitter() == null
                        && record.members().get("status") instanceof JsonString(var status)
                        && status.equals(answer.status());
        return isInRecord ? record : record.merge(answer.toJson());
    }

    /// An answer that no cache on the way may keep.
    static void secret(Context ctx, JsonValue body) {
        ctx.header("Cache-Control", "no-store");
        json(ctx, 200, body);
    }

    static void json(Context ctx, int status, JsonValue body) {
        ctx.status(status).contentType(JSON).result(JsonText.write(body));
    }
}
