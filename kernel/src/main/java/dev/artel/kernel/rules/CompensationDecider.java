package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand.FireTimer;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Task;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// Decides how jobs end, and how they compensate what they did where they end badly or are taken back: from the last to the first, one
/// after the other, in a branch of its own.
final class CompensationDecider {
    /// Failures that the error message of a job names.
    private static final int MOST_NAMED = 20;

    private final Draft draft;
    private final Deciders deciders;

    /// Whether the loop of [#next] runs.
    private boolean isBeginning;

    /// Whether the next compensation is to begin.
    private boolean isNextDue;

    CompensationDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    /// The job comes to `outcome`, once all is compensated that has to be.
    void end(JobOutcome outcome, Instant at) {
        var job = draft.job();
        if (outcome instanceof JobOutcome.Finished || !hasWork(job, 0)) {
            draft.emit(new JobEvent.JobEnded(outcome, at));
        } else {
            begin(new CompensationLog.End(outcome), at);
        }
    }

    /// The time of the whole job is over.
    boolean deadline(Job job, FireTimer c) {
        var deadline = job.deadline().filter(set -> set.id().equals(c.timer()));
        if (deadline.isEmpty()) {
            return false;
        }
        if (isRunning()) {
            outOfTime(c.at());
        } else {
            end(
                    new JobOutcome.Failed(
                            "the job's deadline " + deadline.get().at() + " has passed"),
                    c.at());
        }
        return true;
    }

    /// The job goes back, once all is compensated that was done since.
    void back(StateVisit to, String by, Instant at) {
        if (hasWork(draft.job(), to.done())) {
            begin(new CompensationLog.Back(to, by), at);
        } else {
            goBack(to, by, at);
        }
    }

    private void begin(CompensationLog.Aim aim, Instant at) {
        var job = draft.job();
        // The workers of a cancelled job have had their grace.
        var grace =
                job.phase() instanceof Job.Cancelling
                        ? Optional.<Instant>empty()
                        : Optional.of(at.plus(job.spec().options().cancelGrace()));
        var limit = at.plus(job.spec().guards().compensationTimeout());
        draft.emit(new JobEvent.CompensationStarted(aim, grace, limit, at));
        if (!draft.job().compensationLog().isWaiting()) {
            next(at);
        }
    }

    /// Whether something was done that can be compensated, or is with a worker or a child.
    private static boolean hasWork(Job job, int kept) {
        return job.compensationLog().registered().size() > kept || isDeclaredAtWork(job);
    }

    private static boolean isDeclaredAtWork(Job job) {
        var compensationLog = job.compensationLog();
        return job.children().children().stream()
                        .anyMatch(child ->
                                child.mayFinish()
                                        && compensationLog.declared(child.branch()).isPresent())
                || job.tasks().stream()
                        .anyMatch(task ->
                                isAtWork(task)
                                        && compensationLog.declared(task.branch()).isPresent());
    }

    private static boolean isAtWork(Task task) {
        return task.state() instanceof Task.Doubtful
                || task.state() instanceof Task.Open(Attempt.Held _, int _, var _);
    }

    boolean isAt(int branch) {
        return draft.job().compensationLog().isAt(branch);
    }

    /// Whether it is for a person, who may think again.
    boolean isForGoingBack() {
        return draft.job()
                .compensationLog()
                .running()
                .filter(it -> it.aim() instanceof CompensationLog.Back)
                .isPresent();
    }

    boolean isRunning() {
        return draft.job().compensationLog().running().isPresent();
    }

    /// The last of the workers and children may be gone for which it waits.
    void left(Instant at) {
        var job = draft.job();
        if (job.compensationLog().isWaiting()
                && job.lingering() == 0
                && job.children().leaving() == 0) {
            next(at);
        }
    }

    boolean grace(EffectId timer, Instant at) {
        var grace = draft.job().compensationLog().running().flatMap(CompensationLog.Running::grace);
        if (grace.filter(set -> set.id().equals(timer)).isEmpty()) {
            return false;
        }
        next(at);
        return true;
    }

    /// The compensation at hand has ended.
    void compensated(Optional<String> failure, Instant at) {
        draft.emit(new JobEvent.CompensationCompleted(failure, at));
        next(at);
    }

