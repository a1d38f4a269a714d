package dev.artel.simulation.workers;

import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.TaskOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// What a worker makes of its tasks.
@FunctionalInterface
public interface Script {
    /// What it makes of `task`, which it has just been given.
    Plan on(HandOut task);

    /// About how many milliseconds there are between two heartbeats.
    default long beat() {
        return 5_000;
    }

    /// How an attempt goes.
    ///
    /// @param millis how long it takes
    /// @param ending how it ends then
    record Plan(long millis, Supplier<Ending> ending) {}

    /// How an attempt ends.
    sealed interface Ending {
        /// With a report.
        record Report(TaskOutcome outcome) implements Ending {}

        /// Not yet: with a question.
        ///
        /// @param then what it makes of the answer
        record Ask(
                String id,
                String question,
                List<String> choices,
                Optional<Duration> within,
                Function<String, Plan> then)
                implements Ending {}

        /// Not at all, as far as anybody hears.
        record Silence() implements Ending {}

        /// With the process, which is started again later.
        record Crash(long restartAfter) implements Ending {}
    }
}
