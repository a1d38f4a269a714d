package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.limited;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The pool of a hub: selection, slots, tracking, health. The numbers are those of the lines of acceptance.
final class PoolLinesTest {
    private static final JsonObject HELLO = JsonObject.of("type", JsonValue.of("hello"));

    private final HubFixture fixture = new HubFixture();
    private final WorkerHub hub = fixture.hub;
    private final CapturedLog log = new CapturedLog();

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void wp01_aWorkerThatRegistered_isThere() {
        fixture.worker("w-1", 1);

        assertThat(hub.worker("w-1")).map(PooledWorker::id).contains("w-1");
        assertThat(hub.workers()).hasSize(1);
        assertThat(hub.workerCount()).isEqualTo(1);
    }

    @Test
    void wp02_aWorkerThatLeft_isNot() {
        fixture.worker("w-1", 1).closedByPeer();

        assertThat(hub.worker("w-1")).isEmpty();
        assertThat(hub.workerCount()).isZero();
    }

    @Test
    void wp03_anUnknownId_isNothing() {
        assertThat(hub.worker("nobody")).isEmpty();
        assertThat(hub.disconnect("nobody", "s", 1000, "")).isFalse();
    }

    @Test
    void wp04_withoutWorkers_nothingIsSelected() {
        assertThat(hub.availableWorker("m1")).isEmpty();
    }

    @Test
    void wp05_aWorkerOfTheModel_isSelected() {
        fixture.worker("w-1", 1);

        assertThat(hub.availableWorker("m1")).map(PooledWorker::id).contains("w-1");
    }

    @Test
    void wp06_anotherModel_selectsNothing() {
        fixture.worker("w-1", 1);

        assertThat(hub.availableWorker("m2")).isEmpty();
    }

