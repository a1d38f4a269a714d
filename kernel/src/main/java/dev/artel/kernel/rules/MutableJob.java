package dev.artel.kernel.rules;

import dev.artel.kernel.approval.Approvals;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.Children;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.guard.GuardBaseline;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Pause;
import dev.artel.kernel.job.PersistentVector;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.question.AskedQuestions;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.timer.Timer;
import dev.artel.kernel.webhook.WebhookEvents;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A job while events are applied to it, and the effects that they ask for and end.
///
/// [JobFold] and its parts write to it, no other class. Not safe for use by many threads.
final class MutableJob {
    final JobId id;
    final List<Effect> asked = new ArrayList<>();
    final List<Effect> ended = new ArrayList<>();
    long version;
    @Nullable JobSubmitted submission;
    Job.Phase phase = new Job.Active(false);
    JobData data = JobData.EMPTY;
    PersistentVector<Branch> branches = PersistentVector.empty();
    PersistentVector<Task> tasks = PersistentVector.empty();
    Signals signals = Signals.NONE;
    Approvals approvals = Approvals.NONE;
    List<RecordedResult> recordedResult = List.of();
    Optional<Timer> deadline = Optional.empty();
    int leased;
    int lingering;
    int entered;
    GuardBaseline guardBaseline = GuardBaseline.FRESH;
    Children children = Children.NONE;
    CompensationLog compensationLog = CompensationLog.NONE;
    WebhookEvents webhookEvents = WebhookEvents.NONE;
    Optional<Pause> pause = Optional.empty();
    AskedQuestions questions = AskedQuestions.NONE;
    Optional<BudgetLedger> budget = Optional.empty();

    MutableJob(JobState state) {
        id = state.id();
        version = state.version();
        if (state instanceof Job job) {
            submission = new JobSubmitted(job.spec(), job.submitted());
            phase = job.phase();
            data = job.data();
            branches = job.branches();
            tasks = job.tasks();
            signals = job.signals();
            approvals = job.approvals();
            recordedResult = job.recordedResult();
            deadline = job.deadline();
            leased = job.leased();
            lingering = job.lingering();
            entered = job.entered();
            guardBaseline = job.guardBaseline();
            children = job.children();
            compensationLog = job.compensationLog();
            webhookEvents = job.webhookEvents();
            pause = job.pause();
            questions = job.questions();
            budget = job.budget();
        }
    }

    JobState state() {
        return submission == null ? new JobState.Unsubmitted(id) : job();
    }

    /// The job, which must have been submitted.
    Job job() {
        var first = submission();
        return new Job(
                id,
                version,
                first.spec(),
                first.at(),
                phase,
                data,
                branches,
                tasks,
                signals,
                approvals,
                recordedResult,
                deadline,
                leased,
                lingering,
                entered,
                guardBaseline,
                children,
                compensationLog,
                webhookEvents,
                pause,
                questions,
                budget);
    }

    private JobSubmitted submission() {
        if (submission == null) {
            throw new IllegalStateException("job " + id + " has no events");
        }
        return submission;
    }

    JobSpec spec() {
        return submission().spec();
    }

    /// The job goes on with other options.
    void options(JobOptions next) {
        spec(spec().withOptions(next));
    }

    /// The job goes on with another spec.
    void spec(JobSpec next) {
        submission = new JobSubmitted(next, submission().at());
    }

    EffectId nextId(int ordinal) {
        return new EffectId(version, ordinal);
    }

    boolean isActive() {
        return phase instanceof Job.Active;
    }

    /// Whether handlers run and tasks are handed out.
    boolean goesOn() {
        return isActive() && pause.isEmpty();
    }

    /// What `branch` asks for now, while the job is active.
    private List<Effect> effectsOf(Branch branch) {
        return pause.isEmpty()
                ? PendingEffects.ofBranch(branch)
                : PendingEffects.inPause(PendingEffects.ofBranch(branch));
    }

    /// The job no longer waits for a client to resume it.
    void endPause() {
        pause.map(PendingEffects::ofPause).ifPresent(ended::add);
        pause = Optional.empty();
    }

    void phase(Job.Phase next) {
        PendingEffects.ofPhase(phase).ifPresent(ended::add);
        phase = next;
        PendingEffects.ofPhase(next).ifPresent(asked::add);
    }

    void doing(int branch, Branch.Doing next) {
        become(branches.get(branch).with(next));
    }

    void become(Branch next) {
        var before = branches.get(next.id());
        if (isActive()) {
            ended.addAll(effectsOf(before));
        }
        branches = branches.set(next.id(), next);
        ask(next);
    }

    /// Notes what `branch` asks for; an effect that was pending before the change stays the same one.
    void ask(Branch branch) {
        if (isActive()) {
            asked.addAll(effectsOf(branch));
        }
    }

    /// Branches ask for nothing while the job is not active.
    void endBranchEffects() {
        if (isActive()) {
            branches.forEach(branch -> ended.addAll(effectsOf(branch)));
        }
    }

    void approvalIsOver(Branch branch, Approvals.End end, Instant at) {
        if (branch.doing() instanceof Branch.AwaitingApproval(var wait, var approval, var _)) {
            approvals =
                    approvals.with(
                            new Approvals.Past(
                                    wait.event(), branch.id(), approval.tokenDigest(), end, at));
        }
    }

    /// A compensation that goes on no longer waits for the workers that still run tasks.
    void endCompensationGrace() {
        compensationLog
                .running()
                .flatMap(CompensationLog.Running::grace)
                .map(PendingEffects::ofGrace)
                .ifPresent(grace -> {
                    ended.add(grace);
                    compensationLog = compensationLog.withoutGrace();
                });
    }

    void put(Task task) {
        if (budget.isPresent()) {
            noteWithheld(budget.get(), task);
        }
        tasks = tasks.set(task.id(), task);
    }

    private void noteWithheld(BudgetLedger ledger, Task task) {
        var waiting = ledger.waiting();
        if (waiting.has(task.id()) != isWithheld(task)) {
            budget =
                    Optional.of(
                            ledger.withWaiting(
                                    isWithheld(task)
                                            ? waiting.with(task.id())
                                            : waiting.without(task.id())));
        }
    }

    private static boolean isWithheld(Task task) {
        return task.state() instanceof Task.Open(Attempt.Queued queued, int _, var _)
                && queued.withheld();
    }

    /// An attempt is over, and its cost is unknown.
    void spend(Lease lease) {
        if (budget.isPresent()) {
            budget = Optional.of(budget.get().spend(lease.reserved()));
        }
    }

    /// What was spent under `lease` is known.
    void correct(Spending reserved, Spending spent) {
        if (budget.isPresent()) {
            budget = Optional.of(budget.get().correct(reserved, spent));
        }
    }

    /// Nobody is asked any more whether more may be spent.
    void endAsking() {
        budget.flatMap(BudgetLedger::asking)
                .map(PendingEffects::ofAsking)
                .ifPresent(asking -> {
                    ended.add(asking);
                    budget = budget.map(ledger -> ledger.with(Optional.empty()));
                });
    }
}
