package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.question.Answer;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.timer.Timer;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Predicate;

/// Decides which commands must be accepted: those that answer what is pending, and those that repeat an answer.
final class Oracle {
    private Oracle() {}

    static void check(
            JobState before,
            SequencedMap<EffectId, Effect> pending,
            JobCommand command,
            Decision decision) {
        if (!(before instanceof Job job)) {
            assertThat(decision instanceof Decision.Accepted)
                    .isEqualTo(
                            command instanceof JobCommand.Submit
                                    || command instanceof JobCommand.Fork);
            return;
        }
        switch (command) {
            case JobCommand.Submit c
                    when c.signal().isPresent()
                            && !(decision
                                            instanceof
                                            Decision.Rejected(Decision.Reason reason, String _)
                                    && reason == Decision.Reason.KEY_REUSED) ->
                    signal(job, c.signal().get(), decision);
            case JobCommand.Submit _, JobCommand.Fork _ -> assertNothingHappened(decision);
            case JobCommand.CompleteStep c ->
                    answers(pending.get(c.step()) instanceof Effect.RunStep, decision);
            case JobCommand.FailStep c ->
                    answers(pending.get(c.step()) instanceof Effect.RunStep, decision);
            case JobCommand.Grant c ->
                    answers(
                            pending.get(c.offer()) instanceof Effect.Offer offer
                                    && offer.task() == c.task(),
                            decision);
            case JobCommand.FireTimer c ->
                    answers(
                            pending.get(c.timer()) instanceof Effect.ScheduleTimer timer
                                    && timer.timerKind().equals(c.timerKind()),
                            decision);
            case JobCommand.Report c ->
                    lease(job, c.task(), c.token(), Optional.of(c.worker()), decision);
            case JobCommand.EndLease c ->
                    lease(job, c.task(), c.token(), Optional.empty(), decision);
            case JobCommand.ResolveTask c ->
                    assertThat(decision instanceof Decision.Accepted)
                            .isEqualTo(
                                    pending.values().stream()
                                            .anyMatch(effect ->
                                                    effect instanceof Effect.AwaitResolution wait
                                                            && wait.task() == c.task()));
            case JobCommand.AskQuestion c -> question(job, c, decision);
            case JobCommand.AnswerQuestion c -> answer(job, pending, c, decision);
            case JobCommand.Rewind c ->
                    assertThat(decision instanceof Decision.Accepted)
                            .isEqualTo(
                                    c.to().run() == job.guardBaseline().run()
                                            && ((job.phase() instanceof Job.Active
                                                            && job.compensationLog()
                                                                    .running()
                                                                    .isEmpty())
                                                    || (job.phase() instanceof Job.Quarantined
                                                            && !job.isGivenUp())));
            case JobCommand.ResolveQuarantine c -> {
                var quarantined = job.phase() instanceof Job.Quarantined;
                if (!(c.how() instanceof QuarantineAction.Skip) || !quarantined) {
                    var discarded = c.how() instanceof QuarantineAction.Discard;
                    assertThat(decision instanceof Decision.Accepted)
                            .isEqualTo(quarantined && (discarded || !job.isGivenUp()));
                }
            }
            case JobCommand.Signal c -> signal(job, c, decision);
            case JobCommand.DecideApproval c -> decision(job, pending, c, decision);
            case JobCommand.ConfirmChild c -> toStart(pending, c.start(), c.child(), decision);
            case JobCommand.RefuseChild c -> toStart(pending, c.start(), c.child(), decision);
            case JobCommand.EndChild c ->
                    answers(
                            c.child() >= 0
                                    && c.child() < job.children().children().size()
                                    && job.children()
                                            .children()
                                            .get(c.child())
                                            .start()
                                            .equals(c.start())
                                    && mayHaveBegun(job.children().children().get(c.child())),
                            decision);
            case JobCommand.ConfirmStop c ->
                    answers(
                            pending.get(c.stop()) instanceof Effect.StopChild stop
                                    && stop.child() == c.child(),
                            decision);
            case JobCommand.ConfirmParentNotified c ->
                    answers(
                            pending.get(c.parentNotification()) instanceof Effect.NotifyParent,
                            decision);
            case JobCommand.SettleWebhook c -> {
                if (job.webhookEvents().past().stream()
                        .anyMatch(past -> past.webhookEvent().id().equals(c.call()))) {
                    assertNothingHappened(decision);
                } else {
                    answers(pending.get(c.call()) instanceof Effect.CallWebhook, decision);
                }
            }
            case JobCommand.PauseJob _ -> {
                if (job.pause().isPresent()) {
                    assertNothingHappened(decision);
                } else if (decision instanceof Decision.Rejected(var reason, var _)
                        && reason == Decision.Reason.FULL) {
                    assertThat(job.version() - job.guardBaseline().events())
                            .isGreaterThan(job.spec().guards().history());
                } else {
                    assertThat(decision instanceof Decision.Accepted)
                            .isEqualTo(
                                    job.phase() instanceof Job.Quarantined
                                            || (job.phase() instanceof Job.Active
                                                    && job.compensationLog().running().isEmpty()));
                }
            }
            case JobCommand.ExtendBudget _ -> {
                if (job.isFinal()) {
                    assertRefused(decision, Decision.Reason.FINAL);
                } else if (job.budget().isEmpty()) {
                    assertRefused(decision, Decision.Reason.NOT_AWAITED);
                } else if (decision instanceof Decision.Rejected) {
                    assertRefused(decision, Decision.Reason.FULL);
                    assertThat(job.version() - job.guardBaseline().events())
                            .isGreaterThan(job.spec().guards().history());
                } else {
                    assertThat(pending.values())
                            .filteredOn(Effect.AwaitExtension.class::isInstance)
                            .hasSizeLessThanOrEqualTo(1);
                }
            }
            case JobCommand.ResumeJob _ -> {
                if (job.isFinal()) {
                    assertRefused(decision, Decision.Reason.FINAL);
                } else if (job.pause().isEmpty()) {
                    assertNothingHappened(decision);
                } else {
                    assertThat(pending.values()).anyMatch(Effect.AwaitResume.class::isInstance);
                    assertThat(decision).isInstanceOf(Decision.Accepted.class);
                }
            }
            case JobCommand.ChangeJob c -> {
                if (job.isFinal()) {
                    assertRefused(decision, Decision.Reason.FINAL);
                } else if (c.patch().priority().equals(Optional.of(job.spec().options().priority()))
                        && c.patch().labels().isEmpty()
                        && c.patch().removed().isEmpty()) {
                    assertNothingHappened(decision);
                } else if (decision instanceof Decision.Rejected) {
                    assertRefused(decision, Decision.Reason.FULL);
                    assertThat(
                                    c.patch().labelsAfter(job.spec().options().labels()).size()
                                                    > JobOptions.MOST_LABELS
                                            || job.version() - job.guardBaseline().events()
                                                    > job.spec().guards().history())
                            .isTrue();
                }
            }
            case JobCommand.Cancel _ ->
                    assertThat(decision instanceof Decision.Accepted).isEqualTo(!job.isFinal());
        }
    }

