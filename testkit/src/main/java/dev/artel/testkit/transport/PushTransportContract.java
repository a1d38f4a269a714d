package dev.artel.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskReport;
import dev.artel.protocol.TaskAssignment;
import dev.artel.testkit.transport.WireAnswer.Kind;
import org.junit.jupiter.api.Test;

/// What holds on every wire between a worker and the orchestrator, also on one that pushes tasks, where a poll is the wait for what
/// is pushed, and also where a result is answered before it counts.
public interface PushTransportContract {
    /// The wire under test, the same one for the whole of a test.
    WorkerWire wire();

    @Test
    default void aTaskGoesToAWorker_andItsResultCounts() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");

        var task = worker.take();
        var answer = worker.succeed(task);

        assertThat(answer.text("status")).isEqualTo("result_accepted_success");
        awaitReport(job);
        assertThat(task.jobId()).isEqualTo(job.value());
    }

    @Test
    default void aTaskThatComesWhileAPollWaits_isHandedOutAtOnce() {
        var worker = Registered.on(wire(), "w1", 1);
        var poll = worker.peer().poll(0);

        var job = wire().engine().submit("echo");

        assertThat(poll.answer().task().jobId()).isEqualTo(job.value());
    }

    @Test
    default void twoPollsOfOneWorker_getDifferentTasks_andNoMoreThanItHasRoomFor() {
        var worker = Registered.on(wire(), "w1", 2);
        var first = worker.peer().poll(0);
        var second = worker.peer().poll(0);
        var third = worker.peer().poll(0);

        wire().engine().submit("echo");
        wire().engine().submit("echo");
        wire().engine().submit("echo");

        assertThat(first.answer().task().jobId()).isNotEqualTo(second.answer().task().jobId());
        assertThat(third.isAnswered()).isFalse();
    }

    @Test
    default void aReportOnATaskOfAnotherWorker_isIgnoredKindly() {
        var holder = Registered.on(wire(), "w1", 1);
        var thief = Registered.on(wire(), "w2", 1);
        var job = wire().engine().submit("echo");
        var task = holder.take();

        var answer = thief.succeed(task);

        assertThat(answer.kind()).isEqualTo(Kind.TAKEN);
        assertThat(answer.text("status")).isEqualTo("ignored");
        assertThat(wire().engine().applied(job)).isEmpty();
        assertThat(holder.succeed(task).text("status")).isEqualTo("result_accepted_success");
    }

    @Test
    default void aReportOnATaskThatNeverWas_isIgnoredKindly() {
        var worker = Registered.on(wire(), "w1", 1);
        var unheardOf =
                new TaskAssignment(
                        "no-such-job",
                        "550e8400-e29b-41d4-a716-446655440000",
                        "echo",
                        JsonObject.EMPTY,
                        JsonObject.EMPTY,
                        TaskAssignment.Terms.NONE);

        var answer = worker.succeed(unheardOf);

        assertThat(answer.text("status")).isEqualTo("ignored");
        assertThat(answer.text("reason")).isEqualTo("not_found");
    }

    @Test
    default void aFailure_reachesTheEngineAsWhatItIs() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var failure =
                JsonObject.of(
                        "status",
                        new JsonString("failure"),
                        "error",
                        JsonObject.of(
                                "code",
                                new JsonString("PERMANENT_ERROR"),
                                "message",
                                new JsonString("no such file")));

        var answer = worker.peer().result(WorkerBodies.result("w1", task, failure));

        assertThat(answer.text("status")).isEqualTo("result_accepted_failure");
        awaitReport(job);
        assertThat(wire().engine().applied(job))
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed -> assertThat(failed.error().code()).isEqualTo("PERMANENT_ERROR"));
    }

    @Test
    default void aWorkerThatReconnectsInTheMiddleOfATask_keepsIt() {
        var worker = Registered.on(wire(), "w1", 1, "process-1");
        var job = wire().engine().submit("echo");
        var task = worker.take();

        var again = Registered.on(wire(), "w1", 1, "process-1");

        assertThat(holder(job)).isEqualTo("w1");
        assertThat(again.succeed(task).text("status")).isEqualTo("result_accepted_success");
        assertThat(wire().engine().attempts(job)).isEqualTo(1);
    }

    @Test
    default void aWorkerWhoseProcessIsStartedAnew_losesWhatTheOldOneHad() {
        Registered.on(wire(), "w1", 1, "process-1");
        var job = wire().engine().submit("echo");
        var task = new Registered(wire().peer("w1"), "w1").take();

        var again = Registered.on(wire(), "w1", 1, "process-2");

        wire().engine().await("the lease is over", () -> !wire().engine().endings(job).isEmpty());
        assertThat(wire().engine().endings(job)).containsExactly(LeaseEnd.Lost.WORKER_RESTARTED);
        assertThat(again.take().taskId()).isNotEqualTo(task.taskId());
    }

    @Test
    default void aWorkerThatLeaves_losesWhatItHadAtOnce() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        worker.take();

        worker.peer().disconnect();

        wire().engine().await("the task is queued", () -> wire().engine().isQueued(job));
        assertThat(isThere("w1")).isFalse();
    }

    @Test
    default void severalResults_areAnsweredEachOnItsOwn() {
        var worker = Registered.on(wire(), "w1", 2);
        var first = wire().engine().submit("echo");
        var second = wire().engine().submit("echo");
        var tasks = worker.peer().poll(2).answer().tasks();
        var results =
                JsonArray.of(
                        WorkerBodies.success("w1", tasks.getFirst()),
                        WorkerBodies.success("w1", tasks.getFirst()),
                        WorkerBodies.success("w1", tasks.getLast()));
        var batch = JsonObject.of("worker_id", new JsonString("w1"), "results", results);

        var answer = worker.peer().results(batch);

        assertThat(answer.body())
                .isInstanceOfSatisfying(
                        JsonArray.class, answers -> assertThat(answers.size()).isEqualTo(3));
        awaitReport(first);
        awaitReport(second);
    }

    /// Trap: a worker of the first generation gets one task at a time, each after a heartbeat that counts the one before.
    @Test
    default void aWorkerWithManySlots_getsThemFilledWithoutAHeartbeatInBetween() {
        var worker = Registered.on(wire(), "w1", 30);
        worker.beat(0);
        for (var i = 0; i < 30; i++) {
            var _ = wire().engine().submit("echo");
        }

        for (var i = 0; i < 30; i++) {
            assertThat(worker.peer().poll(0).answer().tasks()).hasSize(1);
        }
    }

    @Test
    default void aReportSentTwice_countsOnce() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        var _ = worker.succeed(task);
        var _ = worker.succeed(task);

        awaitReport(job);
        var next = wire().engine().submit("echo");
        var _ = worker.succeed(worker.take());
        awaitReport(next);
        assertThat(wire().engine().applied(job)).hasSize(1);
    }

    private void awaitReport(JobId job) {
        wire().engine().await("its result counts", () -> !wire().engine().applied(job).isEmpty());
        assertThat(wire().engine().applied(job)).hasSize(1);
    }

    private boolean isThere(String worker) {
        return wire().engine().worker(worker).isPresent();
    }

    private String holder(JobId job) {
        return wire().engine().holder(job).map(WorkerId::value).orElse("no worker");
    }
}
