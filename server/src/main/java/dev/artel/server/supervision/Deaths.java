package dev.artel.server.supervision;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.artel.kernel.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Remembers which jobs were at work when the process ended by itself: a job with which it ended twice would end it again and
/// again. A file of lines, each with a time, the id of a job and what happened. Safe for use by many threads.
final class Deaths {
    /// With so many a job is set aside.
    private static final int TOO_MANY = 2;

    private static final int LONGEST = 1_000;

    private final Path file;
    private final FileChannel channel;
    private final Map<JobId, List<String>> before;

    /// What is written, made beforehand; also the lock of those who write.
    private final ByteBuffer line = ByteBuffer.allocateDirect(LONGEST);

    private Deaths(Path file, FileChannel channel, Map<JobId, List<String>> before) {
        this.file = file;
        this.channel = channel;
        this.before = before;
    }

    /// What is remembered in `folder`. The file stays open: when memory has run out it may be too late to open it.
    static Deaths in(Path folder) {
        var file = folder.resolve("deaths.txt");
        try {
            var channel = FileChannel.open(file, CREATE, WRITE, APPEND);
            return new Deaths(file, channel, read(file));
        } catch (IOException e) {
            throw new UncheckedIOException("opening " + file, e);
        }
    }

    private static Map<JobId, List<String>> read(Path file) throws IOException {
        var deaths = new LinkedHashMap<JobId, List<String>>();
        for (var line : Files.readAllLines(file)) {
            var parts = line.split(" ", 3);
            if (parts.length == 3) {
                deaths.computeIfAbsent(new JobId(parts[1]), _ -> new ArrayList<>())
                        .add(parts[0] + ", " + parts[2]);
            }
        }
        return deaths;
    }

    /// The process ends while it works on `job`. Needs next to no memory, since there may be none.
    ///
    /// @param at in seconds since 1970
    /// @param what happened, in pieces
    /// @throws IOException if that cannot be written
    void add(JobId job, long at, String... what) throws IOException {
        synchronized (line) {
            line.clear();
            putTime(at);
            put(' ');
            put(job.value());
            put(' ');
            for (var piece : what) {
                put(piece);
            }
            line.put((byte) '\n');
            line.flip();
            while (line.hasRemaining()) {
                var _ = channel.write(line);
            }
        }
    }

    /// A character as a byte of its own, in one line; what has no room is left out.
    private void put(char character) {
        if (line.remaining() > 1) {
            line.put((byte) (character < ' ' ? ' ' : character > '~' ? '?' : character));
        }
    }

    private void put(String text) {
        for (var i = 0; i < text.length(); i++) {
            put(text.charAt(i));
        }
    }

    /// As ISO 8601 has it, in UTC; the days by Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2014).
    private void putTime(long at) {
        var days = Math.floorDiv(at, 86_400) + 719_468;
        var era = Math.floorDiv(days, 146_097);
        var dayOfEra = days - era * 146_097;
        var yearOfEra =
                (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        var dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        var moon = (5 * dayOfYear + 2) / 153;
        var month = moon < 10 ? moon + 3 : moon - 9;
        put(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), 4);
        put('-');
        put(month, 2);
        put('-');
        put(dayOfYear - (153 * moon + 2) / 5 + 1, 2);
        put('T');
        var second = Math.floorMod(at, 86_400L);
        put(second / 3_600, 2);
        put(':');
        put(second / 60 % 60, 2);
        put(':');
        put(second % 60, 2);
        put('Z');
    }

    private void put(long number, int digits) {
        var unit = 1L;
        for (var i = 1; i < digits; i++) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            put((char) ('0' + number / unit % 10));
        }
    }

    /// What was added is durable when the call returns.
    ///
    /// @throws IOException if it is not
    void force() throws IOException {
        channel.force(false);
    }

    /// Why `job` must not be taken up; empty if it may.
    Optional<String> setAside(JobId job) {
        var deaths = before.getOrDefault(job, List.of());
        return deaths.size() < TOO_MANY
                ? Optional.empty()
                : Optional.of(
                        "the process ended "
                                + deaths.size()
                                + " times while it worked on this job, at last at "
                                + deaths.getLast()
                                + "; to let it run again, fix the cause, remove its lines from "
                                + file
                                + " and restart the orchestrator");
    }

    /// Whether there is any that must not be taken up.
    boolean setsAsideAny() {
        return before.values().stream().anyMatch(deaths -> deaths.size() >= TOO_MANY);
    }
}
