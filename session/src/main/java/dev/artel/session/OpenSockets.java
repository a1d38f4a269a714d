package dev.artel.session;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The open sockets, and whose they are.
final class OpenSockets {
    private final SequencedMap<Long, WorkerId> workers = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, String> wires = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, Long> current = new LinkedHashMap<>();

    /// Those of which it is unknown whose they are, with the workers that their tokens let them be.
    private final SequencedMap<Long, Predicate<WorkerId>> nameless = new LinkedHashMap<>();

    void openNameless(long socket, Predicate<WorkerId> mayBe) {
        nameless.put(socket, mayBe);
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

    /// Whether it is unknown whose `socket` is, and it may be that of `worker`.
    boolean mayBe(long socket, WorkerId worker) {
        var workers = nameless.get(socket);
        return workers != null && workers.test(worker);
    }

    boolean hasOwn(WorkerId worker) {
        return current.containsKey(worker);
    }

    /// Where a message for `worker` goes: its own socket, or else all those that may be its own, since a worker ignores what is
    /// about tasks of others.
    List<Long> reaching(WorkerId worker) {
        var own = current.get(worker);
        return own == null
                ? nameless.entrySet().stream()
                        .filter(socket -> socket.getValue().test(worker))
                        .map(Map.Entry::getKey)
                        .toList()
                : List.of(own);
    }
}
