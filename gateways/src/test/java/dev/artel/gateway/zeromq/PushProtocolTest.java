package dev.artel.gateway.zeromq;

import static dev.artel.gateway.zeromq.WirePort.REGISTRATION;
import static dev.artel.gateway.zeromq.WirePort.RESULTS;
import static dev.artel.gateway.zeromq.WirePort.TASKS;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.LimitedConnections;
import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.waits.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Message by message, over real sockets.
@Timeout(Await.HUNG)
final class PushProtocolTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    /// After so much silence a worker is gone, by the clock of the test.
    private static final Duration SILENCE = Duration.ofMillis(600);

    /// Within so much a task is accepted, by the clock of the test.
    private static final Duration ACCEPTANCE = Duration.ofSeconds(2);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    private ZeroMqServer server = ZeroMqServer.patient();

    @AfterEach
    void close() throws Exception {
        for (var one : open.reversed()) {
            one.close();
        }
        server.close();
    }

    private PushPeer peer(String name) {
        var peer = new PushPeer(server.ports(), name);
        open.add(peer);
        return peer;
    }

    private PushPeer joined(String name, int capacity) {
        var peer = peer(name);
        peer.join(capacity);
        return peer;
    }

    private void use(ZeroMqServer other) {
        server.close();
        server = other;
    }

    /// By the clock of the test, which stands still.
    private void useClock() {
        use(
                ZeroMqServer.by(
                        clock,
                        new ZeroMqConfig.PushTiming(Duration.ofMillis(50), SILENCE, ACCEPTANCE)));
    }

    /// Waits while time passes, in steps in which the orchestrator sees that it goes on.
    private void awaitAsTimePasses(String what, BooleanSupplier condition) {
        await(what)
                .until(() -> {
                    clock.advance(Duration.ofMillis(100));
                    return condition.getAsBoolean();
                });
    }

    /// Accepts a task, and waits until the orchestrator has read that.
    private static void acceptAndWait(PushPeer peer, PushPeer.Received task) {
        peer.accept(task);
        peer.hello(TASKS);
        peer.receive(TASKS, "HELLO_OK"); // behind the acceptance
    }

    @Test
    void ready_isAnsweredWithTheTermsOfTheSession() {
        use(ZeroMqServer.by(clock, ZeroMqConfig.PushTiming.DEFAULTS));
        var peer = peer("w1");
        var welcome = peer.welcome(peer.ready(3));

        assertThat(welcome.text("session")).hasSize(36);
        assertThat(welcome.body().members())
                .containsEntry("heartbeat_interval_ms", JsonNumber.of(500))
                .containsEntry("heartbeat_timeout_ms", JsonNumber.of(3000))
                .containsEntry("accept_within_ms", JsonNumber.of(2000))
                .containsEntry("max_retries", JsonNumber.of(3))
                .containsEntry("lease_ms", JsonNumber.of(60_000))
                .containsEntry("keep", JsonArray.EMPTY)
                .containsEntry("revoke", JsonArray.EMPTY);
        assertThat(server.engine.worker("w1").orElseThrow().capacity()).isEqualTo(3);
    }

    @Test
    void ready_declaresWhatARegistrationOnHttpDeclares() {
        var peer = peer("w1");
        peer.join(
                peer.ready(2)
                        .with("labels", JsonObject.of("zone", text("a")))
                        .with("resources", JsonObject.of("ram_gb", JsonNumber.of(32)))
                        .with("lease_ms", JsonNumber.of(20_000)));

        var profile = server.engine.worker("w1").orElseThrow();
        assertThat(profile.tasks()).containsExactly("echo");
        assertThat(profile.workerResources().labels()).containsEntry("zone", "a");
        assertThat(profile.workerResources().amounts()).containsEntry("ram_gb", 32.0);
        server.engine.submit("echo");
        assertThat(peer.task().body().number("lease_ms")).contains(JsonNumber.of(20_000));
    }

    private PushPeer secretPeer(String name) {
        var identity = ("~" + UUID.randomUUID()).getBytes(StandardCharsets.US_ASCII);
        var peer = new PushPeer(server.ports(), name, socket -> socket.setIdentity(identity));
        open.add(peer);
        return peer;
    }

    /// Waits until the registration socket of `peer` is connected: an answer to what comes over another socket is lost before.
    private static void connect(PushPeer peer) {
        peer.send(REGISTRATION, "READY", peer.ready(1).with("token", text("guessed")));
        peer.receive(REGISTRATION, "REJECT");
    }

    /// Trap: the peer that connects with the name of a worker gets its tasks, with their parameters and leases, and needs no token for that.
    @Test
    void aWorkerWithASecretIdentity_isReplacedByNobody() {
        var worker = secretPeer("w1");
        worker.join(1);
        var stranger = peer("w1");
        connect(stranger);
        stranger.inSession(worker.session());
        stranger.hello(TASKS);
        stranger.receive(REGISTRATION, "REREGISTER");

        server.engine.submit("echo");
        var task = worker.task();
        worker.accept(task);

        stranger.send(RESULTS, "RESULT", PushPeer.completed(task, JsonObject.EMPTY));
        assertThat(worker.succeed(task)).isEqualTo("ACCEPTED");
        assertThat(stranger.received(TASKS, "TASK")).isFalse();
        assertThat(stranger.next(TASKS, 1)).isNull();
    }

    @Test
    void aSecretIdentity_isOfOneWorker() {
        var peer = secretPeer("w1");
        peer.join(1);

        peer.send(REGISTRATION, "READY", peer.ready(1).with("worker_id", text("w2")));

        assertThat(peer.receive(REGISTRATION, "REJECT").text("message"))
                .contains("is that of another worker");
    }

    @Test
    void whereNamesAreNotGoodEnough_aWorkerNeedsASecretIdentity() {
        use(
                new ZeroMqServer(
                        ZeroMqConfig.DEFAULTS
                                .withPorts(ZeroMqConfig.Ports.FREE)
                                .withTerms(ZeroMqServer.PATIENT)
                                .withPlainNames(ZeroMqConfig.PlainNames.NONE)));
        var plain = peer("w1");
        plain.send(REGISTRATION, "READY", plain.ready(1));

        var rejected = plain.receive(REGISTRATION, "REJECT");

        assertThat(rejected.text("code")).isEqualTo("BAD_FRAME");
        assertThat(rejected.text("message")).contains("zeromq.plain-identities");
        assertThat(secretPeer("w1").join(1).text("session")).isNotEmpty();
    }

    /// Trap: a peer of the same machine connects under the name of a worker, without its token, gets its tasks and reports on them.
    @Test
    void aWorkerWithATokenOfItsOwn_needsASecretIdentity() {
        use(
                new ZeroMqServer(
                        ZeroMqConfig.DEFAULTS
                                .withPorts(ZeroMqConfig.Ports.FREE)
                                .withTerms(ZeroMqServer.PATIENT),
                        InstantSource.system(),
                        (token, claimed) ->
                                new WorkerId("own").equals(claimed)
                                        ? new WorkerAuthentication.Decision.Named(
                                                new WorkerId("own"))
                                        : new WorkerAuthentication.Decision.Unnamed()));
        var plain = peer("own");
        plain.send(REGISTRATION, "READY", plain.ready(1));
        assertThat(plain.receive(REGISTRATION, "REJECT").text("message"))
                .contains("has a token of its own", "zeromq.plain-identities");

        plain.send(
                RESULTS,
                "CALL",
                JsonObject.of("call_id", text("c1"), "op", text("poll"))
                        .with("body", JsonObject.EMPTY));
        assertThat(plain.receive(RESULTS, "CALL_FAILED").text("call_id")).isEqualTo("c1");

        assertThat(secretPeer("own").join(1).text("session")).isNotEmpty();
        assertThat(peer("shared").join(1).text("session")).isNotEmpty();
    }

    /// Trap: megabytes of a stranger keep the threads that read all large messages busy, before the token is looked at.
    @Test
    void theLargeBodyOfAStranger_isNotReadBeforeItsToken() {
        var stranger = peer("w1");
        var noText = stranger.ready(1).with("token", JsonNumber.of(7));
        var large = new JsonArray(Collections.nCopies(20_000, JsonArray.EMPTY));
        stranger.send(REGISTRATION, "READY", noText);
        assertThat(stranger.receive(REGISTRATION, "REJECT").text("code")).isEqualTo("BAD_FRAME");

        stranger.send(REGISTRATION, "READY", noText.with("metadata", large));

        assertThat(stranger.receive(REGISTRATION, "REJECT").text("code")).isEqualTo("BAD_TOKEN");
        stranger.join(stranger.ready(1).with("unknown", large));
    }

    /// Trap: a message that comes late has the next session of its worker drain.
    @Test
    void theDrainOfAnEarlierSession_isNotForALaterOne() {
        var peer = joined("w1", 1);
        var drain = peer.inSession(JsonObject.EMPTY);
        peer.join(1);

        peer.send(REGISTRATION, "DRAIN", drain);
        peer.receive(REGISTRATION, "REREGISTER");

        server.engine.submit("echo");
        assertThat(peer.task().text("function_id")).isEqualTo("echo");
    }

    /// Trap: a worker that registers with more leases than it may have gets no answer.
    @Test
    void moreLeasesThanAWorkerMayHave_areRejected() {
        var peer = peer("w1");
        var many = new JsonArray(Collections.nCopies(10_001, text("j.0.1.a")));

        peer.send(REGISTRATION, "READY", peer.ready(1).with("running", many));

        assertThat(peer.receive(REGISTRATION, "REJECT").text("code")).isEqualTo("BAD_FRAME");
    }

    @Test
    void aTask_isPushed_accepted_reported_andCounts() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo", JsonObject.of("n", JsonNumber.of(2)));

        var task = peer.task();
        peer.accept(task);
        var outcome = peer.succeed(task);

        assertThat(task.text("function_id")).isEqualTo("echo");
        assertThat(task.text("job_id")).isEqualTo(job.value());
        assertThat(task.text("task_id"))
                .isEqualTo(task.text("idempotency_key"))
                .isEqualTo(job.value() + ".0");
        assertThat(task.text("lease_id")).startsWith(job.value() + ".0.1.");
        assertThat(task.body().members())
                .containsEntry("attempt", JsonNumber.of(1))
                .containsEntry("lease_ms", JsonNumber.of(60_000))
                .containsEntry("args", JsonArray.EMPTY)
                .containsEntry("kwargs", JsonObject.of("n", JsonNumber.of(2)));
        assertThat(task.body().number("timeout_ms").orElseThrow().asLong()).isPositive();
        assertThat(outcome).isEqualTo("ACCEPTED");
        assertThat(server.engine.applied(job))
                .containsExactly(
                        new TaskReport.Succeeded(
                                "success", Payload.of(JsonObject.of("by", text("w1")))));
    }

    @Test
    void nothingIsPushed_beforeBothGreetings() {
        var peer = peer("w1");
        peer.welcome(peer.ready(1));
        server.engine.submit("echo");

        peer.hello(TASKS);
        peer.receive(TASKS, "HELLO_OK");
        assertThat(peer.receive(TASKS, "TASK", SHORT)).isNull();
        peer.hello(RESULTS);

        assertThat(peer.task().text("function_id")).isEqualTo("echo");
    }

    @Test
    void aGreetingInAnotherSession_isAnsweredWithReregister() {
        var peer = peer("w1");
        connect(peer);
        peer.hello(TASKS);

        assertThat(peer.receive(REGISTRATION, "REREGISTER").text("reason")).contains("session");
    }

    @Test
    void aHeartbeat_isAcknowledgedWithItsDeadline() {
        use(ZeroMqServer.by(clock, ZeroMqConfig.PushTiming.DEFAULTS));
        var peer = joined("w1", 1);

        var ack = peer.beat(1);

        assertThat(ack.body().number("seq")).contains(JsonNumber.of(1));
        var sent = ack.body().number("server_time").orElseThrow().asLong();
        assertThat(ack.body().number("next_deadline")).contains(JsonNumber.of(sent + 3000));
        assertThat(ack.texts("revoke")).isEmpty();
    }

    @Test
    void aHeartbeatOfAnUnknownSession_isAnsweredWithReregister() {
        var peer = peer("w1");
        peer.heartbeat(1);

        assertThat(peer.receive(REGISTRATION, "REREGISTER").text("reason")).contains("READY");
    }

    @Test
    void resultsAndAcceptancesInNoSession_areAnsweredWithReregister() {
        var peer = peer("w1");
        var lease = JsonObject.of("task_id", text("j.0"), "lease_id", text("j.0.1.x"));
        connect(peer);

        peer.send(RESULTS, "RESULT", lease.with("status", text("COMPLETED")));
        peer.receive(REGISTRATION, "REREGISTER");
        peer.send(TASKS, "ACCEPT", lease);
        peer.receive(REGISTRATION, "REREGISTER");
        peer.send(TASKS, "REFUSE", lease);
        peer.receive(REGISTRATION, "REREGISTER");
        peer.send(REGISTRATION, "DRAIN", JsonObject.EMPTY);
        peer.receive(REGISTRATION, "REREGISTER");
    }

    /// Trap: its worker was welcome, and never got a task.
    @Test
    void taskTypesThatAreNoArray_areRejected() {
        var peer = peer("w1");

        peer.send(REGISTRATION, "READY", peer.ready(1).with("task_types", text("echo")));

        var reject = peer.receive(REGISTRATION, "REJECT");
        assertThat(reject.text("code")).isEqualTo("BAD_FRAME");
        assertThat(reject.text("message")).contains("task_types");
    }

    @Test
    void moreWorkersThanTheirTokenMayHave_areRejected_andAreWelcomeWhenOneIsGone() {
        var limits = new LimitedConnections(1);
        use(
                new ZeroMqServer(
                        ZeroMqConfig.DEFAULTS.withPorts(ZeroMqConfig.Ports.FREE),
                        clock,
                        WorkerTokens.shared(ZeroMqServer.TOKEN),
                        limits));
        var first = joined("w1", 1);
        first.join(1);
        var second = peer("w2");

        second.send(REGISTRATION, "READY", second.ready(1));
        var reject = second.receive(REGISTRATION, "REJECT");
        assertThat(reject.text("code")).isEqualTo("TOO_MANY_CONNECTIONS");
        assertThat(reject.body().get("retryable")).hasValue(JsonBoolean.TRUE);
        assertThat(reject.text("message")).contains("access.connections-per-token");

        first.send(REGISTRATION, "BYE", first.inSession(JsonObject.EMPTY));
        await().until(() -> limits.connections().open() == 0);
        second.join(1);
        assertThat(limits.connections().open()).isEqualTo(1);
    }

    @Test
    void aWrongToken_isRejected() {
        var peer = peer("w1");
        peer.send(REGISTRATION, "READY", peer.ready(1).with("token", text("guessed")));

        var reject = peer.receive(REGISTRATION, "REJECT");

        assertThat(reject.text("code")).isEqualTo("BAD_TOKEN");
        assertThat(reject.body().get("retryable")).contains(JsonBoolean.FALSE);
        assertThat(server.engine.worker("w1")).isEmpty();
        peer.send(REGISTRATION, "READY", peer.ready(1).with("token", JsonNumber.of(7)));
        assertThat(peer.receive(REGISTRATION, "REJECT").text("code")).isEqualTo("BAD_FRAME");
    }

    @Test
    void aCapacityThatIsNone_isRejected() {
        var peer = peer("w1");
        for (var wrong :
                List.of(
                        JsonNumber.of(0),
                        JsonNumber.of(-1),
                        JsonNumber.of(10_001),
                        JsonNumber.of(1.5),
                        text("two"),
                        JsonArray.EMPTY)) {
            peer.send(REGISTRATION, "READY", peer.ready(1).with("capacity", wrong));
            assertThat(peer.receive(REGISTRATION, "REJECT").text("code"))
                    .as("capacity %s", wrong)
                    .isEqualTo("BAD_CAPACITY");
        }
    }

    @Test
    void anIdentityThatIsNotTheWorkersName_isRejected() {
        var peer = peer("w1");
        peer.send(REGISTRATION, "READY", peer.ready(1).with("worker_id", text("w2")));

        assertThat(peer.receive(REGISTRATION, "REJECT").text("code")).isEqualTo("BAD_FRAME");
    }

    @Test
    void anotherProcessOfTheSameName_isRejectedWhileTheFirstIsThere_andWelcomeThen() {
        useClock();
        var first = joined("w1", 1);
        first.beat(1);
        var second = peer("w1");

        second.send(REGISTRATION, "READY", second.ready(1));
        var reject = second.receive(REGISTRATION, "REJECT");

        assertThat(reject.text("code")).isEqualTo("ID_IN_USE");
        assertThat(reject.body().get("retryable")).contains(JsonBoolean.TRUE);
        first.close();
        clock.advance(SILENCE.plusMillis(1));
        await().until(() -> {
            second.send(REGISTRATION, "READY", second.ready(1));
            return second.receive(REGISTRATION, "WELCOME", SHORT) != null;
        });
    }

    @Test
    void aRefusedTask_goesToAnother_andNothingElseIsPushedBeforeAHeartbeatWithRoom() {
        var full = joined("w1", 2);
        var job = server.engine.submit("echo");
        full.refuse(full.task(), "NO_CAPACITY");
        server.engine.await("it is back", () -> server.engine.endings(job).size() == 1);

        assertThat(server.engine.endings(job)).containsExactly(LeaseEnd.Returned.RELEASED);
        assertThat(full.receive(TASKS, "TASK", SHORT)).isNull();
        full.beat(0);
        assertThat(full.receive(TASKS, "TASK", SHORT)).isNull();
        full.beat(1);

        assertThat(full.task().text("job_id")).isEqualTo(job.value());
    }

    @Test
    void aTaskThatNoWorkerCanDo_isFinalAtOnce() {
        var peer = joined("w1", 2);
        var unknown = server.engine.submit("echo");
        peer.refuse(peer.task(), "UNKNOWN_FUNCTION");
        server.engine.await("it failed", () -> !server.engine.applied(unknown).isEmpty());
        var bad = server.engine.submit("echo");
        peer.refuse(peer.task(), "BAD_PAYLOAD");
        server.engine.await("it failed", () -> !server.engine.applied(bad).isEmpty());

        assertThat(failure(unknown).error().kind()).isEqualTo(ErrorClass.PERMANENT);
        assertThat(failure(bad).error().kind()).isEqualTo(ErrorClass.INVALID_INPUT);
    }

    @Test
    void aTaskThatIsNotAccepted_isCancelled_returnedAndNotCounted() {
        useClock();
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var task = peer.task();

        clock.advance(ACCEPTANCE);
        var cancel = peer.receive(TASKS, "CANCEL");

        assertThat(cancel.text("lease_id")).isEqualTo(task.text("lease_id"));
        assertThat(server.engine.endings(job)).contains(LeaseEnd.Returned.NOT_RECEIVED);
    }

    @Test
    void afterThreeTasksThatAreNotAccepted_theWorkerHasToRegisterAgain_andGetsTasksThen() {
        useClock();
        var peer = joined("w1", 1);
        server.engine.submit("echo");
        for (var miss = 0; miss < 3; miss++) {
            peer.beat(1);
            peer.task();
            clock.advance(ACCEPTANCE);
        }
        var reregister = peer.receive(REGISTRATION, "REREGISTER");
        peer.heartbeat(1);
        assertThat(peer.receive(TASKS, "TASK", SHORT)).isNull();

        peer.join(1);

        assertThat(reregister.text("reason")).contains("3 tasks in a row");
        assertThat(peer.task().text("function_id")).isEqualTo("echo");
    }

    @Test
    void aResultSentAgain_isADuplicate_andCountsOnce() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var task = peer.task();

        assertThat(peer.succeed(task)).isEqualTo("ACCEPTED");
        assertThat(peer.succeed(task)).isEqualTo("DUPLICATE");

        assertThat(server.engine.applied(job)).hasSize(1);
    }

    /// A result under an old lease changes nothing.
    @Test
    void aResultUnderALeaseThatIsOver_isStale() {
        useClock();
        var slow = joined("w1", 1);
        var job = server.engine.submit("echo");
        var late = slow.task();
        clock.advance(ACCEPTANCE);
        slow.receive(TASKS, "CANCEL");
        var again = slow.task();

        assertThat(slow.succeed(late)).isEqualTo("STALE");
        assertThat(server.engine.applied(job)).isEmpty();
        assertThat(slow.succeed(again)).isEqualTo("ACCEPTED");
    }

    @Test
    void aResultOfATaskThatNeverWas_isUnknown() {
        var peer = joined("w1", 1);
        var about = JsonObject.of("task_id", text("x"), "status", text("COMPLETED"));

        assertThat(peer.report(about.with("lease_id", text("no-such-lease")))).isEqualTo("UNKNOWN");
        assertThat(peer.report(about.with("lease_id", text("no-job.0.1.x")))).isEqualTo("UNKNOWN");
    }

    @Test
    void aTaskOfAnotherWorker_canNeitherBeAcceptedNorReported() {
        var holder = joined("w1", 1);
        var job = server.engine.submit("echo");
        var task = holder.task();
        var thief = joined("w2", 1);

        thief.accept(task);
        thief.receive(TASKS, "CANCEL");
        assertThat(thief.succeed(task)).isEqualTo("STALE");

        assertThat(server.engine.applied(job)).isEmpty();
        assertThat(holder.succeed(task)).isEqualTo("ACCEPTED");
    }

    @Test
    void aResultBeforeItsAcceptance_isTaken_andTheAcceptanceChangesNothing() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var task = peer.task();

        assertThat(peer.succeed(task)).isEqualTo("ACCEPTED");
        peer.accept(task);
        assertThat(peer.beat(1).texts("revoke")).isEmpty();
        // What is pushed next comes behind a cancel, if there were one.
        server.engine.submit("echo");
        peer.task();

        assertThat(peer.received(WirePort.TASKS, "CANCEL")).isFalse();
        assertThat(server.engine.applied(job)).hasSize(1);
        assertThat(server.engine.endings(job)).isEmpty();
    }

    @Test
    void aFunctionThatFails_reportsItsErrorWithTypeMessageAndTraceback() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var error =
                JsonObject.builder()
                        .put("error_type", "FunctionExecutionFailure")
                        .put("category", "EXECUTION")
                        .put("message", "ValueError: n must be positive")
                        .put("traceback", "Traceback (most recent call last): ...")
                        .put("retryable", true)
                        .build();

        assertThat(peer.report(failed(peer.task(), error))).isEqualTo("ACCEPTED");

        assertThat(failure(job).error().kind()).isEqualTo(ErrorClass.TRANSIENT);
        assertThat(failure(job).error().message())
                .contains("FunctionExecutionFailure", "n must be positive", "Traceback");
    }

    @Test
    void errorsThatAnotherAttemptMeetsToo_areFinal() {
        var peer = joined("w1", 1);
        var wrong = server.engine.submit("echo");
        peer.report(failed(peer.task(), JsonObject.of("category", text("SERIALIZATION"))));
        var never = server.engine.submit("echo");
        peer.report(failed(peer.task(), JsonObject.of("retryable", JsonBoolean.FALSE)));

        assertThat(failure(wrong).error().kind()).isEqualTo(ErrorClass.INVALID_INPUT);
        assertThat(failure(never).error().kind()).isEqualTo(ErrorClass.PERMANENT);
    }

    @Test
    void aResultThatCannotBeRead_endsTheAttemptWithThatReason() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var task = peer.task();

        var outcome = peer.report(PushPeer.about(task).with("status", text("DONE")));

        assertThat(outcome).isEqualTo("ACCEPTED");
        assertThat(failure(job).error().code()).isEqualTo("INVALID_RESULT");
    }

    /// Trap: a result that is no JSON is refused as a frame, and repeated until the worker gives up.
    @Test
    void aResultThatIsNoJson_endsTheAttemptWithThatReason() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var lease = peer.task().text("lease_id");
        var frames = new ArrayList<>(PushFrames.write("RESULT", JsonObject.EMPTY));
        frames.set(
                frames.size() - 1,
                "{\"lease_id\":\"%s\",\"status\":\"COMPLETED\",\"result\":NaN}"
                        .formatted(lease)
                        .getBytes(StandardCharsets.UTF_8));

        peer.sendFrames(RESULTS, frames);

        assertThat(peer.receive(RESULTS, "RESULT_ACK").text("outcome")).isEqualTo("ACCEPTED");
        assertThat(failure(job).error().code()).isEqualTo("INVALID_RESULT");
    }

    @Test
    void largeParametersAndResults_travelInFramesOfTheirOwn() {
        var peer = joined("w1", 1);
        var large = JsonObject.of("x", text("x".repeat(3 << 20)));
        var job = server.engine.submit("echo", large);

        var task = peer.task();
        assertThat(task.body().object("kwargs")).contains(frame(0));
        assertThat(JsonText.read(task.attachments().getFirst())).isEqualTo(large);
        var result = JsonObject.of("a", frame(1), "b", frame(0));
        peer.send(
                RESULTS,
                "RESULT",
                PushPeer.completed(task, result),
                List.of(JsonText.write(text("first")), JsonText.write(large)));

        assertThat(peer.receive(RESULTS, "RESULT_ACK").text("outcome")).isEqualTo("ACCEPTED");
        assertThat(server.engine.applied(job))
                .containsExactly(
                        new TaskReport.Succeeded(
                                "success",
                                Payload.of(JsonObject.of("a", large, "b", text("first")))));
    }

    /// Trap: a body of a megabyte has a value of megabytes in each of sixty thousand places.
    @Test
    void anAttachmentInSeveralPlaces_endsTheAttempt() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");

        peer.send(
                RESULTS,
                "RESULT",
                PushPeer.completed(peer.task(), JsonObject.of("a", frame(0), "b", frame(0))),
                List.of(JsonText.write(text("x".repeat(1 << 20)))));

        assertThat(peer.receive(RESULTS, "RESULT_ACK").text("outcome")).isEqualTo("ACCEPTED");
        assertThat(failure(job).error().code()).isEqualTo("INVALID_RESULT");
        assertThat(failure(job).error().message()).contains("each attachment in one place");
    }

    @Test
    void aResultThatIsTooLarge_endsTheAttemptAtOnce() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var body = server.engine.submit("echo");
        var attached = new byte[5 << 20];

        peer.send(
                RESULTS,
                "RESULT",
                PushPeer.completed(peer.task(), frame(0)),
                List.of(attached, attached));
        assertThat(peer.receive(RESULTS, "RESULT_ACK").text("outcome")).isEqualTo("ACCEPTED");
        peer.report(PushPeer.completed(peer.task(), text("x".repeat(1 << 20))));

        assertThat(failure(job).error().code()).isEqualTo("RESULT_TOO_LARGE");
        assertThat(failure(body).error().code()).isEqualTo("RESULT_TOO_LARGE");
    }

    @Test
    void anObjectThatLooksLikeAFrame_isAValue_whereNothingIsAttached() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");

        peer.report(PushPeer.completed(peer.task(), frame(0)));

        assertThat(server.engine.applied(job))
                .containsExactly(new TaskReport.Succeeded("success", Payload.of(frame(0))));
    }

    @Test
    void aCancelledTask_isCancelledOverItsSocket_andNamedByHeartbeatsUntilItIsReported() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var task = peer.task();
        peer.accept(task);
        server.engine.cancel(job);

        var cancel = peer.receive(TASKS, "CANCEL");

        assertThat(cancel.text("lease_id")).isEqualTo(task.text("lease_id"));
        assertThat(peer.beat(0, task.text("lease_id")).texts("revoke"))
                .containsExactly(task.text("lease_id"));
        assertThat(peer.report(PushPeer.about(task).with("status", text("CANCELLED"))))
                .isEqualTo("STALE");
        assertThat(peer.beat(1).texts("revoke")).isEmpty();
        server.engine.await("its slot is free", () -> server.engine.holder(job).isEmpty());
    }

    @Test
    void aLeaseThatAHeartbeatLists_andThatIsNotItsWorkers_isRevoked() {
        var peer = joined("w1", 1);

        server.engine.await(
                "it is revoked",
                () ->
                        peer.beat(0, "no-such.0.1.lease")
                                .texts("revoke")
                                .equals(List.of("no-such.0.1.lease")));
    }

    @Test
    void anAcceptedTask_missingFromHeartbeats_isLost_butNotByThoseThatComeAtOnce() {
        useClock();
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        acceptAndWait(peer, peer.task());
        for (var beat = 0; beat < 3; beat++) {
            peer.beat(0);
        }
        assertThat(server.engine.endings(job)).isEmpty();

        server.engine.await(
                "it is lost",
                () -> {
                    clock.advance(SILENCE.minusMillis(1));
                    peer.beat(0);
                    return !server.engine.endings(job).isEmpty();
                });

        assertThat(server.engine.endings(job)).containsExactly(LeaseEnd.Lost.UNCONFIRMED);
    }

    @Test
    void aWorkerThatReportsNoRoom_isPushedNothing_andItsCapacityStays() {
        var peer = joined("w1", 2);
        peer.beat(0);
        server.engine.await("it is asked for nothing", () -> server.engine.asks("w1") == 0);
        server.engine.submit("echo");
        assertThat(peer.receive(TASKS, "TASK", SHORT)).isNull();

        peer.beat(100);

        assertThat(peer.task().text("function_id")).isEqualTo("echo");
        assertThat(server.engine.worker("w1").orElseThrow().capacity()).isEqualTo(2);
    }

    @Test
    void aDrainingWorker_getsNothingNew_andFinishesWhatItHas() {
        var peer = joined("w1", 2);
        server.engine.submit("echo");
        var task = peer.task();
        peer.send(REGISTRATION, "DRAIN", JsonObject.of("reason", text("an update")));
        server.engine.await(
                "it drains",
                () ->
                        server.engine.worker("w1").orElseThrow().draining()
                                && server.engine.asks("w1") == 0);
        var next = server.engine.submit("echo");

        assertThat(peer.receive(TASKS, "TASK", SHORT)).isNull();
        assertThat(peer.succeed(task)).isEqualTo("ACCEPTED");
        assertThat(server.engine.isQueued(next)).isTrue();
    }

    @Test
    void aWorkerThatAnOperatorDrains_isAskedToFinishAndLeave() {
        var peer = joined("w1", 1);

        server.gateway().drain(new WorkerId("w1"), "an update");
        server.gateway().drain(new WorkerId("w2"), "an update");

        var shutdown = peer.receive(REGISTRATION, "SHUTDOWN");
        assertThat(shutdown.text("reason")).isEqualTo("an update");
        assertThat(shutdown.body().number("grace_ms")).contains(JsonNumber.of(600_000));
    }

    @Test
    void aWorkerThatLeaves_losesWhatItHadAtOnce() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        peer.accept(peer.task());

        peer.send(REGISTRATION, "BYE", JsonObject.of("reason", text("an update")));

        server.engine.await("the worker is gone", () -> server.engine.worker("w1").isEmpty());
        assertThat(server.engine.isQueued(job)).isTrue();
        assertThat(server.gateway().workers()).isZero();
    }

    /// Trap: a BYE that comes late, or a second time, ends the session that the worker has begun since.
    @Test
    void theByeOfAnEarlierSession_endsNoLaterOne() {
        var peer = joined("w1", 1);
        var bye = peer.inSession(JsonObject.EMPTY);
        peer.join(1);

        peer.send(REGISTRATION, "BYE", bye);
        peer.beat(1);

        assertThat(server.gateway().workers()).isEqualTo(1);
        peer.send(REGISTRATION, "BYE", peer.inSession(JsonObject.EMPTY));
        await().until(() -> server.gateway().workers() == 0);
    }

    @Test
    void aWorkerThatKeepsItsLeases_keepsItsTask_thoughItIsSilent_orGoesToAnotherWire() {
        useClock();
        var peer = peer("w1");
        peer.join(peer.ready(1).with("keep_leases", JsonBoolean.TRUE));
        var job = server.engine.submit("echo");
        var task = peer.task();
        acceptAndWait(peer, task);
        awaitAsTimePasses("it is silent", () -> server.gateway().workers() == 0);

        var running = new JsonArray(List.of(PushPeer.about(task)));
        var welcome =
                peer.join(
                        peer.ready(1)
                                .with("keep_leases", JsonBoolean.TRUE)
                                .with("running", running));
        assertThat(welcome.texts("keep")).containsExactly(task.text("lease_id"));
        peer.send(REGISTRATION, "BYE", JsonObject.of("keep_leases", JsonBoolean.TRUE));
        await().until(() -> server.gateway().workers() == 0);

        assertThat(server.engine.endings(job)).isEmpty();
        assertThat(server.engine.isQueued(job)).isFalse();
    }

    @Test
    void aHeartbeat_reportsWhatTheWorkerHasLoaded_asOnAllWires() {
        var peer = joined("w1", 1);

        peer.send(
                REGISTRATION,
                "HEARTBEAT",
                peer.inSession(
                        JsonObject.of(
                                "hot_cache",
                                JsonArray.ofStrings(List.of("sdxl")),
                                "running",
                                JsonArray.EMPTY)));

        server.engine.await(
                "it is known",
                () -> server.engine.worker("w1").orElseThrow().toString().contains("sdxl"));
    }

    @Test
    void aSilentWorker_isGone_anotherDoesItsTask_andItIsUsableAfterReregister() {
        useClock();
        var silent = joined("w1", 1);
        var job = server.engine.submit("echo");
        acceptAndWait(silent, silent.task());
        awaitAsTimePasses("it is gone", () -> server.engine.worker("w1").isEmpty());
        assertThat(server.engine.endings(job)).containsExactly(LeaseEnd.Lost.WORKER_GONE);

        silent.heartbeat(1);
        silent.receive(REGISTRATION, "REREGISTER");
        silent.join(1);

        assertThat(silent.task().body().number("attempt")).contains(JsonNumber.of(2));
    }

    @Test
    void aRestartOfTheOrchestrator_isAPauseForTheWorker() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var task = peer.task();
        peer.accept(task);
        peer.beat(0, task.text("lease_id"));

        server.restart();
        await().until(() -> {
            peer.heartbeat(0, task.text("lease_id"));
            return peer.receive(REGISTRATION, "REREGISTER", SHORT) != null;
        });
        var running = JsonArray.of(PushPeer.about(task), lease("gone.0.1.x"));
        var welcome = peer.welcome(peer.ready(1).with("running", running));
        awaitGreeted(peer, TASKS);
        awaitGreeted(peer, RESULTS);

        assertThat(welcome.texts("keep")).containsExactly(task.text("lease_id"));
        assertThat(welcome.texts("revoke")).containsExactly("gone.0.1.x");
        assertThat(peer.succeed(task)).isEqualTo("ACCEPTED");
        assertThat(server.engine.attempts(job)).isEqualTo(1);
    }

    /// What a socket sends before it has noticed that its connection is gone is lost.
    private static void awaitGreeted(PushPeer peer, WirePort port) {
        await().until(() -> {
            peer.hello(port);
            return peer.receive(port, "HELLO_OK", SHORT) != null;
        });
    }

    @Test
    void aWorkerThatRegistersAgain_keepsATaskWhoseAcceptanceWasLost() {
        var peer = joined("w1", 1);
        var job = server.engine.submit("echo");
        var task = peer.task();

        var welcome = peer.join(peer.ready(1).with("running", JsonArray.of(PushPeer.about(task))));
        peer.beat(0, task.text("lease_id"));

        assertThat(welcome.texts("keep")).containsExactly(task.text("lease_id"));
        assertThat(server.engine.endings(job)).isEmpty();
        assertThat(peer.succeed(task)).isEqualTo("ACCEPTED");
    }

    @Test
    void anotherProcessOfTheWorker_losesWhatTheFirstOneHad() {
        useClock();
        var first = joined("w1", 1);
        var job = server.engine.submit("echo");
        first.accept(first.task());
        first.close();
        awaitAsTimePasses("it is gone", () -> server.engine.worker("w1").isEmpty());
        var second = joined("w1", 1);

        assertThat(second.task().text("job_id")).isEqualTo(job.value());
    }

    @Test
    void theWorkerWhoseConnectionIsGone_cannotBeReached_andItsTaskGoesBackUncounted() {
        use(ZeroMqServer.with(Duration.ofMinutes(10), Duration.ofSeconds(5)));
        var gone = joined("w1", 1);
        gone.beat(1);
        gone.socket(TASKS).close();
        await().untilAsserted(() -> {
            gone.beat(1);
            server.engine.submit("echo");
            assertThat(server.gateway().counts().unreachable()).isPositive();
        });

        server.engine.await(
                "it goes back", () -> server.engine.holder(new JobId("job-1")).isEmpty());
        var other = joined("w2", 1);
        assertThat(other.task().body().number("attempt").orElseThrow().asLong()).isPositive();
    }

    private TaskReport.Failed failure(JobId job) {
        return (TaskReport.Failed) server.engine.applied(job).getFirst();
    }

    private static JsonObject failed(PushPeer.Received task, JsonObject error) {
        return PushPeer.about(task).with("status", text("FAILED")).with("error", error);
    }

    private static JsonValue lease(String lease) {
        return JsonObject.of("task_id", text("x"), "lease_id", text(lease));
    }

    private static JsonObject frame(int number) {
        return JsonObject.of("$frame", JsonNumber.of(number));
    }

    private static JsonString text(String text) {
        return new JsonString(text);
    }
}
