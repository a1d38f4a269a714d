package dev.artel.kernel.rules;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import java.time.Instant;
import java.util.Comparator;

/// Decides what comes of signals. One that no branch waits for is kept; one signal is for one branch, the one that has waited
/// for it longest.
final class SignalDecider {
    private final Draft draft;
    private final Deciders deciders;

    SignalDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    Decision signal(Job job, JobCommand.Signal c) {
        var before = job.signals().nameOf(c.id());
        if (before.isPresent()) {
            return before.get().equals(c.signal())
                    ? draft.accepted()
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
                            + "; the job does not wait for it");
        }
        if (job.signals().waiting().size() >= Signals.MOST_WAITING && !isAwaited(job, c.signal())) {
            return refused(
                    Reason.FULL,
                    job,
                    c,
                    "the job keeps "
                            + Signals.MOST_WAITING
                            + " signals that it has not waited for yet; send it again when it waits");
        }
        if (GuardChecks.isHistoryFull(job) && !isAwaited(job, c.signal())) {
            return refused(
                    Reason.FULL,
                    job,
                    c,
                    "the job does not wait for it, and it "
                            + GuardChecks.fullHistory(job)
                            + "; send it when the job waits");
        }
        draft.emit(
                new JobEvent.SignalReceived(c.signal(), c.id(), c.payload(), c.sender(), c.at()));
        deliver(c.signal(), c.at());
        return draft.accepted();
    }

    private static Decision refused(Reason reason, Job job, JobCommand.Signal c, String why) {
        return new Decision.Rejected(
                reason, "job " + job.id() + ": signal '" + c.signal() + "' is refused: " + why);
    }

    void await(int branch, Action.AwaitSignal wait, Instant at) {
        draft.emit(
                new JobEvent.SignalAwaited(
                        branch,
                        wait.signal(),
                        wait.next(),
                        wait.deadline().map(deadline -> at.plus(deadline.within())),
                        wait.deadline().map(deadline -> deadline.state()),
                        at));
        deliver(wait.signal(), at);
    }

    /// Gives the oldest signal of the name to the branch that has waited longest, if there are both.
    private void deliver(String signal, Instant at) {
        var job = draft.job();
        var oldest = job.signals().first(signal);
        if (oldest.isEmpty() || !(job.phase() instanceof Job.Active)) {
            return;
        }
        job.branches().stream()
                .filter(branch -> waitsFor(branch, signal))
                .min(Comparator.comparing(branch -> waiting(branch).effect()))
                .ifPresent(branch ->
                        deciders.branches()
                                .enter(
                                        branch.id(),
                                        waiting(branch).next(),
                                        new StepCause.SignalTaken(signal, oldest.get().id()),
                                        at));
    }

    private static boolean isAwaited(Job job, String signal) {
        return job.phase() instanceof Job.Active
                && job.branches().stream().anyMatch(branch -> waitsFor(branch, signal));
    }

    private static boolean waitsFor(Branch branch, String signal) {
        return branch.doing() instanceof Branch.AwaitingSignal wait && wait.signal().equals(signal);
    }

    private static Branch.AwaitingSignal waiting(Branch branch) {
        return (Branch.AwaitingSignal) branch.doing();
    }
}
