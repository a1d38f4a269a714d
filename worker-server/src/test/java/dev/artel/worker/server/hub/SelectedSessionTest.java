package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.limited;
import static dev.artel.worker.server.hub.HubFixture.message;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A program that selects the workers itself, and follows what they confirm.
final class SelectedSessionTest {
    private final HubFixture fixture = new HubFixture();
    private final WorkerHub hub = fixture.hub;
    private final List<AcceptedRequest> accepted = new ArrayList<>();
    private final List<MessageEvent> protocol = new ArrayList<>();

    SelectedSessionTest() {
        hub.onAccepted(accepted::add);
        hub.onProtocolMessage(protocol::add);
    }

    @Test
    void aRequest_goesToTheSessionThatWasSelected_whateverItsLoad() {
        fixture.worker("idle", 2);
        var selected = fixture.worker("w-1", 2);
        dispatch("w-1", "r-1");

        assertThat(dispatch("w-1", "r-2")).isTrue();

        assertThat(selected.received("work_request")).hasSize(2);
        assertThat(fixture.snapshot("w-1").requests().pendingIds()).containsExactly("r-1", "r-2");
        assertThat(dispatch("w-1", "r-3")).as("it has no more room").isFalse();
    }

    /// Trap: a message of a megabyte is kept as text and as values for as long as its worker works on it, and is never sent again.
    @Test
    void aRequestThatIsSentOnce_isOrphanedWithoutItsMessage() {
        var worker = fixture.worker("w-1", 1);
        assertThat(dispatch("w-1", "r-1")).isTrue();

        worker.closedByPeer();

        assertThat(fixture.orphaned)
                .singleElement()
                .satisfies(request -> {
                    assertThat(request.requestId()).isEqualTo("r-1");
                    assertThat(request.message()).isNull();
                });
    }

    @Test
    void aSessionThatHasEnded_getsNothing() {
        fixture.worker("w-1", 2);
        var before = fixture.snapshot("w-1").sessionId();
        fixture.worker("w-1", 2);

        assertThat(hub.dispatchTo("w-1", before, DispatchRequest.of(work("r-1")))).isFalse();
        assertThat(hub.dispatchTo("gone", before, DispatchRequest.of(work("r-1")))).isFalse();
    }

    @Test
    void theLimitOfACategory_counts() {
        fixture.worker("w-1", limited(capabilities(5), "local", 1));
        var session = fixture.snapshot("w-1").sessionId();
        var request = DispatchRequest.of(work("r-1")).withCategory("local");

        assertThat(hub.dispatchTo("w-1", session, request)).isTrue();
        assertThat(
                        hub.dispatchTo(
                                "w-1",
                                session,
                                DispatchRequest.of(work("r-2")).withCategory("local")))
                .isFalse();
    }

    @Test
    void aRequestWithoutAnId_orWithOneThatIsInFlight_isRefused() {
        fixture.worker("w-1", 2);
        var session = fixture.snapshot("w-1").sessionId();
        dispatch("w-1", "r-1");

        assertThatThrownBy(() -> dispatch("w-1", "r-1")).isInstanceOf(RequestInFlight.class);
        var nameless = JsonObject.of("type", JsonValue.of("work_request"));
        assertThatThrownBy(() -> hub.dispatchTo("w-1", session, DispatchRequest.of(nameless)))
                .hasMessageContaining("requestId");
    }

    @Test
    void aPong_confirmsARequest() {
        fixture.worker("w-1", 2);

        dispatch("w-1", "r-1");

        assertThat(accepted).extracting(AcceptedRequest::requestId).containsExactly("r-1");
    }

    @Test
    void aWorkerThatAcceptsWork_confirmsByThatMessage_orByAnyOtherAboutIt_once() {
        var worker = fixture.worker("w-1", accepting(2));
        dispatch("w-1", "r-1");
        dispatch("w-1", "r-2");
        assertThat(accepted).isEmpty();

        worker.sends(message("work_accepted", "r-1"))
                .sends(message("work_accepted", "r-1"))
                .sends(message("work_progress", "r-2"));

        assertThat(accepted).extracting(AcceptedRequest::requestId).containsExactly("r-1", "r-2");
    }

    @Test
    void oneThatIsNotConfirmed_isOrphaned_andNotGivenToAnother() {
        var other = fixture.worker("other", 5);
        fixture.worker("w-1", accepting(2));
        dispatch("w-1", "r-1");

        fixture.advance(Duration.ofSeconds(6));

        assertThat(fixture.orphaned)
                .extracting(OrphanedRequest::reason)
                .containsExactly(OrphanedRequest.Reason.NOT_ACCEPTED);
        assertThat(other.received("work_request")).isEmpty();
    }

