package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.message;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a hub does with what comes over a connection. The numbers are those of the lines of acceptance.
final class ConnectionLinesTest {
    private final HubFixture fixture = new HubFixture();
    private final WorkerHub hub = fixture.hub;
    private final CapturedLog log = new CapturedLog();

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void ch01_aHandlerOfMessages_thatWasRemoved_isNotCalled() {
        var events = new ArrayList<MessageEvent>();
        var remove = hub.onMessage("status", events::add);
        var worker = fixture.worker("w-1", 1);

        remove.run();
        worker.sends("{\"type\":\"status\"}");

        assertThat(events).isEmpty();
    }

    @Test
    void ch02_aHandlerOfConnects_thatWasRemoved_isNotCalled() {
        var events = new ArrayList<PooledWorker>();
        hub.onConnected(events::add).run();

        fixture.worker("w-1", 1);

        assertThat(events).isEmpty();
        assertThat(fixture.connected).hasSize(1);
    }

    @Test
    void ch03_aHandlerOfDisconnects_thatWasRemoved_isNotCalled() {
        var events = new ArrayList<WorkerDisconnected>();
        hub.onDisconnected(events::add).run();

        fixture.worker("w-1", 1).closedByPeer();

        assertThat(events).isEmpty();
        assertThat(fixture.disconnected).hasSize(1);
    }

    @Test
    void ch04_invalidJson_isLoggedOnce_andDropped() {
        var connection = fixture.connection();

        connection.sends("{nonsense");

        assertThat(log.warnings()).hasSize(1).first().asString().contains("invalid JSON");
        assertThat(connection.open).isTrue();
        assertThat(connection.texts).isEmpty();
    }

    @Test
    void ch05_aTypeThatIsNoString_isLogged() {
        fixture.connection().sends("{\"type\":42}");

        assertThat(log.warnings()).hasSize(1).first().asString().contains("missing type");
    }

    @Test
    void ch06_aTypeWithoutAHandler_isLogged_withTheType() {
        fixture.worker("w-1", 1).sends("{\"type\":\"surprise\"}");

        assertThat(log.warnings()).hasSize(1).first().asString().contains("type=surprise");
    }

    @Test
    void ch07_aMessageFromAConnectionWithoutAWorker_reachesTheHandlerOfThose_asUnknown() {
        var events = new ArrayList<MessageEvent>();
        hub.onUnregisteredMessage(events::add);
        fixture.worker("w-1", 1);
        assertThat(hub.trackRequest("w-1", "req-1")).isTrue();

        fixture.connection().sends(message("work_complete", "req-1"));

        assertThat(events).hasSize(1);
        var event = events.getFirst();
        assertThat(event.type()).isEqualTo("work_complete");
        assertThat(event.worker().id()).isEqualTo("unknown");
        assertThat(event.worker().status()).isEqualTo(PooledWorker.Status.UNHEALTHY);
        assertThat(event.worker().capabilities()).isEqualTo(WorkerCapabilities.NONE);
        assertThat(event.worker().connectedAt()).isEqualTo(Instant.EPOCH);
        assertThat(event.complete()).as("it has no power to settle").isFalse();
        assertThat(fixture.snapshot("w-1").requests().pendingIds()).containsExactly("req-1");
    }

    @Test
    void ch08_aMessageFromAConnectionWhoseWorkerIsGone_reachesTheHandlerOfThose_withTheFormerId() {
        var events = new ArrayList<MessageEvent>();
        hub.onUnregisteredMessage(events::add);
        var old = fixture.worker("w-1", 1);
        old.closes = false;
        fixture.worker("w-1", 1);

        old.sends(message("work_complete", "req-1"));

        assertThat(events).hasSize(1);
        assertThat(events.getFirst().worker().id()).isEqualTo("w-1");
        assertThat(events.getFirst().worker().isRegistered()).isFalse();
    }

    @Test
    void ch09_anExceptionOfAHandler_isLoggedWithItsMessage() {
        hub.onMessage(
                "status",
                _ -> {
                    throw new IllegalStateException("handler broke");
                });

        fixture.worker("w-1", 1).sends("{\"type\":\"status\"}");

        assertThat(log.errors()).hasSize(1).first().asString().contains("handler broke");
    }

    @Test
    void ch10_anErrorOfAHandler_isLoggedWithItsMessage() {
        hub.onMessage(
                "status",
                _ -> {
                    throw new AssertionError("plain text");
                });

        fixture.worker("w-1", 1).sends("{\"type\":\"status\"}");

        assertThat(log.errors()).hasSize(1).first().asString().contains("plain text");
    }

