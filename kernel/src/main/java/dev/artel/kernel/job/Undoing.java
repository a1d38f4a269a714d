package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// The part of [Deciding] that ends jobs, and undoes what they did where they end badly or are taken back: from the last to the first, one
/// after the other, in a strand of its own.
final class Undoing {
    private final Deciding deciding;

    Undoing(Deciding deciding) {
        this.deciding = deciding;
    }

    /// The job comes to `outcome`, once all is undone that has to be.
    void end(JobOutcome outcome, Instant at) {
        var job = deciding.job();
        if (outcome instanceof JobOutcome.Finished || !hasWork(job, 0)) {
            deciding.emit(new JobEvent.JobEnded(outcome, at));
        } else {
            begin(new Undo.End(outcome), at);
        }
    }

    /// The job goes back, once all is undone that was done since.
    void back(Visit to, String by, Instant at) {
        if (hasWork(deciding.job(), to.done())) {
            begin(new Undo.Back(to, by), at);
        } else {
            goBack(to, by, at);
        }
    }

    private void begin(Undo.Aim aim, Instant at) {
        var job = deciding.job();
        // The workers of a cancelled job have had their grace.
        var grace =
                job.phase() instanceof Job.Cancelling
                        ? Optional.<Instant>empty()
                        : Optional.of(at.plus(job.spec().options().cancelGrace()));
        var limit = at.plus(job.spec().guards().undoTime());
        deciding.emit(new JobEvent.UndoBegun(aim, grace, limit, at));
        if (!deciding.job().undo().isWaiting()) {
            next(at);
        }
    }

    /// Whether something was done that can be undone, or is with a worker or a child.
    private static boolean hasWork(Job job, int kept) {
        return job.undo().done().size() > kept || isDeclaredAtWork(job);
    }

    private static boolean isDeclaredAtWork(Job job) {
        var undo = job.undo();
        return job.family().children().stream()
                        .anyMatch(child ->
                                child.mayFinish() && undo.declared(child.strand()).isPresent())
                || job.tasks().stream()
                        .anyMatch(
                                task -> isAtWork(task) && undo.declared(task.strand()).isPresent());
    }

    private static boolean isAtWork(Task task) {
        return task.state() instanceof Task.Doubtful
                || task.state() instanceof Task.Open(Delivery.Held _, int _, var _);
    }

    boolean isAt(int strand) {
        return deciding.job().undo().isAt(strand);
    }

    /// Whether it is for a person, who may think again.
    boolean isForGoingBack() {
        return deciding.job()
                .undo()
                .running()
                .filter(it -> it.aim() instanceof Undo.Back)
                .isPresent();
    }

    boolean isRunning() {
        return deciding.job().undo().running().isPresent();
    }

    /// The last of the workers and children may be gone for which it waits.
    void left(Instant at) {
        var job = deciding.job();
        if (job.undo().isWaiting() && job.lingering() == 0 && job.family().leaving() == 0) {
            next(at);
        }
    }

    boolean grace(EffectId alarm, Instant at) {
        var grace = deciding.job().undo().running().flatMap(Undo.Running::grace);
        if (grace.filter(set -> set.id().equals(alarm)).isEmpty()) {
            return false;
        }
        next(at);
        return true;
    }

    /// The compensation at hand has ended.
    void undone(Optional<String> failure, Instant at) {
        deciding.emit(new JobEvent.Undone(failure, at));
        next(at);
    }

    /// There is no more time for what is left.
    void outOfTime(Instant at) {
        var limit = deciding.job().spec().guards().undoTime();
        while (deciding.job().undo().isLeft()) {
            deciding.emit(new JobEvent.Undone(Optional.of("was not undone within " + limit), at));
        }
        finish(at);
    }

    private void next(Instant at) {
        var undo = deciding.job().undo();
        var strand = undo.running().orElseThrow().strand();
        if (!undo.isLeft()) {
            finish(at);
            return;
        }
        switch (undo.done().getLast().by()) {
            case Compensation.ByTask(var task) -> deciding.open(strand, task, Outcomes.NONE, at);
            case Compensation.ByState(var state) ->
                    deciding.emit(
                            new JobEvent.StateEntered(
                                    strand,
                                    state,
                                    new StepCause.Undoing(undo.done().size() - 1),
                                    at));
        }
    }

    private void finish(Instant at) {
        var undo = deciding.job().undo();
        var failures = String.join("; ", undo.failures());
        switch (undo.running().orElseThrow().aim()) {
            case Undo.End(var outcome) ->
                    deciding.emit(
                            new JobEvent.JobEnded(
                                    failures.isEmpty()
                                            ? outcome
                                            : new JobOutcome.Failed(
                                                    reason(outcome)
                                                            + "; and not everything could be undone: "
                                                            + failures),
                                    at));
            case Undo.Back(var to, var by) when failures.isEmpty() -> goBack(to, by, at);
            case Undo.Back(var to, var by) -> {
                rewind(to, by, at);
                deciding.failStrand(
                        0,
                        "it was taken back to state "
                                + to.state()
                                + " by "
                                + by
                                + ", and not everything could be undone: "
                                + failures
                                + "; undo it by hand, then release the job",
                        false,
                        at);
            }
        }
    }

    private void goBack(Visit to, String by, Instant at) {
        rewind(to, by, at);
        deciding.enter(0, to.state(), new StepCause.Mended("rewound", by), at);
    }

    private void rewind(Visit to, String by, Instant at) {
        var job = deciding.job();
        var undone = job.undo().running().map(Undo.Running::strand).orElse(-1);
        deciding.emit(
                new JobEvent.JobRewound(
                        job.strands().get(0).state(),
                        to.state(),
                        to.data(),
                        succeededSince(job, to.tasks(), undone),
                        by,
                        at));
    }

    private static List<Integer> succeededSince(Job job, int first, int butOf) {
        return IntStream.range(Math.max(0, first), job.tasks().size())
                .filter(task -> job.tasks().get(task).strand() != butOf)
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
