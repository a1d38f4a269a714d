package dev.artel.worker.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What waits for peers that do not read, of all of them together.
final class SlowPeersTest {
    private static final JsonObject LARGE =
            JsonObject.of(
                    "type", new JsonString("t"), "padding", new JsonString("x".repeat(30_000)));

    private final HubFixture fixture =
            new HubFixture(
                    HubOptions.DEFAULTS.withLimits(
                            HubLimits.DEFAULTS.withMaxQueuedBytesOfAll(400_000)));

    private FakeConnection stuck(String id) {
        var peer = fixture.worker(id, 10);
        peer.takes = false;
        return peer;
    }

    private boolean send(String id) {
        return fixture.hub.send(id, LARGE);
    }

    private boolean dispatch(String id, String request) {
        return fixture.hub.dispatchTo(
                id,
                fixture.snapshot(id).sessionId(),
                DispatchRequest.of(
                        HubFixture.work(request)
                                .with("model", new JsonString("m1"))
                                .with("padding", new JsonString("x".repeat(30_000)))));
    }

    private List<FakeConnection> fill() {
        var peers = new ArrayList<FakeConnection>();
        for (var peer = 0; peer < 4; peer++) {
            peers.add(stuck("full-" + peer));
            for (var count = 0; count < 3; count++) {
                assertThat(send("full-" + peer)).isTrue();
            }
        }
        stuck("last");
        assertThat(send("last")).isTrue();
        return peers;
    }

    /// Trap: 64 MiB waited for one peer that did not read, which was more than there is for all.
    @Test
    void beyondItsShare_aPeerIsASlowConsumer_andOthersStay() {
        var first = stuck("w-1");
        var second = stuck("w-2");
        for (var i = 0; i < 3; i++) {
            assertThat(send("w-1")).isTrue();
        }
        assertThat(send("w-2")).isTrue();

        assertThat(send("w-1")).isFalse();

        assertThat(first.closeCode).isEqualTo(CloseCode.POLICY);
        assertThat(first.closeReason).isEqualTo("Slow consumer");
        assertThat(second.open).isTrue();
    }

    @Test
    void beyondItsShare_aWorkerGetsNoRequest_andStays() {
        var worker = stuck("w-1");
        for (var i = 0; i < 3; i++) {
            assertThat(send("w-1")).isTrue();
        }

        assertThat(dispatch("w-1", "r-1")).isFalse();

        assertThat(worker.open).isTrue();
    }

    /// Trap: an honest peer was closed since its last message was under way.
    @Test
    void beyondWhatWaitsForAll_theConnectionWithMostEnds_andAMessageToAnotherIsSent() {
        var _ = fill();
        var worker = fixture.worker("w-1", 10);
        worker.takes = false;

        assertThat(send("w-1")).isTrue();
        assertThat(send("w-1")).isTrue();

        assertThat(worker.open).isTrue();
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.SLOW_CONSUMER);
        assertThat(fixture.hub.worker("last")).isPresent();
    }

    @Test
    void beyondWhatWaitsForAll_aLargeRequestIsNotSent_aSmallOneIs_andAllStay() {
        var _ = fill();
        var worker = fixture.worker("w-2", 10);

        assertThat(dispatch("w-2", "r-1")).isFalse();
        assertThat(fixture.snapshot("w-2").requests().pendingIds()).isEmpty();

        assertThat(
                        fixture.hub.dispatchTo(
                                "w-2",
                                fixture.snapshot("w-2").sessionId(),
                                DispatchRequest.of(
                                        HubFixture.work("r-2")
                                                .with("model", new JsonString("m1")))))
                .isTrue();
        assertThat(worker.received("work_request")).hasSize(1);
        assertThat(fixture.disconnected).isEmpty();
    }

    /// Trap: a peer that read each message in less than a second held its share forever.
    @Test
    void beyondWhatWaitsForAll_aPeerForWhichSomethingAlwaysWaits_isEnded_thoughItReads() {
        var peers = fill();
        for (var i = 0; i < 4; i++) {
            fixture.advance(Duration.ofMillis(900));
            for (var peer = 0; peer < 4; peer++) {
                peers.get(peer).held.removeFirst().run();
                assertThat(send("full-" + peer)).isTrue();
            }
        }
        var worker = fixture.worker("w-3", 10);

        assertThat(dispatch("w-3", "r-1")).isTrue();

        assertThat(worker.received("work_request")).hasSize(1);
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.SLOW_CONSUMER);
    }

    @Test
    void whatIsSent_dropped_orOfAConnectionThatIsGone_waitsNoMore() {
        var reading = fixture.worker("w-1", 10);
        send("w-1");
        var late = stuck("w-2");
        send("w-2");
        send("w-2");
        late.takeHeld();
        late.takeHeld();
        var gone = stuck("w-3");
        send("w-3");
        send("w-3");
        gone.closedByPeer();

        assertThat(reading.open).isTrue();
        assertThat(fixture.hub.sends().taken()).isZero();
    }
}
