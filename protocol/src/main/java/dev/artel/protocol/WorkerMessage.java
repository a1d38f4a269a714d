package dev.artel.protocol;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a worker sends to the orchestrator, whatever the wire.
///
/// Every message with a body has a `read` that accepts all generations of workers and a `toJson` that writes
/// one form. What a worker may not decide about itself, such as its reputation, is in none of them.
public sealed interface WorkerMessage
        permits Register,
                Heartbeat,
                WorkerMessage.Poll,
                TaskResult,
                Renew,
                Release,
                SocketMessage,
                AskQuestion,
                WorkerMessage.Drain,
                WorkerMessage.Disconnect {

    /// Asks for work. Has no body.
    ///
    /// @param max the most tasks that one answer may bring; 0 if the worker did not declare it, so that it understands
    ///     nothing but a single task
    /// @param available the task types that it has room for now; null if it did not declare it
    /// @param hotSkills those of them that it could begin at once; null if it did not declare it
    /// @param timeout how long it waits for the answer; null if it did not declare it
    record Poll(
            String workerId,
            int max,
            @Nullable List<String> available,
            @Nullable List<String> hotSkills,
            @Nullable Duration timeout)
            implements WorkerMessage {
        /// Refuses more names than a worker may have task types.
        ///
        /// @throws MalformedMessage if there are more
        public Poll {
            Declared.check(available, "available_skills");
            Declared.check(hotSkills, "hot_skills");
        }

        /// A poll that states only how many tasks it may bring.
        public Poll(String workerId, int max) {
            this(workerId, max, null, null, null);
        }
    }

    /// Wants no more work and will leave when the tasks it holds are done. Has no body.
    record Drain(String workerId) implements WorkerMessage {}

    /// Has left. Has no body.
    record Disconnect(String workerId) implements WorkerMessage {}
}
