package dev.artel.json.text;

import dev.artel.json.JsonValue;
import java.util.concurrent.Semaphore;

/// Reads JSON texts of peers, who choose how large they are and of what: what it costs the process is not for them to choose.
///
/// **Memory**: a value takes up to thirty times the bytes of its text. How much it will take is estimated from the brackets, commas and colons
/// of the text before anything is made of them; a text whose value would take more than [#LARGEST_PART] of the heap is refused, and those
/// that are read at the same time have that much together. **Processor**: texts of more than [#SMALL] bytes are read by [JsonThreads].
///
/// Safe for use by many threads.
public final class ForeignJson {
    /// Texts up to this size, in bytes, are read at once by the thread that asks.
    static final int SMALL = JsonThreads.SMALL;

    /// The value of a text up to this size, in bytes, takes so little that it needs no room where the number of messages has a bound.
    static final int NEGLIGIBLE = 4 << 10;

    /// Which part of the heap the values of large texts may take: one divided by it.
    static final int LARGEST_PART = 4;

    /// What a value takes for each bracket, comma and colon of its text, in bytes: measured with lists of empty lists, of small
    /// objects and of numbers, which take from 40 to 85.
    private static final int BYTES_PER_MARK = 80;

    /// The unit of the permits, so that they are an `int` for any heap.
    private static final int UNIT = 4 << 10;

    private static final long MOST = Runtime.getRuntime().maxMemory() / LARGEST_PART;
    private static final int UNITS = Math.clamp(MOST / UNIT, 1, Integer.MAX_VALUE);
    private static final Semaphore ROOM = new Semaphore(UNITS, true);

    private ForeignJson() {}

    /// The value of `text`, as [JsonText#read(byte[])].
    ///
    /// @throws MalformedJson if it is not exactly one JSON value in UTF-8, or one that would take too much memory
    public static JsonValue read(byte[] text) {
        if (text.length <= SMALL) {
            return JsonText.read(text);
        }
        var weight = weight(text);
        if (weight > MOST) {
            throw MalformedJson.tooHeavy(text.length, weight, MOST);
        }
        var units = Math.clamp(weight / UNIT, 1, UNITS);
        ROOM.acquireUninterruptibly(units);
        try {
            return JsonThreads.compute(text.length, () -> JsonText.read(text));
        } finally {
            ROOM.release(units);
        }
    }

    /// About how many bytes the value of `text` takes, and the text with it; 0 if that is negligible, as it is up to 4 KiB.
    public static long weightIfLarge(byte[] text) {
        return text.length <= NEGLIGIBLE ? 0 : weight(text);
    }

    /// Whether values of this weight are too many for one message, as those of [#read] are one by one.
    public static boolean isTooHeavy(long weight) {
        return weight > MOST;
    }

    /// How much a value may weigh.
    public static long most() {
        return MOST;
    }

    /// The same for a text of any size.
    public static long weight(byte[] text) {
        var marks = 0L;
        for (var each : text) {
            marks += each == ',' || each == ':' || each == '[' || each == '{' ? 1 : 0;
        }
        return 3L * text.length + marks * BYTES_PER_MARK;
    }
}
