package dev.artel.gateway.zeromq;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/// The workers that have a session. Safe for use by many threads.
final class WorkerLinks {
    /// After how long without a tick the process stood still, so that no worker could be heard.
    private static final Duration STANDSTILL = Duration.ofSeconds(1);

    private final ConcurrentMap<PeerName, WorkerLink> links = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, WorkerLink> byWorker = new ConcurrentHashMap<>();
    private final Duration timeout;
    private @Nullable Instant ticked;

    WorkerLinks(Duration timeout) {
        this.timeout = timeout;
    }

    @Nullable WorkerLink find(PeerName peer) {
        return links.get(peer);
    }

    /// The session that a message names; null if it is over, or of another process.
    @Nullable WorkerLink find(PeerName peer, Members message) {
        var link = links.get(peer);
        return link != null && link.is(message.text("instance", ""), message.text("session", ""))
                ? link
                : null;
    }

    /// The session of a worker.
    @Nullable WorkerLink ofWorker(String worker) {
        return byWorker.get(worker);
    }

    /// Whether another process than `instance` has the name `worker`, and was heard of lately.
    boolean isTaken(String worker, String instance, Instant now) {
        var link = byWorker.get(worker);
        return link != null
                && !link.introduction().instance().equals(instance)
                && !link.isSilentSince(now.minus(timeout));
    }

    /// Begins a session.
    ///
    /// @return the one of the same worker that ends with it; null if there is none
    @Nullable WorkerLink put(WorkerLink link) {
        var before = byWorker.put(link.worker().value(), link);
        if (before != null) {
            var _ = links.remove(before.peer(), before);
        }
        links.put(link.peer(), link);
        return before;
    }

    /// Ends a session.
    ///
    /// @return whether it was there
    boolean remove(WorkerLink link) {
        var _ = byWorker.remove(link.worker().value(), link);
        return links.remove(link.peer(), link);
    }

    List<WorkerLink> all() {
        return List.copyOf(links.values());
    }

    int size() {
        return links.size();
    }

    /// The workers that were silent for too long by now. One thread at a time.
    List<WorkerLink> silent(Instant now) {
        var before = ticked;
        ticked = now;
        if (before != null && Duration.between(before, now).compareTo(STANDSTILL) > 0) {
            links.values().forEach(link -> link.heard(now));
        }
        var since = now.minus(timeout);
        return links.values().stream().filter(link -> link.isSilentSince(since)).toList();
    }
}
