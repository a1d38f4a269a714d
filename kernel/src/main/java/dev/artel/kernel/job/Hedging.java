package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.job.JobCommand.FireAlarm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;

/// Decides what comes of a task at which two workers are: the first result counts, and what becomes of one attempt while
/// the other one lives is no failure of the task.
final class Hedging {
    private Hedging() {}

    /// Under which attempt `offer` asks for a worker.
    static Optional<Delivery.Queued> queued(Task task, EffectId offer) {
        var first =
                task.state() instanceof Task.Open(Delivery.Queued queued, int _, var _)
                        ? Optional.of(queued)
                        : Hedge.queued(task);
        return first.filter(queued -> queued.offer().equals(offer));
    }

    /// The attempt whose lease is meant, if it lives.
    static Optional<Delivery.Held> held(Task task, Predicate<Lease> isMeant) {
        if (!(task.state() instanceof Task.Open(Delivery.Held first, int _, var _))) {
            return Optional.empty();
        }
        return isMeant.test(first.lease())
                ? Optional.of(first)
                : Hedge.leased(task)
                        .filter(second -> isMeant.test(second.lease()))
                        .map(Delivery.Held.class::cast);
    }

    /// One of two attempts ends, and the other one goes on.
    ///
    /// @param lingers whether its worker may still be at it
    /// @param again after which time a second attempt begins anew
    /// @return false if there are not two
    static boolean drop(
            Deciding deciding,
            Task task,
            LeaseToken token,
            String reason,
            boolean lingers,
            Optional<Duration> again,
            Instant at) {
        if (Hedge.leased(task).isEmpty()) {
            return false;
        }
        deciding.emit(
                new JobEvent.AttemptDropped(
                        task.id(), token, reason, lingers, again.map(at::plus), at));
        return true;
    }

    static boolean drop(
            Deciding deciding,
            Task task,
            Lease lease,
            LeaseEnding reason,
            Duration pause,
            Instant at) {
        return switch (reason) {
            case LeaseEnding.Returned _ ->
                    drop(
                            deciding,
                            task,
                            lease.token(),
                            "worker " + lease.worker() + " gave it back unstarted",
                            false,
                            Optional.of(pause),
                            at);
            case LeaseEnding.Lost lost ->
                    drop(
                            deciding,
                            task,
                            lease.token(),
                            "worker " + lease.worker() + " was lost with it: " + lost.text(),
                            false,
                            Optional.empty(),
                            at);
        };
    }

    /// The time of the second attempt has come, or is over.
    static boolean alarm(Deciding deciding, Task task, FireAlarm c) {
        if (task.hedge().filter(hedge -> isOf(hedge, c)).isPresent()) {
            deciding.emit(new JobEvent.HedgeBegun(task.id(), c.at()));
            return true;
        }
        var second = Hedge.leased(task).filter(it -> it.timeout().id().equals(c.alarm()));
        return second.isPresent() && overran(deciding, task, second.get().lease(), c.at());
    }

    private static boolean isOf(Hedge hedge, FireAlarm c) {
        return hedge instanceof Hedge.Due(var alarm) && alarm.id().equals(c.alarm());
    }

    static boolean overran(Deciding deciding, Task task, Lease lease, Instant at) {
        return drop(
                deciding,
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