    private static void signal(Job job, JobCommand.Signal c, Decision decision) {
        var before = job.signals().nameOf(c.id());
        if (before.isPresent() && before.get().equals(c.signal())) {
            assertNothingHappened(decision);
        } else if (before.isPresent()) {
            assertRefused(decision, Decision.Reason.KEY_REUSED);
        } else if (job.isFinal()) {
            assertRefused(decision, Decision.Reason.FINAL);
        } else if (decision instanceof Decision.Rejected) {
            assertRefused(decision, Decision.Reason.FULL);
            assertThat(
                            job.signals().waiting().size() == Signals.MOST_WAITING
                                    || job.version() - job.guardBaseline().events()
                                            > job.spec().guards().history())
                    .isTrue();
        } else {
            assertThat(decision)
                    .isInstanceOfSatisfying(
                            Decision.Accepted.class,
                            accepted -> assertThat(accepted.events()).isNotEmpty());
        }
    }

    /// Accepted is a choice of an approval that is pending, in time, by one of those who may decide.
    private static void decision(
            Job job,
            SequencedMap<EffectId, Effect> pending,
            JobCommand.DecideApproval c,
            Decision decision) {
        var meant =
                pending.values().stream()
                        .filter(Effect.AwaitApproval.class::isInstance)
                        .map(Effect.AwaitApproval.class::cast)
                        .filter(wait ->
                                switch (c.by()) {
                                    case Approver.TokenHolder(var digest, var _) ->
                                            wait.approval()
                                                    .tokenDigest()
                                                    .equals(Optional.of(digest));
                                    case Approver.OfClient(var _, var _, long number) ->
                                            wait.number() == number;
                                })
                        .findFirst();
        var due = meant.flatMap(wait -> due(job, wait));
        var inTime = due.map(timer -> c.at().isBefore(timer.at())).orElse(true);
        var chosen =
                meant.filter(wait -> wait.approval().choices().after(c.choice()).isPresent())
                        .isPresent();
        assertThat(decision instanceof Decision.Accepted)
                .isEqualTo(
                        chosen
                                && inTime
                                && meant.filter(wait -> mayDecide(job, wait, c)).isPresent());
    }

