package dev.artel.simulation.judges;

import dev.artel.kernel.approval.Approvals;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.simulation.world.World;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// The part of the [Ledger] that judges the answers to callers that wait.
public final class AcknowledgementInvariants {
    private final World world;
    private final Ledger ledger;
    private final Set<Question> decided = new HashSet<>();

    /// The leases under which a report has changed something.
    private final Set<LeaseToken> reported = new HashSet<>();

    private record Question(JobId job, long approval) {}

    AcknowledgementInvariants(World world, Ledger ledger) {
        this.world = world;
        this.ledger = ledger;
    }

    public void submitted(JobId job) {
        if (!ledger.jobs().contains(job)) {
            throw world.failure("job " + job + " is acknowledged and not durable");
        }
    }

    /// A report was answered: nothing may remain for which its lease counts, and one that comes again changes nothing.
    public void answered(LeaseToken token, CommandReply reply) {
        if (!(reply instanceof CommandReply.Done(boolean changed))) {
            return;
        }
        if (changed && !reported.add(token)) {
            throw world.failure("a report under " + token + " counts a second time");
        }
        var address = token.address().orElseThrow();
        var task = ledger.task(address.job(), address.task());
        if (task.isEmpty() && hasForgotten(address.job())) {
            return;
        }
        if (task.isEmpty()) {
            throw world.failure("a report under " + token + " is accepted, of a task unknown");
        }
        if (HedgeInvariants.isLive(task.get(), token)) {
            throw world.failure("a report under " + token + " is accepted and not durable");
        }
    }

    /// Whether what a job knew of its tasks may be gone, since it has begun a new run.
    private boolean hasForgotten(JobId job) {
        return ledger.hasHappened(job, event -> event instanceof JobEvent.JobContinued);
    }

    /// A signal was answered: what is acknowledged is kept.
    public void signalled(JobId job, String id, CommandReply reply) {
        if (world.isWatchedOnly()) {
            return;
        }
        if (reply instanceof CommandReply.Done && !ledger.hasSignal(job, id)) {
            throw world.failure(
                    "signal " + id + " of job " + job + " is acknowledged and not durable");
        }
    }

    /// A decision was answered: what is acknowledged has decided, about its own approval, and alone.
    public void decided(JobId job, Approver by, String choice, CommandReply reply) {
        if (!(reply instanceof CommandReply.Done)) {
            return;
        }
        var found =
                ledger.fold(job).stream()
                        .flatMap(fold -> fold.approvals().past().stream())
                        .filter(past -> isOf(past, by, choice))
                        .findFirst()
                        .orElseThrow(() ->
                                world.failure(
                                        choice
                                                + " of "
                                                + by
                                                + " about job "
                                                + job
                                                + " is acknowledged and has not decided"));
        if (!decided.add(new Question(job, found.number()))) {
            throw world.failure("approval " + found + " of job " + job + " is decided twice");
        }
    }

    /// A question was answered and that was acknowledged: the answer is kept as it was sent.
    public void answered(JobId job, JobCommand.AnswerQuestion answer, CommandReply reply) {
        if (reply instanceof CommandReply.Done
                && !hasForgotten(job)
                && ledger.fold(job).stream()
                        .flatMap(fold -> fold.tasks().stream())
                        .flatMap(task -> task.answers().stream())
                        .noneMatch(kept ->
                                kept.number() == answer.number()
                                        && kept.text().equals(answer.answer()))) {
            throw world.failure(answer + " about job " + job + " is acknowledged and not durable");
        }
    }

    /// A worker receives the answer to its question.
    public void received(LeaseToken token, String question, String answer) {
        var address = token.address().orElseThrow();
        var kept =
                ledger.task(address.job(), address.task())
                        .flatMap(task -> task.answerTo(question))
                        .filter(it -> it.text().equals(answer));
        if (kept.isEmpty() && !hasForgotten(address.job())) {
            throw world.failure(
                    token + " receives '" + answer + "' to " + question + ", which is not durable");
        }
    }

    /// The resolution of a task was acknowledged: it is kept as it was sent.
    public void resolved(JobId job, JobCommand.ResolveTask resolve, CommandReply reply) {
        if (reply instanceof CommandReply.Done
                && !ledger.hasHappened(
                        job,
                        event ->
                                event instanceof JobEvent.OutcomeResolved resolved
                                        && resolved.task() == resolve.task()
                                        && resolved.resolution().equals(resolve.resolution()))) {
            throw world.failure(resolve + " about job " + job + " is acknowledged and not durable");
        }
    }

    /// What was done about a quarantined job was answered: what is acknowledged has happened.
    public void resolved(
            JobId job, JobCommand.ResolveQuarantine resolveQuarantine, CommandReply reply) {
        if (reply instanceof CommandReply.Done
                && !ledger.hasHappened(
                        job,
                        event ->
                                event instanceof JobEvent.QuarantineResolved done
                                        && done.how().equals(resolveQuarantine.how()))) {
            throw world.failure(
                    resolveQuarantine + " of job " + job + " is acknowledged and not durable");
        }
    }

    /// A job was taken back and that was answered: it was there with the data of that time.
    public void rewound(JobId job, JobCommand.Rewind rewind, CommandReply reply) {
        if (reply instanceof CommandReply.Done
                && !ledger.hasHappened(
                        job, event -> CompensationInvariants.takesBack(event, rewind.to()))) {
            throw world.failure(rewind + " of job " + job + " is acknowledged and not durable");
        }
    }

    private static boolean isOf(Approvals.Past past, Approver by, String choice) {
        var isIts =
                switch (by) {
                    case Approver.TokenHolder(var digest, var _) ->
                            past.tokenDigest().equals(Optional.of(digest));
                    case Approver.OfClient(var _, var _, long number) -> past.number() == number;
                };
        return isIts && past.end().equals(new Approvals.Decided(choice, by.text()));
    }
}
