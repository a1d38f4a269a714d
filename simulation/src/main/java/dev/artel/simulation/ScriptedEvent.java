package dev.artel.simulation;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.time.Duration;

/// Something that comes about in an [ArtelSimulation] at a time, or as soon after it as the job is ready for it.
public sealed interface ScriptedEvent {
    /// Somebody decides about the approval for which the job waits.
    static ScriptedEvent decision(String choice) {
        return new Decision(choice);
    }

    /// Somebody answers the question that a worker has; see [ScriptedAnswer#asking].
    static ScriptedEvent answer(String answer) {
        return new Reply(answer);
    }

    /// A signal is sent.
    static ScriptedEvent signal(String name, JsonValue payload) {
        return new Signal(name, payload);
    }

    /// The job is cancelled.
    static ScriptedEvent cancel(String reason) {
        return new Cancel(reason);
    }

    /// Somebody knows that the task whose outcome is unknown had its effect, and what it brought.
    static ScriptedEvent itHappened(String status, JsonObject data) {
        return new Resolve(new Resolution.Happened(status, Payload.of(data)));
    }

    /// Somebody knows that the task whose outcome is unknown had no effect.
    static ScriptedEvent itDidNotHappen() {
        return new Resolve(new Resolution.DidNotHappen());
    }

    /// Somebody knows that the task whose outcome is unknown has failed.
    static ScriptedEvent itFailed(String reason) {
        return new Resolve(new Resolution.Failed(reason));
    }

    /// The quarantined job is released.
    static ScriptedEvent release() {
        return new ResolveQuarantine(new QuarantineAction.Release());
    }

    /// The handler of the quarantined job runs again, after these changes of the job's data.
    static ScriptedEvent retry(JsonObject changes) {
        return new ResolveQuarantine(new QuarantineAction.Retry(JobData.of(changes)));
    }

    /// What failed in the quarantined job counts as done, with such a result.
    static ScriptedEvent skip(String status, JsonObject result) {
        return new ResolveQuarantine(new QuarantineAction.Skip(status, Payload.of(result)));
    }

    /// The quarantined job is given up.
    static ScriptedEvent discard(String reason) {
        return new ResolveQuarantine(new QuarantineAction.Discard(reason));
    }

    /// The job is paused once it is in the state `at`, and resumed when `pause` has gone by.
    static ScriptedEvent pause(String at, Duration pause) {
        return new Pause(at, pause);
    }

    /// The job is taken back to the state `to` once it is in the state `from`.
    static ScriptedEvent rewind(String from, String to) {
        return new Rewind(from, to);
    }

    /// Another job is forked off this one once it is in the state `at`; it begins in the state `start`.
    static ScriptedEvent fork(String at, String start) {
        return new Fork(at, start);
    }

    /// The orchestrator dies, and is started again.
    static ScriptedEvent orchestratorCrash() {
        return new OrchestratorCrash();
    }

    /// A worker dies, and is started again after `pause`.
    static ScriptedEvent workerCrash(String worker, Duration pause) {
        return new WorkerCrash(worker, pause);
    }

    /// The wall clock jumps, forward or, with a negative distance, back.
    static ScriptedEvent clockJump(Duration distance) {
        return new ClockJump(distance);
    }

    /// See [#decision].
    record Decision(String choice) implements ScriptedEvent {}

    /// See [#answer].
    record Reply(String answer) implements ScriptedEvent {}

    /// See [#signal].
    record Signal(String name, JsonValue payload) implements ScriptedEvent {}

    /// See [#cancel].
    record Cancel(String reason) implements ScriptedEvent {}

    /// What somebody knows of a task whose outcome is unknown.
    record Resolve(Resolution resolution) implements ScriptedEvent {}

    /// What somebody does about a quarantined job.
    record ResolveQuarantine(QuarantineAction how) implements ScriptedEvent {}

    /// See [#pause].
    record Pause(String at, Duration pause) implements ScriptedEvent {}

    /// See [#rewind].
    record Rewind(String from, String to) implements ScriptedEvent {}

    /// See [#fork].
    record Fork(String at, String start) implements ScriptedEvent {}

    /// See [#orchestratorCrash].
    record OrchestratorCrash() implements ScriptedEvent {}

    /// See [#workerCrash].
    record WorkerCrash(String worker, Duration pause) implements ScriptedEvent {}

    /// See [#clockJump].
    record ClockJump(Duration distance) implements ScriptedEvent {}
}