    private static Optional<Timer> due(Job job, Effect.AwaitApproval wait) {
        return job.branches().get(wait.branch()).doing()
                        instanceof Branch.AwaitingApproval(var _, var _, var deadline)
                ? deadline
                : Optional.empty();
    }

    private static boolean mayDecide(
            Job job, Effect.AwaitApproval wait, JobCommand.DecideApproval c) {
        if (!(c.by() instanceof Approver.OfClient(var client, var groups, long _))) {
            return true;
        }
        var who = wait.approval().approvers();
        var isAmongThem =
                (who.users().isEmpty() && who.groups().isEmpty())
                        || who.users().contains(client)
                        || groups.stream().anyMatch(who.groups()::contains);
        var isSubmitter =
                job.spec().client().equals(client)
                        || job.spec().options().requestedBy().contains("client " + client);
        return isAmongThem && (who.submitter() || !isSubmitter);
    }

    private static void question(Job job, JobCommand.AskQuestion c, Decision decision) {
        var found = find(job, c.task());
        if (found.isEmpty()) {
            assertRefused(decision, Decision.Reason.UNKNOWN_TASK);
            return;
        }
        var task = found.get();
        var first =
                task.state() instanceof Task.Open(Attempt.Held held, int _, var _)
                        && isMeant(held.lease(), c);
        var second = Hedge.lease(task).filter(lease -> isMeant(lease, c)).isPresent();
        if (!(first || second) || !(job.phase() instanceof Job.Active)) {
            assertRefused(decision, Decision.Reason.STALE_LEASE);
        } else if (task.answerTo(c.question().id()).isPresent()
                || task.asked()
                        .filter(openQuestion ->
                                openQuestion.question().id().equals(c.question().id()))
                        .isPresent()) {
            assertNothingHappened(decision);
        } else if (task.asked().isPresent()) {
            assertRefused(decision, Decision.Reason.NOT_AWAITED);
        } else if (task.answers().size() == Question.MOST_OF_A_TASK
                || task.answers().stream().mapToInt(Answer::characters).sum()
                                + c.question().characters()
                                + c.question().longestAnswer()
                        > Question.MOST_CHARACTERS_OF_A_TASK) {
            assertRefused(decision, Decision.Reason.FULL);
        } else {
            assertThat(decision)
                    .isInstanceOfSatisfying(
                            Decision.Accepted.class,
                            accepted -> assertThat(accepted.events()).hasSize(1));
        }
    }

    private static boolean isMeant(Lease lease, JobCommand.AskQuestion c) {
        return lease.token().equals(c.token()) && lease.worker().equals(c.worker());
    }

