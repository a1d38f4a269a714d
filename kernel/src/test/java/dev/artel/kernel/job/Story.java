package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;

/// The life of one job, command by command; each is checked as in the property tests.
final class Story {
    static final TaskSpec TASK = TaskSpec.of("work", JsonObject.EMPTY);
    private static final double MIDDLE = 0.5;

    private final CheckedJob checked = new CheckedJob();
    private Instant now = RandomWorld.BEGIN;
    private int tokens;

    Story() {}

    static Story begun() {
        return begun(JobOptions.DEFAULTS);
    }

    static Story begun(JobOptions options) {
        var story = new Story();
        story.accepted(new JobCommand.Submit(spec(options), story.now));
        return story;
    }

    static Story begun(Guards guards) {
        var story = new Story();
        story.accepted(
                new JobCommand.Submit(spec(JobOptions.DEFAULTS).withGuards(guards), story.now));
        return story;
    }

    static JobSpec spec(JobOptions options) {
        return new JobSpec(
                new BlueprintRef("any", "1", "digest"),
                "start",
                "client",
                JobData.EMPTY,
                options,
                JobSpec.CURRENT_RULES);
    }

    /// A job whose strand 0 does `action` in its first state.
    static Story of(Action action) {
        var story = begun();
        story.step(0, action);
        return story;
    }

    Story after(Duration pause) {
        now = now.plus(pause);
        return this;
    }

    Instant now() {
        return now;
    }

    Story step(int strand, Action action) {
        accepted(new JobCommand.CompleteStep(stepOf(strand), action, List.of(), now));
        return this;
    }

    Story stepFails(int strand, boolean retryable) {
        accepted(new JobCommand.FailStep(stepOf(strand), "disk full", retryable, MIDDLE, now));
        return this;
    }

    EffectId stepOf(int strand) {
        return pending(Effect.RunStep.class).stream()
                .filter(step -> step.strand() == strand)
                .findFirst()
                .orElseThrow(() -> new AssertionError("strand " + strand + " has no step"))
                .id();
    }

    Lease grant(int task, String worker) {
        var offer =
                pending(Effect.Offer.class).stream()
                        .filter(pending -> pending.task() == task)
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("task " + task + " is not offered"));
        accepted(grantOf(offer, "lease-" + tokens++, worker, now));
        return leaseOf(task);
    }

    static JobCommand.Grant grantOf(Effect.Offer offer, String token, String worker, Instant at) {
        var id = new WorkerId(worker);
        return new JobCommand.Grant(
                offer.id(),
                offer.task(),
                new LeaseToken(token),
                id,
                new Placement(id, "it was free", List.of(), new LinkedHashMap<>(), 1),
                at);
    }

    Lease leaseOf(int task) {
        return ((Delivery.Leased) ((Task.Open) task(task)).delivery()).lease();
    }

    Story succeeds(int task) {
        return reports(task, new TaskReport.Succeeded("success", Payload.EMPTY));
    }

    Story fails(int task, ErrorClass kind) {
        return reports(task, new TaskReport.Failed(new TaskError(kind, "E1", "no paper")));
    }

    /// The holder reports; a queued task is granted before.
    Story reports(int task, TaskReport report) {
        if (task(task) instanceof Task.Open(Delivery.Queued _, int _, var _)) {
            grant(task, "anna");
        }
        accepted(reportOf(task, leaseOf(task), report));
        return this;
    }

    JobCommand.Report reportOf(int task, Lease lease, TaskReport report) {
        return new JobCommand.Report(task, lease.token(), lease.worker(), report, MIDDLE, now);
    }

    Story ends(int task, Lease lease, LeaseEnding reason) {
        accepted(new JobCommand.EndLease(task, lease.token(), reason, now));
        return this;
    }

    /// The time of the alarm comes, and it goes off.
    Story fires(Waking waking) {
        var alarm =
                pending(Effect.WakeAt.class).stream()
                        .filter(pending -> pending.waking().equals(waking))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no alarm is set for " + waking));
        now = alarm.at();
        accepted(new JobCommand.FireAlarm(alarm.id(), waking, MIDDLE, now));
        return this;
    }

    /// The time of the second attempt of a task comes.
    Story hedges(int task) {
        var due = (Hedge.Due) job().tasks().get(task).hedge().orElseThrow();
        now = due.alarm().at();
        accepted(
                new JobCommand.FireAlarm(
                        due.alarm().id(), new Waking.TaskAlarm(task), MIDDLE, now));
        return this;
    }

    Story cancel() {
        accepted(new JobCommand.Cancel("not needed", now));
        return this;
    }

    Decision give(JobCommand command) {
        return checked.give(command);
    }

    /// The events of a command that must be accepted.
    List<JobEvent> accepted(JobCommand command) {
        return switch (checked.give(command)) {
            case Decision.Accepted accepted -> accepted.events();
            case Decision.Rejected rejected -> throw new AssertionError(rejected.detail());
        };
    }

    void assertRefused(JobCommand command, Decision.Reason reason, String detail) {
        assertThat(checked.give(command)).isEqualTo(new Decision.Rejected(reason, detail));
    }

    List<JobEvent> events() {
        return checked.events();
    }

    Job job() {
        return checked.job();
    }

    Task.State task(int id) {
        return job().tasks().get(id).state();
    }

    Strand strand(int id) {
        return job().strands().get(id);
    }

    /// Why strand 0 is in its state.
    StepCause cause() {
        return ((Strand.Stepping) strand(0).doing()).cause();
    }

    <E extends Effect> List<E> pending(Class<E> kind) {
        return checked.pending().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    Instant alarm(Waking waking) {
        return pending(Effect.WakeAt.class).stream()
                .filter(alarm -> alarm.waking().equals(waking))
                .findFirst()
                .orElseThrow()
                .at();
    }

    void assertStatus(String status) {
        assertThat(job().status()).isEqualTo(status);
    }

    void assertEnded(String status, String message) {
        assertStatus(status);
        assertThat(job().errorMessage()).contains(message);
    }
}
