package dev.artel.worker.server;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/// The open WebSockets of a listener, of workers and others. Safe for use by many threads.
final class Sessions {
    private final Set<Session> open = new LinkedHashSet<>();
    private boolean closing;

    /// Whether `session` may stay.
    synchronized boolean add(Session session) {
        return !closing && open.add(session);
    }

    synchronized void remove(Session session) {
        open.remove(session);
        notifyAll();
    }

    /// Begins to close all; no other one may stay.
    void close() {
        List<Session> all;
        synchronized (this) {
            closing = true;
            all = List.copyOf(open);
        }
        all.forEach(session -> session.close(1001, "Server shutting down", Callback.NOOP));
    }

    /// Waits until all are closed, for at most `millis`, and ends the others.
    void end(long millis) {
        List<Session> left;
        var deadline = System.nanoTime() + millis * 1_000_000;
        synchronized (this) {
            try {
                for (var wait = millis; !open.isEmpty() && wait > 0; ) {
                    wait(wait);
                    wait = (deadline - System.nanoTime()) / 1_000_000;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            left = List.copyOf(open);
            open.clear();
        }
        left.forEach(Session::disconnect);
    }
}
