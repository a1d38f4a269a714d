package dev.artel.server.supervision;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import dev.artel.files.PrivateFiles;
import dev.artel.kernel.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Remembers which jobs ran when the process ended by itself: a job with which it ended twice would end it again and
/// again. A file of lines, each with a time, the id of a job, or `*` where no job is known, and what happened: at most a thousand, the
/// newest. A line counts for a week, or as long as it is there if the next one of the same job came within a week; one without
/// a job counts for a week, the newest twenty of them. Several ends within half an hour are a crash loop. Safe for use by many threads.
final class Deaths {
    /// With so many a job is set aside.
    private static final int TOO_MANY = 2;

    /// Those of one job that are farther apart than this have different causes.
    private static final Duration TOGETHER = Duration.ofDays(7);

    private static final int MOST_LINES = 1_000;

    /// In place of the job, where none is known.
    private static final String NO_JOB = "*";

    /// Of those without a job: they never take the place of others.
    private static final int MOST_JOBLESS = 20;

    /// So many ends within [#LOOP] are a crash loop.
    private static final int ENDS_OF_LOOP = 3;

    private static final Duration LOOP = Duration.ofMinutes(30);

    /// The lines of one end are no farther apart than this.
    private static final Duration ONE_END = Duration.ofSeconds(1);

    /// The most bytes of a line.
    private static final int LONGEST = 1_000;

    private final Path file;
    private final FileChannel channel;
    private final Map<JobId, List<Death>> before;
    private final Optional<String> crashLoop;

    /// What is written, made beforehand; also the lock of those who write.
    private final ByteBuffer line = ByteBuffer.allocateDirect(LONGEST);

    private Deaths(Path file, FileChannel channel, List<Death> before, Instant now) {
        this.file = file;
        this.channel = channel;
        this.before = byJob(before);
        this.crashLoop = crashLoop(before, now);
    }

    /// What is remembered in `folder` at `now`. The file stays open: when memory has run out it may be too late to open it.
    /// Lines that do not count any more are removed from it.
    static Deaths in(Path folder, Instant now) {
        var file = folder.resolve("deaths.txt");
        try {
            var before = Files.exists(file) ? kept(file, now) : List.<Death>of();
            PrivateFiles.makeFile(file);
            PrivateFiles.restrict(file);
            var channel = FileChannel.open(file, CREATE, WRITE, APPEND);
            return new Deaths(file, channel, before, now);
        } catch (IOException e) {
            throw new UncheckedIOException("opening " + file, e);
        }
    }

    /// One line.
    ///
    /// @param job empty: none is known
    private record Death(String line, Instant at, Optional<JobId> job, String what) {
        /// Empty if `line` is none.
        static Optional<Death> of(String line) {
            var parts = line.split(" ", 3);
            if (parts.length < 3 || !(parts[1].equals(NO_JOB) || JobId.isValid(parts[1]))) {
                return Optional.empty();
            }
            try {
                var at = Instant.parse(parts[0]);
                var job = Optional.of(parts[1]).filter(it -> !it.equals(NO_JOB)).map(JobId::new);
                return Optional.of(new Death(line, at, job, parts[2]));
            } catch (DateTimeParseException notOurs) {
                return Optional.empty();
            }
        }

        /// Whether both have one cause, as far as can be known.
        boolean belongsTo(Death other) {
            return job.equals(other.job)
                    && Duration.between(at, other.at).abs().compareTo(TOGETHER) <= 0;
        }
    }

    /// The lines that count, which are all that is left in `file`.
    private static List<Death> kept(Path file, Instant now) throws IOException {
        var text = tail(file);
        var all = text.lines().flatMap(line -> Death.of(line).stream()).toList();
        var counting = new ArrayList<Death>();
        var jobless =
                all.stream()
                        .filter(it -> it.job().isEmpty() && it.at().isAfter(now.minus(TOGETHER)))
                        .toList();
        counting.addAll(
                jobless.subList(Math.max(0, jobless.size() - MOST_JOBLESS), jobless.size()));
        for (var deaths : byJob(all).values()) {
            for (var i = 0; i < deaths.size(); i++) {
                var death = deaths.get(i);
                if (death.at().isAfter(now.minus(TOGETHER))
                        || (i > 0 && death.belongsTo(deaths.get(i - 1)))
                        || (i + 1 < deaths.size() && death.belongsTo(deaths.get(i + 1)))) {
                    counting.add(death);
                }
            }
        }
        counting.sort(Comparator.comparing(Death::at));
        var newest = counting.subList(Math.max(0, counting.size() - MOST_LINES), counting.size());
        var kept = newest.stream().map(death -> death.line() + "\n").collect(joining());
        if (!kept.equals(text)) {
            var beside = file.resolveSibling("deaths.txt.new");
            PrivateFiles.makeFile(beside);
            Files.writeString(beside, kept, ISO_8859_1);
            Files.move(beside, file, ATOMIC_MOVE);
        }
        return newest;
    }

    /// The end of `file`, which is all of it unless another program has written it.
    private static String tail(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            in.skipNBytes(Math.max(0, Files.size(file) - MOST_LINES * LONGEST));
            return new String(in.readNBytes(MOST_LINES * LONGEST), ISO_8859_1);
        }
    }

    private static Map<JobId, List<Death>> byJob(List<Death> deaths) {
        return deaths.stream()
                .filter(it -> it.job().isPresent())
                .collect(
                        groupingBy(
                                it -> it.job().orElseThrow(),
                                LinkedHashMap::new,
                                Collectors.toList()));
    }

    /// @param deaths the earliest first
    private static Optional<String> crashLoop(List<Death> deaths, Instant now) {
        var ends = 0;
        @Nullable Death last = null;
        for (var death : deaths) {
            if (death.at().isAfter(now.minus(LOOP)) && !death.at().isAfter(now)) {
                if (last == null || death.at().isAfter(last.at().plus(ONE_END))) {
                    ends++;
                }
                last = death;
            }
        }
        return last == null || ends < ENDS_OF_LOOP
                ? Optional.empty()
                : Optional.of(
                        "the process ended "
                                + ends
                                + " times in the last "
                                + LOOP.toMinutes()
                                + " minutes, at last at "
                                + last.at()
                                + ", "
                                + last.what());
    }

    /// The process ends while it works on `job`. Needs next to no memory, since there may be none.
    ///
    /// @param at in seconds since 1970
    /// @param what happened, in pieces
    /// @throws IOException if that cannot be written
    void add(JobId job, long at, String... what) throws IOException {
        add(job.value(), at, what);
    }

    /// As [#add], where no job is known that brought it about.
    ///
    /// @throws IOException if that cannot be written
    void addWithoutJob(long at, String... what) throws IOException {
        add(NO_JOB, at, what);
    }

    private void add(String job, long at, String... what) throws IOException {
        synchronized (line) {
            line.clear();
            putTime(at);
            put(' ');
            put(job);
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
                                + deaths.getLast().at()
                                + ", "
                                + deaths.getLast().what()
                                + "; to let it run again, fix the cause, remove its lines from "
                                + file
                                + " and restart the orchestrator");
    }

    /// What shows that the process ends again and again; empty: nothing.
    Optional<String> crashLoop() {
        return crashLoop;
    }

    /// Whether there is any that must not be taken up.
    boolean setsAsideAny() {
        return before.values().stream().anyMatch(deaths -> deaths.size() >= TOO_MANY);
    }
}
