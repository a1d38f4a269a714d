package dev.artel.schedule;

import dev.artel.kernel.job.JobId;
import dev.artel.schedule.rules.RunPolicy.Overlap;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduleRules;
import dev.artel.schedule.rules.ScheduleState;
import dev.artel.schedule.rules.ScheduledRun;
import dev.artel.schedule.rules.ScheduledRun.Phase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Brings one schedule up to the time. Each state is durable before anything is done that it asks for; what was done is kept in the
/// next one. A process that ends anywhere in between repeats the submission, which gives the same job.
///
/// Not safe for use by several threads.
final class ScheduleTurn {
    /// So many times the rules are asked; the next turn goes on.
    private static final int MOST_ROUNDS = 50;

    /// So many jobs are submitted; the next turn goes on, and in between a person may pause the schedule.
    static final int MOST_SUBMISSIONS = 20;

    /// After this time no further one is submitted: each may take seconds, and others wait for the turn.
    static final Duration LONGEST = Duration.ofSeconds(1);

    private final ScheduleDefinition schedule;
    private final ScheduledJobs jobs;
    private final InstantSource clock;
    private final BooleanSupplier isStopped;
    private final Consumer<ScheduleState> keep;
    private ScheduleState state;

    /// @param isStopped whether nothing is to be submitted any more
    /// @param keep makes a state durable, or throws
    ScheduleTurn(
            ScheduleDefinition schedule,
            ScheduleState state,
            ScheduledJobs jobs,
            InstantSource clock,
            BooleanSupplier isStopped,
            Consumer<ScheduleState> keep) {
        this.schedule = schedule;
        this.state = state;
        this.jobs = jobs;
        this.clock = clock;
        this.isStopped = isStopped;
        this.keep = keep;
    }

    /// Does what is due, with an end.
    ///
    /// @return whether there may be more to do at once
    boolean run() {
        keep(ScheduleRules.ended(state, ends()));
        var left = MOST_SUBMISSIONS;
        var end = clock.instant().plus(LONGEST);
        for (var round = 0; round < MOST_ROUNDS; round++) {
            for (var run : state.due(clock.instant())) {
                var isOver = left < MOST_SUBMISSIONS && !clock.instant().isBefore(end);
                if (left == 0 || isOver || isStopped.getAsBoolean()) {
                    return true;
                }
                submit(run);
                left--;
            }
            var next = ScheduleRules.advance(schedule, state, clock.instant());
            if (next.equals(state)) {
                return false;
            }
            keep(next);
        }
        return true;
    }

    /// Submits the job of the run `number` alone, if it is due.
    void runOnly(long number) {
        state.due(clock.instant()).stream()
                .filter(run -> run.number() == number)
                .findFirst()
                .ifPresent(this::submit);
    }

    private void keep(ScheduleState next) {
        if (!next.equals(state)) {
            keep.accept(next);
            state = next;
        }
    }

    /// Where runs hold none back, no end matters.
    private Map<JobId, String> ends() {
        var ends = new LinkedHashMap<JobId, String>();
        if (schedule.policy().overlap() == Overlap.ALLOW && state.backfills().isEmpty()) {
            return ends;
        }
        for (var run : state.runs()) {
            if (run.phase() instanceof Phase.Submitted(var job)) {
                jobs.end(job).ifPresent(status -> ends.put(job, status));
            }
        }
        return ends;
    }

    private void submit(ScheduledRun run) {
        if (!(run.phase() instanceof Phase.Due due)) {
            return;
        }
        for (var job : due.cancels()) {
            var refused =
                    jobs.cancel(
                            job,
                            "the tick "
                                    + run.tick()
                                    + " of schedule '"
                                    + schedule.name()
                                    + "' replaces it");
            if (refused.isPresent()) {
                refused(run, "job " + job + " cannot be cancelled: " + refused.get(), false, false);
                return;
            }
        }
        switch (jobs.submit(schedule, run)) {
            case ScheduledJobs.Outcome.Submitted(var job) ->
                    keep(ScheduleRules.submitted(state, run.number(), job));
            case ScheduledJobs.Outcome.Refused(var error, var isFinal) ->
                    refused(run, error, isFinal, false);
            case ScheduledJobs.Outcome.Unknown(var error) -> refused(run, error, false, true);
        }
    }

    private void refused(ScheduledRun run, String error, boolean isFinal, boolean isOpen) {
        keep(
                ScheduleRules.refused(
                        schedule, state, run.number(), error, isFinal, isOpen, clock.instant()));
    }
}
