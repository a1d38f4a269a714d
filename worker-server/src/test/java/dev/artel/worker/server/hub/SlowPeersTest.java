package dev.artel.worker.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What waits for peers that do not read, of all of them together.
final class SlowPeersTest {
    private static final JsonObject LARGE =
            JsonObject.of(
                    "type", new JsonString("t"), "padding", new JsonString("x".repeat(3_000)));

    private final HubFixture fixture =
            new HubFixture(
                    HubOptions.DEFAULTS.withLimits(
                            HubLimits.DEFAULTS.withMaxQueuedBytesOfAll(10_000)));

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
                                .with("padding", new JsonString("x".repeat(3_000)))));
    }

    /// Trap: 64 MiB waited for each peer that did not read, however many they were.
    @Test
    void beyondWhatWaitsForAll_aPeerForWhichSomethingWaits_isASlowConsumer() {
        var first = stuck("w-1");
        var second = stuck("w-2");
        for (var i = 0; i < 3; i++) {
            assertThat(send("w-1")).isTrue();
        }
        assertThat(send("w-2")).as("nothing waits for it yet").isTrue();

        assertThat(send("w-1")).isFalse();

        assertThat(first.closeCode).isEqualTo(CloseCode.POLICY);
        assertThat(first.closeReason).isEqualTo("Slow consumer");
        assertThat(second.open).isTrue();
        assertThat(send("w-2")).as("there is room again").isTrue();
    }

    @Test
    void beyondWhatWaitsForAll_aRequestIsNotSent_andItsWorkerStays() {
        stuck("w-1");
        for (var i = 0; i < 3; i++) {
            assertThat(send("w-1")).isTrue();
        }
        var worker = fixture.worker("w-2", 10);

        assertThat(dispatch("w-2", "r-1")).isFalse();

        assertThat(worker.open).isTrue();
        assertThat(fixture.snapshot("w-2").requests().pendingIds()).isEmpty();
    }

    @Test
    void beyondWhatWaitsForAll_thePeerThatHasBeenAtOneMessageForLongest_isEnded() {
        var first = stuck("w-1");
        send("w-1");
        fixture.advance(Duration.ofMillis(100));
        var second = stuck("w-2");
        send("w-2");
        send("w-2");
        fixture.advance(Duration.ofSeconds(2));
        var worker = fixture.worker("w-3", 10);

        assertThat(dispatch("w-3", "r-1")).isTrue();

        assertThat(first.terminated).isTrue();
        assertThat(second.open).isTrue();
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
