package dev.artel.gateway.websocket;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.protocol.MalformedMessage;
import dev.artel.session.SessionReply;
import java.time.Duration;

/// The answers to calls: a status as on the HTTP wire, and a body.
///
/// @param status 200, 204, 400, 403, 404, 429 or 503
/// @param body [JsonNull] where there is none
record CallAnswer(int status, JsonValue body) {
    /// Nothing to add.
    static final CallAnswer NOTHING = new CallAnswer(204, JsonNull.NULL);

    static CallAnswer of(JsonValue body) {
        return new CallAnswer(200, body);
    }

    /// A refusal.
    ///
    /// @param code for programs
    static CallAnswer refused(int status, String code, String error) {
        return new CallAnswer(
                status,
                JsonObject.of("error", new JsonString(error), "code", new JsonString(code)));
    }

    static CallAnswer malformed(MalformedMessage malformed) {
        return refused(400, "invalid_body", String.valueOf(malformed.getMessage()));
    }

    static CallAnswer later(int status, String code, Duration after, String error) {
        var refused = refused(status, code, error);
        return new CallAnswer(
                status,
                ((JsonObject) refused.body())
                        .with("retryAfterMs", JsonValue.of(Math.max(1, after.toMillis()))));
    }

    static CallAnswer tooMany(Duration after) {
        return later(429, "rate_limited", after, "Too Many Requests");
    }

    /// There is no room for another call.
    ///
    /// @param why for the worker
    static CallAnswer tooMany(String why) {
        return later(429, "rate_limited", Duration.ofSeconds(1), why);
    }

    /// A reply that brings no tasks.
    static CallAnswer of(SessionReply reply) {
        return switch (reply) {
            case SessionReply.Message(var message) -> of(message.toJson());
            case SessionReply.Refreshed(var answer, var record, var _) ->
                    of(record.merge(answer.toJson()));
            case SessionReply.Results(var answers) -> of(answers.getFirst().toJson());
            case SessionReply.NoTask _, SessionReply.Done _ -> NOTHING;
            case SessionReply.UnknownWorker _ ->
                    refused(404, "worker_not_found", "Worker not found");
            case SessionReply.TooMany(var after, var detail) ->
                    later(429, "rate_limited", after, detail);
            case SessionReply.TryLater(var after, var detail) ->
                    later(503, "unavailable", after, detail);
            case SessionReply.Tasks _, SessionReply.Workers _ ->
                    throw new IllegalStateException(
                            "an answer came that no call of a worker asks for: " + reply);
        };
    }

    JsonObject message(String callId) {
        return JsonObject.builder()
                .put("type", "call_answer")
                .put("callId", callId)
                .put("status", (long) status)
                .put("body", body)
                .build();
    }
}