    @Test
    void ch11_aConnectionWithoutAWorker_thatCloses_isLoggedForDebugging() {
        fixture.connection().input().onClosed(1001, "bye");

        assertThat(log.lines(Level.DEBUG))
                .anySatisfy(line -> assertThat(line).contains("code=1001").contains("reason=bye"));
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void ch12_aConnectionWhoseWorkerIsGone_thatCloses_reportsNoSecondDisconnect() {
        var old = fixture.worker("w-1", 1);
        old.closes = false;
        fixture.worker("w-1", 1);
        assertThat(fixture.disconnected).hasSize(1);
        var before = log.lines(Level.INFO).size();

        old.input().onClosed(4003, "");

        assertThat(fixture.disconnected).hasSize(1);
        assertThat(log.lines(Level.INFO)).hasSize(before);
        assertThat(hub.workerCount()).isEqualTo(1);
    }

    /// Trap: a client with a token for many names had workers come and go, three lines for each, until the disk was full.
    @Test
    void workersThatComeAndGo_haveSoManyLinesAMinute_andThoseLeftOutAreCounted() {
        for (var number = 0; number < PeerWarnings.MOST_OF_PRESENCE; number++) {
            fixture.worker("w-" + number, 1).closedByPeer();
        }
        assertThat(log.lines(Level.INFO)).hasSize(PeerWarnings.MOST_OF_PRESENCE);

        fixture.advance(Duration.ofMinutes(1));
        fixture.worker("late", 1);
        assertThat(log.lines(Level.INFO))
                .hasSize(PeerWarnings.MOST_OF_PRESENCE + 2)
                .element(PeerWarnings.MOST_OF_PRESENCE)
                .asString()
                .contains("left out", "lines=" + PeerWarnings.MOST_OF_PRESENCE);
    }

    @Test
    void ch13_aCloseWithARequestInWork_isLogged_withWorkerAndCount() {
        var worker = fixture.worker("w-1", 1);
        assertThat(hub.trackRequest("w-1", "req-a")).isTrue();

        worker.closedByPeer();

        assertThat(log.warnings())
                .anySatisfy(line ->
                        assertThat(line)
                                .contains("worker disconnected")
                                .contains("worker=w-1")
                                .contains("pending=1"));
    }

    @Test
    void ch14_anExceptionOfAHandlerOfDisconnects_isLogged() {
        hub.onDisconnected(_ -> {
            throw new IllegalStateException("not now");
        });

        assertThatCode(() -> fixture.worker("w-1", 1).closedByPeer()).doesNotThrowAnyException();

        assertThat(log.errors()).hasSize(1).first().asString().contains("not now");
    }

    @Test
    void ch15_anErrorOfAHandlerOfDisconnects_isLogged() {
        hub.onDisconnected(_ -> {
            throw new AssertionError("text alone");
        });

        assertThatCode(() -> fixture.worker("w-1", 1).closedByPeer()).doesNotThrowAnyException();

        assertThat(log.errors()).hasSize(1).first().asString().contains("text alone");
    }

    @Test
    void ch16_aReplacedConnectionThatThrowsWhenClosed_doesNotPreventTheRegistration() {
        var old = fixture.worker("w-1", 1);
        old.throwsOnClose = true;

        var next = fixture.worker("w-1", 1);

        assertThat(next.received("worker_registration_ack").getFirst().toString())
                .contains("\"success\":true");
        assertThat(hub.workerCount()).isEqualTo(1);
    }

    @Test
    void ch17_aReplacementWithARequestInWork_isLogged_andReported() {
        fixture.worker("w-1", 1);
        assertThat(hub.trackRequest("w-1", "req-1")).isTrue();

        fixture.worker("w-1", 1);

        assertThat(log.warnings())
                .anySatisfy(line -> assertThat(line).contains("worker=w-1").contains("pending=1"));
        assertThat(fixture.disconnected).hasSize(1);
        assertThat(fixture.disconnected.getFirst().pendingIds()).containsExactly("req-1");
        assertThat(fixture.disconnected.getFirst().reason())
                .isEqualTo(WorkerDisconnected.Reason.REPLACED);
    }

    @Test
    void ch18_anExceptionOfAHandlerOfConnects_isLogged() {
        hub.onConnected(_ -> {
            throw new IllegalStateException("no room");
        });

        fixture.worker("w-1", 1);

        assertThat(log.errors()).hasSize(1).first().asString().contains("no room");
        assertThat(hub.workerCount()).isEqualTo(1);
    }

    @Test
    void ch19_anExceptionOfAHandlerOfDisconnects_duringAReplacement_isLogged() {
        hub.onDisconnected(_ -> {
            throw new IllegalStateException("late");
        });
        fixture.worker("w-1", 1);

        fixture.worker("w-1", 1);

        assertThat(log.errors()).hasSize(1).first().asString().contains("late");
        assertThat(fixture.connected).hasSize(2);
    }

    @Test
    void ch20_anErrorOfAHandlerOfConnects_isLoggedAsItsText() {
        hub.onConnected(_ -> {
            throw new AssertionError("42");
        });

        fixture.worker("w-1", 1);

        assertThat(log.errors()).hasSize(1).first().asString().contains("problem=42");
    }

    @Test
    void ch21_anErrorOfAHandlerOfDisconnects_duringAReplacement_isLoggedAsItsText() {
        hub.onDisconnected(_ -> {
            throw new AssertionError("99");
        });
        fixture.worker("w-1", 1);

        fixture.worker("w-1", 1);

        assertThat(log.errors()).hasSize(1).first().asString().contains("problem=99");
    }

    @Test
    void ch22_aHeartbeatForAnUnknownId_isLoggedWithTheId() {
        fixture.connection().sends(heartbeat("ghost"));

        assertThat(log.warnings()).anySatisfy(line -> assertThat(line).contains("worker=ghost"));
    }

    @Test
    void ch23_anUnhealthyWorkerThatIsFull_isBusyAfterAHeartbeat() {
        var worker = fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1");
        hub.trackRequest("w-1", "r-2");
        fixture.advance(Duration.ofSeconds(61));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);

        worker.sends(heartbeat("w-1"));

        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.BUSY);
    }

    @Test
    void ch24_anUnhealthyWorkerWithoutWork_isAvailableAfterAHeartbeat() {
        var worker = fixture.worker("w-1", 2);
        fixture.advance(Duration.ofSeconds(61));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);

        worker.sends(heartbeat("w-1"));

        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
    }

    @Test
    void ch25_anErrorOfAConnection_isNoException() {
        var connection = fixture.connection();

        assertThatCode(() -> connection.input().onError(new IllegalStateException("reset")))
                .doesNotThrowAnyException();

        connection.sends(registration("w-1", capabilities(1, "m1")));
        connection.closedByPeer();
        assertThat(fixture.connected).hasSize(1);
        assertThat(fixture.disconnected).hasSize(1);
    }

    @Test
    void ch26_aHubWithoutAnyHandler_works() {
        var plain = new WorkerHub(HubOptions.DEFAULTS);
        var connection = new FakeConnection("10.0.0.1").openOn(plain);

        connection.sends(registration("w-1", capabilities(1, "m1")));

        assertThat(plain.workerCount()).isEqualTo(1);
    }

    @Test
    void ch27_twoHandlersOfOneType_bothRunOnce() {
        var one = new ArrayList<MessageEvent>();
        var two = new ArrayList<MessageEvent>();
        hub.onMessage("status", one::add);
        hub.onMessage("status", two::add);

        fixture.worker("w-1", 1).sends("{\"type\":\"status\"}");

        assertThat(List.of(one.size(), two.size())).containsExactly(1, 1);
    }

    @Test
    void ch28_aMissingToken_isLogged() {
        var guarded =
                new HubFixture(
                        HubOptions.DEFAULTS.withAuthenticator(Authenticator.token("s3cret")));

        var worker = guarded.worker("w-1", 1);

        assertThat(log.warnings())
                .anySatisfy(line -> assertThat(line).contains("Invalid authentication token"));
        assertThat(worker.closeCode).isEqualTo(4001);
        assertThat(guarded.hub.workerCount()).isZero();
    }

    @Test
    void messagesOfTheProtocol_neverReachAHandler() {
        var events = new ArrayList<MessageEvent>();
        hub.onMessage("worker_registration", events::add);
        hub.onMessage("heartbeat", events::add);
        hub.onAnyMessage(events::add);

        fixture.worker("w-1", 1).sends(heartbeat("w-1"));

        assertThat(events).isEmpty();
    }

    @Test
    void anEventOfAWorker_carriesItsRequest() {
        var events = new ArrayList<MessageEvent>();
        hub.onMessage("work_request", events::add);

        fixture.worker("w-1", 1).sends(work("req-1")).sends("{\"type\":\"work_request\"}");

        assertThat(events.getFirst().requestId()).contains("req-1");
        assertThat(events.getLast().requestId()).isEmpty();
    }
}
