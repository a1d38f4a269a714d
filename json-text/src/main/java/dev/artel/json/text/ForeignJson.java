package dev.artel.json.text;

import dev.artel.json.JsonValue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Reads JSON texts of peers, who choose how large they are and of what: what it costs the process is not for them to choose.
///
/// **Memory**: a value takes up to thirty times the bytes of its text. How much it will take is estimated from the brackets, commas and colons
/// of the text before anything is made of them; a text whose value would take more than [#LARGEST_PART] of the heap is refused, and those
/// that are read at the same time have that much together. **Processor**: a virtual thread that works keeps its carrier, of which there is
/// one for each core, so a few large texts would have all other requests wait. Texts of more than [#SMALL] bytes are read by threads of the
/// platform, half as many as there are cores, which share the processor with the rest.
///
/// Safe for use by many threads.
public final class ForeignJson {
    /// Texts up to this size, in bytes, are read at once by the thread that asks.
    static final int SMALL = 32 << 10;

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

    /// What waits for them has its permits already, so there is only so much of it.
    private static final ExecutorService READERS =
            Executors.newFixedThreadPool(
                    Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                    Thread.ofPlatform().daemon().name("artel-json-", 0).factory());

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
            return Thread.currentThread().isVirtual() ? readElsewhere(text) : JsonText.read(text);
        } finally {
            ROOM.release(units);
        }
    }

    private static JsonValue readElsewhere(byte[] text) {
        return await(READERS.submit(() -> JsonText.read(text)));
    }

    /// Waits whatever else is asked of the thread: reading takes no longer than a second.
    private static JsonValue await(Future<JsonValue> reading) {
        var isInterrupted = false;
        try {
            while (true) {
                try {
                    return reading.get();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof MalformedJson malformed) {
                        throw malformed;
                    }
                    if (failed.getCause() instanceof Error error) {
                        throw error;
                    }
                    throw new IllegalStateException("reading JSON", failed.getCause());
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// About how many bytes the value of `text` takes, and the text with it; 0 if it is small.
    public static long weightIfLarge(byte[] text) {
        return text.length <= SMALL ? 0 : weight(text);
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
    static long weight(byte[] text) {
        var marks = 0L;
        for (var each : text) {
            marks += each == ',' || each == ':' || each == '[' || each == '{' ? 1 : 0;
        }
        return 3L * text.length + marks * BYTES_PER_MARK;
    }
}
