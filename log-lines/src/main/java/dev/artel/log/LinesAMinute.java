package dev.artel.log;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.spi.LoggingEventBuilder;

/// Keeps the log readable, and its disk free, whatever others send: so many lines of one kind a minute. The next line after that has how many
/// were left out. Safe for use by many threads; never waits.
public final class LinesAMinute {
    /// The key under which a line has how many were left out before it.
    public static final String LEFT_OUT = "left_out_before";

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final int most;
    private final LongSupplier nanos;
    private long began;
    private int written;
    private long leftOut;

    /// Lines by the clock of the system.
    ///
    /// @param most lines in a minute, at least 1
    public LinesAMinute(int most) {
        this(most, System::nanoTime);
    }

    /// Lines by the clock `nanos`.
    ///
    /// @param most lines in a minute, at least 1
    /// @param nanos as [System#nanoTime]
    public LinesAMinute(int most, LongSupplier nanos) {
        if (most < 1) {
            throw new IllegalArgumentException("at least 1 line a minute is written, was " + most);
        }
        this.most = most;
        this.nanos = nanos;
        this.began = nanos.getAsLong();
    }

    /// What is to be done with a line.
    public sealed interface Turn {
        /// It is written.
        ///
        /// @param leftOut how many were left out since the one that was written before it
        record Written(long leftOut) implements Turn {}

        /// It is left out.
        ///
        /// @param isFirst whether it is the first since one was written
        record LeftOut(boolean isFirst) implements Turn {}
    }

    /// What is to be done with a line that comes now.
    public synchronized Turn take() {
        var now = nanos.getAsLong();
        if (now - began >= MINUTE) {
            began = now;
            written = 0;
        }
        if (written >= most) {
            leftOut++;
            return new Turn.LeftOut(leftOut == 1);
        }
        written++;
        var before = leftOut;
        leftOut = 0;
        return new Turn.Written(before);
    }

    /// How many lines were left out before the one that comes now; empty if this one is left out, too.
    public OptionalLong next() {
        return switch (take()) {
            case Turn.Written(var before) -> OptionalLong.of(before);
            case Turn.LeftOut _ -> OptionalLong.empty();
        };
    }

    /// Writes `line` with the constant text `text`, and with how many were left out before it; or leaves it out.
    public void log(LoggingEventBuilder line, String text) {
        var before = next();
        if (before.isPresent()) {
            (before.getAsLong() == 0 ? line : line.addKeyValue(LEFT_OUT, before.getAsLong()))
                    .log(text);
        }
    }
}
