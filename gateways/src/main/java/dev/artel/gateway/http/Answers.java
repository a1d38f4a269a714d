package dev.artel.gateway.http;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.HeartbeatAnswer;
import dev.artel.protocol.ResultAnswer;
import dev.artel.session.SessionReply;

import io.javalin.http.Context;

/// Writes answers other than tasks.
final class Answers {
    private static final String JSON = "application/json; charset=utf-8";

    private Answers() {}

    static void write(Context ctx, SessionReply reply) {
        switch (reply) {
            case SessionReply.Message(var message) -> json(ctx, 200, message.toJson());
            case SessionReply.Refreshed(var answer, var record) ->
                    json(ctx, 200, refreshed(answer, record));
            case SessionReply.Results(var answers) -> json(ctx, 200, answers.getFirst().toJson());
            case SessionReply.NoTask _, SessionReply.Done _ -> ctx.status(204);
            case SessionReply.UnknownWorker _ ->
                    new HttpRefusal(404, "Worker not found").answer(ctx);
            case SessionReply.TooMany(var after, var detail) ->
                    HttpRefusal.later(429, after, detail, null).answer(ctx);
            case SessionReply.TryLater(var after, var detail) ->
                    HttpRefusal.later(after, detail).answer(ctx);
            case SessionReply.Tasks _, SessionReply.Workers _ ->
                    throw new IllegalStateException(
                            "an answer came that no worker's request asks for: " + reply);
        }
    }

    /// The answers to a batch, in its order.
    static void writeAll(Context ctx, SessionReply.Results results) {
        json(ctx, 200, ResultAnswer.toJson(results.answers()));
    }

    private static JsonObject refreshed(HeartbeatAnswer answer, JsonObject record) {
        return record.isEmpty() ? answer.toJson() : record.merge(answer.toJson());
    }

    static void json(Context ctx, int status, JsonValue body) {
        ctx.status(status).contentType(JSON).result(JsonText.write(body));
    }
}
