package dev.artel.server.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.access.Caller;
import dev.artel.access.Role;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HeavyRequestsTest {
    private final HeavyRequests requests = new HeavyRequests(Duration.ofMillis(1));

    private static Caller client(String name) {
        return new Caller(name, Role.CLIENT, List.of(), "unknown", JsonObject.EMPTY, 1);
    }

    /// Trap: one client's reads fill the memory, and those of others wait behind them.
    @Test
    void oneClientsReads_waitForEachOther_andForNobodyElse() throws Exception {
        var begun = new CountDownLatch(4);
        var end = new CountDownLatch(1);
        var threads =
                IntStream.range(0, 4)
                        .mapToObj(_ ->
                                Thread.startVirtualThread(() ->
                                        requests.run(
                                                HeavyRequests.Kind.READ,
                                                client("a"),
                                                () -> {
                                                    begun.countDown();
                                                    await(end);
                                                })))
                        .toList();
        assertThat(begun.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        var isRead = new AtomicBoolean();

        assertThatThrownBy(() ->
                        requests.run(HeavyRequests.Kind.READ, client("a"), () -> isRead.set(true)))
                .isInstanceOf(HttpRefusal.class)
                .satisfies(refused ->
                        assertThat(((HttpRefusal) refused).reason().toString())
                                .contains("Client a has 4 reads of jobs under way"));
        assertThat(isRead).isFalse();
        // Trap: a long download keeps its client from searching.
        var isFound = new AtomicBoolean();
        requests.run(HeavyRequests.Kind.SEARCH, client("a"), () -> isFound.set(true));
        assertThat(isFound).isTrue();
        requests.run(HeavyRequests.Kind.READ, client("b"), () -> isRead.set(true));
        assertThat(isRead).isTrue();

        end.countDown();
        for (var thread : threads) {
            thread.join();
        }
        var isReadAgain = new AtomicBoolean();
        requests.run(HeavyRequests.Kind.READ, client("a"), () -> isReadAgain.set(true));
        assertThat(isReadAgain).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
