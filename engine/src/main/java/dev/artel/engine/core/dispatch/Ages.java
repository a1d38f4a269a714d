package dev.artel.engine.core.dispatch;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// How often the priorities that wait for one task type were passed over, so that none is forever. Single-threaded.
final class Ages {
    private static final Comparator<Age> OLDEST_FIRST =
            Comparator.comparingLong((Age age) -> age.since)
                    .thenComparingDouble(age -> -age.priority);

    private final Map<Double, Age> ages = new LinkedHashMap<>();

    /// The one that was served longest ago first.
    private final TreeSet<Age> oldest = new TreeSet<>(OLDEST_FIRST);

    /// The only one, as of most types: it is found without a look at the others, and nothing passes it over. Null if there are none
    /// or several.
    private @Nullable Age only;

    /// How many tasks were given to workers that take the type.
    private long turns;

    private static final class Age {
        final double priority;

        /// The turn in which it was served last.
        long since;

        /// How many classes have tasks of it.
        int classes;

        Age(double priority, long since) {
            this.priority = priority;
            this.since = since;
        }
    }

    /// Looks for one that may go first.
    interface Look<T> {
        /// What of this priority a worker takes; null if nothing.
        @Nullable T at(double priority);
    }

    /// What was passed over, and how often.
    record Overdue<T>(T found, long passes) {}

    /// A class has tasks of this priority.
    void begin(double priority) {
        var age = ages.get(priority);
        if (age == null) {
            age = new Age(priority, turns);
            ages.put(priority, age);
            oldest.add(age);
            only = oldest.size() == 1 ? age : null;
        }
        age.classes++;
    }

    /// A class has none any more.
    void end(double priority) {
        var age = ages.get(priority);
        if (age != null && --age.classes == 0) {
            ages.remove(priority);
            oldest.remove(age);
            only = oldest.size() == 1 ? oldest.getFirst() : null;
        }
    }

    /// A worker that takes the type was given a task.
    void turn() {
        turns++;
    }

    /// The task was of the type and had this priority.
    void served(double priority) {
        if (only != null) {
            only.since = turns;
            return;
        }
        var age = ages.get(priority);
        if (age != null) {
            oldest.remove(age);
            age.since = turns;
            oldest.add(age);
        }
    }

    /// What was passed over at least `leastPasses` times, the oldest first, among the `most` oldest; null if nothing was.
    ///
    /// @param below only lower priorities: nothing passes over the others
    <T> @Nullable Overdue<T> overdue(long leastPasses, double below, int most, Look<T> look) {
        if (only != null && only.priority >= below) {
            return null;
        }
        var looked = 0;
        for (var age : oldest) {
            var passes = turns - age.since;
            if (passes < leastPasses || looked == most) {
                return null;
            }
            var found = age.priority < below ? look.at(age.priority) : null;
            if (found != null) {
                return new Overdue<>(found, passes);
            }
            looked++;
        }
        return null;
    }
}
