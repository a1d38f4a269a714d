package dev.artel.kernel.blueprint;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;

/// Looks at the states of a definition as a graph.
final class Graph {
    private Graph() {}

    /// All that is wrong with a definition, each in a sentence.
    static List<String> problems(
            String name,
            String version,
            List<String> dataStores,
            List<State> states,
            Optional<String> cancelState) {
        var problems = new ArrayList<String>();
        if (!isName(name)) {
            problems.add("its name must have 1 to 100 letters, digits, '-', '_' or '.'");
        }
        if (!isName(version)) {
            problems.add(
                    "version '"
                            + version
                            + "' must have 1 to 100 letters, digits, '-', '_' or '.'");
        }
        var stores = new LinkedHashSet<String>();
        for (var store : dataStores) {
            if (!isName(store)) {
                problems.add(
                        "data store '"
                                + store
                                + "': a name must have 1 to 100 letters, digits, '-', '_' or '.'");
            }
            if (!stores.add(store)) {
                problems.add("data store '" + store + "' is there twice");
            }
        }
        var byName = new LinkedHashMap<String, State>();
        for (var state : states) {
            if (!isName(state.name())) {
                problems.add(
                        "state '"
                                + state.name()
                                + "': a name must have 1 to 100 letters, digits, '-', '_' or '.'");
            }
            if (byName.putIfAbsent(state.name(), state) != null) {
                problems.add("state '" + state.name() + "' is defined twice");
            }
        }
        var starts = states.stream().filter(State::start).map(State::name).toList();
        if (starts.isEmpty()) {
            problems.add(
                    "it has no start state; begin with start(name, handler), or set start = true");
        } else if (starts.size() > 1) {
            problems.add("it has " + starts.size() + " start states: " + String.join(", ", starts));
        }
        for (var state : states) {
            if (state.isEnd() && !state.next().isEmpty()) {
                problems.add(
                        "state '"
                                + state.name()
                                + "' is an end and leads to '"
                                + String.join("', '", state.next())
                                + "'; give it a handler or let it lead nowhere");
            }
            for (var next : state.next()) {
                if (!byName.containsKey(next)) {
                    problems.add(
                            "state '"
                                    + state.name()
                                    + "' leads to '"
                                    + next
                                    + "', which is not defined"
                                    + nearest(next, byName.sequencedKeySet()));
                }
            }
        }
        if (cancelState.isPresent() && !byName.containsKey(cancelState.get())) {
            problems.add(
                    "a cancel leads to state '"
                            + cancelState.get()
                            + "', which is not defined"
                            + nearest(cancelState.get(), byName.sequencedKeySet()));
        }
        var entries = new ArrayList<>(starts);
        cancelState.ifPresent(entries::add);
        var reached = reachedFrom(entries, byName);
        for (var state : byName.keySet()) {
            if (!starts.isEmpty() && !reached.contains(state)) {
                problems.add(
                        "state '"
                                + state
                                + "' cannot be reached; some state must name it in leadingTo");
            }
        }
        return problems;
    }

    private static String nearest(String name, SequencedSet<String> states) {
        return MissingValue.nearest(name, states)
                .map(near -> "; the nearest is '" + near + "'")
                .orElse("");
    }

    /// SHA-256 of the states and where they lead, in their order.
    static String digest(Collection<State> states) {
        var text = new StringBuilder();
        for (var state : states) {
            text.append(state.name())
                    .append(state.start() ? " start" : "")
                    .append(state.isEnd() ? " end" : "")
                    .append(state.failed() ? " failed" : "")
                    .append(" -> ")
                    .append(String.join(",", state.next()))
                    .append('\n');
        }
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of()
                    .formatHex(sha.digest(text.toString().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    private static SequencedSet<String> reachedFrom(
            List<String> starts, SequencedMap<String, State> states) {
        var reached = new LinkedHashSet<>(starts);
        var toVisit = new ArrayDeque<>(starts);
        while (!toVisit.isEmpty()) {
            var state = states.get(toVisit.removeFirst());
            if (state != null) {
                state.next().stream().filter(reached::add).forEach(toVisit::add);
            }
        }
        return reached;
    }

    private static boolean isName(String name) {
        return !name.isEmpty()
                && name.length() <= 100
                // Browsers take these out of addresses.
                && !name.equals(".")
                && !name.equals("..")
                && name.chars()
                        .allMatch(c -> Character.isLetterOrDigit(c) || "-_.".indexOf(c) >= 0);
    }
}
