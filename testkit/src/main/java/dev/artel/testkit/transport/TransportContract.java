package dev.artel.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.protocol.TaskAssignment;
import dev.artel.testkit.transport.WireAnswer.Kind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What holds on every wire between a worker and the orchestrator: tasks go out once at a time, results count once,
/// and nothing that a worker does or omits harms another worker.
public interface TransportContract
        extends RealWorkersContract, PushTransportContract, RestartContract {
    @Override
    WorkerWire wire();

    @Test
    default void aResult_countsWhenItIsAnswered() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");

        var task = worker.take();
        var answer = worker.succeed(task);

        assertThat(answer.text("status")).isEqualTo("result_accepted_success");
        assertThat(wire().engine().applied(job)).hasSize(1);
        assertThat(task.terms().attempt()).isEqualTo(1);
    }

    @Test
    default void aPollForWhichNothingComes_isHeldAndThenAnsweredWithNothing() {
        var worker = Registered.on(wire(), "w1", 1);
        var poll = worker.peer().poll(0);

        wire().advance(Duration.ofSeconds(25));
        assertThat(poll.isAnswered()).isFalse();
        wire().advance(Duration.ofSeconds(6));

        assertThat(poll.answer().kind()).isEqualTo(Kind.NOTHING);
        assertThat(wire().engine().asks("w1")).isZero();
    }

    @Test
    default void aPollForSeveralTasks_getsAsManyAsThereAre() {
        var worker = Registered.on(wire(), "w1", 10);
        wire().engine().submit("echo");
        wire().engine().submit("echo");

        var tasks = worker.peer().poll(5).answer().tasks();

        assertThat(tasks).hasSize(2);
    }

    @Test
    default void aPollOfAnUnknownWorker_waitsForItsRegistration() {
        var job = wire().engine().submit("echo");
        var peer = wire().peer("w1");
        var poll = peer.poll(0);
        assertThat(poll.isAnswered()).isFalse();

        peer.register(WorkerBodies.registration("w1", 1, "echo"));

        // An explicit registration of a worker that names no process begins a new conversation.
        var answer = poll.answer();
        var task = answer.kind() == Kind.NOTHING ? peer.poll(0).answer().task() : answer.task();
        assertThat(task.jobId()).isEqualTo(job.value());
    }

    @Test
    default void aPollWhoseConnectionBreaks_takesNoTaskWithIt() {
        var dying = Registered.on(wire(), "w1", 1);
        var poll = dying.peer().poll(0);
        wire().engine().await("the poll asks", () -> wire().engine().asks("w1") == 1);

        poll.hangUp();
        wire().engine().await("the ask is withdrawn", () -> wire().engine().asks("w1") == 0);
        var job = wire().engine().submit("echo");

        var task = Registered.on(wire(), "w2", 1).take();
        assertThat(task.jobId()).isEqualTo(job.value());
        assertThat(wire().engine().attempts(job)).isEqualTo(1);
    }

    @Test
    default void aHandOutThatTheWorkerNeverConfirms_goesToAnother() {
        var lying = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        lying.take();

        for (var beat = 0; beat < 8; beat++) {
            lying.beat(0);
            wire().advance(Duration.ofSeconds(15));
        }

        var other = Registered.on(wire(), "w2", 1);
        assertThat(wire().engine().endings(job)).containsExactly(LeaseEnd.Lost.EXPIRED);
        assertThat(other.take().jobId()).isEqualTo(job.value());
    }

    @Test
    default void aWorkerThatOverstatesItsLoad_keepsItsOwnTaskAndHarmsNobody() {
        var boastful = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = boastful.take();

        for (var beat = 0; beat < 8; beat++) {
            boastful.beat(1_000_000);
            wire().advance(Duration.ofSeconds(15));
        }

        assertThat(holder(job)).isEqualTo("w1");
        assertThat(boastful.succeed(task).text("status")).isEqualTo("result_accepted_success");
    }

    @Test
    default void heartbeatsKeepATask_forAsLongAsItTakes() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        for (var beat = 0; beat < 20; beat++) {
            worker.beat(1);
            wire().advance(Duration.ofSeconds(15));
        }

        assertThat(worker.succeed(task).text("status")).isEqualTo("result_accepted_success");
        assertThat(wire().engine().attempts(job)).isEqualTo(1);
    }

    @Test
    default void aReportSentTwice_isAcceptedTwice_andCountsOnce() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        var first = worker.succeed(task);
        var second = worker.succeed(task);

        assertThat(second).isEqualTo(first);
        assertThat(wire().engine().applied(job)).hasSize(1);
    }

    @Test
    default void aReportOfASupersededAttempt_isIgnoredKindly() {
        var slow = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var late = slow.take();
        wire().advance(Duration.ofSeconds(61));
        var quick = Registered.on(wire(), "w2", 1);
        var task = quick.take();

        var answer = slow.succeed(late);

        assertThat(answer.kind()).isEqualTo(Kind.TAKEN);
        assertThat(answer.text("status")).isEqualTo("ignored");
        assertThat(wire().engine().applied(job)).isEmpty();
        assertThat(quick.succeed(task).text("status")).isEqualTo("result_accepted_success");
        assertThat(slow.succeed(late).text("status")).isEqualTo("ignored");
        assertThat(wire().engine().applied(job)).hasSize(1);
    }

    @Test
    default void whoAsksBeforeItGoesOn_hasItsAnswer_howeverOftenItAsks() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        var first = worker.peer().ask(task.taskId(), WorkerBodies.question());
        var again = worker.peer().ask(task.taskId(), WorkerBodies.question());
        wire().engine().answer(job, "savings");
        var answered = worker.peer().ask(task.taskId(), WorkerBodies.question());

        assertThat(first.text("status")).isEqualTo("parked");
        assertThat(again.text("status")).isEqualTo("parked");
        assertThat(answered.text("status")).isEqualTo("answered");
        assertThat(answered.text("answer")).isEqualTo("savings");
        assertThat(worker.succeed(task).text("status")).isEqualTo("result_accepted_success");
    }

    @Test
    default void whoWaitsForAnAnswer_hasRoomForSomethingElse() {
        var worker = Registered.on(wire(), "w1", 1);
        var _ = wire().engine().submit("echo");
        var first = worker.take();
        var other = wire().engine().submit("echo");

        var _ = worker.peer().ask(first.taskId(), WorkerBodies.question());

        assertThat(worker.take().jobId()).isEqualTo(other.value());
    }

    @Test
    default void aQuestionOnATaskOfAnotherWorker_isIgnoredKindly() {
        var holder = Registered.on(wire(), "w1", 1);
        var thief = Registered.on(wire(), "w2", 1);
        var job = wire().engine().submit("echo");
        var task = holder.take();

        var answer = thief.peer().ask(task.taskId(), WorkerBodies.question());

        assertThat(answer.text("status")).isEqualTo("ignored");
        assertThat(answer.text("reason")).isEqualTo("stale");
        assertThat(wire().engine().asked(job)).isEmpty();
    }

    @Test
    default void theNextAttempt_receivesTheAnswerToTheQuestionOfTheOneBefore() {
        var worker = Registered.on(wire(), "w1", 1, "process-1");
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var _ = worker.peer().ask(task.taskId(), WorkerBodies.question());
        wire().engine().answer(job, "savings");

        var again = Registered.on(wire(), "w1", 1, "process-2").take();

        assertThat(again.answers())
                .containsExactly(new TaskAssignment.Answer("account", "Which account?", "savings"));
    }

    @Test
    default void aReportThatCannotBeKeptNow_isAskedForAgain() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var trouble = new CommandReply.TryLater(Duration.ofSeconds(2), "the store is away");
        wire().engine().refuseReports(trouble);

        assertThat(worker.succeed(task).kind()).isEqualTo(Kind.LATER);
        wire().engine().refuseReports(null);

        assertThat(worker.succeed(task).text("status")).isEqualTo("result_accepted_success");
        assertThat(wire().engine().applied(job)).hasSize(1);
    }

    @Test
    default void aCancelledTask_isNamedInTheAnswersToHeartbeats_andItsReportChangesNothing() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        wire().engine().cancel(job);
        wire().engine()
                .await(
                        "the worker receives the cancel",
                        () -> worker.beat(1).texts("cancel_task_ids").contains(task.taskId()));
        var answer = worker.succeed(task);

        assertThat(answer.text("status")).isEqualTo("ignored");
        assertThat(wire().engine().applied(job)).isEmpty();
        assertThat(worker.beat(0).texts("cancel_task_ids")).isEmpty();
    }

    @Test
    default void theSlotOfACancelledTask_isFreeOnceItsWorkerHasGivenItUp() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var next = wire().engine().submit("echo");
        wire().engine().cancel(job);
        var poll = worker.peer().poll(0);
        assertThat(poll.isAnswered()).isFalse();

        worker.peer()
                .result(
                        WorkerBodies.result(
                                "w1", task, JsonObject.of("status", new JsonString("cancelled"))));

        assertThat(poll.answer().task().jobId()).isEqualTo(next.value());
    }

    @Test
    default void aWorkerThatIgnoresACancel_losesItsSlotNoLongerThanTenMinutes() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        worker.take();
        wire().engine().cancel(job);

        for (var beat = 0; beat < 41; beat++) {
            worker.beat(1);
            wire().advance(Duration.ofSeconds(15));
        }

        wire().engine().await("the slot is free", () -> wire().engine().holder(job).isEmpty());
    }

    @Test
    default void aWorkerThatNamesNoProcess_losesWhatItHadWhenItRegistersAgain() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        worker.take();

        Registered.on(wire(), "w1", 1);

        wire().engine().await("the lease is over", () -> !wire().engine().endings(job).isEmpty());
        assertThat(wire().engine().endings(job)).containsExactly(LeaseEnd.Lost.WORKER_RESTARTED);
    }

    @Test
    default void aSilentWorker_isGone_andIsBackWithItsNextWord() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        worker.take();

        wire().advance(Duration.ofSeconds(122));
        wire().engine().await("the worker is gone", () -> !isThere("w1"));

        assertThat(wire().engine().isQueued(job)).isTrue();
        assertThat(worker.beat(0).kind()).isEqualTo(Kind.TAKEN);
        assertThat(worker.take().jobId()).isEqualTo(job.value());
    }

    @Test
    default void aHeartbeatOfAnUnknownWorker_isARegistration_butNotAnEmptyOne() {
        var worker = new Registered(wire().peer("w1"), "w1");
        var job = wire().engine().submit("echo");

        assertThat(worker.peer().heartbeat(null).kind()).isEqualTo(Kind.UNKNOWN_WORKER);
        assertThat(worker.beat(0).kind()).isEqualTo(Kind.TAKEN);

        assertThat(worker.take().jobId()).isEqualTo(job.value());
    }

    @Test
    default void aDrainingWorker_getsNothingNew_andFinishesWhatItHas() {
        var worker = Registered.on(wire(), "w1", 2);
        wire().engine().submit("echo");
        var task = worker.take();
        var waiting = worker.peer().poll(0);

        assertThat(worker.peer().drain().text("status")).isEqualTo("draining");
        var next = wire().engine().submit("echo");

        assertThat(waiting.answer().kind()).isEqualTo(Kind.NOTHING);
        var poll = worker.peer().poll(0);
        assertThat(worker.succeed(task).text("status")).isEqualTo("result_accepted_success");
        assertThat(poll.isAnswered()).isFalse();
        assertThat(wire().engine().isQueued(next)).isTrue();
    }

    @Test
    default void renewals_keepTheLeasesTheyName_andReportTheOthersAsLost() {
        var worker = Registered.on(wire(), "w1", 2);
        var kept = wire().engine().submit("echo");
        var dropped = wire().engine().submit("echo");
        var tasks = worker.peer().poll(2).answer().tasks();
        var renewal = WorkerBodies.leases("w1", tasks.getFirst().lease(), "no-such-lease");

        for (var times = 0; times < 4; times++) {
            var answer = worker.peer().renew(renewal);
            assertThat(answer.texts("renewed")).containsExactly(tasks.getFirst().lease());
            wire().advance(Duration.ofSeconds(20));
        }

        assertThat(holder(kept)).as(() -> endingsOf(kept)).isEqualTo("w1");
        assertThat(wire().engine().isQueued(dropped)).as(() -> endingsOf(dropped)).isTrue();
        var lost = worker.peer().renew(WorkerBodies.leases("w1", tasks.getLast().lease()));
        assertThat(lost.texts("renewed")).isEmpty();
        assertThat(lost.body().toString()).contains(tasks.getLast().lease());
    }

    @Test
    default void aHeartbeatThatListsTasks_keepsThoseAndNoOther() {
        var worker = Registered.on(wire(), "w1", 2);
        var kept = wire().engine().submit("echo");
        var dropped = wire().engine().submit("echo");
        var tasks = worker.peer().poll(2).answer().tasks();
        assertThat(tasks).extracting(TaskAssignment::jobId).startsWith(kept.value());
        var list = JsonArray.of(new JsonString(tasks.getFirst().taskId()));

        for (var beat = 0; beat < 6; beat++) {
            var before = wire().engine().renewals(kept);
            worker.peer().heartbeat(WorkerBodies.heartbeat(2, "echo").with("current_tasks", list));
            // The answer does not wait for the engine.
            wire().engine()
                    .await("the lease is renewed", () -> wire().engine().renewals(kept) > before);
            wire().advance(Duration.ofSeconds(15));
        }

        assertThat(holder(kept)).as(() -> endingsOf(kept)).isEqualTo("w1");
        assertThat(wire().engine().isQueued(dropped)).as(() -> endingsOf(dropped)).isTrue();
    }

    private String endingsOf(JobId job) {
        return "leases of " + job + " ended by " + wire().engine().endings(job);
    }

    @Test
    default void aTaskGivenBack_goesToAnother_andNotForAStranger() {
        var worker = Registered.on(wire(), "w1", 1);
        var stranger = Registered.on(wire(), "w2", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        var refused = stranger.peer().release(WorkerBodies.leases("w2", task.lease()));
        assertThat(refused.texts("released")).isEmpty();
        assertThat(holder(job)).isEqualTo("w1");
        var taken = worker.peer().release(WorkerBodies.leases("w1", task.lease()));

        assertThat(taken.texts("released")).containsExactly(task.lease());
        assertThat(wire().engine().endings(job)).containsExactly(LeaseEnd.Returned.RELEASED);
        assertThat(stranger.take().jobId()).isEqualTo(job.value());
    }

    /// Trap: a text as a result is refused again and again, and the task is done again each time.
    @Test
    default void aTextAsAResult_isKeptAsItIs() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        var answer = worker.peer().result(WorkerBodies.result("w1", task, new JsonString("done")));

        assertThat(answer.text("status")).isEqualTo("result_accepted_success");
        assertThat(wire().engine().applied(job))
                .containsExactly(
                        new TaskReport.Succeeded("success", Payload.of(new JsonString("done"))));
    }

    /// Trap: a result that cannot be read is refused until its worker counts as lost.
    @Test
    default void aResultThatCannotBeRead_endsTheAttemptAtOnce_withThatReason() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var nonsense = JsonObject.of("status", JsonValue.of(7));

        var answer = worker.peer().result(WorkerBodies.result("w1", task, nonsense));

        assertThat(answer.text("status")).isEqualTo("result_accepted_failure");
        assertThat(wire().engine().applied(job))
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed -> {
                            assertThat(failed.error().code()).isEqualTo("INVALID_RESULT");
                            assertThat(failed.error().message()).contains("status");
                        });
    }

    @Test
    default void aMessageThatMakesNoSense_isRefused_andChangesNothing() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var nonsense = WorkerBodies.success("w1", task).with("job_id", JsonValue.of(7));

        assertThat(worker.peer().result(nonsense).kind()).isEqualTo(Kind.REFUSED);
        assertThat(worker.peer().register(JsonArray.EMPTY).kind()).isEqualTo(Kind.REFUSED);
        var load = WorkerBodies.heartbeat(1, "echo").with("load", JsonValue.of("much"));
        assertThat(worker.peer().heartbeat(load).kind()).isEqualTo(Kind.REFUSED);

        assertThat(holder(job)).isEqualTo("w1");
        assertThat(worker.succeed(task).text("status")).isEqualTo("result_accepted_success");
    }

    @Test
    default void aTaskType_isGivenOnlyToAWorkerWhoseLastWordNamesIt() {
        var worker = Registered.on(wire(), "w1", 2);
        worker.peer().heartbeat(WorkerBodies.heartbeat(1));
        wire().engine().submit("echo");
        var poll = worker.peer().poll(0);
        assertThat(poll.isAnswered()).isFalse();

        worker.beat(0);

        assertThat(poll.answer().tasks()).hasSize(1);
    }

    private boolean isThere(String worker) {
        return wire().engine().worker(worker).isPresent();
    }

    private String holder(JobId job) {
        return wire().engine().holder(job).map(WorkerId::value).orElse("no worker");
    }
}
