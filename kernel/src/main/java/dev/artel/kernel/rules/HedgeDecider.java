package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.JobCommand.FireTimer;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/// Decides what comes of a task at which two workers are: the first result counts, and what becomes of one attempt while
/// the other one lives is no failure of the task.
final class HedgeDecider {
    private final Draft draft;

    HedgeDecider(Draft draft) {
        this.draft = draft;
    }

    /// Under which attempt `offer` asks for a worker.
    static Optional<Attempt.Queued> queued(Task task, EffectId offer) {
        var first =
                task.state() instanceof Task.Open(Attempt.Queued queued, int _, var _)
                        ? Optional.of(queued)
                        : Hedge.queued(task);
        return first.filter(queued -> queued.offer().equals(offer) && !queued.withheld());
    }

    /// The attempt whose lease is meant, if it lives.
    static Optional<Attempt.Held> held(Task task, Predicate<Lease> isMeant) {
        if (!(task.state() instanceof Task.Open(Attempt.Held first, int _, var _))) {
            return Optional.empty();
        }
        return isMeant.test(first.lease())
                ? Optional.of(first)
                : Hedge.leased(task)
                        .filter(second -> isMeant.test(second.lease()))
                        .map(Attempt.Held.class::cast);
    }

    /// One of two attempts ends, and the other one goes on.
    ///
    /// @param lingers whether its worker may still be at it
    /// @param again after which time a second attempt begins anew
    /// @return false if there are not two
    boolean drop(
            Task task,
            LeaseToken token,
            String reason,
            boolean lingers,
            Optional<Duration> again,
            Instant at) {
        if (Hedge.leased(task).isEmpty()) {
            return false;
        }
        draft.emit(
                new JobEvent.AttemptDropped(
                        task.id(), token, reason, lingers, again.map(at::plus), at));
        return true;
    }

    boolean drop(Task task, Lease lease, LeaseEnd reason, Duration pause, Instant at) {
        return switch (reason) {
            case LeaseEnd.Returned _ ->
                    drop(
                            task,
                            lease.token(),
                            "worker " + lease.worker() + " gave it back unstarted",
                            false,
                            Optional.of(pause),
                            at);
            case LeaseEnd.Lost lost ->
                    drop(
                            task,
                            lease.token(),
                            "worker " + lease.worker() + " was lost with it: " + lost.text(),
                            false,
                            Optional.empty(),
                            at);
        };
    }

    /// The time of the second attempt has come, or is over.
    boolean timer(Task task, FireTimer c) {
        if (task.hedge().filter(hedge -> isOf(hedge, c)).isPresent()) {
            draft.emit(new JobEvent.HedgeBegun(task.id(), c.at()));
            return true;
        }
        var second = Hedge.leased(task).filter(it -> it.timeout().id().equals(c.timer()));
        return second.isPresent() && overran(task, second.get().lease(), c.at());
    }

    private static boolean isOf(Hedge hedge, FireTimer c) {
        return hedge instanceof Hedge.Due(var timer) && timer.id().equals(c.timer());
    }

    boolean overran(Task task, Lease lease, Instant at) {
        return drop(
                task,
                lease.token(),
                "worker "
                        + lease.worker()
                        + " took longer than "
                        + task.spec().limits().executionTimeout(),
                true,
                Optional.empty(),
                at);
    }
}
