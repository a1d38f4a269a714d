package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/// Finds several texts at once, as they are and within Base64, in time of the length of what is searched (Aho and Corasick, 1975).
///
/// It passes over line breaks with the blanks that follow, since Base64 is broken over lines, and makes no difference between `+`,
/// `-` and a blank nor between `/` and `_`: forms write a blank as `+`, and Base64 for URLs has the other ones.
final class SecretFinder {
    /// Of Base64; what is shorter is found too often by chance.
    private static final int SHORTEST = 8;

    /// What is looked for.
    ///
    /// @param text folded
    /// @param isAfterPart whether the character before it may have bits of the secret
    /// @param isBeforePart whether the character after it may
    private record Pattern(String text, boolean isAfterPart, boolean isBeforePart) {}

    /// Ranges of what is written.
    @FunctionalInterface
    interface Found {
        /// Takes one range.
        ///
        /// @param end exclusive
        void add(int begin, int end);
    }

    private final List<Pattern> patterns;
    private final Edges edges;

    /// Of each state, that of the longest text with which it ends.
    private final int[] fallbacks;

    /// Of each state, the longest pattern with which it ends; -1 for none.
    private final int[] longest;

    SecretFinder(Collection<String> values) {
        patterns = new ArrayList<>();
        for (var value : values) {
            if (!value.isEmpty()) {
                patterns.add(new Pattern(fold(value), false, false));
                addBase64(value.getBytes(UTF_8));
            }
        }
        var most = 1 + patterns.stream().mapToInt(each -> each.text().length()).sum();
        edges = new Edges(most);
        fallbacks = new int[most];
        longest = new int[most];
        Arrays.fill(longest, -1);
        link(statesOfPatterns());
    }

    /// Alone, and within other bytes: a third of all places in Base64 begin with each of its characters, and those at the ends depend
    /// on the neighbours.
    private void addBase64(byte[] value) {
        for (var before = 0; before < 3; before++) {
            var bytes = new byte[before + value.length];
            System.arraycopy(value, 0, bytes, before, value.length);
            var first = (before * 8 + 5) / 6;
            var end = (int) (bytes.length * 8L / 6);
            if (end - first >= SHORTEST) {
                var encoded = Base64.getEncoder().withoutPadding().encodeToString(bytes);
                patterns.add(
                        new Pattern(
                                fold(encoded.substring(first, end)),
                                before > 0,
                                bytes.length % 3 > 0));
            }
        }
    }

    /// Of each pattern the states that lead to it, the first one of its first character.
    private int[][] statesOfPatterns() {
        var states = new int[patterns.size()][];
        var next = 1;
        for (var i = 0; i < states.length; i++) {
            var text = patterns.get(i).text();
            states[i] = new int[text.length()];
            var state = 0;
            for (var at = 0; at < text.length(); at++) {
                var known = edges.get(state, text.charAt(at));
                if (known == 0) {
                    known = next++;
                    edges.put(state, text.charAt(at), known);
                }
                state = known;
                states[i][at] = state;
            }
            if (state > 0) {
                longest[state] = i;
            }
        }
        return states;
    }

    /// By depth: what a state falls back to is nearer to the root than it.
    private void link(int[][] states) {
        var isLinked = new boolean[fallbacks.length];
        var deepest = Arrays.stream(states).mapToInt(each -> each.length).max().orElse(0);
        for (var depth = 0; depth < deepest; depth++) {
            for (var i = 0; i < states.length; i++) {
                if (depth >= states[i].length || isLinked[states[i][depth]]) {
                    continue;
                }
                var state = states[i][depth];
                isLinked[state] = true;
                if (depth > 0) {
                    fallbacks[state] =
                            next(
                                    fallbacks[states[i][depth - 1]],
                                    patterns.get(i).text().charAt(depth));
                }
                if (longest[state] < 0) {
                    longest[state] = longest[fallbacks[state]];
                }
            }
        }
    }

    private int next(int from, char each) {
        var state = from;
        while (true) {
            var next = edges.get(state, each);
            if (next > 0 || state == 0) {
                return next;
            }
            state = fallbacks[state];
        }
    }

    boolean isEmpty() {
        return patterns.isEmpty();
    }

    /// Finds all that is looked for; of what ends at the same place the longest.
    void find(ReadText reading, Found found) {
        var text = reading.text();
        var passed = new int[text.length()];
        var count = 0;
        var state = 0;
        var isInBreak = false;
        for (var at = 0; at < text.length(); at++) {
            var each = text.charAt(at);
            isInBreak = isBreak(each) || (isInBreak && (each == ' ' || each == '\t'));
            if (isInBreak) {
                continue;
            }
            passed[count++] = at;
            state = next(state, fold(each));
            if (longest[state] >= 0) {
                var pattern = patterns.get(longest[state]);
                var begin = passed[count - pattern.text().length()];
                found.add(
                        reading.begin(pattern.isAfterPart() ? startOfPart(text, begin) : begin),
                        reading.end(pattern.isBeforePart() ? endOfPart(text, at) : at));
            }
        }
    }

    /// Where the character of Base64 before `begin` is; `begin` if there is none.
    private static int startOfPart(String text, int begin) {
        var at = begin - 1;
        while (at >= 0 && isBreak(text.charAt(at))) {
            at--;
        }
        return at >= 0 && isBase64(text.charAt(at)) ? at : begin;
    }

    /// Where the character of Base64 after `last` is, or the padding after it; `last` if there is none.
    private static int endOfPart(String text, int last) {
        var at = last + 1;
        while (at < text.length() && isBreak(text.charAt(at))) {
            at++;
        }
        if (at == text.length() || !isBase64(text.charAt(at))) {
            return last;
        }
        while (at + 1 < text.length() && text.charAt(at + 1) == '=') {
            at++;
        }
        return at;
    }

    private static boolean isBreak(char each) {
        return each == '\n' || each == '\r';
    }

    private static boolean isBase64(char each) {
        return (each < 0x80 && Character.isLetterOrDigit(each)) || "+/-_".indexOf(each) >= 0;
    }

    private static String fold(String text) {
        var folded = new StringBuilder(text.length());
        for (var i = 0; i < text.length(); i++) {
            var each = text.charAt(i);
            if (!isBreak(each)) {
                folded.append(fold(each));
            }
        }
        return folded.toString();
    }

    private static char fold(char each) {
        return switch (each) {
            case '+', '-' -> ' ';
            case '_' -> '/';
            default -> each;
        };
    }

    /// Where each state leads with each character; a table with open addressing, at most half full.
    private static final class Edges {
        private final long[] keys;
        private final int[] states;

        Edges(int most) {
            var size = Math.max(16, Integer.highestOneBit(most) << 2);
            keys = new long[size];
            states = new int[size];
        }

        /// @return 0 for none
        int get(int state, char each) {
            return states[slot(key(state, each))];
        }

        void put(int state, char each, int to) {
            var slot = slot(key(state, each));
            keys[slot] = key(state, each);
            states[slot] = to;
        }

        /// Never 0, which is that of a free slot.
        private static long key(int state, char each) {
            return (((long) state << 16) | each) + 1;
        }

        private int slot(long key) {
            var hash = key * 0x9e3779b97f4a7c15L;
            var slot = (int) (hash >>> 32) & (keys.length - 1);
            while (keys[slot] != 0 && keys[slot] != key) {
                slot = (slot + 1) & (keys.length - 1);
            }
            return slot;
        }
    }
}