    /// Accepted is one of the choices of a question that is pending, in time; and the same answer again.
    private static void answer(
            Job job,
            SequencedMap<EffectId, Effect> pending,
            JobCommand.AnswerQuestion c,
            Decision decision) {
        var before =
                job.tasks().stream()
                        .flatMap(task -> task.answers().stream())
                        .filter(answer -> answer.number() == c.number())
                        .findFirst();
        if (before.isPresent()) {
            assertThat(decision instanceof Decision.Accepted)
                    .isEqualTo(
                            before.get().text().equals(c.answer())
                                    && before.get().by().equals(c.by()));
            assertNothingHappened(decision);
            return;
        }
        var open =
                pending.values().stream()
                        .filter(effect ->
                                effect instanceof Effect.AwaitAnswer wait
                                        && wait.number() == c.number())
                        .map(Effect.AwaitAnswer.class::cast)
                        .findFirst();
        var isInTime =
                open.flatMap(wait -> job.tasks().get(wait.task()).asked().orElseThrow().deadline())
                        .map(timer -> c.at().isBefore(timer.at()))
                        .orElse(true);
        assertThat(decision instanceof Decision.Accepted)
                .isEqualTo(
                        open.filter(wait -> wait.question().takes(c.answer())).isPresent()
                                && isInTime);
    }

    private static boolean mayHaveBegun(Child child) {
        return !(child.state() instanceof Child.Planned
                || child.state() instanceof Child.Withdrawn);
    }

    private static void toStart(
            SequencedMap<EffectId, Effect> pending, EffectId id, int child, Decision decision) {
        answers(
                pending.get(id) instanceof Effect.StartChild start
                        && start.parentLink().child() == child,
                decision);
    }

    private static void answers(boolean pending, Decision decision) {
        if (pending) {
            assertThat(decision).isInstanceOf(Decision.Accepted.class);
        } else {
            assertRefused(decision, Decision.Reason.STALE_EFFECT);
        }
    }

    /// @param reporter empty for the end of a lease, which is the orchestrator's word
    private static void lease(
            Job job, int number, LeaseToken token, Optional<WorkerId> reporter, Decision decision) {
        var found = find(job, number);
        if (found.isEmpty()) {
            assertRefused(decision, Decision.Reason.UNKNOWN_TASK);
            return;
        }
        var task = found.get();
        Predicate<Lease> isMeant =
                lease ->
                        lease.token().equals(token)
                                && reporter.map(lease.worker()::equals).orElse(true);
        var live =
                (task.state() instanceof Task.Open(Attempt.Held held, int _, var _)
                                && isMeant.test(held.lease()))
                        || Hedge.lease(task).filter(isMeant).isPresent();
        var lingers = task.lingering().stream().anyMatch(r -> isMeant.test(r.lease()));
        var repeats =
                task.state() instanceof Task.Succeeded done
                        && done.by().equals(token)
                        && reporter.map(done.worker()::equals).orElse(false);
        var knows =
                reporter.isPresent()
                        && task.state() instanceof Task.Doubtful doubt
                        && isMeant.test(doubt.lease());
        if (knows) {
            assertThat(decision).isInstanceOf(Decision.Accepted.class);
        } else if (live) {
            assertThat(decision)
                    .isInstanceOfSatisfying(
                            Decision.Accepted.class,
                            accepted -> assertThat(accepted.events()).isNotEmpty());
        } else if (lingers) {
            assertOnlyReleased(task, decision);
        } else if (repeats) {
            assertNothingHappened(decision);
        } else {
            assertRefused(decision, Decision.Reason.STALE_LEASE);
        }
    }

    private static Optional<Task> find(Job job, int number) {
        return number >= 0 && number < job.tasks().size()
                ? Optional.of(job.tasks().get(number))
                : Optional.empty();
    }

    private static void assertOnlyReleased(Task task, Decision decision) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Accepted.class,
                        accepted -> {
                            var after = ((Job) accepted.after()).tasks().get(task.id());
                            assertThat(accepted.events().getFirst())
                                    .isInstanceOf(JobEvent.LeaseReleased.class);
                            assertThat(after.state()).isEqualTo(task.state());
                            assertThat(after.lingering()).hasSize(task.lingering().size() - 1);
                        });
    }

    static void assertNothingHappened(Decision decision) {
        if (decision instanceof Decision.Accepted accepted) {
            assertThat(accepted.events()).isEmpty();
            assertThat(accepted.asked()).isEmpty();
            assertThat(accepted.ended()).isEmpty();
        }
    }

    private static void assertRefused(Decision decision, Decision.Reason reason) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Decision.Rejected.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
    }
}
