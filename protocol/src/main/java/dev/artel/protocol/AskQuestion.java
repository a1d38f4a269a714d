package dev.artel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a worker wants to know of a person before it goes on with a task. Sent again and again until there is the answer:
/// under the same [#id] it is the same question.
///
/// @param taskId the id of the hand-out
/// @param leaseToken null from workers that know no leases
/// @param id names the question among those of the task
/// @param question for people
/// @param choices what may be answered; none: anything
/// @param within how long it waits at most, from when it was first asked; null: as long as it takes
public record AskQuestion(
        String workerId,
        String taskId,
        @Nullable String leaseToken,
        String id,
        String question,
        List<String> choices,
        @Nullable Duration within)
        implements WorkerMessage {
    /// How many characters an id may have.
    public static final int LONGEST_ID = 200;

    /// How many characters a question may have.
    public static final int LONGEST_QUESTION = 4_000;

    /// How many choices there may be.
    public static final int MOST_CHOICES = 50;

    /// How many characters a choice may have.
    public static final int LONGEST_CHOICE = 200;

    /// How long a question may wait.
    public static final Duration LONGEST_WAIT = Duration.ofDays(3650);

    /// Copies `choices`.
    public AskQuestion {
        choices = List.copyOf(choices);
    }

    /// What proves the right to ask: the lease token, or else the id of the hand-out.
    public String lease() {
        return leaseToken == null ? taskId : leaseToken;
    }

    /// The id of a question that its worker does not name: the same words are the same question.
    public static String idOf(String question, List<String> choices) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            digest.update(question.getBytes(UTF_8));
            for (var choice : choices) {
                digest.update((byte) 0);
                digest.update(choice.getBytes(UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest(), 0, 16);
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java has SHA-256", impossible);
        }
    }

    /// Reads `{"question","id","choices","answer_within_ms","lease_token"}`, of which only the first is required.
    ///
    /// @throws MalformedMessage if a member has the wrong type or is too long
    public static AskQuestion read(String workerId, String taskId, JsonValue body) {
        var fields = Fields.of(body, "");
        var question = text(fields, "question", fields.id("question"), LONGEST_QUESTION);
        var choices = choices(fields);
        var id = fields.findString("id");
        return new AskQuestion(
                workerId,
                taskId,
                fields.findString("lease_token"),
                id == null ? idOf(question, choices) : text(fields, "id", id, LONGEST_ID),
                question,
                choices,
                within(fields));
    }

    private static String text(Fields fields, String name, String text, int longest) {
        if (text.isBlank() || text.length() > longest) {
            throw new MalformedMessage(
                    fields.at(name), "1 to " + longest + " characters", text.length() + " of them");
        }
        return text;
    }

    private static List<String> choices(Fields fields) {
        var choices = fields.strings("choices");
        if (choices.size() > MOST_CHOICES) {
            throw new MalformedMessage(
                    fields.at("choices"),
                    "at most " + MOST_CHOICES + " choices",
                    choices.size() + " of them");
        }
        choices.forEach(choice -> text(fields, "choices", choice, LONGEST_CHOICE));
        if (new LinkedHashSet<>(choices).size() < choices.size()) {
            throw new MalformedMessage(
                    fields.at("choices"), "choices that differ", "one of them twice");
        }
        return choices;
    }

    private static @Nullable Duration within(Fields fields) {
        var millis = fields.findCount("answer_within_ms");
        if (millis == null) {
            return null;
        }
        if (millis < 1 || millis > LONGEST_WAIT.toMillis()) {
            throw new MalformedMessage(
                    fields.at("answer_within_ms"),
                    "1 to " + LONGEST_WAIT.toMillis() + " milliseconds",
                    millis.toString());
        }
        return Duration.ofMillis(millis);
    }

    /// The body.
    public JsonObject toJson() {
        var json = JsonObject.builder();
        if (leaseToken != null) {
            json.put("lease_token", leaseToken);
        }
        json.put("id", id).put("question", question);
        if (!choices.isEmpty()) {
            json.put("choices", JsonArray.ofStrings(choices));
        }
        if (within != null) {
            json.put("answer_within_ms", within.toMillis());
        }
        return json.build();
    }
}
