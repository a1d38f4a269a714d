package dev.artel.schedule.rules;

import dev.artel.schedule.timing.Timing;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/// What a schedule is, as people wrote it; only they change it.
///
/// @param name 1 to 100 letters, digits, `-`, `_` or `.`; no two schedules of an orchestrator have the same
/// @param id another one for each schedule that is made, also under the name of one that was deleted; its jobs are found by it
/// @param revision 1 for the first form, and one more for each change
/// @param starts no tick before it runs; empty: from the beginning
/// @param ends no tick after it runs; empty: without an end
/// @param by who wrote it first
/// @param changedBy who wrote it as it is
/// @param created when it was made
/// @param timingSince since when its ticks are those of `timing`; ticks until then are not its own
public record ScheduleDefinition(
        String name,
        String id,
        long revision,
        Origin origin,
        JobTemplate job,
        Timing timing,
        RunPolicy policy,
        Optional<Instant> starts,
        Optional<Instant> ends,
        String by,
        String changedBy,
        Instant created,
        Instant timingSince) {
    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,100}");

    /// Where a schedule is written down.
    public enum Origin {
        /// By the API.
        API,
        /// In the file of schedules.
        FILE,
        /// Beside a blueprint.
        CODE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A schedule as its author has created it, without later changes.
    public ScheduleDefinition(
            String name,
            String id,
            long revision,
            Origin origin,
            JobTemplate job,
            Timing timing,
            RunPolicy policy,
            Optional<Instant> starts,
            Optional<Instant> ends,
            String by,
            Instant created,
            Instant timingSince) {
        this(
                name,
                id,
                revision,
                origin,
                job,
                timing,
                policy,
                starts,
                ends,
                by,
                by,
                created,
                timingSince);
    }

    /// Refuses names that cannot stand in a URL, and an end before the start.
    public ScheduleDefinition {
        checkName(name);
        if (starts.isPresent() && ends.isPresent() && !starts.get().isBefore(ends.get())) {
            throw new IllegalArgumentException(
                    "ends_at must be after starts_at, was " + ends.get() + " and " + starts.get());
        }
    }

    /// Refuses what is no name.
    ///
    /// @throws IllegalArgumentException if it is none
    public static void checkName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of a schedule has 1 to 100 letters, digits, '-', '_' or '.', more than one or two dots, was '"
                            + name
                            + "'");
        }
    }

    /// What `before` becomes when people write this one in its place: its identity stays, and so do its ticks where the timing is the
    /// same. An interval without an anchor of its own goes on from that of `before`.
    public ScheduleDefinition replacing(ScheduleDefinition before) {
        var ticks = anchored(before.timing);
        return new ScheduleDefinition(
                name,
                before.id,
                before.revision + 1,
                origin,
                job,
                ticks,
                policy,
                starts,
                ends,
                before.by,
                by,
                before.created,
                ticks.equals(before.timing) ? before.timingSince : timingSince);
    }

    private Timing anchored(Timing before) {
        var isDefault =
                timing instanceof Timing.Interval(var every, var anchor)
                        && anchor.equals(new Timing.Once(created).at())
                        && before instanceof Timing.Interval(var same, var _)
                        && every.equals(same);
        return isDefault ? before : timing;
    }

    /// Whether `other` has the same content: what differs is when and by whom it was written.
    public boolean isLike(ScheduleDefinition other) {
        return name.equals(other.name)
                && origin == other.origin
                && job.equals(other.job)
                && timing.equals(other.timing)
                && policy.equals(other.policy)
                && starts.equals(other.starts)
                && ends.equals(other.ends);
    }
}
