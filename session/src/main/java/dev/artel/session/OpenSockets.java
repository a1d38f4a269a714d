package dev.artel.session;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// The open sockets, and whose they are.
final class OpenSockets {
    private final SequencedMap<Long, WorkerId> workers = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, String> wires = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, Long> current = new LinkedHashMap<>();
    private final SequencedSet<Long> nameless = new LinkedHashSet<>();

    void openNameless(long socket) {
        nameless.add(socket);
    }

    /// Gives a worker its socket.
    ///
    /// @return the socket that this one takes the place of; null if there is none
    @Nullable Long open(long socket, WorkerId worker, String wire) {
        nameless.remove(socket);
        wires.put(worker, wire);
        workers.put(socket, worker);
        return current.put(worker, socket);
    }

    /// A socket that was replaced takes nothing of its successor along.
    ///
    /// @return whose it was; null if that is not known
    @Nullable WorkerId close(long socket) {
        nameless.remove(socket);
        var worker = workers.remove(socket);
        if (worker != null && current.remove(worker, socket)) {
            wires.remove(worker);
        }
        return worker;
    }

    @Nullable WorkerId workerOf(long socket) {
        return workers.get(socket);
    }

    /// The wire of the socket of `worker`; that of HTTP if it has none.
    String wire(WorkerId worker) {
        return wires.getOrDefault(worker, WorkerProfile.HTTP);
    }

    boolean isNameless(long socket) {
        return nameless.contains(socket);
    }

    boolean hasOwn(WorkerId worker) {
        return current.containsKey(worker);
    }

    /// Where a message for `worker` goes: its own socket, or else all those whose worker is unknown,
    /// since a worker ignores what is about tasks of others.
    List<Long> reaching(WorkerId worker) {
        var own = current.get(worker);
        return own == null ? List.copyOf(nameless) : List.of(own);
    }
}
