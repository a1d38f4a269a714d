package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.FleetChange;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The registrations of workers that are to be stored, of each worker the latest one. Those that come
/// while the store writes are written together. Safe for use by many threads.
final class WaitingRegistrations {
    /// How long a worker waits for the disk.
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /// More than that wait only where the store has failed for long.
    private static final int MOST = FleetRegistry.REGISTRATIONS;

    private final Map<WorkerId, One> waiting = new ConcurrentHashMap<>();

    /// @param written whether the words, or later ones of the same worker, are durable
    private record One(FleetChange.Registered change, CompletableFuture<Boolean> written) {}

    /// Has `words` written with the next batch.
    ///
    /// @return whether the words, or later ones of the same worker, are durable
    CompletableFuture<Boolean> add(WorkerId worker, JsonObject words, Instant at) {
        if (waiting.size() >= MOST && !waiting.containsKey(worker)) {
            return CompletableFuture.completedFuture(false);
        }
        var change = new FleetChange.Registered(worker, words, at);
        var written = new CompletableFuture<Boolean>();
        var before = waiting.put(worker, new One(change, written));
        if (before != null) {
            var _ = written.whenComplete((isWritten, _) -> before.written().complete(isWritten));
        }
        return written;
    }

    boolean await(CompletableFuture<Boolean> written) {
        try {
            return written.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException later) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(
                    "a registration failed otherwise than by no", impossible);
        }
    }

    int count() {
        return waiting.size();
    }

    /// What waits at this moment.
    Batch waiting() {
        return new Batch(new LinkedHashMap<>(waiting));
    }

    /// Some registrations that are written together.
    final class Batch {
        private final Map<WorkerId, One> ones;

        private Batch(Map<WorkerId, One> ones) {
            this.ones = ones;
        }

        List<FleetChange> changes() {
            return ones.values().stream().<FleetChange>map(One::change).toList();
        }

        /// They are durable.
        void written() {
            ones.forEach((worker, one) -> {
                waiting.remove(worker, one);
                one.written().complete(true);
            });
        }

        /// They are not durable, and wait for another try.
        void failed() {
            ones.values().forEach(one -> one.written().complete(false));
        }
    }
}
