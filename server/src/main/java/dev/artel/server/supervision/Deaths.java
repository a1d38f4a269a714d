package dev.artel.server.supervision;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import java.time.Instant;
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

    private final Path file;
    private final FileChannel channel;
    private final Map<JobId, List<String>> before;

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

    /// The process ends while it works on `job`.
    ///
    /// @throws IOException if that cannot be written
    void add(JobId job, Instant at, String what) throws IOException {
        var line = at + " " + job.value() + " " + what.replaceAll("\\s+", " ") + "\n";
        var bytes = ByteBuffer.wrap(line.getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            var _ = channel.write(bytes);
        }
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
                                + "; to let it run again, mend the cause, take its lines out of "
                                + file
                                + " and restart the orchestrator");
    }

    /// Whether there is any that must not be taken up.
    boolean setsAsideAny() {
        return before.values().stream().anyMatch(deaths -> deaths.size() >= TOO_MANY);
    }
}
