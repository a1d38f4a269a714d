package dev.artel.kernel.task;

import java.time.Duration;

/// How often something may happen: a bucket that holds `burst` tokens, is full at the beginning, and gets `tasks` tokens
/// each `per`, evenly.
///
/// @param tasks at least 1
/// @param per from a millisecond to a day
/// @param burst how many may come at once; at least 1
public record Rate(int tasks, Duration per, int burst) implements Comparable<Rate> {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int LARGEST = 1_000_000;

    /// Refuses what lets nothing through.
    public Rate {
        if (tasks < 1 || tasks > LARGEST) {
            throw new IllegalArgumentException(
                    "a rate must allow 1 to " + LARGEST + " tasks, was " + tasks);
        }
        if (per.compareTo(SHORTEST) < 0 || per.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a rate must be per a time from PT0.001S to P1D, was " + per);
        }
        if (burst < 1 || burst > LARGEST) {
            throw new IllegalArgumentException(
                    "the burst of a rate must be from 1 to " + LARGEST + ", was " + burst);
        }
    }

    /// By the number of tasks, then the time, then how many come at once.
    @Override
    public int compareTo(Rate other) {
        var byTasks = Integer.compare(tasks, other.tasks);
        if (byTasks != 0) {
            return byTasks;
        }
        var byTime = per.compareTo(other.per);
        return byTime != 0 ? byTime : Integer.compare(burst, other.burst);
    }

    /// So many tasks in `per`, of which all may come at once.
    public static Rate of(int tasks, Duration per) {
        return new Rate(tasks, per, tasks);
    }

    /// The same with another number that may come at once.
    public Rate withBurst(int most) {
        return new Rate(tasks, per, most);
    }

    @Override
    public String toString() {
        return tasks + " per " + per + " (burst " + burst + ")";
    }
}