    @Test
    void wp07_theIdleWorker_comesFirst() {
        fixture.worker("w-1", 2);
        fixture.worker("w-2", 2);
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.availableWorkers("m1", null))
                .extracting(PooledWorker::id)
                .containsExactly("w-2", "w-1");
    }

    @Test
    void wp08_aBusyWorker_isNotSelected() {
        fixture.worker("w-1", 1);
        hub.trackRequest("w-1", "r-1");
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.BUSY);

        assertThat(hub.availableWorker("m1")).isEmpty();
    }

    @Test
    void wp09_aWorkerWithTwoOfTwo_isNotSelected() {
        fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1");
        hub.trackRequest("w-1", "r-2");

        assertThat(hub.availableWorker("m1")).isEmpty();
    }

    @Test
    void wp10_aCategoryWithoutALimit_doesNotExclude() {
        fixture.worker("w-1", 2);

        assertThat(hub.availableWorker("m1", "any")).isPresent();
    }

    @Test
    void wp11_aCategoryAtItsLimit_excludes_althoughFiveAreFree() {
        fixture.worker("w-1", limited(capabilities(6, "m1"), "local", 1));
        hub.trackRequest("w-1", "r-1", "local");

        assertThat(hub.availableWorker("m1", "local")).isEmpty();
        assertThat(hub.availableWorker("m1")).isPresent();
    }

    @Test
    void wp12_tracking_countsTheRequest() {
        fixture.worker("w-1", 2);

        assertThat(hub.trackRequest("w-1", "r-1")).isTrue();

        var requests = fixture.snapshot("w-1").requests();
        assertThat(requests.active()).isEqualTo(1);
        assertThat(requests.pendingIds()).containsExactly("r-1");
    }

    @Test
    void wp13_trackingForAnUnknownWorker_isRefused() {
        assertThat(hub.trackRequest("nobody", "r-1")).isFalse();
    }

    @Test
    void wp14_aWorkerThatReachesItsMaximum_isBusy() {
        fixture.worker("w-1", 1);
        hub.trackRequest("w-1", "r-1");

        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.BUSY);
    }

    @Test
    void wp15_aReleaseBelowTheMaximum_makesAvailable() {
        fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1");
        hub.trackRequest("w-1", "r-2");

        assertThat(hub.releaseRequest("r-1")).isTrue();

        assertThat(fixture.snapshot("w-1").requests().active()).isEqualTo(1);
        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
    }

    @Test
    void wp16_aCompletion_isCounted() {
        fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.completeRequest("r-1")).isTrue();

        assertThat(fixture.snapshot("w-1").requests().completed()).isEqualTo(1);
    }

    @Test
    void wp17_theLastReleaseOfACategory_removesItsCount() {
        fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1", "local");

        hub.releaseRequest("r-1");

        assertThat(fixture.snapshot("w-1").requests().activeByCategory()).isEmpty();
    }

    @Test
    void wp18_aFreshWorker_isNeitherUnhealthyNorDead() {
        fixture.worker("w-1", 1);

        hub.tick();

        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
        assertThat(fixture.disconnected).isEmpty();
    }

    @Test
    void wp19_after120SecondsOfSilence_itIsUnhealthy() {
        fixture.worker("w-1", 1);

        fixture.advance(Duration.ofMinutes(2));

        assertThat(fixture.snapshot("w-1").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);
    }

    @Test
    void wp20_after200SecondsOfSilence_itIsDead() {
        var worker = fixture.worker("w-1", 1);

        fixture.advance(Duration.ofSeconds(200));

        assertThat(hub.workerCount()).isZero();
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.HEARTBEAT_TIMEOUT);
        assertThat(worker.closeCode).isEqualTo(4003);
        assertThat(worker.closeReason).isEqualTo("Heartbeat timeout");
    }

    @Test
    void wp21_aSentMessage_arrivesAsItIs() {
        var worker = fixture.worker("w-1", 1);

        assertThat(hub.send("w-1", work("r-1"))).isTrue();

        assertThat(worker.texts.getLast())
                .isEqualTo("{\"type\":\"work_request\",\"requestId\":\"r-1\"}");
    }

    @Test
    void wp22_aMessageForAnUnknownWorker_isNotSent() {
        assertThat(hub.send("nobody", HELLO)).isFalse();
    }

    @Test
    void wp23_aBroadcast_reachesBothWorkers() {
        var one = fixture.worker("w-1", 1);
        var two = fixture.worker("w-2", 1);

        assertThat(hub.broadcast(HELLO)).isEqualTo(2);

        assertThat(one.received("hello")).hasSize(1);
        assertThat(two.received("hello")).hasSize(1);
    }

    @Test
    void wp24_withoutWorkers_thereIsNoSlot() {
        assertThat(hub.availableSlots("m1")).isZero();
    }

    @Test
    void wp25_oneOfTwoInWork_leavesOneSlot() {
        fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.availableSlots("m1")).isEqualTo(1);
    }

    @Test
    void wp26_slotsOfTwoWorkers_areAdded() {
        fixture.worker("w-1", 2);
        fixture.worker("w-2", 2);
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.availableSlots("m1")).isEqualTo(3);
    }

    @Test
    void wp27_anotherModel_hasNoSlot() {
        fixture.worker("w-1", 2);

        assertThat(hub.availableSlots("m2")).isZero();
    }

    @Test
    void wp28_aLimitOfTwoWithOneInWork_leavesOneSlot() {
        fixture.worker("w-1", limited(capabilities(5, "m1"), "local", 2));
        hub.trackRequest("w-1", "r-1", "local");

        assertThat(hub.availableSlots("m1", "local")).isEqualTo(1);
    }

    @Test
    void wp29_aSnapshot_listsWhatIsInWork_andCannotBeChanged() {
        fixture.worker("w-1", 2);
        hub.trackRequest("w-1", "req-1", "local");

        var requests = fixture.snapshot("w-1").requests();

        assertThat(requests.pendingIds()).containsExactly("req-1");
        assertThat(requests.activeByCategory()).containsEntry("local", 1).hasSize(1);
        assertThatThrownBy(() -> requests.pendingIds().add("req-2"))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> requests.activeByCategory().put("local", 9))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(PooledWorker.class.getRecordComponents())
                .noneMatch(component -> component.getType() == WorkerConnection.class);
    }

    @Test
    void wp30_aStop_closesAll_andEmptiesThePool() {
        var one = fixture.worker("w-1", 1);
        var two = fixture.worker("w-2", 1);

        assertThat(hub.stop(Duration.ZERO)).isEmpty();

        assertThat(one.closeCode).isEqualTo(1001);
        assertThat(two.closeReason).isEqualTo("Server shutting down");
        assertThat(hub.workerCount()).isZero();
    }

    @Test
    void wp31_aReleaseOfAnUnknownRequest_isRefused() {
        assertThat(hub.releaseRequest("nothing")).isFalse();
        assertThat(hub.completeRequest("nothing")).isFalse();
    }

    @Test
    void wp32_twoOfACategory_oneReleased_leaveOne() {
        fixture.worker("w-1", 3);
        hub.trackRequest("w-1", "r-1", "local");
        hub.trackRequest("w-1", "r-2", "local");

        hub.releaseRequest("r-1");

        assertThat(fixture.snapshot("w-1").requests().activeByCategory()).containsEntry("local", 1);
    }

    @Test
    void wp33_aClosedConnection_isSentNothing() {
        var worker = fixture.worker("w-1", 1);
        worker.open = false;
        var before = worker.texts.size();

        assertThat(hub.send("w-1", HELLO)).isFalse();

        assertThat(worker.texts).hasSize(before);
    }

    @Test
    void wp34_aConnectionThatThrows_isReportedAsNotSent() {
        var worker = fixture.worker("w-1", 1);
        worker.throwsOnSend = true;

        assertThat(hub.send("w-1", HELLO)).isFalse();
        assertThat(hub.workerCount()).isEqualTo(1);
    }

    @Test
    void wp35_aBroadcast_skipsClosedConnections() {
        var one = fixture.worker("w-1", 1);
        var two = fixture.worker("w-2", 1);
        one.open = false;

        assertThat(hub.broadcast(HELLO)).isEqualTo(1);

        assertThat(one.received("hello")).isEmpty();
        assertThat(two.received("hello")).hasSize(1);
    }

    @Test
    void wp36_aBroadcast_goesOnBehindAConnectionThatThrows() {
        var one = fixture.worker("w-1", 1);
        var two = fixture.worker("w-2", 1);
        one.throwsOnSend = true;

        assertThat(hub.broadcast(HELLO)).isEqualTo(1);

        assertThat(two.received("hello")).hasSize(1);
    }

    @Test
    void wp37_slots_skipBusyWorkers() {
        fixture.worker("w-1", 1);
        fixture.worker("w-2", 2);
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.availableSlots("m1")).isEqualTo(2);
    }

    @Test
    void wp38_withoutWorkers_noneIsAvailable() {
        assertThat(hub.availableWorkerCount()).isZero();
    }

    @Test
    void wp39_onlyAvailableWorkers_areCounted() {
        fixture.worker("w-1", 1);
        fixture.worker("w-2", 1);
        hub.trackRequest("w-1", "r-1");

        assertThat(hub.availableWorkerCount()).isEqualTo(1);
    }

    @Test
    void wp40_anUnhealthyWorker_isLoggedOnce() {
        fixture.worker("w-1", 1);

        fixture.advance(Duration.ofMinutes(2));

        assertThat(log.warnings())
                .filteredOn(line -> line.contains("worker is unhealthy"))
                .hasSize(1);
    }

    @Test
    void wp41_metadata_isInTheSnapshot() {
        var metadata = JsonObject.of("gpu", JsonValue.of("a100"));
        fixture.worker("w-1", capabilities(1, "m1").with("metadata", metadata));

        assertThat(fixture.snapshot("w-1").capabilities().metadata()).isEqualTo(metadata);
    }

    /// A count that is missing cannot come about from outside, so that this is the pool itself.
    @Test
    void wp42_aRelease_toleratesAMissingCountOfItsCategory() {
        var pool = new WorkerPool(ModelMatch.EXACT, Long.MAX_VALUE);
        fixture.worker("w-1", 1);
        var connection =
                new HubConnection(
                        hub, new FakeConnection("10.0.0.9"), HubOptions.DEFAULTS, HubFixture.START);
        var worker =
                new PoolEntry(
                        "w-9",
                        "Worker",
                        new WorkerCapabilities(
                                List.of(), 2, new LinkedHashMap<>(), JsonObject.EMPTY),
                        "session",
                        connection,
                        new PoolEntry.Times(HubFixture.START, HubFixture.START));
        pool.add(worker);
        var request =
                TrackedRequest.sentByOwner("r-1", "local", HubFixture.START, Duration.ofMinutes(1));
        pool.assign(request, worker);
        worker.activeByCategory.clear();

        pool.drop(request);

        assertThat(worker.active()).isZero();
        assertThat(worker.activeByCategory).isEmpty();
    }

    @Test
    void wp43_aLimitOfThreeWithNothingInWork_leavesThreeSlots() {
        fixture.worker("w-1", limited(capabilities(5, "m1"), "local", 3));

        assertThat(hub.availableSlots("m1", "local")).isEqualTo(3);
    }
}
