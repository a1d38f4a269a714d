package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Silence of workers, at its bounds.
final class HealthTest {
    private final HubFixture fixture = new HubFixture();
    private final WorkerHub hub = fixture.hub;

    @Test
    void aSilenceOfExactlyTheTimeout_isHealthy_oneMoreMillisecondIsNot() {
        fixture.worker("w-1", 1);

        fixture.advance(Duration.ofSeconds(60));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
        fixture.move(Duration.ofMillis(1));

        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);
    }

    @Test
    void aSilenceOfExactlyThreeTimeouts_isNoDeath_oneMoreMillisecondIs() {
        fixture.worker("w-1", 1);

        fixture.advance(Duration.ofMinutes(3));
        assertThat(hub.workerCount()).isEqualTo(1);
        fixture.move(Duration.ofMillis(1));

        assertThat(hub.workerCount()).isZero();
    }

    @Test
    void heartbeats_keepAWorkerHealthy_withinOneMillisecondOfTheTimeout() {
        var worker = fixture.worker("w-1", 1);
        for (var i = 0; i < 5; i++) {
            fixture.advance(Duration.ofMillis(59_999));
            worker.sends(heartbeat("w-1"));
        }

        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
        assertThat(fixture.snapshot("w-1").lastHeartbeat())
                .isEqualTo(HubFixture.START.plusMillis(5 * 59_999));
    }

    /// W10: a dead worker was removed only when its socket closed, which a silent peer delays.
    @Test
    void w10_aDeadWorker_isRemovedAndReportedFirst_thenItsTransportIsEnded() {
        var worker = fixture.worker("w-1", 1);
        worker.closes = false;

        fixture.advance(Duration.ofSeconds(181));

        assertThat(hub.workerCount()).isZero();
        assertThat(fixture.disconnected).hasSize(1);
        assertThat(worker.terminated).isFalse();
        assertThat(hub.connectionCount()).isEqualTo(1);

        fixture.advance(Duration.ofSeconds(6));
        assertThat(worker.terminated).isTrue();
        assertThat(hub.connectionCount()).isZero();
        assertThat(fixture.disconnected).hasSize(1);
    }

    /// W22: a worker that was unhealthy became busy by a request that filled it.
    @Test
    void w22_aRequestThatFillsAnUnhealthyWorker_doesNotMakeItHealthy() {
        var worker = fixture.worker("w-1", 1);
        fixture.advance(Duration.ofSeconds(61));

        assertThat(hub.trackRequest("w-1", "r-1")).isTrue();
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);
        hub.releaseRequest("r-1");
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);

        worker.sends(heartbeat("w-1"));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
    }

    /// W24: a jump of the wall clock killed the fleet, or kept a dead one.
    @Test
    void w24_aJumpOfTheWallClock_changesNothing() {
        fixture.worker("w-1", 1);

        fixture.clock.advance(Duration.ofDays(365));
        hub.tick();
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);

        fixture.clock.advance(Duration.ofDays(-730));
        fixture.advance(Duration.ofSeconds(61));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);
    }

    /// W24: after a pause of the server itself all its workers were dead.
    @Test
    void w24_aPauseOfTheProcess_isNoSilenceOfItsWorkers() {
        fixture.worker("w-1", 1);
        assertThat(
                        hub.dispatch(
                                DispatchRequest.of(work("r-1"))
                                        .withDeadline(Duration.ofMinutes(1))))
                .isPresent();

        fixture.move(Duration.ofMinutes(10));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.BUSY);
        assertThat(fixture.orphaned).isEmpty();

        fixture.advance(Duration.ofSeconds(49));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.BUSY);
        fixture.advance(Duration.ofSeconds(2));
        assertThat(fixture.snapshot("w-1").status())
                .as("10 s of the pause count, and what follows")
                .isEqualTo(PooledWorker.Status.UNHEALTHY);
    }

    @Test
    void w24_aHeartbeatThatArrivesRightAfterAPause_countsFromThere() {
        var worker = fixture.worker("w-1", 1);
        fixture.monotonic.advance(Duration.ofMinutes(10));

        worker.sends(heartbeat("w-1"));

        fixture.advance(Duration.ofSeconds(60));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
        fixture.advance(Duration.ofSeconds(1));
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);
    }

    /// W15: a replaced worker without work had no disconnect, and its late results came as those of nobody.
    @Test
    void w15_eachSession_hasExactlyOneEnd_andALateResultOfAReplacedOneSettlesNothing() {
        hub.onMessage("work_complete", MessageEvent::complete);
        hub.onUnregisteredMessage(MessageEvent::complete);
        var old = fixture.worker("w-1", 1);
        old.closes = false;
        fixture.worker("w-1", 1);
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.REPLACED);
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();

        old.sends(HubFixture.message("work_complete", "r-1"));

        assertThat(fixture.snapshot("w-1").requests().pendingIds()).containsExactly("r-1");
        old.input().onClosed(4003, "");
        assertThat(fixture.connected).hasSize(2);
        assertThat(fixture.disconnected).hasSize(1);
        assertThat(fixture.disconnected.getFirst().worker().sessionId())
                .isEqualTo(fixture.connected.getFirst().sessionId());
    }
}
