package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.WorkerLimits;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whether the CURVE key of a peer is that of the worker in whose name it speaks. Safe for use by many threads.
///
/// @param keys of the workers that are let in; empty: keys have no names
record KeyNames(Optional<ClientKeys> keys, WorkerLinks links, WorkerLimits limits) {
    private static final String ANYWHERE = "ZeroMQ";

    /// Refuses a message in the name of a worker with another key.
    ///
    /// @param key null: that of the peer is not known
    /// @throws BadFrame if the key is not that of the worker
    void check(PeerName peer, @Nullable String key, PushMessage message) {
        if (keys.isEmpty()) {
            return;
        }
        var link = links.find(peer);
        if (link != null) {
            check(key, link.worker().value());
        }
        var claimed = message.members().findText("worker_id");
        if (claimed != null) {
            check(key, claimed);
        }
    }

    private void check(@Nullable String key, String worker) {
        var refusal = keys.flatMap(known -> known.refusal(key == null ? "" : key, worker));
        if (refusal.isEmpty()) {
            return;
        }
        throw limits.refused(ANYWHERE, refusal.get()).isEmpty()
                ? new BadFrame(RejectCode.BAD_TOKEN, refusal.get())
                : new BadFrame(
                        RejectCode.BUSY, "too many keys were refused; try again in a minute");
    }

    /// Whether the name of `worker` is bound to a key, so that its identity has to be secret: by its name another permitted key would take the
    /// messages that are sent to it.
    boolean bind(String worker) {
        return keys.filter(known -> known.bind(worker)).isPresent();
    }
}
