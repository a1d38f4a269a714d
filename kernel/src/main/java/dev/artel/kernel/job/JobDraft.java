package dev.artel.kernel.job;

import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.task.JobData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A job while events are applied to it, and the effects that they ask for and end.
///
/// [Folding] and its parts write to it, nobody else. Not safe for use by many threads.
final class JobDraft {
    final JobId id;
    final List<Effect> asked = new ArrayList<>();
    final List<Effect> ended = new ArrayList<>();
    long version;
    @Nullable JobSubmitted submission;
    Job.Phase phase = new Job.Active();
    JobData data = JobData.EMPTY;
    PersistentVector<Strand> strands = PersistentVector.empty();
    PersistentVector<Task> tasks = PersistentVector.empty();
    Signals signals = Signals.NONE;
    Approvals approvals = Approvals.NONE;
    List<Recorded> recorded = List.of();
    Optional<Alarm> deadline = Optional.empty();
    int leased;
    int lingering;
    int entered;
    Allowance allowance = Allowance.FRESH;
    Family family = Family.NONE;
    Undo undo = Undo.NONE;
    Notices notices = Notices.NONE;

    JobDraft(JobState state) {
        id = state.id();
        version = state.version();
        if (state instanceof Job job) {
            submission = new JobSubmitted(job.spec(), job.submitted());
            phase = job.phase();
            data = job.data();
            strands = job.strands();
            tasks = job.tasks();
            signals = job.signals();
            approvals = job.approvals();
            recorded = job.recorded();
            deadline = job.deadline();
            leased = job.leased();
            lingering = job.lingering();
            entered = job.entered();
            allowance = job.allowance();
            family = job.family();
            undo = job.undo();
            notices = job.notices();
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
                strands,
                tasks,
                signals,
                approvals,
                recorded,
                deadline,
                leased,
                lingering,
                entered,
                allowance,
                family,
                undo,
                notices);
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

    EffectId nextId(int ordinal) {
        return new EffectId(version, ordinal);
    }

    boolean isActive() {
        return phase instanceof Job.Active;
    }

    void phase(Job.Phase next) {
        Effects.ofPhase(phase).ifPresent(ended::add);
        phase = next;
        Effects.ofPhase(next).ifPresent(asked::add);
    }

    void doing(int strand, Strand.Doing next) {
        become(strands.get(strand).with(next));
    }

    void become(Strand next) {
        var before = strands.get(next.id());
        if (isActive()) {
            ended.addAll(Effects.ofStrand(before));
        }
        strands = strands.set(next.id(), next);
        ask(next);
    }

    /// Notes what `strand` asks for; an effect that was pending before the change stays the same one.
    void ask(Strand strand) {
        if (isActive()) {
            asked.addAll(Effects.ofStrand(strand));
        }
    }

    /// Strands ask for nothing while the job is not active.
    void endStrandEffects() {
        if (isActive()) {
            strands.forEach(strand -> ended.addAll(Effects.ofStrand(strand)));
        }
    }

    void approvalIsOver(Strand strand, Approvals.End end, Instant at) {
        if (strand.doing() instanceof Strand.AwaitingApproval(var wait, var approval, var _)) {
            approvals =
                    approvals.with(
                            new Approvals.Past(
                                    wait.event(), strand.id(), approval.tokenDigest(), end, at));
        }
    }

    /// An undoing that goes on waits no longer for those still at work.
    void endUndoGrace() {
        undo.running()
                .flatMap(Undo.Running::grace)
                .map(Effects::ofGrace)
                .ifPresent(grace -> {
                    ended.add(grace);
                    undo = undo.withoutGrace();
                });
    }

    void put(Task task) {
        tasks = tasks.set(task.id(), task);
    }
}
