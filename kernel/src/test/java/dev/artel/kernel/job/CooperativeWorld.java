package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.timer.TimerKind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// Handlers that end, workers that succeed, timers that go off when nothing else is left, a person who cancels.
final class CooperativeWorld {
    private final CheckedJob job;
    private final Instant now = RandomWorld.BEGIN.plusSeconds(1_000_000);
    private int given;

    CooperativeWorld(CheckedJob job) {
        this.job = job;
    }

    /// Leads the job to its end.
    void bringToItsEnd() {
        var it = job.job();
        var bound =
                20
                        + 6 * it.branches().size()
                        + 6 * it.tasks().size()
                        + 6 * it.lingering()
                        + 6 * it.children().children().size()
                        + 6 * it.webhookEvents().pending().size();
        while (!job.job().isClosed()) {
            assertThat(given).as("commands until the job is closed").isLessThan(bound);
            given++;
            var decision = job.give(nextCommand());
            assertThat(decision)
                    .as("each command brings the job on")
                    .isInstanceOfSatisfying(
                            Decision.Accepted.class,
                            accepted -> assertThat(accepted.events()).isNotEmpty());
        }
    }

    private JobCommand nextCommand() {
        var pending = job.pending();
        return pending.stream()
                .flatMap(effect -> answer(effect).stream())
                .findFirst()
                .or(() -> pending.stream().flatMap(effect -> timer(effect).stream()).findFirst())
                .orElseThrow(() -> new AssertionError("nobody can bring it on: " + pending));
    }

    private Optional<JobCommand> answer(Effect effect) {
        return switch (effect) {
            case Effect.RunStep step ->
                    Optional.of(
                            new JobCommand.CompleteStep(
                                    step.id(), Action.endBranch(), List.of(), now));
            case Effect.Offer offer -> Optional.of(grant(offer));
            case Effect.HoldLease held ->
                    Optional.of(
                            new JobCommand.Report(
                                    held.task(),
                                    held.lease().token(),
                                    held.lease().worker(),
                                    new TaskReport.Succeeded("success", Payload.EMPTY),
                                    0.5,
                                    now));
            case Effect.Revoke revoke ->
                    Optional.of(
                            new JobCommand.EndLease(
                                    revoke.task(),
                                    revoke.lease().token(),
                                    LeaseEnd.Returned.RELEASED,
                                    now));
            case Effect.AwaitResolution wait ->
                    Optional.of(
                            new JobCommand.ResolveTask(
                                    wait.task(),
                                    new Resolution.Happened("success", Payload.EMPTY),
                                    "client",
                                    now));
            case Effect.HoldParked _ -> Optional.empty();
            case Effect.AwaitAnswer wait when isLate(wait) -> Optional.empty();
            case Effect.AwaitAnswer wait ->
                    Optional.of(
                            new JobCommand.AnswerQuestion(wait.number(), "left", "client", now));
            case Effect.AwaitSignal wait ->
                    Optional.of(
                            new JobCommand.Signal(
                                    wait.signal(), "good-" + given, Payload.EMPTY, "client", now));
            // One with a deadline is decided by time, which has come.
            case Effect.AwaitApproval wait when wait.approval().otherwise().isPresent() ->
                    Optional.empty();
            case Effect.AwaitApproval wait ->
                    Optional.of(
                            new JobCommand.DecideApproval(
                                    new Approver.OfClient(
                                            "somebody", List.of("managers"), wait.number()),
                                    "yes",
                                    Optional.empty(),
                                    now));
            case Effect.StartChild start ->
                    Optional.of(
                            new JobCommand.ConfirmChild(
                                    start.parentLink().child(), start.id(), now));
            case Effect.AwaitChild await ->
                    Optional.of(
                            new JobCommand.EndChild(
                                    await.child(),
                                    job.job().children().children().get(await.child()).start(),
                                    RandomWorld.report(Outcomes.FINISHED),
                                    now));
            case Effect.StopChild stop ->
                    Optional.of(new JobCommand.ConfirmStop(stop.child(), stop.id(), now));
            case Effect.NotifyParent notification ->
                    Optional.of(new JobCommand.ConfirmParentNotified(notification.id(), now));
            case Effect.CallWebhook call ->
                    Optional.of(new JobCommand.SettleWebhook(call.id(), 1, Optional.empty(), now));
            case Effect.AwaitOperator _ ->
                    Optional.of(new JobCommand.Cancel("nobody recovers it", now));
            case Effect.AwaitExtension wait ->
                    Optional.of(new JobCommand.ExtendBudget(wait.needed(), "client", now));
            case Effect.AwaitResume _ -> Optional.of(new JobCommand.ResumeJob("client", now));
            case Effect.ScheduleTimer _ -> Optional.empty();
        };
    }

    /// One with a deadline ends by time, which has come.
    private boolean isLate(Effect.AwaitAnswer wait) {
        return job.job().tasks().get(wait.task()).asked().orElseThrow().deadline().isPresent();
    }

    private JobCommand grant(Effect.Offer offer) {
        var worker = new WorkerId("helpful");
        return new JobCommand.Grant(
                offer.id(),
                offer.task(),
                new LeaseToken("good-" + given),
                worker,
                new Placement(worker, "it was free", List.of(), new LinkedHashMap<>(), 1),
                now);
    }

    /// The job's deadline does not count: a job must not need it to end.
    private Optional<JobCommand> timer(Effect effect) {
        return effect instanceof Effect.ScheduleTimer(var id, var _, var timerKind)
                        && !(timerKind instanceof TimerKind.JobDeadline)
                ? Optional.of(new JobCommand.FireTimer(id, timerKind, 0.5, now))
                : Optional.empty();
    }
}
