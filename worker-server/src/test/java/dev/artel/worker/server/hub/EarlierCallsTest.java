package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Calls that an earlier interface of such servers had, and that are thin methods here. The numbers are those of the lines of
/// acceptance; those that need sockets are in `ServerLinesTest`.
final class EarlierCallsTest {
    private final HubFixture fixture = new HubFixture();
    private final WorkerHub hub = fixture.hub;

    @Test
    void g1b_theSelectionOfAModel_skipsAnUnhealthyWorker() {
        fixture.worker("w-1", 1);
        fixture.advance(Duration.ofSeconds(61));
        fixture.worker("w-2", 1);

        assertThat(hub.availableWorker("m1")).map(PooledWorker::id).contains("w-2");
    }

    @Test
    void g1c_anyWorker_isAnAvailableOne() {
        fixture.worker("w-1", 1);

        assertThat(hub.anyAvailableWorker()).map(PooledWorker::id).contains("w-1");
    }

    @Test
    void g1d_anyWorker_mayBeABusyOne() {
        fixture.worker("w-1", 1);
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.anyAvailableWorker()).map(PooledWorker::id).contains("w-1");
    }

    @Test
    void g1e_anyWorker_isNoUnhealthyOne() {
        fixture.worker("w-1", 1);
        fixture.advance(Duration.ofSeconds(61));

        assertThat(hub.anyAvailableWorker()).isEmpty();
    }

    @Test
    void g1f_withoutWorkers_thereIsNone() {
        assertThat(hub.anyAvailableWorker()).isEmpty();
    }

    @Test
    void g1g_aRelease_countsNothing() {
        fixture.worker("w-1", 1);
        hub.trackRequest("w-1", "r-1");

        hub.releaseRequest("r-1");

        assertThat(fixture.snapshot("w-1").requests().completed()).isZero();
    }

    @Test
    void g1h_aBusyWorker_addsNoSlot_theIdleOneTwo() {
        fixture.worker("w-1", 1);
        fixture.worker("w-2", capabilities(2, "m1"));
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.availableSlots("m1")).isEqualTo(2);
    }
}
