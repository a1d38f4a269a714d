package dev.artel.testkit.sim;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Mending;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.time.Duration;

/// Something that comes about in an [ArtelSimulation] at a time, or as soon after it as the job is ready for it.
public sealed interface Happening {
    /// Somebody decides about the approval for which the job waits.
    static Happening decision(String choice) {
        return new Decision(choice);
    }

    /// Somebody answers the question that a worker has; see [Answer#asking].
    static Happening answer(String answer) {
        return new Reply(answer);
    }

    /// A signal is sent.
    static Happening signal(String name, JsonValue payload) {
        return new Signal(name, payload);
    }

    /// The job is cancelled.
    static Happening cancel(String reason) {
        return new Cancel(reason);
    }

    /// Somebody knows that the task whose outcome is unknown had its effect, and what it brought.
    static Happening itHappened(String status, JsonObject data) {
        return new Verdict(new Resolution.Happened(status, Payload.of(data)));
    }

    /// Somebody knows that the task whose outcome is unknown had no effect.
    static Happening itDidNotHappen() {
        return new Verdict(new Resolution.DidNotHappen());
    }

    /// Somebody knows that the task whose outcome is unknown has failed.
    static Happening itFailed(String reason) {
        return new Verdict(new Resolution.Failed(reason));
    }

    /// The quarantined job is released.
    static Happening release() {
        return new Mend(new Mending.Release());
    }

    /// The handler of the quarantined job runs again, after these changes of the job's data.
    static Happening retry(JsonObject changes) {
        return new Mend(new Mending.Retry(JobData.of(changes)));
    }

    /// What failed in the quarantined job counts as done, with such a result.
    static Happening skip(String status, JsonObject result) {
        return new Mend(new Mending.Skip(status, Payload.of(result)));
    }

    /// The quarantined job is given up.
    static Happening discard(String reason) {
        return new Mend(new Mending.Discard(reason));
    }

    /// The job is taken back to the state `to` once it is in the state `from`.
    static Happening rewind(String from, String to) {
        return new Rewind(from, to);
    }

    /// Another job is forked off this one once it is in the state `at`; it begins in the state `start`.
    static Happening fork(String at, String start) {
        return new Fork(at, start);
    }

    /// The orchestrator dies, and is started again.
    static Happening orchestratorCrash() {
        return new OrchestratorCrash();
    }

    /// A worker dies, and is started again after `pause`.
    static Happening workerCrash(String worker, Duration pause) {
        return new WorkerCrash(worker, pause);
    }

    /// The wall clock jumps, forward or, with a negative distance, back.
    static Happening clockJump(Duration distance) {
        return new ClockJump(distance);
    }

    /// See [#decision].
    record Decision(String choice) implements Happening {}

    /// See [#answer].
    record Reply(String answer) implements Happening {}

    /// See [#signal].
    record Signal(String name, JsonValue payload) implements Happening {}

    /// See [#cancel].
    record Cancel(String reason) implements Happening {}

    /// What somebody knows of a task whose outcome is unknown.
    record Verdict(Resolution resolution) implements Happening {}

    /// What somebody does about a quarantined job.
    record Mend(Mending how) implements Happening {}

    /// See [#rewind].
    record Rewind(String from, String to) implements Happening {}

    /// See [#fork].
    record Fork(String at, String start) implements Happening {}

    /// See [#orchestratorCrash].
    record OrchestratorCrash() implements Happening {}

    /// See [#workerCrash].
    record WorkerCrash(String worker, Duration pause) implements Happening {}

    /// See [#clockJump].
    record ClockJump(Duration distance) implements Happening {}
}
