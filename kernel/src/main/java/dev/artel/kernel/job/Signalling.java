package dev.artel.kernel.job;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Decision.Reason;
import java.time.Instant;
import java.util.Comparator;

/// Decides what comes of signals. One that nobody waits for is kept; one signal is for one strand, the one that has waited
/// for it longest.
final class Signalling {
    private Signalling() {}

    static Decision signal(Deciding deciding, Job job, JobCommand.Signal c) {
        var before = job.signals().nameOf(c.id());
        if (before.isPresent()) {
            return before.get().equals(c.signal())
                    ? deciding.accepted()
                    : refused(
                            Reason.KEY_REUSED,
                            job,
                            c,
                            "the id "
                                    + c.id()
                                    + " is that of signal '"
                                    + before.get()
                                    + "'; give each signal an id of its own");
        }
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return refused(
                    Reason.FINAL,
                    job,
                    c,
                    "the job is already "
                            + job.status()
                            + " since "
                            + at
                            + "; nobody waits for it");
        }
        if (job.signals().waiting().size() >= Signals.MOST_WAITING && !isAwaited(job, c.signal())) {
            return refused(
                    Reason.FULL,
                    job,
                    c,
                    "the job keeps "
                            + Signals.MOST_WAITING
                            + " signals that nobody has waited for yet; send it again when it waits");
        }
        if (Guarding.isHistoryFull(job) && !isAwaited(job, c.signal())) {
            return refused(
                    Reason.FULL,
                    job,
                    c,
                    "nobody waits for it, and the job "
                            + Guarding.fullHistory(job)
                            + "; send it when the job waits");
        }
        deciding.emit(
                new JobEvent.SignalReceived(c.signal(), c.id(), c.payload(), c.sender(), c.at()));
        deliver(deciding, c.signal(), c.at());
        return deciding.accepted();
    }

    private static Decision refused(Reason reason, Job job, JobCommand.Signal c, String why) {
        return new Decision.Rejected(
                reason, "job " + job.id() + ": signal '" + c.signal() + "' is refused: " + why);
    }

    static void await(Deciding deciding, int strand, Action.AwaitSignal wait, Instant at) {
        deciding.emit(
                new JobEvent.SignalAwaited(
                        strand,
                        wait.signal(),
                        wait.next(),
                        wait.deadline().map(deadline -> at.plus(deadline.within())),
                        wait.deadline().map(deadline -> deadline.state()),
                        at));
        deliver(deciding, wait.signal(), at);
    }

    /// Gives the oldest signal of the name to the strand that has waited longest, if there are both.
    private static void deliver(Deciding deciding, String signal, Instant at) {
        var job = deciding.job();
        var oldest = job.signals().first(signal);
        if (oldest.isEmpty() || !(job.phase() instanceof Job.Active)) {
            return;
        }
        job.strands().stream()
                .filter(strand -> waitsFor(strand, signal))
                .min(Comparator.comparing(strand -> waiting(strand).effect()))
                .ifPresent(strand ->
                        deciding.enter(
                                strand.id(),
                                waiting(strand).next(),
                                new StepCause.SignalTaken(signal, oldest.get().id()),
                                at));
    }

    private static boolean isAwaited(Job job, String signal) {
        return job.phase() instanceof Job.Active
                && job.strands().stream().anyMatch(strand -> waitsFor(strand, signal));
    }

    private static boolean waitsFor(Strand strand, String signal) {
        return strand.doing() instanceof Strand.AwaitingSignal wait && wait.signal().equals(signal);
    }

    private static Strand.AwaitingSignal waiting(Strand strand) {
        return (Strand.AwaitingSignal) strand.doing();
    }
}
