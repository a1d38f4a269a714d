package dev.artel.gateway.websocket;

import static dev.artel.gateway.websocket.SocketClient.heartbeat;
import static dev.artel.gateway.websocket.SocketClient.message;
import static dev.artel.gateway.websocket.SocketClient.registration;
import static dev.artel.gateway.websocket.SocketClient.texts;
import static dev.artel.gateway.websocket.SocketClient.with;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.access.LimitedConnections;
import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerTokens;
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
import dev.artel.waits.Await;
import dev.artel.worker.server.hub.HubLimits;
import dev.artel.worker.server.hub.HubTimes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Workers to which tasks are pushed. Those that are only registered by [SocketClient#registration] know nothing but the protocol.
@Timeout(Await.HUNG)
final class PushedWorkerTest {
    private final List<SocketClient> clients = new ArrayList<>();
    private SocketWire wire = new SocketWire();

    @AfterEach
    void close() {
        clients.forEach(SocketClient::close);
        wire.close();
    }

    private void rewire(SocketGatewayConfig config) {
        rewire(config, WorkerTokens.shared(SocketServer.TOKEN));
    }

    private void rewire(SocketGatewayConfig config, WorkerAuthentication authentication) {
        wire.close();
        wire = new SocketWire(config, authentication);
    }

    private SocketClient client() {
        var client = SocketClient.open(wire.port());
        clients.add(client);
        return client;
    }

    private SocketClient worker(String id, int max) {
        return client().register(registration(id, max, "echo"));
    }

    private SocketClient instance(String id, String instance, String... running) {
        var additions =
                texts("instance", instance)
                        .with("runningTasks", JsonArray.ofStrings(List.of(running)));
        return client().register(
                        with(registration(id, 2, "echo"), JsonObject.of("artel", additions)));
    }

    private SocketClient accepting(String id) {
        return client().register(
                        with(
                                registration(id, 1, "echo"),
                                JsonObject.of("acceptsWork", JsonValue.of(true))));
    }

    private static String id(JsonObject message) {
        return message.string("requestId").orElseThrow();
    }

    private static JsonObject complete(JsonObject request) {
        return message("work_complete", id(request)).with("result", texts("text", "hi"));
    }

    private String holder(JobId job) {
        return wire.engine().holder(job).map(WorkerId::value).orElse("no worker");
    }

    /// The acknowledgement of a heartbeat does not wait for the engine.
    private void awaitRenewals(JobId job, int count) {
        wire.engine().await("the lease is renewed", () -> wire.engine().renewals(job) >= count);
    }

    @Test
    void aWorkerThatKnowsNothingButTheProtocol_takesTasksByItsModels_andItsResultCounts() {
        var worker = worker("w1", 1);
        var job = wire.engine().submit("echo");

        var request = worker.await("work_request", 1);
        worker.send(complete(request));

        var ack = worker.await("work_complete_ack", 1);
        assertThat(ack.string("requestId")).hasValue(id(request));
        assertThat(ack.string("status")).hasValue("result_accepted_success");
        assertThat(wire.engine().applied(job))
                .containsExactly(
                        new TaskReport.Succeeded("success", Payload.of(texts("text", "hi"))));
        assertThat(request.string("model")).hasValue("echo");
        var task = TaskAssignment.read(request.object("task").orElseThrow());
        assertThat(task.jobId()).isEqualTo(job.value());
        assertThat(task.lease()).isEqualTo(id(request));
    }

    @Test
    void theAcknowledgement_hasWhatTheProtocolDemands() {
        var ack = worker("w1", 1).await("worker_registration_ack", 1);

        assertThat(ack.get("success")).hasValue(JsonValue.of(true));
        assertThat(ack.string("sessionId")).isPresent();
        assertThat(ack.get("heartbeatIntervalMs")).hasValue(JsonValue.of(15_000));
        assertThat(ack.string("delivery")).hasValue("push");
    }

    @Test
    void moreConnectionsThanTheirTokenMayHave_areRefused_andCloseWith4429() {
        wire.close();
        var limits = new LimitedConnections(2);
        wire =
                new SocketWire(
                        SocketGatewayConfig.DEFAULTS,
                        WorkerTokens.shared(SocketServer.TOKEN),
                        limits);
        var first = worker("w1", 1);
        var _ = first.await("worker_registration_ack", 1);
        var _ = worker("w2", 1).await("worker_registration_ack", 1);
        first.register(registration("w1", 2, "echo"));
        var _ = first.await("worker_registration_ack", 2);

        var third = worker("w3", 1);
        var ack = third.await("worker_registration_ack", 1);
        assertThat(ack.get("success")).hasValue(JsonValue.of(false));
        assertThat(ack.string("error").orElse("")).contains("access.connections-per-token");
        assertThat(ack.get("retryAfterMs")).isPresent();
        assertThat(third.closed()).isEqualTo("4429 Too many connections");
        assertThat(limits.connections().refused()).isEqualTo(1);

        first.close();
        wire.engine().await("its place is free", () -> limits.connections().open() == 1);
        assertThat(worker("w3", 1).await("worker_registration_ack", 1).get("success"))
                .hasValue(JsonValue.of(true));
    }

    @Test
    void aWrongToken_isRefused_andClosesWith4001() {
        var worker = client();

        worker.register(registration("w1", 1, "echo").with("authToken", new JsonString("guess")));

        var ack = worker.await("worker_registration_ack", 1);
        assertThat(ack.get("success")).hasValue(JsonValue.of(false));
        assertThat(ack.string("error")).hasValue("Invalid authentication token");
        assertThat(worker.closed()).isEqualTo("4001 Authentication failed");
        assertThat(wire.engine().worker("w1")).isEmpty();
    }

    @Test
    void theTokenOfTheUpgrade_isThatOfTheRegistration_unlessThatHasAnother() {
        var bare = new JsonObject(registration("w1", 1, "echo").members());
        var without = JsonObject.builder();
        bare.members()
                .forEach((name, value) -> {
                    if (!name.equals("authToken")) {
                        without.put(name, value);
                    }
                });
        var worker = SocketClient.open(wire.port(), SocketServer.TOKEN);
        clients.add(worker);
        worker.register(without.build());
        assertThat(worker.await("worker_registration_ack", 1).get("success"))
                .hasValue(JsonValue.of(true));

        var torn = SocketClient.open(wire.port(), SocketServer.TOKEN);
        clients.add(torn);
        torn.register(registration("w2", 1, "echo").with("authToken", new JsonString("guess")));
        assertThat(torn.closed()).isEqualTo("4001 Authentication failed");
        assertThatThrownBy(() -> SocketClient.open(wire.port(), "guess"))
                .hasMessageContaining("WebSocketHandshakeException");
    }

    @Test
    void aTokenOfOneWorker_registersNoOther() {
        var own =
                new WorkerTokens(
                        List.of(),
                        Map.of(new WorkerId("w1"), List.of(grant(SocketServer.TOKEN))),
                        InstantSource.system());
        rewire(SocketGatewayConfig.DEFAULTS, own);

        var thief = client().register(registration("w2", 1, "echo"));
        assertThat(thief.closed()).isEqualTo("4001 Authentication failed");
        var ack = worker("w1", 1).await("worker_registration_ack", 1);
        assertThat(ack.get("success")).hasValue(JsonValue.of(true));
    }

    private static WorkerTokens.Grant grant(String token) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(token.getBytes(StandardCharsets.UTF_8));
            return new WorkerTokens.Grant(HexFormat.of().formatHex(digest), Optional.empty());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Any token is good until this is false.
    private AtomicBoolean revocable() {
        var isGood = new AtomicBoolean(true);
        rewire(
                SocketGatewayConfig.DEFAULTS,
                (_, _) ->
                        isGood.get()
                                ? new WorkerAuthentication.Decision.Unnamed()
                                : new WorkerAuthentication.Decision.Refused("revoked"));
        return isGood;
    }

    @Test
    void aTokenThatIsRevoked_endsTheConnectionWithItsNextMessage() {
        var isGood = revocable();
        var worker = worker("w1", 1);

        isGood.set(false);
        worker.send(heartbeat("w1"));

        assertThat(worker.closed()).isEqualTo("4001 Authentication failed");
    }

    /// Trap: a silent worker whose token was revoked goes on getting tasks, with all their parameters.
    @Test
    void aTokenThatIsRevoked_getsNoTask_andEndsTheConnection() {
        var isGood = revocable();
        var worker = worker("w1", 1);

        isGood.set(false);
        wire.engine().submit("echo");

        assertThat(worker.closed()).isEqualTo("4001 Authentication failed");
        assertThat(worker.received("work_request")).isEmpty();
    }

    @Test
    void anotherConnectionOfTheWorker_replacesTheFirst_whoseTaskGoesToAnAttemptOfItsOwn() {
        var first = worker("w1", 1);
        var job = wire.engine().submit("echo");
        var lost = first.await("work_request", 1);

        var second = worker("w1", 1);

        assertThat(first.closed()).isEqualTo("4003 Replaced by new connection");
        var request = second.await("work_request", 1);
        assertThat(id(request)).isNotEqualTo(id(lost));
        second.send(complete(lost));
        assertThat(second.await("work_complete_ack", 1).string("status")).hasValue("ignored");
        second.send(complete(request));
        assertThat(second.await("work_complete_ack", 2).string("status"))
                .hasValue("result_accepted_success");
        assertThat(wire.engine().applied(job)).hasSize(1);
    }

    @Test
    void heartbeats_areAcknowledged_andKeepTheTask() {
        var worker = worker("w1", 1);
        var job = wire.engine().submit("echo");
        var request = worker.await("work_request", 1);
        worker.awaitPongs(1);

        for (var beat = 1; beat <= 20; beat++) {
            worker.send(heartbeat("w1"));
            var ack = worker.await("heartbeat_ack", beat);
            assertThat(ack.string("timestamp")).hasValue("2026-03-01T10:00:00.000Z");
            assertThat(ack.string("nextHeartbeatDeadline")).isPresent();
            awaitRenewals(job, beat);
            wire.advance(Duration.ofSeconds(15));
        }

        worker.send(complete(request));
        assertThat(worker.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
        assertThat(wire.engine().attempts(job)).isEqualTo(1);
    }

    @Test
    void aHeartbeatForAnotherWorker_isAProtocolError() {
        worker("w1", 1);
        var liar = worker("w2", 1);

        liar.send(heartbeat("w1"));

        assertThat(liar.closed()).isEqualTo("4400 Protocol error");
    }

    @Test
    void aWorkerWithoutHeartbeats_isDead_andItsTaskGoesBack() {
        rewire(
                SocketGatewayConfig.DEFAULTS.withTimes(
                        HubTimes.DEFAULTS.withHeartbeats(
                                Duration.ofSeconds(3),
                                Duration.ofMillis(100),
                                Duration.ofMillis(50))));
        var worker = worker("w1", 1);
        var job = wire.engine().submit("echo");
        worker.await("work_request", 1);
        worker.awaitPongs(1);

        assertThat(worker.closed()).isEqualTo("4003 Heartbeat timeout");
        wire.engine().await("the task is back", () -> wire.engine().isQueued(job));
        assertThat(wire.engine().endings(job)).containsExactly(LeaseEnd.Lost.WORKER_GONE);
    }

    @Test
    void aConnectionWithoutARegistration_isClosedWith4408() {
        rewire(
                SocketGatewayConfig.DEFAULTS.withTimes(
                        HubTimes.DEFAULTS.withRegistrationTimeout(Duration.ofMillis(200))));

        assertThat(client().closed()).isEqualTo("4408 Registration timeout");
    }

    @Test
    void aDrainingWorker_finishesWhatItHas_getsNothingNew_andIsClosedWith4410() {
        var worker = worker("w1", 2);
        wire.engine().submit("echo");
        var request = worker.await("work_request", 1);

        worker.send(
                texts("type", "worker_draining")
                        .with("workerId", new JsonString("w1"))
                        .with("reason", new JsonString("night")));
        var ack = worker.await("worker_draining_ack", 1);
        assertThat(ack.array("pending").orElseThrow())
                .isEqualTo(JsonArray.ofStrings(List.of(id(request))));
        wire.engine()
                .await(
                        "the engine knows",
                        () -> wire.engine().worker("w1").orElseThrow().draining());
        var next = wire.engine().submit("echo");
        worker.send(complete(request));

        assertThat(worker.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
        assertThat(worker.closed()).isEqualTo("4410 Draining complete");
        assertThat(wire.engine().isQueued(next)).isTrue();
        assertThat(worker.received("work_request")).hasSize(1);
    }

    @Test
    void aDrainByTheOrchestrator_isSentToTheWorker() {
        var worker = worker("w1", 1);
        wire.engine().submit("echo");
        var request = worker.await("work_request", 1);

        wire.gateway().drain(new WorkerId("w1"), "maintenance");

        var drain = worker.await("drain_request", 1);
        assertThat(drain.string("reason")).hasValue("maintenance");
        worker.send(complete(request));
        assertThat(worker.closed()).isEqualTo("4410 Draining complete");
    }

    @Test
    void aCancel_isPushed_andTheSlotIsFreeWithTheWorkersLastWord() {
        var worker = worker("w1", 1);
        var job = wire.engine().submit("echo");
        var request = worker.await("work_request", 1);
        var next = wire.engine().submit("echo");

        wire.engine().cancel(job);
        var cancel = worker.await("work_cancel", 1);
        assertThat(id(cancel)).isEqualTo(id(request));
        assertThat(worker.received("work_request")).hasSize(1);
        worker.send(
                message("work_complete", id(request)).with("status", new JsonString("cancelled")));

        var second = worker.await("work_request", 2);
        assertThat(second.object("task").orElseThrow().string("job_id")).hasValue(next.value());
    }

    @Test
    void whoAnnouncesToAccept_losesATaskThatItDoesNotAccept() {
        var silent = accepting("w1");
        var job = wire.engine().submit("echo");
        var request = silent.await("work_request", 1);

        wire.advance(Duration.ofSeconds(6));

        assertThat(id(silent.await("work_cancel", 1))).isEqualTo(id(request));
        assertThat(id(silent.await("work_request", 2))).isNotEqualTo(id(request));
        assertThat(wire.engine().endings(job)).contains(LeaseEnd.Returned.NOT_RECEIVED);
    }

    @Test
    void whoAccepts_keepsTheTask_andSoDoesWhoAnswersPings() {
        var accepting = accepting("w1");
        var job = wire.engine().submit("echo");
        var request = accepting.await("work_request", 1);
        accepting.send(message("work_accepted", id(request)));
        accepting.awaitUnderstood();
        var plain = worker("w2", 1);
        var other = wire.engine().submit("echo");
        plain.await("work_request", 1);
        plain.awaitPongs(1);

        wire.advance(Duration.ofSeconds(6));

        assertThat(holder(job)).isEqualTo("w1");
        assertThat(holder(other)).isEqualTo("w2");
        assertThat(wire.engine().endings(job)).isEmpty();
        assertThat(wire.engine().endings(other)).isEmpty();
    }

    @Test
    void progressOfATask_acceptsIt() {
        var worker = accepting("w1");
        var job = wire.engine().submit("echo");
        var request = worker.await("work_request", 1);

        worker.send(message("work_progress", id(request)).with("progress", JsonValue.of(1)));
        wire.engine().await("progress is reported", () -> !wire.heard().isEmpty());
        wire.advance(Duration.ofSeconds(6));

        assertThat(holder(job)).isEqualTo("w1");
    }

    @Test
    void threeTasksInARowThatAreNotAccepted_closeTheConnection() {
        var silent = accepting("w1");
        wire.engine().submit("echo");

        for (var task = 1; task <= 3; task++) {
            silent.await("work_request", task);
            wire.advance(Duration.ofSeconds(6));
        }

        assertThat(silent.closed()).startsWith("1008 3 tasks in a row");
    }

    @Test
    void aRefusedTask_goesToAnother_andTheWorkerGetsNoneBeforeItsNextHeartbeat() {
        var full = worker("w1", 1);
        var job = wire.engine().submit("echo");
        var request = full.await("work_request", 1);

        full.send(message("work_refused", id(request)).with("code", new JsonString("NO_CAPACITY")));
        var other = worker("w2", 1);
        assertThat(other.await("work_request", 1).object("task").orElseThrow().string("job_id"))
                .hasValue(job.value());
        var next = wire.engine().submit("echo");
        assertThat(wire.engine().isQueued(next)).isTrue();
        full.send(heartbeat("w1"));

        assertThat(full.await("work_request", 2).object("task").orElseThrow().string("job_id"))
                .hasValue(next.value());
    }

    @Test
    void aWorkerGetsNoMoreThanItTakesAtOnce_andTheNextWithEachResult() {
        var worker = worker("w1", 3);
        for (var i = 0; i < 20; i++) {
            var _ = wire.engine().submit("echo");
        }

        for (var done = 1; done <= 20; done++) {
            var request = worker.await("work_request", done);
            assertThat(worker.received("work_request").size()).isLessThanOrEqualTo(done + 2);
            worker.send(complete(request));
            worker.await("work_complete_ack", done);
        }
    }

    @Test
    void aWorkerThatBreaksOff_losesItsTaskAtOnce() {
        var worker = worker("w1", 1);
        var job = wire.engine().submit("echo");
        worker.await("work_request", 1);
        worker.awaitPongs(1);

        worker.close();

        wire.engine().await("the task is back", () -> wire.engine().isQueued(job));
        assertThat(wire.engine().endings(job)).containsExactly(LeaseEnd.Lost.WORKER_GONE);
    }

    @Test
    void aWorkerThatNamesItsProcess_keepsItsTaskOverABreak() {
        var worker = instance("w1", "process-1");
        var job = wire.engine().submit("echo");
        var request = worker.await("work_request", 1);
        worker.awaitPongs(1);

        worker.close();
        var again = instance("w1", "process-1", id(request), "no-such-task");

        var leases = again.await("leases", 1);
        assertThat(leases.array("renewed").orElseThrow())
                .isEqualTo(JsonArray.ofStrings(List.of(id(request))));
        assertThat(leases.toString()).contains("no-such-task");
        again.send(complete(request));
        assertThat(again.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
        assertThat(wire.engine().attempts(job)).isEqualTo(1);
    }

    @Test
    void aRestartOfTheOrchestrator_isAPauseForAWorkerThatNamesItsProcess() {
        var worker = instance("w1", "process-1");
        var job = wire.engine().submit("echo");
        var request = worker.await("work_request", 1);
        worker.awaitPongs(1);

        wire.restart();
        assertThat(worker.closed()).isEqualTo("1001 Server shutting down");
        var again = instance("w1", "process-1", id(request));
        again.await("leases", 1);
        again.send(complete(request));

        assertThat(again.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
        assertThat(wire.engine().attempts(job)).isEqualTo(1);
        wire.engine().submit("echo");
        again.await("work_request", 1);
    }

    @Test
    void aRegistrationOnTheSameConnection_updatesTheWorker_andKeepsItsTask() {
        var worker = worker("w1", 1);
        var session = worker.await("worker_registration_ack", 1).string("sessionId");
        var job = wire.engine().submit("echo");
        var request = worker.await("work_request", 1);

        worker.register(registration("w1", 2, "echo", "shout"));
        assertThat(worker.await("worker_registration_ack", 2).string("sessionId"))
                .isEqualTo(session);
        wire.engine().submit("shout");

        assertThat(worker.await("work_request", 2).string("model")).hasValue("shout");
        worker.send(complete(request));
        assertThat(worker.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
        assertThat(wire.engine().attempts(job)).isEqualTo(1);
    }

    @Test
    void aReportSentTwice_isAcceptedTwice_andCountsOnce() {
        var worker = worker("w1", 1);
        var job = wire.engine().submit("echo");
        var request = worker.await("work_request", 1);

        worker.send(complete(request)).send(complete(request));

        assertThat(worker.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
        assertThat(worker.await("work_complete_ack", 2).string("status"))
                .hasValue("result_accepted_success");
        assertThat(wire.engine().applied(job)).hasSize(1);
    }

    @Test
    void aReportThatCannotBeKeptNow_isKeptLater_withoutAnotherMessageOfTheWorker() {
        var worker = worker("w1", 1);
        var job = wire.engine().submit("echo");
        var request = worker.await("work_request", 1);
        wire.engine()
                .refuseReports(
                        new CommandReply.TryLater(Duration.ofMillis(100), "the store is away"));

        worker.send(complete(request));
        wire.engine().refuseReports(null);

        assertThat(worker.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
        assertThat(wire.engine().applied(job)).hasSize(1);
    }

    /// Trap: the results of one worker that wait for the store take all places, and the calls of all others are refused.
    @Test
    void resultsThatWait_leaveRoomForThoseOfOthers_andTheRefusalNamesTheNumbers() {
        rewire(SocketGatewayConfig.DEFAULTS.withMaxCalls(16));
        var greedy = worker("greedy", 5);
        for (var i = 0; i < 5; i++) {
            wire.engine().submit("echo");
        }
        var last = greedy.await("work_request", 5);
        wire.engine()
                .refuseReports(
                        new CommandReply.TryLater(Duration.ofMillis(100), "the store is away"));
        greedy.received("work_request").forEach(request -> greedy.send(complete(request)));

        var refused = greedy.await("work_complete_ack", 1);
        assertThat(refused.string("requestId")).hasValue(id(last));
        assertThat(refused.string("status")).hasValue("try_later");
        assertThat(refused.string("error").orElseThrow())
                .contains(": 4 of worker greedy, 4 under its token, 4 of all workers, of 16");

        var other = worker("other", 1);
        var answer = SocketClient.await(other.call("heartbeat", JsonObject.EMPTY));
        assertThat(answer.get("status")).hasValue(JsonValue.of(200));
        wire.engine().refuseReports(null);
        greedy.await("work_complete_ack", 5);
    }

    /// Trap: large results have room in memory until a thread of their own waits for the store with them, and as many as workers send fill
    /// the heap.
    @Test
    void largeResultsThatWaitForTheStore_keepTheirRoom() {
        var worker = worker("w1", 2);
        wire.engine().submit("echo");
        wire.engine().submit("echo");
        worker.await("work_request", 2);
        wire.engine()
                .refuseReports(
                        new CommandReply.TryLater(Duration.ofMillis(100), "the store is away"));
        var large = JsonObject.of("text", new JsonString("x".repeat(100_000)));
        worker.received("work_request")
                .forEach(request -> worker.send(complete(request).with("result", large)));
        // It is read behind both.
        SocketClient.await(worker.call("heartbeat", JsonObject.EMPTY));

        assertThat(wire.gateway().largeMessages()).isEqualTo(2);
        wire.engine().refuseReports(null);
        worker.await("work_complete_ack", 2);
        await("nothing has room any more").until(() -> wire.gateway().largeMessages() == 0);
    }

    @Test
    void failures_reachTheEngineAsWhatTheyAre() {
        var worker = worker("w1", 1);
        var words =
                List.of(
                        texts("type", "work_failed").with("error", new JsonString("no disk")),
                        texts("type", "work_complete").with("success", JsonValue.of(false)),
                        texts("type", "work_result")
                                .with(
                                        "error",
                                        texts("code", "PERMANENT_ERROR")
                                                .with("message", new JsonString("no file"))),
                        texts("type", "work_complete").with("status", new JsonString("failed")));
        var codes = new ArrayList<String>();
        for (var word : words) {
            var job = wire.engine().submit("echo");
            var request = worker.await("work_request", codes.size() + 1);
            worker.send(word.with("requestId", new JsonString(id(request))));
            worker.await("work_complete_ack", codes.size() + 1);
            wire.engine().await("it is applied", () -> !wire.engine().applied(job).isEmpty());
            if (wire.engine().applied(job).getFirst() instanceof TaskReport.Failed failed) {
                codes.add(failed.error().code());
            }
        }

        assertThat(codes)
                .containsExactly(
                        "TRANSIENT_ERROR", "TRANSIENT_ERROR", "PERMANENT_ERROR", "TRANSIENT_ERROR");
    }

    @Test
    void logsAndProgress_areKept_fromTheHolderAlone() {
        var worker = worker("w1", 1);
        var stranger = worker("w2", 1);
        wire.engine().submit("echo");
        wire.engine()
                .await(
                        "one has it",
                        () ->
                                !worker.received("work_request").isEmpty()
                                        || !stranger.received("work_request").isEmpty());
        var isFirst = !worker.received("work_request").isEmpty();
        var holder = isFirst ? worker : stranger;
        var other = isFirst ? stranger : worker;
        var request = holder.await("work_request", 1);
        var progress =
                message("work_progress", id(request))
                        .with("progress", JsonValue.of(1))
                        .with("message", new JsonString("all"));
        var line = JsonArray.of(texts("message", "begun"));

        other.send(progress).send(message("work_log", id(request)).with("lines", line));
        other.send(heartbeat(isFirst ? "w2" : "w1"));
        other.await("heartbeat_ack", 1);
        holder.send(progress).send(message("work_log", id(request)).with("lines", line));

        wire.engine().await("both are kept", () -> wire.heard().size() >= 2);
        var name = isFirst ? "w1" : "w2";
        assertThat(wire.heard()).containsExactly(name + " 1.0 all", name + " info begun");
    }

    @Test
    void heartbeatsThatListTasks_keepThoseAndNoOther() {
        var worker = worker("w1", 2);
        wire.engine().submit("echo");
        wire.engine().submit("echo");
        var kept = worker.await("work_request", 1);
        var dropped = worker.await("work_request", 2);
        worker.awaitPongs(2);
        var list = JsonArray.ofStrings(List.of(id(kept)));

        for (var beat = 1; beat <= 6; beat++) {
            worker.send(heartbeat("w1").with("runningTasks", list));
            worker.await("heartbeat_ack", beat);
            awaitRenewals(new JobId(job(kept)), beat);
            wire.advance(Duration.ofSeconds(15));
        }

        var lost = new JobId(job(dropped));
        wire.engine().await("it is over", () -> !wire.engine().endings(lost).isEmpty());
        assertThat(holder(new JobId(job(kept)))).isEqualTo("w1");
    }

    private static String job(JsonObject request) {
        return request.object("task").orElseThrow().string("job_id").orElseThrow();
    }

    @Test
    void whatThisOrchestratorAddsToARegistration_describesTheWorker() {
        var additions =
                JsonObject.builder()
                        .put("supportedTasks", JsonArray.ofStrings(List.of("resize")))
                        .put("taskCategories", texts("resize", "images"))
                        .put(
                                "profile",
                                JsonObject.of(
                                        "labels",
                                        texts("zone", "eu"),
                                        "resources",
                                        JsonObject.of("cpu_cores", JsonValue.of(8))))
                        .build();
        client().register(with(registration("w1", 4, "llama"), JsonObject.of("artel", additions)));

        wire.engine().await("it is there", () -> wire.engine().worker("w1").isPresent());
        var profile = wire.engine().worker("w1").orElseThrow();
        assertThat(profile.tasks()).containsExactly("resize");
        assertThat(profile.capacity()).isEqualTo(4);
        assertThat(profile.toString()).contains("zone=eu").contains("images").contains("llama");
    }

    @Test
    void whoWaitsForAnAnswer_isPushedSomethingElse() {
        var worker = worker("w1", 1);
        wire.engine().submit("echo");
        var first = worker.await("work_request", 1);
        var next = wire.engine().submit("echo");

        var answer =
                SocketClient.await(
                        worker.call(
                                "question",
                                texts("task_id", id(first))
                                        .with("question", new JsonString("Which account?"))));

        assertThat(answer.object("body").orElseThrow().string("status")).hasValue("parked");
        assertThat(job(worker.await("work_request", 2))).isEqualTo(next.value());
        worker.send(complete(first));
        assertThat(worker.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
    }

    @Test
    void aReportOnATaskOfAnotherWorker_changesNothing() {
        var holder = worker("w1", 1);
        var job = wire.engine().submit("echo");
        var request = holder.await("work_request", 1);
        var thief = worker("w2", 1);

        thief.send(complete(request));
        assertThat(thief.await("work_complete_ack", 1).string("reason")).hasValue("mismatch");
        var called =
                SocketClient.await(
                        thief.call(
                                "result",
                                texts("job_id", job.value())
                                        .with("task_id", new JsonString(id(request)))));

        assertThat(called.object("body").orElseThrow().string("reason")).hasValue("mismatch");
        holder.send(texts("type", "worker_draining").with("workerId", new JsonString("w1")));
        assertThat(holder.await("worker_draining_ack", 1).array("pending").orElseThrow())
                .isEqualTo(JsonArray.ofStrings(List.of(id(request))));
        holder.send(complete(request));
        assertThat(holder.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
    }

    @Test
    void aWorkerThatReadsNothing_isClosed_andItsTasksGoBack() {
        rewire(SocketGatewayConfig.DEFAULTS.withLimits(HubLimits.DEFAULTS.withQueue(4, 4 << 20)));
        var deaf = SocketClient.openDeaf(wire.port());
        clients.add(deaf);
        deaf.send(registration("deaf", 100, "echo"));
        wire.engine().await("it is there", () -> wire.engine().worker("deaf").isPresent());
        var large = texts("x", "x".repeat(1 << 20));
        var jobs = new ArrayList<JobId>();
        for (var i = 0; i < 40; i++) {
            jobs.add(wire.engine().submit("echo", large));
        }

        wire.engine()
                .await(
                        "all are back",
                        () -> jobs.stream().allMatch(job -> wire.engine().isQueued(job)));
        var well = worker("well", 1);
        well.send(complete(well.await("work_request", 1)));
        assertThat(well.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
    }

    @Test
    void theStopOfTheOrchestrator_closesWith1001() {
        var worker = worker("w1", 1);

        wire.restart();

        assertThat(worker.closed()).isEqualTo("1001 Server shutting down");
    }
}
