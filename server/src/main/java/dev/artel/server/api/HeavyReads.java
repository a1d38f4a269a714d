package dev.artel.server.api;

import dev.artel.gateway.http.HttpRefusal;
import dev.artel.server.access.Caller;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Lets each client read a few large things at a time, so that what is read fits into memory and one client's reads leave
/// room for those of others. Safe for use by many threads.
final class HeavyReads {
    private static final int AT_ONCE = 4;
    private static final int WAITING = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /// As many as there are clients.
    private final Map<String, Semaphore> permits = new ConcurrentHashMap<>();

    private final Duration patience;

    HeavyReads() {
        this(PATIENCE);
    }

    /// @param patience how long a read waits for its turn
    HeavyReads(Duration patience) {
        this.patience = patience;
    }

    /// Does `read` when it is the turn of `caller`.
    ///
    /// @throws HttpRefusal with 429 if its turn does not come, or too many of its reads wait
    void read(Caller caller, Runnable read) {
        var permit = permits.computeIfAbsent(caller.name(), _ -> new Semaphore(AT_ONCE, true));
        try {
            if (permit.getQueueLength() >= WAITING
                    || !permit.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw HttpRefusal.later(
                        Duration.ofSeconds(1),
                        "Client "
                                + caller.name()
                                + " reads "
                                + AT_ONCE
                                + " jobs at a time, and more wait; read fewer at once, or only what"
                                + " you need (fields)");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw HttpRefusal.later(Duration.ofSeconds(1), "The orchestrator stops");
        }
        try {
            read.run();
        } finally {
            permit.release();
        }
    }
}
