package dev.artel.kernel.branch;

import dev.artel.kernel.rules.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The states through which a branch went last, and how far back they repeat.
///
/// @param last the last of them, the current one at the end; at most [#LONGEST]
/// @param period after how many states they come again; 0 if they do not
/// @param repeated how many states in a row were the same as the one a period before
public record StateTrail(List<String> last, int period, int repeated) {
    /// How many states are remembered; a round of up to half as many is recognised.
    public static final int LONGEST = 32;

    /// A branch that has not begun.
    public static final StateTrail NONE = new StateTrail(List.of(), 0, 0);

    private static final int SHOWN = 5;

    /// Copies `last`.
    public StateTrail {
        last = List.copyOf(last);
    }

    /// This with one more state.
    StateTrail then(String state) {
        var next = new ArrayList<String>(Math.min(last.size() + 1, LONGEST));
        next.addAll(last.size() < LONGEST ? last : last.subList(1, LONGEST));
        next.add(state);
        if (period > 0 && last.get(last.size() - period).equals(state)) {
            return new StateTrail(next, period, repeated + 1);
        }
        var best = 0;
        var longest = 0;
        for (var candidate = 1; candidate <= next.size() / 2; candidate++) {
            var length = repeats(next, candidate);
            if (length > longest) {
                best = candidate;
                longest = length;
            }
        }
        return new StateTrail(next, best, longest);
    }

    private static int repeats(List<String> states, int period) {
        var length = 0;
        for (var i = states.size() - 1;
                i >= period && states.get(i).equals(states.get(i - period));
                i--) {
            length++;
        }
        return length;
    }

    /// The round that the branch goes, and how often it went it, if it did so at least twice.
    public Optional<String> cycle() {
        var times = period == 0 ? 0 : (repeated + period) / period;
        if (times < 2) {
            return Optional.empty();
        }
        var round =
                path(last.subList(last.size() - Math.min(period + 1, last.size()), last.size()));
        return Optional.of("the last ones repeat: " + round + " (" + Counts.of(times) + " times)");
    }

    /// A description of it, for people.
    public String text() {
        return cycle().orElseGet(() -> {
            var shown = last.subList(Math.max(0, last.size() - SHOWN), last.size());
            return "the last ones were " + path(shown);
        });
    }

    private static String path(List<String> states) {
        return states.stream().collect(Collectors.joining(" -> "));
    }
}
