package dev.artel.worker.server.hub;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/// What a hub takes from the machine: tests give their own.
///
/// @param monotonic measures spans; it only goes forward, and its instants need not be those of any calendar
/// @param clock the time that messages and snapshots show
/// @param executor runs handlers of events that come from no connection's thread; it may run them at once, on the caller's
///     thread
/// @param random spreads the times at which refused workers try again
public record HubRuntime(
        InstantSource monotonic, InstantSource clock, Executor executor, RandomGenerator random) {
    /// The machine itself: handlers run on virtual threads.
    public static HubRuntime system() {
        var threads = Thread.ofVirtual().name("artel-hub-", 0).factory();
        return new HubRuntime(
                monotonicClock(),
                Clock.systemUTC(),
                task -> threads.newThread(task).start(),
                () -> ThreadLocalRandom.current().nextLong());
    }

    private static InstantSource monotonicClock() {
        var begin = System.nanoTime();
        return () -> Instant.EPOCH.plusNanos(System.nanoTime() - begin);
    }
}
