package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.message;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Workers that finish what they have and take nothing more.
final class DrainTest {
    private final HubFixture fixture = new HubFixture();
    private final WorkerHub hub = fixture.hub;

    @Test
    void aWorkerThatDrains_isAcknowledged_takesNothingMore_andIsClosedWithItsLastRequest() {
        hub.onMessage("work_complete", MessageEvent::complete);
        var worker = fixture.worker("w-1", 2);
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();

        worker.sends(
                "{\"type\":\"worker_draining\",\"workerId\":\"w-1\",\"reason\":\"update\",\"graceMs\":30000}");

        assertThat(worker.texts.getLast())
                .isEqualTo(
                        "{\"type\":\"worker_draining_ack\",\"pending\":[\"r-1\"],\"deadline\":\"2026-03-01T10:00:30.000Z\"}");
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.DRAINING);
        assertThat(hub.dispatch(DispatchRequest.of(work("r-2")))).isEmpty();
        assertThat(hub.trackRequest("w-1", "r-2")).isFalse();
        assertThat(hub.anyAvailableWorker()).isEmpty();
        assertThat(hub.availableSlots("m1")).isZero();

        worker.sends(heartbeat("w-1"));
        assertThat(worker.received("heartbeat_ack")).hasSize(1);
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.DRAINING);

        worker.sends(message("work_complete", "r-1"));
        assertThat(worker.closeCode).isEqualTo(CloseCode.DRAINED);
        assertThat(worker.closeReason).isEqualTo("Draining complete");
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.DRAINED);
        assertThat(fixture.disconnected.getFirst().pendingIds()).isEmpty();
        assertThat(fixture.disconnected.getFirst().worker().requests().completed()).isEqualTo(1);
    }

    @Test
    void aReleaseWithinADrain_doesNotMakeAvailable() {
        fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1");
        hub.trackRequest("w-1", "r-2");
        hub.drain("w-1", "update");

        hub.releaseRequest("r-1");

        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.DRAINING);
    }

    @Test
    void aDrainByTheServer_isRequestedOfTheWorker() {
        var worker = fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.drain("w-1", "new release")).isTrue();
        assertThat(hub.drain("nobody", "new release")).isFalse();

        assertThat(worker.texts.getLast())
                .isEqualTo(
                        "{\"type\":\"drain_request\",\"workerId\":\"w-1\",\"reason\":\"new release\",\"pending\":[\"r-1\"],\"deadline\":\"2026-03-01T10:01:00.000Z\"}");
        assertThat(worker.open).isTrue();
        hub.releaseRequest("r-1");
        assertThat(worker.closeCode).isEqualTo(CloseCode.DRAINED);
    }

    @Test
    void aDrainWithoutWork_closesAtOnce_behindItsAcknowledgement() {
        var worker = fixture.worker("w-1", 2);

        worker.sends("{\"type\":\"worker_draining\",\"workerId\":\"w-1\"}");

        assertThat(worker.received("worker_draining_ack")).hasSize(1);
        assertThat(worker.closeCode).isEqualTo(CloseCode.DRAINED);
    }

    @Test
    void atTheDeadline_whatIsLeftIsThatOfADisconnect() {
        fixture.worker("w-1", 2);
        var other = fixture.worker("x", 2);
        hub.trackRequest("x", "own-1");
        hub.trackRequest("x", "own-2");
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        hub.drain("w-1", "update");
        hub.releaseRequest("own-1");

        fixture.advance(Duration.ofSeconds(60));
        assertThat(hub.worker("w-1")).isPresent();
        other.sends(heartbeat("x"));
        fixture.move(Duration.ofMillis(1));

        assertThat(hub.worker("w-1")).isEmpty();
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.DRAIN_DEADLINE);
        assertThat(fixture.disconnected.getFirst().pendingIds()).containsExactly("r-1");
        assertThat(other.received("work_request")).containsExactly(work("r-1"));
    }

    @Test
    void anUnhealthyWorkerThatDrains_keepsBothStates() {
        var worker = fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1");
        worker.sends("{\"type\":\"worker_draining\",\"workerId\":\"w-1\",\"graceMs\":3600000}");

        fixture.advance(Duration.ofSeconds(61));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);

        worker.sends(heartbeat("w-1"));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.DRAINING);
    }

    @Test
    void aDrainOfAnotherWorker_closesItsSender() {
        fixture.worker("w-1", 2);
        var other = fixture.worker("w-2", 2);

        other.sends("{\"type\":\"worker_draining\",\"workerId\":\"w-1\"}");

        assertThat(other.closeCode).isEqualTo(CloseCode.PROTOCOL_ERROR);
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
    }
}
