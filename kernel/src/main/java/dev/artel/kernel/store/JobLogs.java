package dev.artel.kernel.store;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Keeps what workers log while they work on tasks, for people. Bounded for each attempt: the newest
/// [#MAX_LINES] lines stay, and perhaps a few older ones. Goes when the job goes.
///
/// Contract tests: `dev.artel.testkit.store.EventStoreContract`.
public interface JobLogs {
    /// How many lines of an attempt are kept.
    int MAX_LINES = 1000;

    /// How many characters of a message are kept.
    int MAX_MESSAGE = 4096;

    /// Takes lines in, in their order. They can be read at once, and are durable soon: a crash loses the last
    /// second.
    /// Lines of a job that is not known are dropped.
    ///
    /// @return whether there was room; if not, nothing was taken
    boolean keep(Attempt attempt, List<Line> lines);

    /// The same for lines of `worker`: of what waits to be durable, a worker has no more than leaves some to the others.
    default boolean keep(WorkerId worker, Attempt attempt, List<Line> lines) {
        return keep(attempt, lines);
    }

    /// The lines of a job, or of one task of it, by task, attempt and number.
    ///
    /// @param before only lines before this place; empty: all
    /// @param limit the newest ones, if there are more
    List<Entry> read(JobId job, OptionalInt task, Optional<Place> before, int limit);

    /// One hand-out of a task.
    ///
    /// @param attempt from 1
    record Attempt(JobId job, int task, int attempt) {}

    /// A line as a worker sent it.
    ///
    /// @param level such as `info`
    record Line(Instant at, String level, String message) {}

    /// A line that was kept.
    ///
    /// @param number counts the lines of the attempt from 1; what is missing was pushed out
    record Entry(int task, int attempt, long number, Line line) {
        /// Where it stands.
        public Place place() {
            return new Place(task, attempt, number);
        }
    }

    /// Where a line stands among those of its job; sorts as they do.
    record Place(int task, int attempt, long number) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparingInt(Place::task)
                        .thenComparingInt(Place::attempt)
                        .thenComparingLong(Place::number);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }

        /// The form `2.1.17`.
        @Override
        public String toString() {
            return task + "." + attempt + "." + number;
        }

        /// Reads the form of [#toString].
        ///
        /// @throws IllegalArgumentException if `text` has another
        public static Place parse(String text) {
            var parts = text.split("\\.", -1);
            if (parts.length != 3) {
                throw new IllegalArgumentException(
                        "the place of a line is a task, an attempt and a number, was " + text);
            }
            return new Place(
                    Integer.parseInt(parts[0]),
                    Integer.parseInt(parts[1]),
                    Long.parseLong(parts[2]));
        }
    }
}
