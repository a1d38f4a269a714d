package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.store.codec.JsonEventCodec;
import dev.artel.testkit.store.SampleAppends;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A copy of a store that follows what is committed is the store.
final class CommittedPagesTest {
    private static final int PAGE = 4096;

    @TempDir private Path folder;

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 12) : LongStream.of(one);
    }

    /// Trap: the log begins anew before it was read, or is read twice, or a page of a commit that was rolled back is taken.
    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void howeverTheLogIsEmptied_theCopyAndWhatFollowedIsTheStore(long seed) throws Exception {
        var random = new SplittableRandom(seed);
        var file = folder.resolve("artel.db");
        var copy = folder.resolve("copy.db");
        try (var store = SqliteEventStore.open(file, new JsonEventCodec());
                var pages = store.committedPages();
                var other = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            submit(store, "before");
            pages.begin();
            submit(store, "between");
            pages.copyTo(copy);
            for (var i = 0; i < 300; i++) {
                switch (random.nextInt(8)) {
                    case 0 -> assertThat(pages.follow()).isTrue();
                    case 1 -> checkpoint(other, "PASSIVE");
                    case 2 -> {
                        if (random.nextInt(4) == 0) {
                            pages.emptyWith(() -> {
                                checkpoint(other, "TRUNCATE");
                                return true;
                            });
                        }
                    }
                    case 3 -> write(pages.take(), copy);
                    default -> submit(store, "j" + i);
                }
            }
            assertThat(pages.follow()).isTrue();
            write(pages.take(), copy);
        }
        assertSame(copy, file);
    }

    @Test
    void besideAWriter_theCopyAndWhatFollowedIsTheStore() throws Exception {
        var file = folder.resolve("artel.db");
        var copy = folder.resolve("copy.db");
        var goesOn = new AtomicBoolean(true);
        try (var store = SqliteEventStore.open(file, new JsonEventCodec());
                var pages = store.committedPages();
                var other = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            pages.begin();
            var writer =
                    Thread.ofPlatform()
                            .start(() -> {
                                for (var i = 0; goesOn.get(); i++) {
                                    submit(store, "w" + i);
                                }
                            });
            pages.copyTo(copy);
            for (var i = 0; i < 200; i++) {
                assertThat(pages.follow()).isTrue();
                if (i % 7 == 0) {
                    write(pages.take(), copy);
                }
                checkpoint(other, "PASSIVE");
            }
            goesOn.set(false);
            writer.join();
            assertThat(pages.follow()).isTrue();
            write(pages.take(), copy);
        }
        assertSame(copy, file);
    }

    @Test
    void aLogThatBeganAnewBehindItsBack_isNoticed() throws Exception {
        var file = folder.resolve("artel.db");
        try (var store = SqliteEventStore.open(file, new JsonEventCodec());
                var other = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            submit(store, "one");
            var log = new WriteAheadLog(file, PAGE);
            var pages = new ChangedPages(PAGE);
            assertThat(log.read(pages, 1 << 20)).isEqualTo(WriteAheadLog.Outcome.AT_THE_END);
            for (var id : List.of("two", "three")) {
                checkpoint(other, "TRUNCATE");
                submit(store, id);
            }

            assertThat(log.read(pages, 1 << 20)).isEqualTo(WriteAheadLog.Outcome.LOST);
        }
    }

    @Test
    void whatIsTooMuch_staysInTheLog() throws Exception {
        var file = folder.resolve("artel.db");
        try (var store = SqliteEventStore.open(file, new JsonEventCodec())) {
            submit(store, "one");
            var log = new WriteAheadLog(file, PAGE);
            var pages = new ChangedPages(PAGE);

            assertThat(log.read(pages, 1)).isEqualTo(WriteAheadLog.Outcome.MORE);
            assertThat(pages.isEmpty()).isFalse();
            assertThat(log.read(pages, 1 << 30)).isEqualTo(WriteAheadLog.Outcome.AT_THE_END);
        }
    }

    private static void submit(SqliteEventStore store, String id) {
        assertThat(store.append(List.of(SampleAppends.PLAIN.submit(id)))).hasSize(1);
    }

    private static void checkpoint(Connection connection, String mode) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(" + mode + ")");
        }
    }

    private static void write(ChangedPages pages, Path copy) throws IOException {
        if (!pages.isEmpty()) {
            try (var channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
                pages.writeTo(channel);
            }
        }
    }

    /// Byte for byte, save the first page, in which a copy has a counter of its own.
    private static void assertSame(Path copy, Path file) throws Exception {
        var left = Files.readAllBytes(copy);
        var right = Files.readAllBytes(file);
        assertThat(left).hasSameSizeAs(right);
        assertThat(Arrays.mismatch(left, PAGE, left.length, right, PAGE, right.length))
                .isEqualTo(-1);
        assertThat(new SqliteMaintenance(copy).look().damage()).isEmpty();
        assertThat(new SqliteMaintenance(copy).look().jobs())
                .isEqualTo(new SqliteMaintenance(file).look().jobs());
    }
}
