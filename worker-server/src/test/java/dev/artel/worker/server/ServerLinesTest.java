package dev.artel.worker.server;

import static dev.artel.waits.Await.await;
import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.limited;
import static dev.artel.worker.server.hub.HubFixture.message;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.waits.Await;
import dev.artel.worker.server.hub.CapturedLog;
import dev.artel.worker.server.hub.DispatchRequest;
import dev.artel.worker.server.hub.FakeConnection;
import dev.artel.worker.server.hub.HubOptions;
import dev.artel.worker.server.hub.HubTimes;
import dev.artel.worker.server.hub.MessageEvent;
import dev.artel.worker.server.hub.PooledWorker;
import dev.artel.worker.server.hub.WorkerDisconnected;
import dev.artel.worker.server.hub.WorkerHub;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The server over real sockets. The numbers are those of the lines of acceptance.
@Timeout(Await.HUNG)
final class ServerLinesTest {
    private static final Duration LIMIT = Await.longest();
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final CapturedLog log = new CapturedLog();
    private final List<PooledWorker> connected = new CopyOnWriteArrayList<>();
    private final List<WorkerDisconnected> disconnected = new CopyOnWriteArrayList<>();
    private final List<MessageEvent> events = new CopyOnWriteArrayList<>();
    private WorkerServer server = new WorkerServer(WorkerServerOptions.onPort(0));
    private WorkerHub hub = server.hub();

    @BeforeEach
    void start() {
        server.start();
        listen();
    }

    @AfterEach
    void stop() {
        var _ = server.stop();
        log.close();
    }

    private void listen() {
        hub.onConnected(connected::add);
        hub.onDisconnected(disconnected::add);
    }

    private void restart(WorkerServerOptions options) {
        var _ = server.stop();
        server = new WorkerServer(options);
        hub = server.hub();
        server.start();
        listen();
    }

    private TestWorker worker(String id, int max) {
        return TestWorker.open(server).registers(registration(id, capabilities(max, "sonnet")));
    }

    private PooledWorker snapshot(String id) {
        return hub.worker(id).orElseThrow();
    }

