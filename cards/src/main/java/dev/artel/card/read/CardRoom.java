package dev.artel.card.read;

import dev.artel.card.yaml.YamlReader;
import java.util.concurrent.Semaphore;

/// Room in memory for the texts of cards that are read and compiled at the same time: what is made of two characters takes hundreds of bytes until it is
/// compiled. A text waits for its room, which those that have it give back soon: they compute, and wait for no other text. Safe for use by many threads.
public final class CardRoom {
    /// Which part of the heap all of them have: one divided by it.
    private static final int PART = 8;

    /// What is made of a key or a value until it is compiled, in bytes.
    private static final int NODE = 500;

    /// What is made of a character of the text, in bytes.
    private static final int CHARACTER = 10;

    /// The unit of the permits, so that they are an `int` for any heap.
    private static final int UNIT = 4 << 10;

    private static final CardRoom OF_PROCESS =
            new CardRoom(Runtime.getRuntime().maxMemory() / PART);

    private final int units;
    private final Semaphore free;

    /// @param bytes how many there are
    CardRoom(long bytes) {
        units = Math.clamp(bytes / UNIT, 1, Integer.MAX_VALUE);
        free = new Semaphore(units, true);
    }

    /// The room of one text, until it is closed.
    @FunctionalInterface
    public interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /// Waits until this process has room for `text`, interrupted or not. One that takes more than all have waits until it is alone.
    ///
    /// A thread that has a place takes no other.
    public static Place take(String text) {
        return OF_PROCESS.placeFor(text);
    }

    Place placeFor(String text) {
        var wanted = Math.clamp(weight(text) / UNIT, 1, units);
        free.acquireUninterruptibly(wanted);
        return () -> free.release(wanted);
    }

    /// About how many bytes reading and compiling `text` takes, from the characters beside which there is a key or a value.
    static long weight(String text) {
        var marks = 0L;
        for (var i = 0; i < text.length(); i++) {
            marks +=
                    switch (text.charAt(i)) {
                        case ',', ':', '[', '{', '-', '?', '\n' -> 1;
                        default -> 0;
                    };
        }
        return (long) CHARACTER * text.length()
                + NODE * Math.min(2 * marks + 1, YamlReader.MOST_NODES);
    }
}
