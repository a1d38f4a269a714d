package dev.artel.schedule.rules;

import dev.artel.kernel.job.JobId;
import dev.artel.schedule.rules.ScheduledRun.Phase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Predicate;

/// What a schedule is at, in one sentence for people.
public final class ScheduleExplanation {
    private ScheduleExplanation() {}

    /// The sentence of `schedule` at `now`.
    ///
    /// @param obstacle why the next submission would be refused; empty: nothing is known of that kind
    /// @param isOver whether a job has ended; a run of `state` does not know it at once
    public static String of(
            ScheduleDefinition schedule,
            ScheduleState state,
            Optional<String> obstacle,
            Predicate<JobId> isOver,
            Instant now) {
        if (state.paused().isPresent()) {
            var pause = state.paused().get();
            return "Nothing runs: "
                    + pause.by()
                    + " paused it at "
                    + seconds(pause.at())
                    + pause.reason().map(why -> ": " + why).orElse("")
                    + ".";
        }
        var retried =
                state.runs().stream()
                        .filter(run ->
                                run.phase() instanceof Phase.Due due && due.error().isPresent())
                        .findFirst();
        if (retried.isPresent() && retried.get().phase() instanceof Phase.Due due) {
            return "The submission for "
                    + seconds(retried.get().tick())
                    + " was refused "
                    + times(due.attempts())
                    + " and is tried again at "
                    + seconds(due.notBefore())
                    + ": "
                    + due.error().orElse("")
                    + ".";
        }
        var next = ScheduleRules.upcoming(schedule, state, now, 1).stream().findFirst();
        var last = state.runs().isEmpty() ? "" : lastOf(state.runs().getLast(), isOver);
        if (next.isEmpty()) {
            return "Nothing runs any more: "
                    + schedule.ends()
                            .filter(end -> !end.isAfter(now))
                            .map(end -> "it ended at " + seconds(end))
                            .orElse("it has no tick after " + seconds(now))
                    + "."
                    + last;
        }
        if (obstacle.isPresent()) {
            return "The run of "
                    + seconds(next.get())
                    + " will be refused: "
                    + obstacle.get()
                    + "."
                    + last;
        }
        var isBefore = schedule.starts().filter(start -> start.isAfter(now)).isPresent();
        return (isBefore ? "It has not started; the first run is at " : "The next run is at ")
                + seconds(next.get())
                + "."
                + last;
    }

    /// For people, who do not read fractions of seconds.
    private static Instant seconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS);
    }

    private static String times(int attempts) {
        return attempts == 1 ? "once" : attempts + " times";
    }

    private static String lastOf(ScheduledRun run, Predicate<JobId> isOver) {
        var tick = seconds(run.tick());
        return switch (run.phase()) {
            case Phase.Queued _ -> " The run of " + tick + " waits for the end of those before it.";
            case Phase.Skipped(var why, var ticks) ->
                    (ticks > 1 ? " The last " + ticks + " ticks until " : " The tick ")
                            + tick
                            + " did not run: "
                            + why
                            + ".";
            case Phase.Refused(var error, var attempts) ->
                    " The submission for "
                            + tick
                            + " was refused "
                            + times(attempts)
                            + " and given up: "
                            + error
                            + ".";
            case Phase.Submitted(var job) ->
                    isOver.test(job) ? "" : " Job " + job + " of " + tick + " has not ended.";
            case Phase.Due _, Phase.Ended _ -> "";
        };
    }
}
