package dev.artel.worker.server.hub;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a step under the hub's lock leaves to be done without it: sends, then handlers.
final class AfterLock {
    private static final Logger LOG = LoggerFactory.getLogger(AfterLock.class);

    private final SequencedSet<Outbound> flushes = new LinkedHashSet<>();
    private final List<Runnable> rest = new ArrayList<>();

    /// Sends what `connection` was offered.
    void flush(HubConnection connection) {
        flushes.add(connection.outbound);
    }

    /// Has `event` delivered among those of `queue`.
    void event(EventQueue queue, Runnable event) {
        event(queue, event, 0);
    }

    /// The same for one that the peer has caused.
    ///
    /// @param weight about how many bytes it holds
    void event(EventQueue queue, Runnable event, long weight) {
        rest.add(() -> queue.post(event, weight));
    }

    /// Calls a transport.
    void call(Runnable call) {
        rest.add(call);
    }

    void run() {
        flushes.forEach(Outbound::flush);
        rest.forEach(AfterLock::guarded);
    }

    /// A transport that is dead may throw, and an executor that is shut down; what follows is due all the same.
    private static void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("a transport or the executor of handlers failed");
        }
    }
}