    /// There is no more time for what is left.
    private void outOfTime(Instant at) {
        var limit = draft.job().spec().guards().compensationTimeout();
        while (draft.job().compensationLog().isLeft()) {
            draft.emit(
                    new JobEvent.CompensationCompleted(
                            Optional.of("was not compensated within " + limit), at));
        }
        finish(at);
    }

    /// Begins the next compensation. One that ends as it begins comes back here; the loop of the first call then begins the one after it, so that the
    /// stack does not grow with their number.
    private void next(Instant at) {
        isNextDue = true;
        if (isBeginning) {
            return;
        }
        isBeginning = true;
        while (isNextDue) {
            isNextDue = false;
            beginNext(at);
        }
        isBeginning = false;
    }

    private void beginNext(Instant at) {
        var compensationLog = draft.job().compensationLog();
        var branch = compensationLog.running().orElseThrow().branch();
        if (!compensationLog.isLeft()) {
            finish(at);
            return;
        }
        switch (compensationLog.registered().getLast().by()) {
            case Compensation.ByTask(var task) ->
                    deciders.branches().open(branch, task, Outcomes.NONE, at);
            case Compensation.ByState(var state, var _) ->
                    draft.emit(
                            new JobEvent.StateEntered(
                                    branch,
                                    state,
                                    new StepCause.Compensation(
                                            compensationLog.registered().size() - 1),
                                    at));
        }
    }

    private void finish(Instant at) {
        var compensationLog = draft.job().compensationLog();
        var failures = inWords(compensationLog.failures());
        switch (compensationLog.running().orElseThrow().aim()) {
            case CompensationLog.End(var outcome) ->
                    draft.emit(
                            new JobEvent.JobEnded(
                                    failures.isEmpty()
                                            ? outcome
                                            : new JobOutcome.Failed(
                                                    reason(outcome)
                                                            + "; and not everything could be compensated: "
                                                            + failures),
                                    at));
            case CompensationLog.Back(var to, var by) when failures.isEmpty() -> goBack(to, by, at);
            case CompensationLog.Back(var to, var by) -> {
                rewind(to, by, at);
                deciders.branches()
                        .fail(
                                0,
                                "it was taken back to state "
                                        + to.state()
                                        + " by "
                                        + by
                                        + ", and not everything could be compensated: "
                                        + failures
                                        + "; compensate it by hand, then release the job",
                                false,
                                at);
            }
        }
    }

    /// The first of `failures`, and how many there are besides: the text is in an event, in rows and in what is sent to others.
    private static String inWords(List<String> failures) {
        var named = String.join("; ", failures.subList(0, Math.min(MOST_NAMED, failures.size())));
        return failures.size() <= MOST_NAMED
                ? named
                : named
                        + "; and "
                        + Counts.of(failures.size() - MOST_NAMED)
                        + " more, which the history of the job lists";
    }

    private void goBack(StateVisit to, String by, Instant at) {
        rewind(to, by, at);
        deciders.branches().enter(0, to.state(), new StepCause.Resolved("rewound", by), at);
    }

    private void rewind(StateVisit to, String by, Instant at) {
        var job = draft.job();
        var compensated =
                job.compensationLog().running().map(CompensationLog.Running::branch).orElse(-1);
        draft.emit(
                new JobEvent.JobRewound(
                        job.branches().get(0).state(),
                        to.state(),
                        to.data(),
                        succeededSince(job, to.tasks(), compensated),
                        by,
                        at));
    }

    private static List<Integer> succeededSince(Job job, int first, int butOf) {
        return IntStream.range(Math.max(0, first), job.tasks().size())
                .filter(task -> job.tasks().get(task).branch() != butOf)
                .filter(task -> job.tasks().get(task).state() instanceof Task.Succeeded)
                .boxed()
                .toList();
    }

    static String reason(JobOutcome outcome) {
        return switch (outcome) {
            case JobOutcome.Finished _ -> "it has finished";
            case JobOutcome.Failed(var reason) -> reason;
            case JobOutcome.Cancelled(var reason) -> reason;
        };
    }
}
