package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Collectors;

/// The part of [Deciding] that ends jobs, and undoes what they did where they end badly: from the last to the first, one
/// after the other, in a strand of its own.
final class Undoing {
    private final Deciding deciding;

    Undoing(Deciding deciding) {
        this.deciding = deciding;
    }

    /// The job comes to `outcome`, once all is undone that has to be.
    void end(JobOutcome outcome, Instant at) {
        var job = deciding.job();
        if (outcome instanceof JobOutcome.Finished || !hasWork(job)) {
            deciding.emit(new JobEvent.JobEnded(outcome, at));
            return;
        }
        // The workers of a cancelled job have had their grace.
        var grace =
                job.phase() instanceof Job.Cancelling
                        ? Optional.<Instant>empty()
                        : Optional.of(at.plus(job.spec().options().cancelGrace()));
        var limit = at.plus(job.spec().guards().undoTime());
        deciding.emit(new JobEvent.UndoBegun(outcome, grace, limit, at));
        if (!deciding.job().undo().isWaiting()) {
            next(at);
        }
    }

    /// Whether something was done that can be undone, or is with a worker.
    private static boolean hasWork(Job job) {
        return !job.undo().done().isEmpty()
                || job.undo().declared().sequencedKeySet().stream()
                        .anyMatch(strand -> isAtWork(job, strand));
    }

    private static boolean isAtWork(Job job, int strand) {
        return job.tasks().stream()
                .anyMatch(task ->
                        task.strand() == strand
                                && (task.state() instanceof Task.Doubtful
                                        || task.state()
                                                instanceof
                                                Task.Open(Delivery.Leased _, int _, var _)));
    }

    boolean isAt(int strand) {
        return deciding.job().undo().isAt(strand);
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
        while (!deciding.job().undo().done().isEmpty()) {
            deciding.emit(new JobEvent.Undone(Optional.of("was not undone within " + limit), at));
        }
        finish(at);
    }

    private void next(Instant at) {
        var undo = deciding.job().undo();
        var strand = undo.running().orElseThrow().strand();
        if (undo.done().isEmpty()) {
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
        var outcome = undo.running().orElseThrow().outcome();
        var failures =
                undo.undone().stream()
                        .filter(one -> one.failure().isPresent())
                        .map(one -> "state " + one.what().state() + ": " + one.failure().get())
                        .collect(Collectors.joining("; "));
        deciding.emit(
                new JobEvent.JobEnded(
                        failures.isEmpty()
                                ? outcome
                                : new JobOutcome.Failed(
                                        reason(outcome)
                                                + "; and not everything could be undone: "
                                                + failures),
                        at));
    }

    static String reason(JobOutcome outcome) {
        return switch (outcome) {
            case JobOutcome.Finished _ -> "it has finished";
            case JobOutcome.Failed(var reason) -> reason;
            case JobOutcome.Cancelled(var reason) -> reason;
        };
    }
}
