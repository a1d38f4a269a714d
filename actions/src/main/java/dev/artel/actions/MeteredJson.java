package dev.artel.actions;

import com.jayway.jsonpath.Configuration;
import com.jayway.jsonpath.TypeRef;
import com.jayway.jsonpath.spi.json.JsonProvider;
import com.jayway.jsonpath.spi.mapper.MappingProvider;
import dev.artel.worker.InvalidInput;
import java.io.InputStream;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the library of Jayway reads values through and gathers results in, with a bound on both: it evaluates a query as a whole, and ten
/// short lists of indexes come to as many results as ten to the power of ten. For one query, on one thread.
///
/// The operators of filters compare what they are given outside of this class, each part of one side with each of the other at the worst. So
/// what each of them is given counts for that when it is read: lists and objects by [#operands], texts by [#unwrap].
final class MeteredJson implements JsonProvider {
    /// Each result is one, with the text of its path as another.
    static final int MOST_RESULTS = 200_000;

    /// Of the paths of all results.
    static final int MOST_CHARACTERS = 16 << 20;

    /// A second or two.
    static final long MOST_STEPS = 20_000_000;

    /// Steps take longer where names are long.
    private static final Duration LONGEST = Duration.ofSeconds(20);

    /// So many comparisons of values take about as long as a step.
    private static final int COMPARED_VALUES = 8;

    /// So many characters are copied or compared in about as long.
    private static final int COPIED = 64;

    /// So many are looked for, each at so many places.
    private static final int SOUGHT = 16;

    private final JsonProvider json;

    /// How many values and how many characters the query itself may bring to a comparison.
    private final long values;

    private final long texts;

    /// What the operand before was, with which the next one may be compared.
    private long valuesBefore;

    private long textBefore;

    private final long end = System.nanoTime() + LONGEST.toNanos();
    private long steps;
    private long results;
    private long characters;

    /// @param query what is evaluated
    MeteredJson(JsonProvider json, String query) {
        this.json = json;
        values = 1 + query.chars().filter(c -> c == ',').count();
        texts = query.contains("contains") ? query.length() : 0;
    }

    /// Counts lists and objects that operators are given, before `mapping` hands them over.
    MappingProvider operands(MappingProvider mapping) {
        return new MappingProvider() {
            @Override
            public <T> @Nullable T map(
                    @Nullable Object source, Class<T> type, Configuration configuration) {
                operand(source);
                return mapping.map(source, type, configuration);
            }

            @Override
            public <T> @Nullable T map(
                    @Nullable Object source, TypeRef<T> type, Configuration configuration) {
                operand(source);
                return mapping.map(source, type, configuration);
            }
        };
    }

    private void operand(@Nullable Object value) {
        var size = size(value);
        step(size * Math.max(values, valuesBefore) / COMPARED_VALUES);
        valuesBefore = size;
    }

    /// How many values there are in all of `value`.
    private long size(@Nullable Object value) {
        step(1);
        var sum = 1L;
        if (value instanceof Collection<?> list) {
            for (var each : list) {
                sum += size(each);
            }
        } else if (value instanceof Map<?, ?> members) {
            for (var member : members.values()) {
                sum += size(member);
            }
        }
        return sum;
    }

    /// A text that an operator is given, or that is read for a function.
    private void text(@Nullable Object value) {
        if (value instanceof String text && text.length() >= COPIED) {
            step(text.length() / COPIED);
        }
    }

    /// One text may be looked for in the other.
    private void soughtText(String text) {
        if (texts > 0) {
            step(text.length() * Math.max(texts, textBefore) / SOUGHT);
            textBefore = text.length();
        }
    }

    private void step(long cost) {
        steps += cost;
        if (steps > MOST_STEPS || System.nanoTime() - end > 0) {
            throw new InvalidInput(
                    "json_query: the query takes more than "
                            + MOST_STEPS
                            + " steps or "
                            + LONGEST.toSeconds()
                            + " s in these data; name the members that lead to what is looked for");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new Ended();
        }
    }

    /// Nobody waits for the result any more.
    static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Ended() {
            super("the query was stopped, because its task is over", null, false, false);
        }
    }

    private void gathered(@Nullable Object value) {
        step(1);
        results++;
        // The library gathers paths as texts, which have the names of all members on the way.
        characters += value instanceof String text ? text.length() : 0;
        if (results > 2L * MOST_RESULTS || characters > MOST_CHARACTERS) {
            throw new InvalidInput(
                    "json_query: the query has more than "
                            + MOST_RESULTS
                            + " results, or paths to them of more than "
                            + MOST_CHARACTERS
                            + " characters; ask for less");
        }
    }

    @Override
    public Object parse(String text) {
        return json.parse(text);
    }

    @Override
    public Object parse(InputStream stream, String charset) {
        return json.parse(stream, charset);
    }

    @Override
    public String toJson(Object value) {
        return json.toJson(value);
    }

    @Override
    public Object createArray() {
        step(1);
        return json.createArray();
    }

    @Override
    public Object createMap() {
        step(1);
        return json.createMap();
    }

    @Override
    public boolean isArray(@Nullable Object value) {
        step(1);
        return json.isArray(value);
    }

    @Override
    public int length(Object value) {
        step(1);
        return json.length(value);
    }

    @Override
    public Iterable<?> toIterable(Object value) {
        step(json.isArray(value) ? 1 + json.length(value) : 1);
        return json.toIterable(value);
    }

    @Override
    public Collection<String> getPropertyKeys(Object value) {
        step(1 + json.length(value));
        return json.getPropertyKeys(value);
    }

    @Override
    public Object getArrayIndex(Object value, int index) {
        step(1);
        var item = json.getArrayIndex(value, index);
        text(item);
        return item;
    }

    @Override
    @Deprecated
    public Object getArrayIndex(Object value, int index, boolean unwrap) {
        step(1);
        return json.getArrayIndex(value, index, unwrap);
    }

    @Override
    public void setArrayIndex(Object array, int index, @Nullable Object value) {
        gathered(value);
        json.setArrayIndex(array, index, value);
    }

    /// The name becomes part of a path, which is copied.
    @Override
    public Object getMapValue(Object value, String name) {
        step(1 + name.length() / 16);
        var member = json.getMapValue(value, name);
        text(member);
        return member;
    }

    @Override
    public void setProperty(Object value, Object name, @Nullable Object member) {
        gathered(member);
        json.setProperty(value, name, member);
    }

    @Override
    public void removeProperty(Object value, Object name) {
        step(1);
        json.removeProperty(value, name);
    }

    @Override
    public boolean isMap(@Nullable Object value) {
        step(1);
        return json.isMap(value);
    }

    @Override
    public Object unwrap(@Nullable Object value) {
        step(1);
        if (value instanceof String text) {
            text(text);
            soughtText(text);
        }
        return json.unwrap(value);
    }
}
