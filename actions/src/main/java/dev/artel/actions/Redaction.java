package dev.artel.actions;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;

/// Hides secrets in what comes back: as they are, as they are written in URLs, in JSON, in HTML and in Base64, in two of these over
/// each other, broken over lines, and in pieces that follow each other.
final class Redaction {
    /// Hides nothing.
    static final Redaction NONE = new Redaction(List.of());

    private static final String HIDDEN = "***";

    /// How many notations over each other are read.
    private static final int DEEPEST = 2;

    private static final Notation[] NOTATIONS = Notation.values();

    /// So many characters are searched where they are, which takes some milliseconds whatever they are.
    private static final int SHORT = 1 << 14;

    private static final BackgroundCall SEARCHES = new BackgroundCall("artel-redaction");

    private final SecretFinder finder;

    private Redaction(Collection<String> values) {
        finder = new SecretFinder(values);
    }

    /// Hides `values`.
    static Redaction of(Collection<String> values) {
        return new Redaction(values);
    }

    /// `text` with `***` in place of all that is to be hidden, one for all that overlaps.
    String text(String text) {
        return finder.isEmpty() ? text : find(text).hideIn(text);
    }

    private Ranges find(String text) {
        var ranges = new Ranges(text.length());
        find(ReadText.asWritten(text), 0, ranges);
        return ranges;
    }

    private void find(ReadText reading, int depth, Ranges ranges) {
        finder.find(reading, ranges::add);
        if (depth == DEEPEST) {
            return;
        }
        for (var notation : NOTATIONS) {
            var read = notation.read(reading);
            if (read != reading) {
                find(read, depth + 1, ranges);
            }
        }
    }

    /// What is to be hidden of a text.
    private static final class Ranges {
        private final int length;

        /// Of each place, where the longest range that begins there ends; empty before the first one.
        private int[] ends = {};

        Ranges(int length) {
            this.length = length;
        }

        void add(int begin, int end) {
            if (ends.length == 0) {
                ends = new int[length];
            }
            ends[begin] = Math.max(ends[begin], end);
        }

        /// Those that overlap as one, in order.
        void forEach(SecretFinder.Found found) {
            for (var begin = 0; begin < ends.length; begin++) {
                if (ends[begin] > begin) {
                    var end = ends[begin];
                    for (var at = begin + 1; at < end; at++) {
                        end = Math.max(end, ends[at]);
                    }
                    found.add(begin, end);
                    begin = end - 1;
                }
            }
        }

        String hideIn(String text) {
            if (ends.length == 0) {
                return text;
            }
            var hidden = new StringBuilder();
            var shown = new int[1];
            forEach((begin, end) -> {
                hidden.append(text, shown[0], begin).append(HIDDEN);
                shown[0] = end;
            });
            return hidden.append(text, shown[0], text.length()).toString();
        }
    }

    JsonObject object(JsonObject object) {
        return (JsonObject) value(object);
    }

    /// Each text by itself, and then all one after the other: what is split over several is hidden in each.
    ///
    /// @throws java.util.concurrent.CompletionException the thread was interrupted; a small value may be done nevertheless
    JsonValue value(JsonValue value) {
        if (finder.isEmpty()) {
            return value;
        }
        return length(value) <= SHORT ? hidden(value) : SEARCHES.run(() -> hidden(value));
    }

    /// How many characters are searched, with one for each value.
    private static long length(JsonValue value) {
        return switch (value) {
            case JsonString(var text) -> 1L + text.length();
            case JsonNumber number -> 1L + number.toString().length();
            case JsonArray(var values) -> 1 + values.stream().mapToLong(Redaction::length).sum();
            case JsonObject object ->
                    1
                            + object.members().entrySet().stream()
                                    .mapToLong(it -> it.getKey().length() + length(it.getValue()))
                                    .sum();
            default -> 1;
        };
    }

    private JsonValue hidden(JsonValue value) {
        var texts = new ArrayList<String>();
        addTexts(value, texts);
        var ranges = texts.stream().map(this::find).toList();
        addSplit(texts, ranges);
        return hidden(value, new Hidden(texts, ranges));
    }

    private void addSplit(List<String> texts, List<Ranges> ranges) {
        if (texts.size() < 2) {
            return;
        }
        var piece = new int[1];
        var offset = new int[1];
        find(String.join("", texts))
                .forEach((begin, end) -> {
                    while (offset[0] + texts.get(piece[0]).length() <= begin) {
                        offset[0] += texts.get(piece[0]++).length();
                    }
                    while (true) {
                        var length = texts.get(piece[0]).length();
                        var from = Math.max(0, begin - offset[0]);
                        var to = Math.min(length, end - offset[0]);
                        if (from < to) {
                            ranges.get(piece[0]).add(from, to);
                        }
                        if (offset[0] + length >= end) {
                            return;
                        }
                        offset[0] += length;
                        piece[0]++;
                    }
                });
    }

    /// The texts of a value in the order of the document, but for names and numbers.
    private static void addTexts(JsonValue value, List<String> texts) {
        switch (value) {
            case JsonString(var text) -> texts.add(text);
            case JsonArray(var values) -> values.forEach(each -> addTexts(each, texts));
            case JsonObject object ->
                    object.members().values().forEach(each -> addTexts(each, texts));
            default -> {}
        }
    }

    /// Hands out the texts of a value in the same order.
    private static final class Hidden {
        private final Iterator<String> texts;
        private final Iterator<Ranges> ranges;

        Hidden(List<String> texts, List<Ranges> ranges) {
            this.texts = texts.iterator();
            this.ranges = ranges.iterator();
        }

        String next() {
            return ranges.next().hideIn(texts.next());
        }
    }

    private JsonValue hidden(JsonValue value, Hidden texts) {
        return switch (value) {
            case JsonString _ -> new JsonString(texts.next());
            case JsonNumber number ->
                    text(number.toString()).equals(number.toString())
                            ? number
                            : new JsonString(HIDDEN);
            case JsonArray(var values) ->
                    new JsonArray(values.stream().map(each -> hidden(each, texts)).toList());
            case JsonObject object -> {
                var members = JsonObject.builder();
                object.members()
                        .forEach((name, member) -> members.put(text(name), hidden(member, texts)));
                yield members.build();
            }
            default -> value;
        };
    }

    /// `failure` if its messages hide everything, else one of the same meaning that does.
    Exception failure(Exception failure) {
        if (finder.isEmpty() || isHidden(failure)) {
            return failure;
        }
        var message = text(String.valueOf(failure.getMessage()));
        return switch (failure) {
            case InvalidInput _ -> new InvalidInput(message);
            case PermanentFailure _ -> new PermanentFailure(message);
            case IOException _ -> new IOException(message);
            default -> new IllegalStateException(message);
        };
    }

    private boolean isHidden(Throwable failure) {
        for (var each = failure; each != null; each = each.getCause()) {
            if (!text(each.toString()).equals(each.toString())) {
                return false;
            }
        }
        return true;
    }
}
