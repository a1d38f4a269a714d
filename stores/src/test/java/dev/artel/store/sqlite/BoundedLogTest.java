package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.streamOf;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.Append;
import dev.artel.store.codec.JsonEventCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Much is written for long, and the write-ahead log does not grow with it.
final class BoundedLogTest {
    private static final JsonValue MUCH = JsonValue.of("x".repeat(50_000));
    private static final int ENTRIES = 20;
    private static final int READERS = 3;

    private static final Checkpoints.LogSizes SIZES =
            new Checkpoints.LogSizes(16L << 20, 64L << 20);

    /// What comes while a checkpoint runs, and until it is looked at again. On a slow disk it is more, and the writer goes on more
    /// slowly until the log is shorter.
    private static final long BOUND = 3 * SIZES.busy();

    private static final long WRITTEN = 5 * SIZES.busy();

    /// Of the log, with the number of its beginnings.
    private static final int HEADER = 32;

    @TempDir private Path folder;

    /// Trap: beside readers that are never all away, the log never begins anew.
    @Test
    void besideReaders_theLogIsEmptiedAgainAndAgain() throws Exception {
        try (var store = open()) {
            writeSteadily(store, () -> {});
        }
    }

    /// Trap: what follows the log for a copy keeps it from being emptied forever.
    @Test
    void besideReadersAndACopyThatFollows_theLogIsEmptiedAgainAndAgain() throws Exception {
        try (var store = open();
                var pages = store.committedPages()) {
            pages.begin();
            writeSteadily(
                    store,
                    () -> {
                        assertThat(pages.follow()).isTrue();
                        assertThat(pages.take().bytes()).isNotNegative();
                    });
        }
    }

    /// Trap: a file that keeps its size beside a busy writer keeps it forever.
    @Test
    void whenNobodyWritesAnyMore_theFileIsCutOff() {
        try (var store = open()) {
            var longest = 0L;
            var written = 0L;
            for (var commit = 0; written < WRITTEN; commit++) {
                store.append(entries(commit));
                written += ENTRIES * 50_000L;
                longest = Math.max(longest, store.backlog().bytes());
            }
            assertThat(longest).isGreaterThan(SIZES.quiet());
            await().until(() -> store.backlog().bytes() <= SIZES.leftOver());
        }
    }

    /// Trap: each commit makes a file longer that was cut off, and waits twice as long for that.
    @Test
    void aLogThatBeginsAnew_isWrittenIntoTheSameFile() throws Exception {
        try (var store = open()) {
            var log = folder.resolve("artel.db-wal");
            for (var commit = 0; Files.size(log) <= SIZES.quiet(); commit++) {
                store.append(entries(commit));
            }
            var full = Files.size(log);
            var before = Files.readAllBytes(log);

            await().until(() -> {
                store.append(List.of(PLAIN.submit("job-" + UUID.randomUUID())));
                return !Arrays.equals(before, 0, HEADER, firstBytes(log), 0, HEADER);
            });

            assertThat(Files.size(log)).isBetween(full, SIZES.leftOver());
        }
    }

    /// Trap: the file has room that only the next start finds, as the remains of commits.
    @Test
    void theRoomAheadOfTheLog_isThereWithTheFirstCommits_andNeverRead() throws Exception {
        var log = folder.resolve("artel.db-wal");
        var copy = Files.createDirectory(folder.resolve("copy"));
        try (var store = open()) {
            store.append(entries(0));
            await().until(() -> Files.size(log) >= 2 * LogRoom.LEAST);
            store.append(entries(1));
            // As a crash leaves it.
            for (var name : List.of("artel.db", "artel.db-wal")) {
                Files.copy(folder.resolve(name), copy.resolve(name));
            }
        }
        try (var store =
                SqliteEventStore.open(copy.resolve("artel.db"), new JsonEventCodec(), SIZES)) {
            for (var entry = 0; entry < ENTRIES; entry++) {
                assertThat(store.read(streamOf("job-0-" + entry), 0)).hasSize(1);
                assertThat(store.read(streamOf("job-1-" + entry), 0)).hasSize(1);
            }
        }
    }

    private static byte[] firstBytes(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return in.readNBytes(HEADER);
        }
    }

    private SqliteEventStore open() {
        return SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec(), SIZES);
    }

    /// @param beside what is done all the time as well
    private static void writeSteadily(SqliteEventStore store, Runnable beside) throws Exception {
        var over = new AtomicBoolean();
        var rounds = IntStream.range(0, READERS).mapToObj(_ -> new AtomicLong()).toList();
        store.append(entries(0));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            try {
                for (var reads : rounds) {
                    running.add(
                            threads.submit(() -> {
                                while (!over.get()) {
                                    assertThat(store.read(streamOf("job-0-0"), 0)).hasSize(1);
                                    reads.incrementAndGet();
                                }
                            }));
                }
                var commits = new AtomicInteger();
                while (50_000L * ENTRIES * commits.get() < WRITTEN) {
                    store.append(entries(commits.incrementAndGet()));
                    beside.run();
                    awaitAnotherRound(rounds, running);
                    if (store.backlog().bytes() >= BOUND) {
                        await("the log is short again, beside readers and a writer")
                                .failFast(
                                        "a reader has failed",
                                        () -> running.stream().anyMatch(Future::isDone))
                                .until(() -> {
                                    store.append(entries(commits.incrementAndGet()));
                                    beside.run();
                                    return store.backlog().bytes() < BOUND;
                                });
                    }
                }
            } finally {
                over.set(true);
            }
            for (var each : running) {
                each.get();
            }
        }
    }

    /// The readers go on as the writer does, so that it is never without them.
    private static void awaitAnotherRound(List<AtomicLong> rounds, List<Future<?>> running) {
        var before = rounds.stream().map(AtomicLong::get).toList();
        await().pollInterval(Duration.ofMillis(5))
                .pollDelay(Duration.ofMillis(1))
                .failFast("a reader has failed", () -> running.stream().anyMatch(Future::isDone))
                .until(() ->
                        IntStream.range(0, READERS)
                                .allMatch(i -> rounds.get(i).get() > before.get(i)));
    }

    private static List<Append> entries(int commit) {
        return IntStream.range(0, ENTRIES)
                .mapToObj(entry -> PLAIN.submitWith("job-" + commit + "-" + entry, MUCH))
                .toList();
    }
}
