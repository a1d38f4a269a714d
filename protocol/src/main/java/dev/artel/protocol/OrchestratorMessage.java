package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.List;

/// What the orchestrator sends to a worker, whatever the wire.
public sealed interface OrchestratorMessage
        permits TaskAssignment,
                CancelTask,
                RegisterAnswer,
                HeartbeatAnswer,
                ResultAnswer,
                RenewAnswer,
                QuestionAnswer,
                OrchestratorMessage.ReleaseAnswer,
                OrchestratorMessage.DrainAnswer,
                OrchestratorMessage.LogAnswer,
                OrchestratorMessage.Refusal {

    /// The message as the body of an answer or as a frame.
    JsonObject toJson();

    /// Which leases were taken back; the others were not held.
    record ReleaseAnswer(List<String> released) implements OrchestratorMessage {
        /// Copies `released`.
        public ReleaseAnswer {
            released = List.copyOf(released);
        }

        /// Reads `{"released":[...]}`.
        public static ReleaseAnswer read(JsonValue body) {
            return new ReleaseAnswer(Fields.of(body, "").strings("released"));
        }

        @Override
        public JsonObject toJson() {
            return JsonObject.of("released", JsonArray.ofStrings(released));
        }
    }

    /// What became of lines of a log.
    ///
    /// @param isKept false: the lease is over, so that they are no longer wanted
    /// @param lines how many there were
    record LogAnswer(boolean isKept, int lines) implements OrchestratorMessage {
        /// Reads `{"status","lines"}`.
        ///
        /// @throws MalformedMessage if a member has the wrong type
        public static LogAnswer read(JsonValue body) {
            var fields = Fields.of(body, "");
            return new LogAnswer(
                    fields.string("status", "").equals("kept"), fields.count("lines", 0));
        }

        @Override
        public JsonObject toJson() {
            return isKept
                    ? JsonObject.builder().put("status", "kept").put("lines", lines).build()
                    : JsonObject.of(
                            "status", new JsonString("ignored"), "reason", new JsonString("stale"));
        }
    }

    /// The worker gets no more work.
    record DrainAnswer() implements OrchestratorMessage {
        @Override
        public JsonObject toJson() {
            return JsonObject.of("status", new JsonString("draining"));
        }
    }

    /// A request was refused; the status code of the wire shows whether to try again.
    ///
    /// @param error why, for people
    record Refusal(String error) implements OrchestratorMessage {
        /// Reads `{"error"}`.
        public static Refusal read(JsonValue body) {
            return new Refusal(Fields.of(body, "").string("error", ""));
        }

        @Override
        public JsonObject toJson() {
            return JsonObject.of("error", new JsonString(error));
        }
    }
}