    /// Trap: the id of a request is the lease token of its task, and who reads the log reports on the task.
    @Test
    void theIdsOfRequests_areInNoLine_whereTheyProveARight() {
        var proving =
                new HubFixture(
                        HubOptions.DEFAULTS.withRequestNames(
                                id -> id.substring(0, id.indexOf('!'))));
        try (var log = new CapturedLog()) {
            var worker = proving.worker("w-1", accepting(3));
            var session = proving.snapshot("w-1").sessionId();
            var late = DispatchRequest.of(work("late!proof"));
            assertThat(proving.hub.dispatchTo("w-1", session, late)).isTrue();
            assertThatThrownBy(() -> proving.hub.dispatchTo("w-1", session, late))
                    .hasMessageContaining("request late:")
                    .hasMessageNotContaining("proof");
            proving.advance(Duration.ofSeconds(6));
            worker.sends(heartbeat("w-1"));
            proving.hub.dispatchTo("w-1", session, DispatchRequest.of(work("lost!proof")));
            worker.closedByPeer();

            assertThat(proving.orphaned)
                    .extracting(OrphanedRequest::requestId)
                    .containsExactly("late!proof", "lost!proof");
            assertThat(log.warnings())
                    .anyMatch(
                            line -> line.contains("not confirmed in time worker=w-1 request=late"))
                    .anyMatch(line -> line.contains("request orphaned request=lost"))
                    .noneMatch(line -> line.contains("proof"));
        }
    }

    /// Trap: the message has left whole, its callback fails with the connection, and the request counts as not sent while its worker does it.
    @Test
    void aRequestWhoseWritingBreaks_isThatOfALostWorker_notOneThatWasNotSent() {
        var worker = fixture.worker("w-1", 2);
        worker.takes = false;
        assertThat(dispatch("w-1", "r-1")).isTrue();

        worker.breakHeld();

        assertThat(fixture.orphaned)
                .extracting(OrphanedRequest::requestId, OrphanedRequest::reason)
                .containsExactly(tuple("r-1", OrphanedRequest.Reason.WORKER_LOST));
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.SEND_FAILED);
    }

    @Test
    void heartbeatsAndDrains_areReported() {
        var worker = fixture.worker("w-1", 2);

        worker.sends(heartbeat("w-1"));
        worker.sends(
                JsonObject.of(
                        "type", JsonValue.of("worker_draining"), "workerId", JsonValue.of("w-1")));

        assertThat(protocol)
                .extracting(MessageEvent::type)
                .containsExactly("heartbeat", "worker_draining");
    }

    private boolean dispatch(String worker, String request) {
        return hub.dispatchTo(
                worker, fixture.snapshot(worker).sessionId(), DispatchRequest.of(work(request)));
    }

    private static JsonObject accepting(int max) {
        return capabilities(max).with("metadata", JsonObject.of("acceptsWork", JsonValue.of(true)));
    }

    @Test
    void aMessageToASession_reportsThatItLeft_orThatItDidNot() {
        var peer = fixture.worker("w-1", 2);
        var session = fixture.snapshot("w-1").sessionId();
        var reported = new ArrayList<String>();

        send("w-1", session, reported);
        assertThat(reported).containsExactly("sent");
        peer.takes = false;
        send("w-1", session, reported);
        send("w-1", session, reported);
        assertThat(reported).as("both wait").containsExactly("sent");
        peer.closedByPeer();
        assertThat(reported).as("the one that waited behind it").containsExactly("sent", "failed");
        send("w-1", session, reported);

        assertThat(reported).containsExactly("sent", "failed", "failed");
    }

    private void send(String worker, String session, List<String> reported) {
        hub.sendToSession(
                worker,
                session,
                message("note", "n-1"),
                () -> reported.add("sent"),
                () -> reported.add("failed"));
    }

    @Test
    void aWorkerThatRegistersAgain_isReported_withWhatItDeclaresNow() {
        var again = new ArrayList<PooledWorker>();
        hub.onRegisteredAgain(again::add);
        var peer = fixture.worker("w-1", 2);
        assertThat(again).isEmpty();

        peer.sends(HubFixture.registration("w-1", capabilities(5, "m2")));

        assertThat(again)
                .singleElement()
                .satisfies(worker -> assertThat(worker.capabilities().offers("m2")).isTrue());
        assertThat(fixture.connected).hasSize(1);
    }

    @Test
    void whoChecksATokenSeesTheConnection() {
        var seen = new ArrayList<WorkerConnection>();
        var other =
                new HubFixture(
                        HubOptions.DEFAULTS.withAuthenticator(credentials -> {
                            seen.add(credentials.connection());
                            return AdmissionVerdict.accepted();
                        }));

        var peer = other.worker("w-1", 1);

        assertThat(seen).containsExactly(peer);
        var session = other.snapshot("w-1").sessionId();
        assertThat(other.hub.connection("w-1", session)).contains(peer);
        assertThat(other.hub.connection("w-1", "gone")).isEmpty();
    }
}
