package dev.artel.server.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;

/// A page of a list while it is put together: `{"items":[...],"next_cursor":"..."}`, which is the one form of all lists of the
/// API. It is full when it has as many items as were asked for, or [#MAX_BYTES]; the item that goes beyond that still
/// belongs to it. Not safe for use by several threads.
public final class Page {
    /// A page ends with the item that makes it longer.
    static final int MAX_BYTES = 4 << 20;

    private static final byte[] BEGIN = "{\"items\":[".getBytes(UTF_8);

    private final PageRequest asked;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(1024);
    private int items;

    /// An empty page for `asked`.
    public Page(PageRequest asked) {
        this.asked = asked;
        body.writeBytes(BEGIN);
    }

    /// Answers `request` with a page of a list that is in memory.
    ///
    /// @param list its name, for cursors
    /// @param key the place of an item: no two have the same, and an item keeps its own
    /// @param document what is shown of it; asked for those of the page alone
    public static <T> void ofAll(
            Context request,
            String list,
            Stream<T> all,
            Function<T, String> key,
            Function<T, ? extends JsonValue> document) {
        var asked = PageRequest.of(request, list);
        var behind = asked.behind();
        var left =
                all.filter(each -> behind.isEmpty() || key.apply(each).compareTo(behind.get()) > 0)
                        .sorted(Comparator.comparing(key))
                        .iterator();
        var page = new Page(asked);
        Optional<String> last = Optional.empty();
        while (left.hasNext() && !page.isFull()) {
            var each = left.next();
            page.add(document.apply(each));
            last = Optional.of(key.apply(each));
        }
        page.answer(request, left.hasNext() ? last : Optional.empty());
    }

    /// A key of numbers that sorts as they do.
    public static String key(long... numbers) {
        var key = new StringBuilder();
        for (var number : numbers) {
            key.append(key.isEmpty() ? "" : ".").append("%019d".formatted(number));
        }
        return key.toString();
    }

    /// Whether nothing is to be added any more.
    public boolean isFull() {
        return items == asked.limit() || body.size() >= MAX_BYTES;
    }

    /// How many items there can still be.
    public int room() {
        return isFull() ? 0 : asked.limit() - items;
    }

    /// How many items it has.
    public int size() {
        return items;
    }

    /// Adds an item, also beyond the end: see [#isFull].
    public void add(JsonValue item) {
        if (items > 0) {
            body.write(',');
        }
        body.writeBytes(JsonText.write(item));
        items++;
    }

    /// Answers `request` with the items alone, as clients of the first generation expect them.
    public void answerArray(Context request) {
        body.write(']');
        var bytes = body.toByteArray();
        Answers.json(request, 200, Arrays.copyOfRange(bytes, BEGIN.length - 1, bytes.length));
    }

    /// Answers `request` with this page of a list whose places are numbers.
    public void answer(Context request, OptionalLong next) {
        answer(
                request,
                next.isPresent() ? Optional.of(Long.toString(next.getAsLong())) : Optional.empty());
    }

    /// Answers `request` with this page, which is done then.
    ///
    /// @param next the place behind which the list goes on; empty: it is at its end
    public void answer(Context request, Optional<String> next) {
        body.write(']');
        next.ifPresent(place ->
                body.writeBytes(
                        (",\"next_cursor\":\"" + asked.cursor(place) + '"').getBytes(UTF_8)));
        body.write('}');
        Answers.json(request, 200, body.toByteArray());
    }
}
