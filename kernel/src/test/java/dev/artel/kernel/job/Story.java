package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;

/// The life of one job, command by command; each is checked as in the property tests.
public final class Story {
    public static final TaskSpec TASK = TaskSpec.of("work", JsonObject.EMPTY);
    private static final double MIDDLE = 0.5;

    private final CheckedJob checked = new CheckedJob();
    private Instant now = RandomWorld.BEGIN;
    private int tokens;

    public Story() {}

    public static Story begun() {
        return begun(JobOptions.DEFAULTS);
    }

    public static Story begun(JobOptions options) {
        var story = new Story();
        story.accepted(new JobCommand.Submit(spec(options), story.now));
        return story;
    }

    public static Story begun(Guards guards) {
        var story = new Story();
        story.accepted(
                new JobCommand.Submit(spec(JobOptions.DEFAULTS).withGuards(guards), story.now));
        return story;
    }

    public static JobSpec spec(JobOptions options) {
        return new JobSpec(
                new BlueprintRef("any", "1", "digest"),
                "start",
                "client",
                JobData.EMPTY,
                options,
                JobSpec.CURRENT_RULES);
    }

    /// A job whose branch 0 does `action` in its first state.
    public static Story of(Action action) {
        var story = begun();
        story.step(0, action);
        return story;
    }

    public Story after(Duration pause) {
        now = now.plus(pause);
        return this;
    }

    public Instant now() {
        return now;
    }

    public Story step(int branch, Action action) {
        accepted(new JobCommand.CompleteStep(stepOf(branch), action, List.of(), now));
        return this;
    }

    public Story stepFails(int branch, boolean retryable) {
        accepted(new JobCommand.FailStep(stepOf(branch), "disk full", retryable, MIDDLE, now));
        return this;
    }

    public EffectId stepOf(int branch) {
        return pending(Effect.RunStep.class).stream()
                .filter(step -> step.branch() == branch)
                .findFirst()
                .orElseThrow(() -> new AssertionError("branch " + branch + " has no step"))
                .id();
    }

    public Lease grant(int task, String worker) {
        var offer =
                pending(Effect.Offer.class).stream()
                        .filter(pending -> pending.task() == task)
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("task " + task + " is not offered"));
        accepted(grantOf(offer, "lease-" + tokens++, worker, now));
        return leaseOf(task);
    }

    public static JobCommand.Grant grantOf(
            Effect.Offer offer, String token, String worker, Instant at) {
        var id = new WorkerId(worker);
        return new JobCommand.Grant(
                offer.id(),
                offer.task(),
                new LeaseToken(token),
                id,
                new Placement(id, "it was free", List.of(), new LinkedHashMap<>(), 1),
                at);
    }

    public Lease leaseOf(int task) {
        return ((Attempt.Leased) ((Task.Open) task(task)).attempt()).lease();
    }

    public Story succeeds(int task) {
        return reports(task, new TaskReport.Succeeded("success", Payload.EMPTY));
    }

    public Story fails(int task, ErrorClass kind) {
        return reports(task, new TaskReport.Failed(new TaskError(kind, "E1", "no paper")));
    }

    /// The holder reports; a queued task is granted before.
    public Story reports(int task, TaskReport report) {
        if (task(task) instanceof Task.Open(Attempt.Queued _, int _, var _)) {
            grant(task, "anna");
        }
        accepted(reportOf(task, leaseOf(task), report));
        return this;
    }

    public JobCommand.Report reportOf(int task, Lease lease, TaskReport report) {
        return new JobCommand.Report(task, lease.token(), lease.worker(), report, MIDDLE, now);
    }

    public Story ends(int task, Lease lease, LeaseEnd reason) {
        accepted(new JobCommand.EndLease(task, lease.token(), reason, now));
        return this;
    }

    /// The time of the timer comes, and it goes off.
    public Story fires(TimerKind timerKind) {
        var timer =
                pending(Effect.ScheduleTimer.class).stream()
                        .filter(pending -> pending.timerKind().equals(timerKind))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError("no timer is set for " + timerKind));
        now = timer.at();
        accepted(new JobCommand.FireTimer(timer.id(), timerKind, MIDDLE, now));
        return this;
    }

    /// The time of the second attempt of a task comes.
    public Story hedges(int task) {
        var due = (Hedge.Due) job().tasks().get(task).hedge().orElseThrow();
        now = due.timer().at();
        accepted(
                new JobCommand.FireTimer(
                        due.timer().id(), new TimerKind.TaskTimer(task), MIDDLE, now));
        return this;
    }

    public Story cancel() {
        accepted(new JobCommand.Cancel("not needed", now));
        return this;
    }

    public Decision give(JobCommand command) {
        return checked.give(command);
    }

    /// The events of a command that must be accepted.
    public List<JobEvent> accepted(JobCommand command) {
        return switch (checked.give(command)) {
            case Decision.Accepted accepted -> accepted.events();
            case Decision.Rejected rejected -> throw new AssertionError(rejected.detail());
        };
    }

    public void assertRefused(JobCommand command, Decision.Reason reason, String detail) {
        assertThat(checked.give(command)).isEqualTo(new Decision.Rejected(reason, detail));
    }

    public List<JobEvent> events() {
        return checked.events();
    }

    public Job job() {
        return checked.job();
    }

    public Task.State task(int id) {
        return job().tasks().get(id).state();
    }

    public Branch branch(int id) {
        return job().branches().get(id);
    }

    /// Why branch 0 is in its state.
    public StepCause cause() {
        return ((Branch.Stepping) branch(0).doing()).cause();
    }

    public <E extends Effect> List<E> pending(Class<E> kind) {
        return checked.pending().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public Instant timer(TimerKind timerKind) {
        return pending(Effect.ScheduleTimer.class).stream()
                .filter(timer -> timer.timerKind().equals(timerKind))
                .findFirst()
                .orElseThrow()
                .at();
    }

    public void assertStatus(String status) {
        assertThat(job().status()).isEqualTo(status);
    }

    public void assertEnded(String status, String message) {
        assertStatus(status);
        assertThat(job().errorMessage()).contains(message);
    }
}
