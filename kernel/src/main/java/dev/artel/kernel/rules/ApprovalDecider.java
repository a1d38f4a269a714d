package dev.artel.kernel.rules;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.json.JsonObject;
import dev.artel.kernel.approval.Approval;
import dev.artel.kernel.approval.Approvals;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.timer.Timer;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Optional;

/// Decides what comes of approvals. A token is good for one decision about one approval, until its deadline; which token
/// it is, is found out in a time that reveals nothing about it.
final class ApprovalDecider {
    /// The name of the decision in the job's data.
    static final String DATA = "approval";

    private final Draft draft;
    private final Deciders deciders;

    ApprovalDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    void request(int branch, EffectId step, Action.AwaitApproval wait, Instant at) {
        var approval =
                new Approval(
                        step,
                        wait.message(),
                        wait.approvers(),
                        wait.choices(),
                        wait.tokenDigest(),
                        wait.deadline().map(deadline -> deadline.state()));
        draft.emit(
                new JobEvent.ApprovalRequested(
                        branch,
                        approval,
                        wait.deadline().map(deadline -> at.plus(deadline.within())),
                        at));
    }

    /// The data of the job that a decision adds.
    static Payload document(JobEvent.ApprovalDecided decided) {
        var document =
                JsonObject.builder()
                        .put("decision", decided.choice())
                        .put("by", decided.by())
                        .put("at", decided.at().toString());
        decided.comment().ifPresent(comment -> document.put("comment", comment));
        return Payload.of(document.build());
    }

    Decision decide(Job job, JobCommand.DecideApproval c) {
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.AwaitingApproval(var wait, var approval, var due)
                    && isMeant(c.by(), wait.event(), approval.tokenDigest())) {
                return refusal(job, wait.event(), approval, due, c)
                        .orElseGet(() -> decided(branch.id(), approval, c));
            }
        }
        for (var past : job.approvals().past()) {
            if (isMeant(c.by(), past.number(), past.tokenDigest())) {
                return isOver(job, past, c);
            }
        }
        return switch (c.by()) {
            case Approver.TokenHolder _ ->
                    refused(Reason.UNKNOWN_TOKEN, job, "the token belongs to no approval of it");
            case Approver.OfClient(var _, var _, long number) ->
                    refused(
                            Reason.NOT_AWAITED,
                            job,
                            "it has no approval " + number + "; list those that it waits for");
        };
    }

    private static boolean isMeant(Approver by, long number, Optional<String> tokenDigest) {
        return switch (by) {
            case Approver.TokenHolder(var digest, var _) ->
                    tokenDigest.isPresent()
                            && MessageDigest.isEqual(
                                    digest.getBytes(US_ASCII),
                                    tokenDigest.get().getBytes(US_ASCII));
            case Approver.OfClient(var _, var _, long wanted) -> wanted == number;
        };
    }

    private static Optional<Decision> refusal(
            Job job,
            long number,
            Approval approval,
            Optional<Timer> due,
            JobCommand.DecideApproval c) {
        var what = "approval " + number + " ";
        if (c.by() instanceof Approver.OfClient(var client, var groups, long _)
                && !approval.approvers().include(client, groups, job.spec()::isSubmitter)) {
            return Optional.of(
                    refused(
                            Reason.NOT_AN_APPROVER,
                            job,
                            what
                                    + "may be decided by "
                                    + approval.approvers().text()
                                    + "; client "
                                    + client
                                    + " is none of them"
                                    + (approval.approvers().submitter()
                                                    || client.equals(job.spec().client())
                                                    || !job.spec().isSubmitter(client)
                                            ? ""
                                            : ", since it had a part in the submission")));
        }
        return switch (job.phase()) {
            case Job.Ended(var _, var at) ->
                    Optional.of(
                            refused(
                                    Reason.FINAL,
                                    job,
                                    "it is already "
                                            + job.status()
                                            + " since "
                                            + at
                                            + "; there is nothing to decide"));
            case Job.Cancelling _, Job.Quarantined _ ->
                    Optional.of(
                            refused(
                                    Reason.NOT_AWAITED,
                                    job,
                                    what + "cannot be decided while the job " + doing(job)));
            case Job.Active _ -> {
                if (due.isPresent() && !c.at().isBefore(due.get().at())) {
                    yield Optional.of(expired(job, number, due.get().at()));
                }
                yield approval.choices().after(c.choice()).isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                refused(
                                        Reason.NO_SUCH_CHOICE,
                                        job,
                                        what
                                                + "has no choice '"
                                                + c.choice()
                                                + "'; choose one of "
                                                + approval.choices().states().sequencedKeySet()));
            }
        };
    }

    private static String doing(Job job) {
        return job.phase() instanceof Job.Cancelling ? "is being cancelled" : "is quarantined";
    }

    private Decision decided(int branch, Approval approval, JobCommand.DecideApproval c) {
        var by = c.by().text();
        draft.emit(new JobEvent.ApprovalDecided(branch, c.choice(), by, c.comment(), c.at()));
        deciders.branches()
                .enter(
                        branch,
                        approval.choices().after(c.choice()).orElseThrow(),
                        new StepCause.Decided(c.choice(), by),
                        c.at());
        return draft.accepted();
    }

    private static Decision isOver(Job job, Approvals.Past past, JobCommand.DecideApproval c) {
        return switch (past.end()) {
            case Approvals.Decided(var choice, var by) ->
                    refused(
                            c.by() instanceof Approver.TokenHolder
                                    ? Reason.TOKEN_USED
                                    : Reason.NOT_AWAITED,
                            job,
                            "approval "
                                    + past.number()
                                    + " was decided at "
                                    + past.at()
                                    + " by "
                                    + by
                                    + ": '"
                                    + choice
                                    + "'; it is decided once");
            case Approvals.Expired _ -> expired(job, past.number(), past.at());
            case Approvals.Withdrawn _ ->
                    refused(
                            Reason.NOT_AWAITED,
                            job,
                            "approval "
                                    + past.number()
                                    + " is no longer wanted since "
                                    + past.at());
        };
    }

    private static Decision expired(Job job, long number, Instant at) {
        return refused(
                Reason.TOKEN_EXPIRED,
                job,
                "approval " + number + " has expired at " + at + "; it can be decided no more");
    }

    private static Decision refused(Reason reason, Job job, String why) {
        return new Decision.Rejected(reason, "job " + job.id() + ": " + why);
    }
}
