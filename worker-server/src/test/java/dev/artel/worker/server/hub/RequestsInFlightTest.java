package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.message;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.worker.server.hub.OrphanedRequest.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Requests from their dispatch to their end: selection, confirmation, other attempts, deadlines.
final class RequestsInFlightTest {
    private final HubFixture fixture = new HubFixture();
    private final WorkerHub hub = fixture.hub;

    /// W12: ids that contained each other matched, and an empty one matched all.
    @Test
    void w12_models_areMatchedExactly_byAliasesAndPrefixesThatTheWorkerDeclares() {
        var model =
                HubFixture.model("gpt-4")
                        .with(
                                "aliases",
                                JsonArray.of(JsonValue.of("best"), JsonValue.of("gpt-4-2*")));
        fixture.worker("w-1", capabilities(1).with("models", JsonArray.of(model)));

        assertThat(hub.availableWorker("gpt-4")).isPresent();
        assertThat(hub.availableWorker("best")).isPresent();
        assertThat(hub.availableWorker("gpt-4-2026")).isPresent();
        for (var other : List.of("gpt-4o-mini", "gpt", "GPT-4", "best-1", "gpt-4-1", "", " ")) {
            assertThat(hub.availableWorker(other)).as("model \"%s\"", other).isEmpty();
        }
        assertThatThrownBy(() -> DispatchRequest.of(" ", work("r-1")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void w12_substrings_matchWhereThatIsChosen() {
        var loose = new HubFixture(HubOptions.DEFAULTS.withModelMatch(ModelMatch.SUBSTRING));
        loose.worker("w-1", capabilities(1, "gpt-4o-mini"));

        assertThat(loose.hub.availableWorker("gpt-4")).isPresent();
        assertThat(loose.hub.availableWorker("openai/gpt-4o-mini")).isPresent();
        assertThat(loose.hub.availableWorker("GPT-4")).isEmpty();
    }

    @Test
    void aRequestWithoutAModel_goesToAWorkerWithoutModels_too() {
        var worker = fixture.worker("w-1", capabilities(1));

        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();

        assertThat(worker.received("work_request")).hasSize(1);
    }

    @Test
    void aRequestWithoutAnId_getsOne() {
        var worker = fixture.worker("w-1", 1);

        var handle =
                hub.dispatch(
                                DispatchRequest.of(
                                        JsonObject.of("type", JsonValue.of("work_request"))))
                        .orElseThrow();

        assertThat(worker.received("work_request").getFirst().string("requestId"))
                .contains(handle.requestId());
        assertThat(handle.complete()).isTrue();
    }

    /// W13: a message that was only buffered counted as received.
    @Test
    void w13_aRequestThatItsWorkerDoesNotConfirm_goesToAnotherAfterFiveSeconds() {
        var silent = fixture.worker("a", accepting(2));
        var handle = hub.dispatch(DispatchRequest.of(work("r-1"))).orElseThrow();
        assertThat(handle.worker().id()).isEqualTo("a");
        var other = fixture.worker("b", accepting(2));

        fixture.advance(Duration.ofSeconds(5));
        assertThat(other.received("work_request")).isEmpty();
        fixture.move(Duration.ofMillis(1));

        assertThat(other.received("work_request")).containsExactly(work("r-1"));
        assertThat(fixture.snapshot("a").requests().active()).isZero();
        assertThat(fixture.snapshot("a").status()).isEqualTo(PooledWorker.Status.UNHEALTHY);
        assertThat(fixture.snapshot("b").requests().pendingIds()).containsExactly("r-1");

        hub.onMessage("work_complete", MessageEvent::complete);
        silent.sends(message("work_complete", "r-1"));
        assertThat(fixture.snapshot("b").requests().active())
                .as("the worker that lost it has no power over it")
                .isEqualTo(1);
        assertThat(handle.complete()).as("the handle has, wherever it is").isTrue();
        assertThat(fixture.snapshot("b").requests().completed()).isEqualTo(1);
    }

    @Test
    void w13_aRequestThatItsWorkerConfirms_staysThere() {
        var worker = fixture.worker("a", accepting(2));
        fixture.worker("b", accepting(2));
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();

        worker.sends(message("work_accepted", "r-1"));
        fixture.advance(Duration.ofSeconds(30));

        assertThat(fixture.snapshot("a").requests().pendingIds()).containsExactly("r-1");
        assertThat(fixture.snapshot("a").status()).isEqualTo(PooledWorker.Status.AVAILABLE);
    }

    @Test
    void w13_anotherMessageAboutIt_confirmsItAsWell() {
        var worker = fixture.worker("a", accepting(2));
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();

        worker.sends(message("work_progress", "r-1"));
        fixture.advance(Duration.ofSeconds(30));

        assertThat(fixture.snapshot("a").requests().pendingIds()).containsExactly("r-1");
    }

    /// W13, for workers as they are: the pong to a ping behind the request says that it has arrived.
    @Test
    void w13_ofAWorkerThatDoesNotAcceptWork_aPongConfirmsTheRequest() {
        var worker = fixture.worker("a", 5);
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        assertThat(worker.pings).hasSize(1);
        worker.pongs = false;
        assertThat(hub.dispatch(DispatchRequest.of(work("r-2")))).isPresent();
        var other = fixture.worker("b", 5);

        fixture.advance(Duration.ofSeconds(6));

        assertThat(fixture.snapshot("a").requests().pendingIds()).containsExactly("r-1");
        assertThat(other.received("work_request")).containsExactly(work("r-2"));
    }

    @Test
    void w13_aPingFollowsItsRequest_onlyWhenThatIsSent() {
        var worker = fixture.worker("a", 5);
        worker.takes = false;

        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();

        assertThat(worker.pings).isEmpty();
        worker.takeHeld();
        assertThat(worker.pings).hasSize(1);
    }

    @Test
    void w13_aConnectionThatBreaksWhileItIsSent_leadsToAnotherWorker() {
        var broken = fixture.worker("a", 5);
        fixture.worker("b", 5);
        broken.breaks = true;

        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();

        assertThat(fixture.snapshot("b").requests().pendingIds()).containsExactly("r-1");
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsExactly(WorkerDisconnected.Reason.SEND_FAILED);
        // It may be closing by itself, with a code that must still leave.
        assertThat(broken.terminated).isFalse();
        fixture.advance(HubTimes.DEFAULTS.closeGrace().plusSeconds(1));
        assertThat(broken.terminated).isTrue();
    }

    /// W14: an answer could come before its request was tracked.
    @Test
    void w14_anAnswerThatComesWhileTheRequestIsSent_settlesIt() {
        hub.onMessage("work_complete", event -> assertThat(event.complete()).isTrue());
        var worker = fixture.worker("a", 1);
        worker.onSend = () -> worker.sends(message("work_complete", "r-1"));

        var handle = hub.dispatch(DispatchRequest.of(work("r-1"))).orElseThrow();

        assertThat(fixture.snapshot("a").requests().completed()).isEqualTo(1);
        assertThat(fixture.snapshot("a").requests().active()).isZero();
        assertThat(handle.complete()).isFalse();
    }

    @Test
    void w14_manyThreads_neverGiveAWorkerMoreThanItTakes() throws Exception {
        fixture.worker("a", 3);
        fixture.worker("b", 5);
        var taken = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var tasks = new ArrayList<Callable<Integer>>();
            for (var i = 0; i < 32; i++) {
                var id = "r-" + i;
                tasks.add(() ->
                        hub.dispatch(DispatchRequest.of(work(id))).isPresent()
                                ? taken.incrementAndGet()
                                : 0);
            }
            for (var future : threads.invokeAll(tasks)) {
                future.get();
            }
        }

        assertThat(taken).hasValue(8);
        assertThat(fixture.snapshot("a").requests().active()).isEqualTo(3);
        assertThat(fixture.snapshot("b").requests().active()).isEqualTo(5);
    }

    /// W16: requests of a lost worker were only reported, and lost where nobody listened.
    @Test
    void w16_aRequestOfALostWorker_goesToAnother_orWaitsForOne() {
        var first = fixture.worker("a", 1);
        assertThat(hub.dispatch(DispatchRequest.of("m1", work("r-1")))).isPresent();

        first.closedByPeer();
        assertThat(fixture.disconnected.getFirst().pendingIds()).containsExactly("r-1");
        assertThat(hub.waitingRequestCount()).isEqualTo(1);
        assertThat(fixture.orphaned).isEmpty();
        fixture.worker("wrong", capabilities(1, "m2"));
        assertThat(hub.waitingRequestCount()).isEqualTo(1);

        var second = fixture.worker("b", 1);
        assertThat(second.received("work_request")).containsExactly(work("r-1"));
        assertThat(hub.waitingRequestCount()).isZero();
        assertThatThrownBy(() -> hub.dispatch(DispatchRequest.of(work("r-1"))))
                .as("its id is in flight all the time")
                .isInstanceOf(RequestInFlight.class);
    }

    @Test
    void w16_afterTheLastAttempt_aRequestIsOrphaned_once_withItsMessage() {
        fixture.worker("a", 1);
        var handle =
                hub.dispatch(DispatchRequest.of("m1", work("r-1")).withMaxAttempts(2))
                        .orElseThrow();
        var second = fixture.worker("b", 1);
        hub.disconnect("a", fixture.snapshot("a").sessionId(), 1000, "bye");
        assertThat(second.received("work_request")).hasSize(1);
        fixture.worker("c", 1);

        second.closedByPeer();

        assertThat(fixture.orphaned)
                .containsExactly(
                        new OrphanedRequest(
                                "r-1", "b", "m1", null, work("r-1"), 2, Reason.WORKER_LOST));
        assertThat(handle.complete()).isFalse();
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
    }

    @Test
    void w16_aRequestThatItsOwnerSent_isOrphaned_withoutAMessage() {
        var worker = fixture.worker("a", 1);
        hub.trackRequest("a", "r-1");

        worker.closedByPeer();

        assertThat(fixture.orphaned)
                .containsExactly(
                        new OrphanedRequest("r-1", "a", null, null, null, 1, Reason.WORKER_LOST));
    }

    @Test
    void w16_aRequestThatIsTooOld_isOrphaned_andItsSlotIsFree() {
        fixture.worker("a", 1);
        assertThat(
                        hub.dispatch(
                                DispatchRequest.of(work("r-1"))
                                        .withDeadline(Duration.ofSeconds(30))))
                .isPresent();

        fixture.advance(Duration.ofSeconds(30));
        assertThat(fixture.orphaned).isEmpty();
        fixture.move(Duration.ofMillis(1));

        assertThat(fixture.orphaned)
                .extracting(OrphanedRequest::reason)
                .containsExactly(Reason.DEADLINE);
        assertThat(fixture.snapshot("a").requests().active()).isZero();
        assertThat(fixture.snapshot("a").requests().completed()).isZero();
    }

    @Test
    void w16_aRequestThatWaits_isOrphanedByItsDeadlineToo() {
        var worker = fixture.worker("a", 1);
        assertThat(
                        hub.dispatch(
                                DispatchRequest.of(work("r-1"))
                                        .withDeadline(Duration.ofSeconds(30))))
                .isPresent();
        worker.closedByPeer();

        fixture.advance(Duration.ofSeconds(31));

        assertThat(fixture.orphaned)
                .extracting(OrphanedRequest::reason)
                .containsExactly(Reason.DEADLINE);
        assertThat(hub.waitingRequestCount()).isZero();
    }

    @Test
    void w16_requestsAboveTheBoundOfThoseThatWait_areOrphaned() {
        var narrow =
                new HubFixture(
                        HubOptions.DEFAULTS.withLimits(
                                HubLimits.DEFAULTS.withMaxWaitingRequests(1)));
        var worker = narrow.worker("a", 2);
        assertThat(narrow.hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        assertThat(narrow.hub.dispatch(DispatchRequest.of(work("r-2")))).isPresent();

        worker.closedByPeer();

        assertThat(narrow.hub.waitingRequestCount()).isEqualTo(1);
        assertThat(narrow.orphaned)
                .extracting(OrphanedRequest::requestId, OrphanedRequest::reason)
                .containsExactly(tuple("r-2", Reason.TOO_MANY_WAITING));
    }

    @Test
    void aWorkerThatMissedOne_getsItAgain_ifThereIsNoOther() {
        var worker = fixture.worker("a", accepting(1));
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        fixture.advance(Duration.ofSeconds(6));
        assertThat(hub.waitingRequestCount()).isEqualTo(1);

        worker.sends(heartbeat("a"));

        assertThat(worker.received("work_request")).hasSize(2);
        assertThat(hub.waitingRequestCount()).isZero();
    }

    /// W17: a stop left requests in flight unreported.
    @Test
    void w17_aStop_reportsTheRequestsInFlight() {
        fixture.worker("a", 1);
        var gone = fixture.worker("b", 1);
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        hub.trackRequest("b", "r-2");
        hub.dispatch(DispatchRequest.of(work("r-3")))
                .ifPresent(_ -> {
                    throw new AssertionError("both are busy");
                });
        gone.closes = false;

        var left = hub.stop(Duration.ZERO);

        assertThat(left)
                .extracting(OrphanedRequest::requestId)
                .containsExactlyInAnyOrder("r-1", "r-2");
        assertThat(fixture.orphaned)
                .extracting(OrphanedRequest::reason)
                .containsExactly(Reason.STOPPED, Reason.STOPPED);
        assertThat(fixture.disconnected)
                .extracting(WorkerDisconnected::reason)
                .containsOnly(WorkerDisconnected.Reason.STOPPED)
                .hasSize(2);
        assertThat(gone.terminated).isTrue();
        assertThat(hub.connectionCount()).isZero();
        assertThat(hub.dispatch(DispatchRequest.of(work("r-4")))).isEmpty();
        assertThat(fixture.connection().closeCode).isEqualTo(CloseCode.GOING_AWAY);
    }

    /// W23: each dispatch and each release looked at all workers.
    @Test
    void w23_aDispatch_looksNoFurtherThanTheFirstWorkerThatFits() {
        var asked = new AtomicInteger();
        var counting =
                new HubFixture(
                        HubOptions.DEFAULTS.withModelMatch((capabilities, model) -> {
                            asked.incrementAndGet();
                            return capabilities.offers(model);
                        }));
        for (var i = 0; i < 1_000; i++) {
            counting.worker("w-" + i, 2);
        }

        for (var i = 0; i < 1_500; i++) {
            assertThat(counting.hub.dispatch(DispatchRequest.of("m1", work("r-" + i)))).isPresent();
        }
        for (var i = 0; i < 1_500; i++) {
            assertThat(counting.hub.completeRequest("r-" + i)).isTrue();
        }

        assertThat(asked).hasValue(1_500);
    }

    @Test
    void amongEquallyLoadedWorkers_theSmallestIdIsAskedFirst() {
        for (var id : List.of("c", "a", "b")) {
            fixture.worker(id, 4);
        }
        fixture.worker("half", 2);
        hub.trackRequest("half", "own");

        var order = new ArrayList<String>();
        for (var i = 0; i < 4; i++) {
            order.add(hub.dispatch(DispatchRequest.of(work("r-" + i))).orElseThrow().worker().id());
        }

        assertThat(order).containsExactly("a", "b", "c", "a");
    }

    @Test
    void aWorkerThatLowersItsMaximum_finishesWhatItHas() {
        var worker = fixture.worker("a", 2);
        assertThat(hub.dispatch(DispatchRequest.of(work("r-1")))).isPresent();
        assertThat(hub.dispatch(DispatchRequest.of(work("r-2")))).isPresent();

        worker.sends(registration("a", capabilities(1, "m1")));

        assertThat(fixture.snapshot("a").requests().active()).isEqualTo(2);
        assertThat(hub.availableSlots("m1")).isZero();
        hub.completeRequest("r-1");
        assertThat(hub.dispatch(DispatchRequest.of(work("r-3")))).isEmpty();
        hub.completeRequest("r-2");
        assertThat(hub.dispatch(DispatchRequest.of(work("r-3")))).isPresent();
    }

    private static JsonObject accepting(int max) {
        return capabilities(max, "m1")
                .with("metadata", JsonObject.of("acceptsWork", JsonValue.of(true)));
    }
}
