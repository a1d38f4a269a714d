package dev.artel.engine.shell;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.NoSuchElementException;
import java.util.SequencedMap;

/// The handlers of one blueprint that wait, in the order in which they begin: clients take turns, one handler each, and within a client the one
/// that came first goes first. Adding one and taking one cost the same however many wait. Not safe for use by several threads.
///
/// @param <T> a handler that waits
public final class HandlerTurns<T> {
    /// Of each client those that wait, which are one at least; order: that of the turns.
    private final SequencedMap<String, Deque<T>> clients = new LinkedHashMap<>();

    private int size;

    /// Nothing waits yet.
    public HandlerTurns() {
        // nothing to set
    }

    /// `handler` waits for a turn of `client`, who owns its job.
    public void add(String client, T handler) {
        clients.computeIfAbsent(client, _ -> new ArrayDeque<>()).add(handler);
        size++;
    }

    /// The one whose turn it is.
    ///
    /// @throws NoSuchElementException if none waits
    public T first() {
        var turn = clients.firstEntry();
        if (turn == null) {
            throw new NoSuchElementException("no handler waits");
        }
        return turn.getValue().getFirst();
    }

    /// The one whose turn it is, which waits no more; it is the turn of the next client.
    ///
    /// @throws NoSuchElementException if none waits
    public T take() {
        var handler = first();
        var turn = clients.pollFirstEntry();
        turn.getValue().remove();
        if (!turn.getValue().isEmpty()) {
            clients.put(turn.getKey(), turn.getValue());
        }
        size--;
        return handler;
    }

    /// How many wait.
    public int size() {
        return size;
    }

    /// Whether none waits.
    public boolean isEmpty() {
        return size == 0;
    }

    /// What stands before a handler of `client` that waits, for people: counts alone, since other clients are none of its business.
    public String describe(String client) {
        var waiting = clients.get(client);
        var own = waiting == null ? 0 : waiting.size();
        var others = clients.size() - (waiting == null ? 0 : 1);
        return size
                + (size == 1 ? " handler waits, " : " handlers wait, ")
                + own
                + " of its client"
                + (others == 0
                        ? ""
                        : ", which takes turns with "
                                + others
                                + (others == 1 ? " other client" : " other clients"));
    }

    /// None waits any more.
    public void clear() {
        clients.clear();
        size = 0;
    }
}
