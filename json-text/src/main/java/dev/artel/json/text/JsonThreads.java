package dev.artel.json.text;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/// Threads of the platform that compute with large JSON for virtual threads: a virtual thread that computes keeps its carrier, of which there
/// is one for each core, so that a few large values would have all other requests wait. There are half as many of them as cores, and as many
/// again for texts of megabytes, behind which no smaller one waits; the system shares the processors between them and the rest. Safe for use by
/// many threads.
public final class JsonThreads {
    /// Texts up to this size, in bytes, are for the thread that asks.
    static final int SMALL = 32 << 10;

    /// What each value, and each name, counts for beside its characters.
    private static final int EACH = 16;

    /// Values are large from here on: some thousands of them, or so many characters.
    private static final int LARGE = 2 * SMALL;

    /// Texts beyond this size, in bytes, are checked for so long that others would wait for seconds.
    static final int HUGE = 1 << 20;

    private static final ExecutorService THREADS = threads("artel-json-");
    private static final ExecutorService THREADS_OF_HUGE = threads("artel-json-huge-");

    /// Each caller waits for its own work, so there is only as much of it as there are callers.
    private static ExecutorService threads(String name) {
        return Executors.newFixedThreadPool(
                Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
                Thread.ofPlatform().daemon().name(name, 0).factory());
    }

    private JsonThreads() {}

    /// What `work` gives, which computes, and waits for no more than a file. A virtual thread has it done by one of these threads if it is about a text of
    /// more than 32 KiB.
    ///
    /// @param bytes the length of the text
    /// @throws RuntimeException whatever `work` throws
    public static <T> T compute(long bytes, Supplier<T> work) {
        if (bytes <= SMALL || !Thread.currentThread().isVirtual()) {
            return work.get();
        }
        return await((bytes > HUGE ? THREADS_OF_HUGE : THREADS).submit(work::get));
    }

    /// The same for work that gives nothing.
    ///
    /// @param bytes the length of the text
    /// @throws RuntimeException whatever `work` throws
    public static void run(long bytes, Runnable work) {
        var _ =
                compute(
                        bytes,
                        () -> {
                            work.run();
                            return bytes;
                        });
    }

    /// The same for work on `value` before its text is written: this adds up its parts until the sum shows that it is large.
    public static <T> T compute(JsonValue value, Supplier<T> work) {
        return Thread.currentThread().isVirtual() && left(value, LARGE) < 0
                ? await(THREADS.submit(work::get))
                : work.get();
    }

    /// What is left of `room` after `value`, or less than nothing.
    private static long left(JsonValue value, long room) {
        return switch (value) {
            case JsonString(var text) -> room - EACH - text.length();
            case JsonArray array -> {
                var left = room - EACH;
                for (var each : array.values()) {
                    if (left < 0) {
                        break;
                    }
                    left = left(each, left);
                }
                yield left;
            }
            case JsonObject object -> {
                var left = room - EACH;
                for (var name : object.names()) {
                    left -= EACH + name.length();
                    if (left < 0) {
                        break;
                    }
                    if (object.late(name).isEmpty()) {
                        left = left(object.members().getOrDefault(name, JsonNull.NULL), left);
                    }
                }
                yield left;
            }
            case JsonNumber number -> room - EACH - number.leastDigits();
            case JsonBoolean _, JsonNull _ -> room - EACH;
        };
    }

    /// Waits also when the thread is interrupted: the work computes, and waits for no peer.
    private static <T> T await(Future<T> working) {
        var isInterrupted = false;
        try {
            while (true) {
                try {
                    return working.get();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                } catch (ExecutionException failed) {
                    if (failed.getCause() instanceof RuntimeException refusal) {
                        throw refusal;
                    }
                    if (failed.getCause() instanceof Error error) {
                        throw error;
                    }
                    throw new IllegalStateException("computing with JSON", failed.getCause());
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
