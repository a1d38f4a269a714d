package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;

/// What became of a question.
public sealed interface QuestionAnswer extends OrchestratorMessage {
    /// There is an answer.
    record Answered(String answer) implements QuestionAnswer {
        @Override
        public JsonObject toJson() {
            return JsonObject.builder().put("status", "answered").put("answer", answer).build();
        }
    }

    /// There is no answer yet: ask again. The task takes up no slot meanwhile.
    ///
    /// @param number by which people know it
    record Parked(long number) implements QuestionAnswer {
        @Override
        public JsonObject toJson() {
            return JsonObject.builder().put("status", "parked").put("question", number).build();
        }
    }

    /// There will be no answer: the lease is over, or the task is not to ask.
    ///
    /// @param reason `stale`: stop the attempt; else what is wrong with the question
    record Ignored(String reason) implements QuestionAnswer {
        /// The lease is over.
        public static final String STALE = "stale";

        @Override
        public JsonObject toJson() {
            return JsonObject.builder().put("status", "ignored").put("reason", reason).build();
        }
    }

    /// Reads `{"status","answer","question","reason"}`.
    ///
    /// @throws MalformedMessage if it is none of these
    static QuestionAnswer read(JsonValue body) {
        var fields = Fields.of(body, "");
        var status = fields.string("status");
        return switch (status) {
            case "answered" -> new Answered(fields.string("answer"));
            case "parked" -> {
                var number = fields.findCount("question");
                yield new Parked(number == null ? 0 : number);
            }
            case "ignored" -> new Ignored(fields.string("reason", Ignored.STALE));
            default ->
                    throw new MalformedMessage(
                            fields.at("status"), "answered, parked or ignored", status);
        };
    }
}
