package dev.artel.gateway.zeromq;

import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.ValueRef;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what `RESULT` reports. What cannot be read ends the attempt, too: to send it again would not help.
final class ResultOutcomes {
    private static final String FRAME = "$frame";

    private ResultOutcomes() {}

    /// The outcome in a result.
    ///
    /// @param maxBytes how many bytes a message may have
    static TaskOutcome read(PushMessage message, int maxBytes) {
        if (message.isTooLarge()) {
            return TaskOutcome.tooLarge(maxBytes);
        }
        if (message.unreadable().isPresent()) {
            return TaskOutcome.invalid(message.unreadable().get().problem());
        }
        try {
            return read(message.members(), message.attachments());
        } catch (MalformedMessage malformed) {
            return TaskOutcome.invalid(String.valueOf(malformed.getMessage()));
        }
    }

    private static TaskOutcome read(Members result, List<byte[]> attachments) {
        return switch (result.text("status", "COMPLETED")) {
            case "COMPLETED" -> completed(result, attachments);
            case "FAILED" -> failed(result.findObject("error"));
            case "CANCELLED" -> new TaskOutcome.CancelledByWorker();
            case String other ->
                    throw new MalformedMessage(
                            "status", "COMPLETED, FAILED or CANCELLED", "'" + other + "'");
        };
    }

    private static TaskOutcome completed(Members result, List<byte[]> attachments) {
        var word = result.text("result_status", "success");
        var large = result.findObject("large_result");
        if (large != null) {
            return new TaskOutcome.Stored(
                    word, new ValueRef(large.id("sha256"), large.count("bytes", 0), null));
        }
        var value = result.find("result");
        return new TaskOutcome.Succeeded(
                word, value == null ? JsonObject.EMPTY : resolved(value, attachments));
    }

    /// The value with what is attached in its place: the whole of it, or some of its members.
    private static JsonValue resolved(JsonValue value, List<byte[]> attachments) {
        if (attachments.isEmpty() || !(value instanceof JsonObject object)) {
            return value;
        }
        var number = frame(object);
        if (number != null) {
            return attached(number, attachments);
        }
        requireOnce(object);
        requireRoom(attachments);
        var members = JsonObject.builder();
        object.members()
                .forEach((name, member) -> {
                    var at = member instanceof JsonObject inner ? frame(inner) : null;
                    members.put(name, at == null ? member : attached(at, attachments));
                });
        return members.build();
    }

    /// A value of megabytes in thousands of places would be more than there is memory for.
    ///
    /// @throws MalformedMessage if an attachment stands in two places
    private static void requireOnce(JsonObject value) {
        var seen = new HashSet<Long>();
        value.members()
                .forEach((_, member) -> {
                    var at = member instanceof JsonObject inner ? frame(inner) : null;
                    if (at != null && !seen.add(at)) {
                        throw new MalformedMessage(
                                FRAME, "each attachment in one place", at + " in several");
                    }
                });
    }

    /// Each may be as heavy as may be, and all of them are kept at once.
    private static void requireRoom(List<byte[]> attachments) {
        var weight = attachments.stream().mapToLong(ForeignJson::weightIfLarge).sum();
        if (ForeignJson.isTooHeavy(weight)) {
            throw new MalformedMessage(
                    "attachments",
                    "values with room in memory",
                    "some that take about " + (weight >> 20) + " MiB");
        }
    }

    /// Which frame `object` stands for; null if for none.
    private static @Nullable Long frame(JsonObject object) {
        return object.size() == 1 && object.get(FRAME).orElse(null) instanceof JsonNumber number
                ? (Long) number.asLong()
                : null;
    }

    private static JsonValue attached(long number, List<byte[]> attachments) {
        if (number < 0 || number >= attachments.size()) {
            throw new MalformedMessage(
                    FRAME, "the number of an attachment from 0 on", String.valueOf(number));
        }
        try {
            return ForeignJson.read(attachments.get((int) number));
        } catch (MalformedJson malformed) {
            throw new MalformedMessage(
                    "attachment " + number, "JSON", String.valueOf(malformed.getMessage()));
        }
    }

    private static TaskOutcome failed(@Nullable Members error) {
        if (error == null) {
            return new TaskOutcome.Failed(
                    TaskOutcome.TRANSIENT_ERROR, "the worker gave no message");
        }
        var type = error.text("error_type", "");
        var message = error.text("message", "the worker gave no message");
        var traceback = error.text("traceback", "");
        return new TaskOutcome.Failed(
                code(error),
                (type.isEmpty() ? "" : type + ": ")
                        + message
                        + (traceback.isEmpty() ? "" : "\n" + traceback));
    }

    /// Of errors that another attempt would meet with, too, there is only one attempt.
    private static String code(Members error) {
        return switch (error.text("category", "EXECUTION")) {
            case "SERIALIZATION", "BAD_PAYLOAD" -> TaskOutcome.INVALID_INPUT_ERROR;
            case "UNKNOWN_FUNCTION" -> TaskOutcome.PERMANENT_ERROR;
            case "DEADLINE" -> isFinal(error) ? TaskOutcome.PERMANENT_ERROR : "DEADLINE_ERROR";
            default -> isFinal(error) ? TaskOutcome.PERMANENT_ERROR : TaskOutcome.TRANSIENT_ERROR;
        };
    }

    private static boolean isFinal(Members error) {
        return error.find("retryable") == JsonBoolean.FALSE;
    }
}
