package dev.artel.json;

import java.math.BigDecimal;

/// About how many bytes values take in the heap, as measured with compressed references: lists of 60 KB of text take from 0.4 to 2.6 MB, so that the
/// length of a text says little. Every part counts for itself, also where several share it. What is read on demand ([LateValue]) counts
/// for little.
public final class JsonMemory {
    private static final int EMPTY = 16;
    private static final int ARRAY = 48;
    private static final int ITEM = 4;
    private static final int OBJECT = 80;
    private static final int MEMBER = 8;
    private static final int LARGE_OBJECT = 128;
    private static final int MEMBER_OF_LARGE = 56;
    private static final int NUMBER = 32;
    private static final int DECIMAL = 72;
    private static final int TEXT = 64;
    private static final int LATE = 200;

    /// Of a text or the digits of a number, without their content.
    private static final int BLOCK = 56;

    private JsonMemory() {}

    /// Of `value` and all that it holds.
    public static long bytes(JsonValue value) {
        return switch (value) {
            case JsonString(var text) -> string(text);
            case JsonArray array -> {
                var sum = array(array.size());
                for (var each : array.values()) {
                    sum += bytes(each);
                }
                yield sum;
            }
            case JsonObject object -> {
                var sum = object(object.size());
                if (object.members() instanceof FewMembers few) {
                    for (var place = 0; place < few.size(); place++) {
                        sum += name(few.name(place)) + bytes(few.value(place));
                    }
                    yield sum;
                }
                for (var name : object.names()) {
                    sum += name(name);
                    sum +=
                            object.late(name).isPresent()
                                    ? LATE
                                    : object.get(name).map(JsonMemory::bytes).orElse(0L);
                }
                yield sum;
            }
            case JsonNumber number -> number(number);
            case JsonBoolean _, JsonNull _ -> 0;
        };
    }

    /// Of an array, without its elements.
    public static long array(int size) {
        return size == 0 ? EMPTY : ARRAY + (long) ITEM * size;
    }

    /// Of an object, without the names and values of its members.
    public static long object(int size) {
        if (size == 0) {
            return EMPTY;
        }
        return size <= FewMembers.MOST
                ? OBJECT + (long) MEMBER * size
                : LARGE_OBJECT + (long) MEMBER_OF_LARGE * size;
    }

    /// Of the name of a member.
    public static long name(String name) {
        return BLOCK - Long.BYTES + characters(name);
    }

    /// Of a string.
    public static long string(String text) {
        return TEXT + characters(text);
    }

    /// Of a number, with the text that it keeps once it was written.
    public static long number(JsonNumber number) {
        if (!(number.value() instanceof BigDecimal decimal)) {
            return NUMBER;
        }
        var bits = decimal.unscaledValue().bitLength();
        return bits < Long.SIZE
                ? DECIMAL
                : DECIMAL + 2L * BLOCK + bits / Byte.SIZE + number.leastDigits();
    }

    /// Of the characters of a text: one byte for each, or two where one of them needs them.
    private static long characters(String text) {
        for (var i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xFF) {
                return 2L * text.length();
            }
        }
        return text.length();
    }
}
