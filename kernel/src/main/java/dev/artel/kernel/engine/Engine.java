package dev.artel.kernel.engine;

import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobPatch;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.placement.Eligibility;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.task.JobData;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs jobs. Calls block, for a bounded time, and are safe for use by many threads; what they acknowledge is
/// durable.
///
/// Contract tests: `dev.artel.testkit.engine.EngineContract`.
public interface Engine {
    /// Begins a job.
    SubmitReply submit(Submission submission);

    /// Whether a job of `client`, submitted or forked, has the idempotency key `key` already.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    boolean isKnown(String client, String key);

    /// Whether a job of its client has the key of `submission` already; false where it has none.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    default boolean isKnown(Submission submission) {
        return submission
                .idempotencyKey()
                .filter(key -> isKnown(submission.client(), key))
                .isPresent();
    }

    /// Ends a job early.
    CommandReply cancel(JobId job, String reason);

    /// Gives a job that lives another priority or other labels. Its tasks that wait for a worker wait with the new priority from
    /// then on; the same priority and labels again change nothing.
    ///
    /// @param by who does it
    CommandReply change(JobId job, JobPatch patch, String by);

    /// Lets a job stand still: none of its handlers begins and none of its tasks is handed out until it is resumed. What workers
    /// are at goes on, and so does its deadline. A job that is paused stays so, for the first reason.
    ///
    /// @param by who does it
    CommandReply pause(JobId job, Optional<String> reason, String by);

    /// Lets a paused job go on; one that is not paused goes on as it is.
    ///
    /// @param by who does it
    CommandReply resume(JobId job, String by);

    /// Lets a job with a budget spend more than it was granted so far; one that waits for that goes on.
    ///
    /// @param by who does it
    CommandReply extendBudget(JobId job, Spending more, String by);

    /// Sends a job the signal that something has happened for which it may wait.
    ///
    /// @param signal its name, see [dev.artel.kernel.branch.Signals#isName]
    /// @param id the sender's; the same again changes nothing
    /// @param sender the name of the client
    CommandReply signal(JobId job, String signal, String id, JsonValue payload, String sender);

    /// Decides about an approval for which a job waits.
    ///
    /// @param comment the comment of the person who decides
    CommandReply decide(JobId job, Approver by, String choice, Optional<String> comment);

    /// Sets the outcome of a task whose outcome is unknown.
    ///
    /// @param by who sets it
    CommandReply resolve(JobId job, int task, Resolution resolution, String by);

    /// Answers a question of an attempt.
    ///
    /// @param number see [dev.artel.kernel.question.OpenQuestion#number]
    /// @param by who knows
    CommandReply answer(JobId job, long number, String answer, String by);

    /// Does something about a quarantined job.
    ///
    /// @param by who does it
    CommandReply resolve(JobId job, QuarantineAction how, String by);

    /// Takes a job back to a state in which branch 0 was before, with the data of that time.
    ///
    /// @param changes of these data
    /// @param by who does it
    CommandReply rewind(JobId job, String state, JobData changes, String by);

    /// Begins a new job where another one was, with the data of that time; results of tasks with the same inputs are not
    /// worked out again.
    ///
    /// @param state in which branch 0 of the other job was
    /// @param changes of the data that it had then
    /// @param by whose job it is; its terms hold, not those of the other job, and its highest priority
    /// @param key the same key of the same client gives the same job
    SubmitReply fork(
            JobId other, String state, JobData changes, Submitter by, Optional<String> key);

    /// The job as it is committed; empty if there is none.
    Optional<Job> find(JobId job);

    /// The job as it is committed, if it is in memory: no store is read for it. A job that has not ended is there, save at a
    /// start or where it has no room.
    Optional<Job> live(JobId job);

    /// The job once it is final, or as it is after `timeout`; empty if there is none.
    Optional<Job> awaitFinal(JobId job, Duration timeout);

    /// Why queued tasks of a job have no worker yet. The dispatcher answers between two other things that it does: ask for a page of tasks at once, and for no more.
    ///
    /// @return of those of `tasks` that are queued
    Map<Integer, WaitReason> whyNotYet(JobId job, List<Integer> tasks);

    /// Why a queued task has no worker yet; empty if it is not queued.
    default Optional<WaitReason> whyNotYet(JobId job, int task) {
        return Optional.ofNullable(whyNotYet(job, List.of(task)).get(task));
    }

    /// Why a handler that is to run has not begun yet; empty if it has, or if the engine does not know.
    default Optional<String> whyNotBegun(JobId job, EffectId step) {
        return Optional.empty();
    }

    /// Why what a job of `blueprint` does next is held: its definition is not there; empty if it is.
    ///
    /// @param state that must be in the definition; empty: any
    Optional<String> whyHeld(BlueprintRef blueprint, Optional<String> state);

    /// Why a child of a job of `parent` is not started: its definition is not there; empty if it is.
    Optional<String> whyHeld(JobSpec parent, ChildSpec child);

    /// What is true of single workers for a queued task, in the order in which they came; empty if it is not queued.
    ///
    /// @param only of this one alone
    /// @param limit of so many at most
    List<Eligibility> eligibilities(JobId job, int task, Optional<WorkerId> only, int limit);
}