    private HttpResponse<String> get(String path) {
        try {
            return HTTP.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                            .timeout(LIMIT)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    private void awaitWarning(String part) {
        await().untilAsserted(() ->
                assertThat(log.warnings()).anySatisfy(line -> assertThat(line).contains(part)));
    }

    private void awaitError(String part) {
        await().untilAsserted(() ->
                assertThat(log.errors()).anySatisfy(line -> assertThat(line).contains(part)));
    }

    /// Sends `lines` over a plain socket and returns what comes until the server closes or the answer is whole.
    private String raw(String... lines) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            socket.getOutputStream()
                    .write(
                            (String.join("\r\n", lines) + "\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void ws01_itStartsEmpty_andStops() {
        assertThat(hub.workers()).isEmpty();
        assertThat(server.stop()).isEmpty();
    }

    @Test
    void ws02_aSecondStart_isRefused() {
        assertThatThrownBy(() -> server.start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("already running");
    }

    @Test
    void ws03_anOccupiedPort_isReported() throws IOException {
        try (var occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var second = new WorkerServer(WorkerServerOptions.onPort(occupied.getLocalPort()));

            assertThatThrownBy(second::start)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("Address already in use")
                    .hasMessageContaining(String.valueOf(occupied.getLocalPort()));
        }
    }

    @Test
    void ws04_portZero_isARealPort_thatAnswers404() {
        assertThat(server.port()).isPositive();
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void ws05_aRegistration_isAcknowledged_reportedAndListed() {
        var worker = TestWorker.open(server);

        worker.sends(registration("w-1", capabilities(2, "sonnet")));

        var ack = worker.next();
        assertThat(ack.get("success")).contains(JsonValue.of(true));
        assertThat(ack.string("sessionId")).isPresent();
        assertThat(ack.number("heartbeatIntervalMs")).contains(JsonValue.of(15_000));
        await().until(() -> connected.size() == 1);
        var event = connected.getFirst();
        assertThat(event.id()).isEqualTo("w-1");
        assertThat(event.name()).isEqualTo("Worker w-1");
        assertThat(event.status()).isEqualTo(PooledWorker.Status.AVAILABLE);
        assertThat(event.sessionId()).isEqualTo(ack.string("sessionId").orElseThrow());
        assertThat(hub.workers()).hasSize(1);
    }

    @Test
    void ws06_aWrongToken_isRefused() {
        restart(WorkerServerOptions.onPort(0).withToken("right"));
        var worker = TestWorker.open(server);

        worker.sends(
                registration("w-1", capabilities(1, "sonnet"))
                        .with("authToken", JsonValue.of("wrong")));

        var ack = worker.next();
        assertThat(ack.get("success")).contains(JsonValue.of(false));
        assertThat(ack.string("error").orElseThrow()).contains("authentication");
        assertThat(worker.closedWith()).isEqualTo(4001);
        assertThat(worker.closeReason.join()).isEqualTo("Authentication failed");
    }

    @Test
    void ws07_theRightToken_isAccepted() {
        restart(WorkerServerOptions.onPort(0).withToken("right"));

        TestWorker.open(server)
                .registers(
                        registration("w-1", capabilities(1, "sonnet"))
                                .with("authToken", JsonValue.of("right")));

        assertThat(hub.workers()).hasSize(1);
    }

    @Test
    void ws08_aDispatch_arrives_andIsTracked() {
        var worker =
                TestWorker.open(server)
                        .registers(
                                registration(
                                        "w-1", limited(capabilities(2, "sonnet"), "local", 2)));

        var handle =
                hub.dispatch(DispatchRequest.of("sonnet", work("req-1")).withCategory("local"))
                        .orElseThrow();

        assertThat(worker.next()).isEqualTo(work("req-1"));
        assertThat(handle.requestId()).isEqualTo("req-1");
        assertThat(handle.worker().requests().active()).isEqualTo(1);
        assertThat(handle.worker().requests().pendingIds()).containsExactly("req-1");
        assertThat(handle.worker().requests().activeByCategory()).containsEntry("local", 1);
        assertThat(hub.availableSlots("sonnet", "local")).isEqualTo(1);
    }

    @Test
    void ws09_withoutWorkers_aDispatchGivesNothing() {
        assertThat(hub.dispatch(DispatchRequest.of("sonnet", work("req-1")))).isEmpty();
    }

    @Test
    void ws10_aCategoryAtItsLimit_takesNoSecondDispatch() {
        TestWorker.open(server)
                .registers(registration("w-1", limited(capabilities(5, "sonnet"), "local", 1)));
        var request = DispatchRequest.of("sonnet", work("req-1")).withCategory("local");
        assertThat(hub.dispatch(request)).isPresent();

        assertThat(hub.dispatch(DispatchRequest.of("sonnet", work("req-2")).withCategory("local")))
                .isEmpty();
        assertThat(hub.availableSlots("sonnet", "local")).isZero();
    }

    @Test
    void ws11_ifTheFirstWorkerCannotBeSent_theSecondGetsIt() {
        var broken = new FakeConnection("10.0.0.1").openOn(hub);
        broken.sends(registration("w-1", capabilities(1, "sonnet")));
        broken.throwsOnSend = true;
        var second = worker("w-2", 1);

        var handle = hub.dispatch(DispatchRequest.of("sonnet", work("req-1"))).orElseThrow();

        assertThat(second.next()).isEqualTo(work("req-1"));
        assertThat(handle.worker().id()).isEqualTo("w-2");
        assertThat(snapshot("w-1").requests().pendingIds()).isEmpty();
        assertThat(snapshot("w-2").requests().pendingIds()).containsExactly("req-1");
    }

    @Test
    void ws12_completingTwice_countsOnce() {
        worker("w-1", 1);
        var handle = hub.dispatch(DispatchRequest.of("sonnet", work("req-1"))).orElseThrow();

        assertThat(handle.complete()).isTrue();
        assertThat(handle.complete()).isFalse();

        assertThat(snapshot("w-1").requests().active()).isZero();
        assertThat(snapshot("w-1").requests().completed()).isEqualTo(1);
    }

    @Test
    void ws13_failingTwice_countsNothing() {
        worker("w-1", 1);
        var handle = hub.dispatch(DispatchRequest.of("sonnet", work("req-1"))).orElseThrow();

        assertThat(handle.fail()).isTrue();
        assertThat(handle.fail()).isFalse();

        assertThat(snapshot("w-1").requests().active()).isZero();
        assertThat(snapshot("w-1").requests().completed()).isZero();
    }

    @Test
    void ws14_anEvent_carriesWorkerRequestAndPayload() {
        hub.onMessage("work_complete", events::add);
        var worker = worker("w-1", 1);

        worker.sends(message("work_complete", "req-1").with("result", JsonValue.of("done")));

        await().until(() -> events.size() == 1);
        assertThat(events.getFirst().worker().id()).isEqualTo("w-1");
        assertThat(events.getFirst().requestId()).contains("req-1");
        assertThat(events.getFirst().message().string("result")).contains("done");
    }

    @Test
    void ws15_anEventThatCompletesTwice_releasesOnce() {
        hub.onMessage(
                "work_complete",
                event -> {
                    event.complete();
                    event.complete();
                    events.add(event);
                });
        var worker = worker("w-1", 1);
        assertThat(hub.dispatch(DispatchRequest.of("sonnet", work("req-1")))).isPresent();

        worker.sends(message("work_complete", "req-1"));

        await().until(() -> events.size() == 1);
        assertThat(snapshot("w-1").requests().active()).isZero();
        assertThat(snapshot("w-1").requests().completed()).isEqualTo(1);
    }

    @Test
    void ws16_anEventWithoutARequest_settlesNothing() {
        hub.onMessage(
                "worker_status",
                event -> {
                    assertThat(event.complete()).isFalse();
                    assertThat(event.fail()).isFalse();
                    events.add(event);
                });
        var worker = worker("w-1", 2);
        hub.trackRequest("w-1", "req-1");

        worker.sends("{\"type\":\"worker_status\"}");

        await().until(() -> events.size() == 1);
        assertThat(events.getFirst().requestId()).isEmpty();
        assertThat(snapshot("w-1").requests().pendingIds()).containsExactly("req-1");
    }

    @Test
    void ws17_snapshots_areNotLive_andCannotBeChanged() {
        worker("w-1", 2);
        var before = hub.workers();
        hub.trackRequest("w-1", "req-1", "local");

        assertThat(before.getFirst().requests().pendingIds()).isEmpty();
        assertThatThrownBy(() -> before.clear()).isInstanceOf(UnsupportedOperationException.class);
        var now = snapshot("w-1").requests();
        assertThatThrownBy(() -> now.activeByCategory().clear())
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(snapshot("w-1").requests().activeByCategory()).containsEntry("local", 1);
    }

    @Test
    void ws18_aClientThatCloses_isReported_withItsRequests() {
        var worker = worker("w-1", 1);
        hub.trackRequest("w-1", "req-1");

        worker.closes();

        await().until(() -> disconnected.size() == 1);
        assertThat(disconnected.getFirst().pendingIds()).containsExactly("req-1");
        assertThat(hub.workers()).isEmpty();
    }

    @Test
    void ws19_aCustomPath_reachesItsEndpoint() {
        var texts = new CopyOnWriteArrayList<String>();
        server.addSocketEndpoint("/ws/dash", SocketGuard.none(), _ -> texts::add);

        TestWorker.open(server, "/ws/dash?x=1").sends("hello");

        await().until(() -> texts.equals(List.of("hello")));
        assertThat(hub.connectionCount()).isZero();
    }

    @Test
    void ws20_anErrorOfAnEndpoint_isLogged_withPathAndMessage() {
        server.addSocketEndpoint(
                "/ws/dash",
                SocketGuard.none(),
                _ ->
                        _ -> {
                            throw new IllegalStateException("dashboard broke");
                        });
        var client = TestWorker.open(server, "/ws/dash");

        client.sends("hello");

        awaitError("dashboard broke");
        assertThat(log.errors()).anySatisfy(line -> assertThat(line).contains("path=/ws/dash"));
        assertThat(client.closedWith()).isEqualTo(1011);
    }

    @Test
    void ws21_aHandlerOfHttp_answers() {
        server.addHttpHandler(call -> {
            if (!call.path().equals("/health")) {
                return false;
            }
            call.respond(200, JsonObject.of("workers", JsonValue.of(hub.workerCount())));
            return true;
        });

        assertThat(get("/health").body()).isEqualTo("{\"workers\":0}");
    }

    @Test
    void ws22_anUnknownUrl_isAnsweredWith404() {
        var answer = get("/unknown?x=1");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).isEqualTo("{\"error\":\"Not found\"}");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void ws23_aHandlerThatReturnsFalse_leavesTheCallToTheNext() {
        server.addHttpHandler(_ -> false);
        server.addHttpHandler(call -> {
            call.respond(200, "text/plain", "second".getBytes(StandardCharsets.UTF_8));
            return true;
        });

        assertThat(get("/").body()).isEqualTo("second");
    }

    @Test
    void ws24_aHandlerThatThrows_isSkipped() {
        server.addHttpHandler(_ -> {
            throw new IOException("no disk");
        });
        server.addHttpHandler(call -> {
            call.respond(200, "text/plain", new byte[0]);
            return true;
        });

        assertThat(get("/").statusCode()).isEqualTo(200);
        awaitError("no disk");
    }

    @Test
    void ws25_anErrorOfAHandler_isLoggedAsItsText() {
        server.addHttpHandler(_ -> {
            throw new AssertionError("plain text");
        });

        assertThat(get("/").statusCode()).isEqualTo(404);
        awaitError("problem=plain text");
    }

    @Test
    void ws26_aBroadcast_reachesBothWorkers() {
        var one = worker("w-1", 1);
        var two = worker("w-2", 1);

        assertThat(hub.broadcast(JsonObject.of("type", JsonValue.of("shutdown")))).isEqualTo(2);

        assertThat(one.next().string("type")).contains("shutdown");
        assertThat(two.next().string("type")).contains("shutdown");
    }

    @Test
    void ws27_aWorkerWithoutHeartbeats_isRemoved() {
        restart(quick());
        var worker = worker("w-1", 1);

        await().until(() -> hub.workerCount() == 0);

        assertThat(worker.closedWith()).isEqualTo(4003);
        assertThat(worker.closeReason.join()).isEqualTo("Heartbeat timeout");
    }

    /// Line WS28: a dead worker that is no longer in the pool is not reported again.
    @Test
    void ws28_aDeadWorker_isReportedOnce() {
        restart(quick());
        worker("w-1", 1);
        await().until(() -> hub.connectionCount() == 0);
        await().until(() -> !disconnected.isEmpty());

        hub.tick();
        hub.tick();

        assertThat(disconnected).hasSize(1);
        assertThat(log.warnings()).filteredOn(line -> line.contains("worker is dead")).hasSize(1);
    }

    private static WorkerServerOptions quick() {
        return WorkerServerOptions.onPort(0)
                .withHub(
                        HubOptions.DEFAULTS.withTimes(
                                HubTimes.DEFAULTS.withHeartbeats(
                                        Duration.ofMillis(10),
                                        Duration.ofMillis(5),
                                        Duration.ofMillis(20))));
    }

    @Test
    void ws29_aHandlerOfConnects_canBeRemoved() {
        var seen = new CopyOnWriteArrayList<PooledWorker>();
        hub.onConnected(seen::add).run();

        worker("w-1", 1);

        await().until(() -> connected.size() == 1);
        assertThat(seen).isEmpty();
    }

    @Test
    void ws30_aHandlerOfDisconnects_canBeRemoved() {
        var seen = new CopyOnWriteArrayList<WorkerDisconnected>();
        hub.onDisconnected(seen::add).run();

        worker("w-1", 1).closes();

        await().until(() -> disconnected.size() == 1);
        assertThat(seen).isEmpty();
    }

    @Test
    void ws31_aHandlerOfMessages_canBeRemoved() {
        var seen = new CopyOnWriteArrayList<MessageEvent>();
        hub.onMessage("status_update", seen::add).run();
        hub.onMessage("status_update", events::add);

        worker("w-1", 1).sends("{\"type\":\"status_update\"}");

        await().until(() -> events.size() == 1);
        assertThat(seen).isEmpty();
    }

    /// A frame that is not masked breaks RFC 6455, and reaches the listener as an error.
    @Test
    void ws32_anErrorOfAWebSocket_isLogged() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            var out = socket.getOutputStream();
            out.write(
                    String.join(
                                    "\r\n",
                                    "GET /ws/worker HTTP/1.1",
                                    "Host: 127.0.0.1",
                                    "Upgrade: websocket",
                                    "Connection: Upgrade",
                                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                                    "Sec-WebSocket-Version: 13",
                                    "",
                                    "")
                            .getBytes(StandardCharsets.US_ASCII));
            out.flush();
            assertThat(socket.getInputStream().read()).isPositive();
            out.write(new byte[] {(byte) 0x81, 0x01, 'x'});
            out.flush();

            await().untilAsserted(() ->
                    assertThat(log.lines(Level.DEBUG))
                            .anySatisfy(line ->
                                    assertThat(line)
                                            .contains("WebSocket failed")
                                            .contains("path=/ws/worker")));
        }
    }

    @Test
    void ws33_invalidJson_isLogged() {
        TestWorker.open(server).sends("{nonsense");

        awaitWarning("invalid JSON");
    }

    @Test
    void ws34_aTypeThatIsNoString_isLogged() {
        TestWorker.open(server).sends("{\"type\":7}");

        awaitWarning("missing type");
    }

    @Test
    void ws35_aTypeWithoutAHandler_isLogged() {
        worker("w-1", 1).sends("{\"type\":\"surprise\"}");

        awaitWarning("type=surprise");
    }

    @Test
    void ws36_anExceptionOfAHandler_isLogged() {
        hub.onMessage(
                "status_update",
                _ -> {
                    throw new IllegalStateException("handler broke");
                });

        worker("w-1", 1).sends("{\"type\":\"status_update\"}");

        awaitError("handler broke");
    }

    @Test
    void ws37_aHeartbeat_isAcknowledged_withTheNextDeadline() {
        var worker = worker("w-1", 1);
        var before = Instant.now();

        worker.sends(heartbeat("w-1"));

        var ack = worker.next();
        assertThat(ack.string("type")).contains("heartbeat_ack");
        assertThat(ack.string("timestamp")).contains("2026-03-01T10:00:00.000Z");
        var deadline = ack.string("nextHeartbeatDeadline").orElseThrow();
        assertThat(deadline).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(Instant.parse(deadline))
                .isBetween(before.plusSeconds(59), Instant.now().plusSeconds(61));
    }

    @Test
    void ws38_aHeartbeatForAnotherWorker_isLogged_andClosesTheConnection() {
        var worker = worker("w-1", 1);

        worker.sends(heartbeat("ghost"));

        awaitWarning("worker=ghost");
        assertThat(worker.closedWith()).isEqualTo(4400);
    }

    @Test
    void ws39_anUnhealthyWorkerWithoutWork_isAvailableAfterAHeartbeat() {
        restart(shortSilence());
        var worker = worker("w-1", 1);
        await().until(() -> snapshot("w-1").status() == PooledWorker.Status.UNHEALTHY);

        worker.sends(heartbeat("w-1"));

        assertThat(worker.next().string("type")).contains("heartbeat_ack");
        await().until(() -> sawStatus(PooledWorker.Status.AVAILABLE, worker));
    }

    @Test
    void ws40_anUnhealthyWorkerThatIsFull_isBusyAfterAHeartbeat() {
        restart(shortSilence());
        var worker = worker("w-1", 1);
        hub.trackRequest("w-1", "req-1");
        await().until(() -> snapshot("w-1").status() == PooledWorker.Status.UNHEALTHY);

        worker.sends(heartbeat("w-1"));

        await().until(() -> sawStatus(PooledWorker.Status.BUSY, worker));
    }

    /// The machine may be slow enough for the next silence, so that another heartbeat follows.
    private boolean sawStatus(PooledWorker.Status status, TestWorker worker) {
        if (snapshot("w-1").status() == status) {
            return true;
        }
        worker.sends(heartbeat("w-1"));
        return false;
    }

    private static WorkerServerOptions shortSilence() {
        return WorkerServerOptions.onPort(0)
                .withHub(
                        HubOptions.DEFAULTS.withTimes(
                                HubTimes.DEFAULTS.withHeartbeats(
                                        Duration.ofSeconds(5),
                                        Duration.ofMillis(500),
                                        Duration.ofMillis(200))));
    }

    @Test
    void ws41_theSameIdOnASecondSocket_isOneWorker() {
        var first = worker("w-1", 1);

        worker("w-1", 1);

        assertThat(hub.workers()).hasSize(1);
        assertThat(first.closedWith()).isEqualTo(4003);
        assertThat(first.closeReason.join()).isEqualTo("Replaced by new connection");
    }

    @Test
    void ws42_theSameIdWithARequestInWork_isReported() {
        worker("w-1", 1);
        hub.trackRequest("w-1", "req-1");

        worker("w-1", 1);

        await().until(() -> disconnected.size() == 1);
        assertThat(disconnected.getFirst().worker().id()).isEqualTo("w-1");
        assertThat(disconnected.getFirst().pendingIds()).containsExactly("req-1");
    }

    @Test
    void ws43_aStopBeforeTheStart_doesNothing() {
        assertThat(new WorkerServer(WorkerServerOptions.onPort(0)).stop()).isEmpty();
    }

    @Test
    void ws44_withoutAListener_thePortIsTheConfiguredOne() {
        assertThat(new WorkerServer(WorkerServerOptions.onPort(8765)).port()).isEqualTo(8765);
        var _ = server.stop();
        assertThat(server.port()).isZero();
    }

    @Test
    void ws45_aConnectionThatNeverRegistered_closesWithoutAnEvent() {
        TestWorker.open(server).closes();

        await().untilAsserted(() ->
                assertThat(log.lines(Level.DEBUG))
                        .anySatisfy(line -> assertThat(line).contains("connection closed")));
        assertThat(disconnected).isEmpty();
    }

    @Test
    void ws46_anExceptionOfAHandlerOfConnects_doesNotPreventTheAcknowledgement() {
        hub.onConnected(_ -> {
            throw new IllegalStateException("no");
        });

        worker("w-1", 1);

        awaitError("problem=no");
    }

    @Test
    void ws47_anExceptionOfAHandlerOfDisconnects_isLogged_andTheServerGoesOn() {
        hub.onDisconnected(_ -> {
            throw new IllegalStateException("never");
        });
        worker("w-1", 1).closes();
        awaitError("problem=never");

        worker("w-2", 1);

        assertThat(hub.workerCount()).isEqualTo(1);
    }

    @Test
    void ws48_aMessageFromASocketThatNeverRegistered_isAnEventOfUnknown_withoutPower() {
        hub.onUnregisteredMessage(events::add);
        worker("w-1", 1);
        hub.trackRequest("w-1", "req-1");

        TestWorker.open(server).sends(message("work_complete", "req-1"));

        await().until(() -> events.size() == 1);
        assertThat(events.getFirst().worker().id()).isEqualTo("unknown");
        assertThat(events.getFirst().complete()).isFalse();
        assertThat(snapshot("w-1").requests().pendingIds()).containsExactly("req-1");
    }

    @Test
    void ws49_aWorkerThatVanishesWhileItIsSent_leavesAHandle() {
        var vanishing = new FakeConnection("10.0.0.1").openOn(hub);
        vanishing.sends(registration("w-1", capabilities(1, "sonnet")));
        vanishing.onSend = vanishing::closedByPeer;

        var handle = hub.dispatch(DispatchRequest.of("sonnet", work("req-1"))).orElseThrow();

        assertThat(handle.worker().id()).isEqualTo("w-1");
        assertThat(hub.workers()).isEmpty();
    }

    @Test
    void ws50_aStop_toleratesThatTheHubIsStopped() {
        worker("w-1", 1);
        var _ = hub.stop(Duration.ZERO);

        assertThatCode(() -> server.stop()).doesNotThrowAnyException();
        assertThat(server.stop()).isEmpty();
    }

    @Test
    void ws51_anUpgradeWithoutAPath_isOneOfTheRoot() throws IOException {
        assertThat(
                        raw(
                                "GET http://127.0.0.1 HTTP/1.1",
                                "Host: 127.0.0.1",
                                "Upgrade: websocket",
                                "Connection: Upgrade",
                                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                                "Sec-WebSocket-Version: 13"))
                .isEqualTo("HTTP/1.1 404");
        assertThat(get("/").statusCode()).isEqualTo(404);
    }

    @Test
    void ws52_anUpgradeWhileTheHubIsStopped_isTurnedAway() {
        var _ = hub.stop(Duration.ZERO);

        var late = TestWorker.open(server);

        assertThat(late.closedWith()).isEqualTo(1001);
        assertThat(log.errors()).isEmpty();
    }

    // The seed's calls

    @Test
    void g1a_theSelectionOfAModel_skipsABusyWorker() {
        worker("w-1", 1);
        worker("w-2", 1);
        hub.trackRequest("w-1", "req-1");

        assertThat(hub.availableWorker("sonnet")).map(PooledWorker::id).contains("w-2");
    }

    @Test
    void g1i_aMessageToAKnownId_arrives() {
        var worker = worker("w-1", 1);

        assertThat(hub.send("w-1", work("req-1"))).isTrue();

        assertThat(worker.next()).isEqualTo(work("req-1"));
    }

    @Test
    void g1i_aMessageToAnUnknownId_isNotSent() {
        assertThat(hub.send("nobody", work("req-1"))).isFalse();
    }

    @Test
    void g1j_theSelection_hitsTheModel_andMissesAnother() {
        worker("w-1", 1);

        assertThat(hub.availableWorker("sonnet")).map(PooledWorker::id).contains("w-1");
        assertThat(hub.availableWorker("other")).isEmpty();
    }

    @Test
    void g1k_anyWorker_isThereAfterARegistration() {
        assertThat(hub.anyAvailableWorker()).isEmpty();

        worker("w-1", 1);

        assertThat(hub.anyAvailableWorker()).isPresent();
    }

    @Test
    void g1l_tracking_countsUntilTheRequestIsCompleted() {
        worker("w-1", 1);
        assertThat(hub.trackRequest("w-1", "req-1")).isTrue();
        assertThat(snapshot("w-1").requests().active()).isEqualTo(1);
        assertThat(snapshot("w-1").requests().pendingIds()).contains("req-1");

        assertThat(hub.completeRequest("req-1")).isTrue();

        assertThat(snapshot("w-1").requests().active()).isZero();
        assertThat(snapshot("w-1").requests().completed()).isEqualTo(1);
    }

    @Test
    void g1m_aDisconnect_carriesTheRequestsInWork() {
        var worker = worker("w-1", 1);
        hub.trackRequest("w-1", "req-1");

        worker.closes();

        await().until(() -> disconnected.size() == 1);
        assertThat(disconnected.getFirst().pendingIds()).contains("req-1");
        assertThat(hub.workerCount()).isZero();
    }
}
