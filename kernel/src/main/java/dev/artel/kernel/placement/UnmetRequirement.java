package dev.artel.kernel.placement;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import java.util.stream.Collectors;

/// How far a worker is from taking a task.
///
/// @param wire over which the worker gets tasks
/// @param what it lacks: `ram_gb`, `model`, the name of a label ...
/// @param has what it has of that; null where nothing is known
/// @param needs what the task asks for
public record UnmetRequirement(
        WorkerId worker,
        String wire,
        Refusal refusal,
        String what,
        JsonValue has,
        JsonValue needs) {
    /// What a worker lacks whose slots are taken: `has` are taken of `needs`.
    public static final String SLOTS = "slots";

    private static final int LONGEST = 60;

    static UnmetRequirement of(
            WorkerProfile worker, Refusal refusal, String what, JsonValue has, JsonValue needs) {
        return new UnmetRequirement(
                worker.id(), worker.wire(), refusal, clipped(what), clipped(has), clipped(needs));
    }

    /// A worker that could take the task but for what it does now.
    public static UnmetRequirement now(
            WorkerProfile worker, Refusal refusal, String what, long has, long needs) {
        return of(worker, refusal, what, JsonValue.of(has), JsonValue.of(needs));
    }

    /// From 0 (nearly there) to 1 (nothing of it): what lacks, in proportion.
    public double distance() {
        if (has instanceof JsonNumber one && needs instanceof JsonNumber other) {
            var gap = Math.abs(other.asDouble() - one.asDouble());
            var whole = Math.max(Math.abs(other.asDouble()), Math.abs(one.asDouble()));
            return whole > 0 ? Math.min(1, gap / whole) : 0;
        }
        return 1;
    }

    /// In words.
    public String text() {
        return switch (refusal) {
            case TYPE -> worker + " does not offer " + plain(needs);
            case CLIENT -> worker + " gets no tasks of client " + plain(needs);
            case LABEL ->
                    has == JsonNull.NULL
                            ? worker + " has no label " + what + ", needed is " + plain(needs)
                            : worker
                                    + " has label "
                                    + what
                                    + " "
                                    + plain(has)
                                    + ", needed is "
                                    + plain(needs);
            case RESOURCE ->
                    has == JsonNull.NULL
                            ? worker
                                    + " does not declare its "
                                    + what
                                    + ", needed is "
                                    + plain(needs)
                            : worker
                                    + " has "
                                    + what
                                    + " "
                                    + plain(has)
                                    + ", needed is "
                                    + plain(needs);
            case MODEL -> worker + " does not have model " + plain(needs);
            case TOO_EXPENSIVE ->
                    has == JsonNull.NULL
                            ? worker + " does not declare what it costs"
                            : worker + " costs " + plain(has) + ", allowed is " + plain(needs);
            case AFFINITY -> worker + " is not " + plain(needs) + ", where the task must run";
            case EXCLUDED -> "the task has failed on " + worker;
            case COLD -> worker + " is not warm for it";
            case UNHEALTHY -> worker + " is unhealthy";
            case SUSPENDED -> worker + " is suspended, since its attempts failed one after another";
            case DRAINING -> worker + " drains";
            case BUSY ->
                    what.startsWith(SLOTS)
                            ? worker + " has " + taken()
                            : worker + " reports that it has no room";
            case CATEGORY_FULL ->
                    what.startsWith(SLOTS)
                            ? worker + " has " + taken()
                            : worker + " takes no " + what + " now";
            case RATE_LIMITED -> worker + " asks too often and is refused for now";
            case NOT_ASKING -> worker + " is free and does not ask for work now";
        };
    }

    private String taken() {
        return plain(has) + " of " + plain(needs) + " " + what + " taken";
    }

    private static String clipped(String text) {
        if (text.length() <= LONGEST) {
            return text;
        }
        var cut = Character.isHighSurrogate(text.charAt(LONGEST - 2)) ? LONGEST - 2 : LONGEST - 1;
        return text.substring(0, cut) + "…";
    }

    private static JsonValue clipped(JsonValue value) {
        return switch (value) {
            case JsonString(var text) -> JsonValue.of(clipped(text));
            case JsonArray array -> JsonValue.of(clipped(plain(array)));
            case JsonValue other -> other;
        };
    }

    static JsonNumber json(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? JsonValue.of((long) value)
                : JsonValue.of(Double.isFinite(value) ? value : Double.MAX_VALUE);
    }

    static String number(double value) {
        return json(value).toString();
    }

    private static String plain(JsonValue value) {
        return switch (value) {
            case JsonString(var text) -> text;
            case JsonNumber number -> number.toString();
            case JsonArray array ->
                    array.stream().map(UnmetRequirement::plain).collect(Collectors.joining(", "));
            case JsonBoolean literal -> String.valueOf(literal.value());
            case JsonNull _ -> "nothing";
            case JsonObject _ -> "an object";
        };
    }
}
