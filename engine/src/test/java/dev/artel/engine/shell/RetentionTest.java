package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;

import dev.artel.kernel.store.EventStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class RetentionTest {
    /// Trap: a failure that nobody thought of is the last thing that the removal of old jobs does.
    @Test
    void anyFailure_isFollowedByTheNextSweep() {
        var sweeps = new AtomicInteger();
        var store =
                (EventStore)
                        Proxy.newProxyInstance(
                                EventStore.class.getClassLoader(),
                                new Class<?>[] {EventStore.class},
                                (_, _, _) -> {
                                    sweeps.incrementAndGet();
                                    throw new IllegalStateException("planted by the test");
                                });
        try (var retention =
                new Retention(
                        store,
                        InstantSource.system(),
                        KeepClosed.DEFAULTS.withTime(Duration.ofMillis(50)))) {
            retention.start();

            await().until(() -> sweeps.get() >= 3);
        }
    }
}
