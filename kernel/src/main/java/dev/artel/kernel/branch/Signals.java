package dev.artel.kernel.branch;

import dev.artel.kernel.task.Payload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The signals that a job has got.
///
/// @param waiting those that no branch has waited for yet, oldest first; at most [#MOST_WAITING]
/// @param known the ids of the newest [#MOST_KNOWN], each with the signal's name
public record Signals(List<Received> waiting, SequencedMap<String, String> known) {
    /// How many signals a job keeps that no branch has waited for yet.
    public static final int MOST_WAITING = 100;

    /// How many signals are remembered, so that one that comes again changes nothing.
    public static final int MOST_KNOWN = 1000;

    /// The longest name.
    public static final int LONGEST_NAME = 100;

    /// The longest id.
    public static final int LONGEST_ID = 200;

    /// None.
    public static final Signals NONE = new Signals(List.of(), new LinkedHashMap<>());

    /// A signal.
    ///
    /// @param signal its name
    /// @param id the sender's, unique in the job
    /// @param sender the name of the client
    public record Received(String signal, String id, Payload payload, String sender, Instant at) {}

    /// Copies the collections.
    public Signals {
        waiting = List.copyOf(waiting);
        known = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(known));
    }

    /// Whether `name` can be the name of a signal.
    public static boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= LONGEST_NAME
                // Browsers take these out of addresses.
                && !name.equals(".")
                && !name.equals("..")
                && name.chars()
                        .allMatch(c -> Character.isLetterOrDigit(c) || "-_.".indexOf(c) >= 0);
    }

    /// The oldest of those called `signal` that no branch has waited for yet.
    public Optional<Received> first(String signal) {
        return waiting.stream().filter(each -> each.signal().equals(signal)).findFirst();
    }

    /// The name of the signal with the id `id`, if it came and is remembered.
    public Optional<String> nameOf(String id) {
        return Optional.ofNullable(known.get(id))
                .or(() ->
                        waiting.stream()
                                .filter(each -> each.id().equals(id))
                                .map(Received::signal)
                                .findFirst());
    }

    public Signals with(Received received) {
        var more = new ArrayList<>(waiting);
        more.add(received);
        var ids = new LinkedHashMap<>(known);
        ids.put(received.id(), received.signal());
        while (ids.size() > MOST_KNOWN) {
            ids.pollFirstEntry();
        }
        return new Signals(more, ids);
    }

    /// The one with the id `id` that no branch has waited for yet.
    public Optional<Received> find(String id) {
        return waiting.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    /// Without `taken`, which a branch takes now.
    public Signals without(Received taken) {
        var left = new ArrayList<>(waiting);
        left.remove(taken);
        return new Signals(left, known);
    }
}
