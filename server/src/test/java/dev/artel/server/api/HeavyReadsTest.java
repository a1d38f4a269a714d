package dev.artel.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.server.access.Caller;
import dev.artel.server.access.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class HeavyReadsTest {
    private final HeavyReads reads = new HeavyReads(Duration.ofMillis(1));

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
                                        reads.read(
                                                client("a"),
                                                () -> {
                                                    begun.countDown();
                                                    await(end);
                                                })))
                        .toList();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        var isRead = new AtomicBoolean();

        assertThatThrownBy(() -> reads.read(client("a"), () -> isRead.set(true)))
                .isInstanceOf(HttpRefusal.class)
                .hasMessageContaining("reads 4 jobs at a time");
        assertThat(isRead).isFalse();
        reads.read(client("b"), () -> isRead.set(true));
        assertThat(isRead).isTrue();

        end.countDown();
        for (var thread : threads) {
            thread.join();
        }
        var isReadAgain = new AtomicBoolean();
        reads.read(client("a"), () -> isReadAgain.set(true));
        assertThat(isReadAgain).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
