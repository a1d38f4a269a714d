package dev.artel.worker.server.hub;

import static dev.artel.waits.Await.await;
import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.message;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ValueRoom;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class RegisteredAgainTest {
    private static final int MANY = 30;

    /// About a megabyte in memory.
    private static final JsonArray LISTS =
            new JsonArray(Collections.nCopies(10_000, new JsonArray(List.of(JsonValue.of(0)))));

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch slow = new CountDownLatch(1);

    @AfterEach
    void stop() {
        slow.countDown();
        threads.close();
    }

    private WorkerHub hub(ValueRoom values) {
        var clock = new ManualClock(Instant.EPOCH);
        var hub =
                new WorkerHub(
                        HubOptions.DEFAULTS,
                        new HubRuntime(clock, clock, threads, new SplittableRandom(7)),
                        values);
        hub.onProtocolMessage(_ -> awaitSlow());
        return hub;
    }

    private void awaitSlow() {
        try {
            slow.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Trap: while a handler of a worker waits for the store, its registrations wait in memory with all that they declare, as many as come.
    @Test
    void registrationsOnOneConnection_waitUnread_whileHandlersAreBehind() throws Exception {
        var hub = hub(new ValueRoom());
        var again = Collections.synchronizedList(new ArrayList<String>());
        hub.onRegisteredAgain(worker -> again.add(worker.name()));
        var peer = new FakeConnection("10.0.0.1").openOn(hub);
        peer.sends(registration("w", capabilities(1, "m1")));
        peer.sends(heartbeat("w"));

        var reader =
                Thread.ofVirtual()
                        .start(() -> {
                            for (var i = 0; i < MANY; i++) {
                                peer.sends(declaring(i));
                            }
                        });
        // Two answers to what came before, then one for each registration.
        await("the reader waits or has read all")
                .until(() ->
                        reader.getState() == Thread.State.TERMINATED
                                || (peer.texts.size() >= 5
                                        && reader.getState() == Thread.State.WAITING));

        assertThat(peer.texts).hasSizeLessThan(MANY);
        assertThat(again).isEmpty();
        slow.countDown();
        reader.join();
        await("all are delivered").until(() -> again.size() == MANY);
        assertThat(again).startsWith("number 0").endsWith("number " + (MANY - 1));
    }

    private static JsonObject declaring(int number) {
        return registration(
                        "w", capabilities(1, "m1").with("metadata", JsonObject.of("lists", LISTS)))
                .with("workerName", JsonValue.of("number " + number));
    }

    /// Trap: each connection may have some megabytes that wait, and there are many connections.
    @Test
    void whatWaitsOfAllConnections_hasRoomTogether() throws Exception {
        var values = new ValueRoom(4 << 20);
        var hub = hub(values);
        hub.onAnyMessage(_ -> {});
        var readers = new ArrayList<Thread>();
        for (var i = 0; i < MANY; i++) {
            var id = "w-" + i;
            var peer = new FakeConnection("10.0.0." + i).openOn(hub);
            peer.sends(registration(id, capabilities(1, "m1")));
            peer.sends(heartbeat(id));
            readers.add(
                    Thread.ofVirtual()
                            .start(() -> peer.sends(message("note", "r").with("lists", LISTS))));
        }

        await("some have no room").until(values::hasWaiting);
        assertThat(readers.stream().filter(Thread::isAlive)).isNotEmpty();
        slow.countDown();
        for (var reader : readers) {
            reader.join();
        }
        assertThat(values.hasWaiting()).isFalse();
    }

    @Test
    void aPong_confirmsWhatWasSentBeforeItsPing_andNothingElse() {
        var fixture = new HubFixture();
        var accepted = new ArrayList<String>();
        fixture.hub.onAccepted(request -> accepted.add(request.requestId()));
        var worker = fixture.connection();
        worker.pongs = false;
        worker.sends(registration("w-1", capabilities(3, "m1")));
        for (var id : List.of("r-1", "r-2", "r-3")) {
            assertThat(fixture.hub.dispatch(DispatchRequest.of(HubFixture.work(id)))).isPresent();
        }
        assertThat(fixture.hub.releaseRequest("r-1")).isTrue();

        pong(worker, worker.pings.get(1));
        pong(worker, worker.pings.get(1));

        assertThat(accepted).containsExactly("r-2");
    }

    private static void pong(FakeConnection worker, String payload) {
        worker.input().onPong(StandardCharsets.US_ASCII.encode(payload));
    }
}
