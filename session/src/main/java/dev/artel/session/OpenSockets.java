package dev.artel.session;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The open sockets, and whose they are.
final class OpenSockets {
    private final SequencedMap<Long, WorkerId> workers = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, String> wires = new LinkedHashMap<>();
    private final SequencedMap<WorkerId, Long> current = new LinkedHashMap<>();

    /// Those of which it is unknown whose they are, with the workers that their tokens let them be.
    private final SequencedMap<Long, Predicate<WorkerId>> nameless = new LinkedHashMap<>();

    /// The same by their tokens. A token that was judged, and a socket to which a message went, come last.
    private final SequencedMap<Predicate<WorkerId>, SequencedSet<Long>> ofTokens =
            new LinkedHashMap<>();

    /// @param mayBe equal for all sockets of one token
    void openNameless(long socket, Predicate<WorkerId> mayBe) {
        nameless.put(socket, mayBe);
        ofTokens.computeIfAbsent(mayBe, _ -> new LinkedHashSet<>()).add(socket);
    }

    private void closeNameless(long socket) {
        var mayBe = nameless.remove(socket);
        var others = mayBe == null ? null : ofTokens.get(mayBe);
        if (mayBe != null && others != null && others.remove(socket) && others.isEmpty()) {
            ofTokens.remove(mayBe);
        }
    }

    /// Gives a worker its socket.
    ///
    /// @return the socket that this one takes the place of; null if there is none
    @Nullable Long open(long socket, WorkerId worker, String wire) {
        closeNameless(socket);
        wires.put(worker, wire);
        workers.put(socket, worker);
        return current.put(worker, socket);
    }

    /// A socket that was replaced takes nothing of its successor along.
    ///
    /// @return whose it was; null if that is not known
    @Nullable WorkerId close(long socket) {
        closeNameless(socket);
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

    /// Where a message for `worker` goes: its own socket, or else those that may be its own, since a worker ignores what is about tasks of
    /// others. Of many there are some, and others the next time; those of one token are at most half of what is left, so that each token
    /// has its share.
    ///
    /// @param steps how many tokens are judged and sockets found at most, at least 2
    Reached reaching(WorkerId worker, int steps) {
        var own = current.get(worker);
        if (own != null) {
            return new Reached(List.of(own), 0);
        }
        var found = new ArrayList<Long>();
        var left = steps;
        for (var tokens = ofTokens.size(); tokens > 0 && left > 0; tokens--) {
            var token = ofTokens.firstEntry();
            ofTokens.putLast(token.getKey(), token.getValue());
            left--;
            if (token.getKey().test(worker)) {
                var some = Math.min(token.getValue().size(), (left + 1) / 2);
                for (var i = 0; i < some; i++) {
                    var socket = token.getValue().removeFirst();
                    token.getValue().addLast(socket);
                    found.add(socket);
                }
                left -= some;
            }
        }
        return new Reached(found, steps - left);
    }

    /// Where a message goes.
    ///
    /// @param steps what it took to find out
    record Reached(List<Long> sockets, int steps) {}
}
