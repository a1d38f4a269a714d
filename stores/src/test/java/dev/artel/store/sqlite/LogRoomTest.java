package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogRoomTest {
    private static final int FRAME = 4096 + 24;

    @TempDir private Path folder;
    private Path file;
    private Path log;

    @BeforeEach
    void makeStore() {
        file = folder.resolve("artel.db");
        log = folder.resolve("artel.db-wal");
        SqliteEventStore.open(file, new JsonEventCodec()).close();
    }

    /// Trap: what another program commits at the end of the log is overwritten with zeros.
    @Test
    void whileAnotherProgramWrites_thereIsNoMoreRoom_andWhatItWroteStays() throws Exception {
        try (var own = new Database(file).openCheckpointer();
                var other = DriverManager.getConnection("jdbc:sqlite:" + file);
                var statement = other.createStatement()) {
            var room = new LogRoom(log, own, new ReentrantLock());
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("CREATE TABLE other (number INTEGER)");
            var before = room.size();

            room.keep(FRAME, 0);

            assertThat(room.size()).isEqualTo(before);
            statement.execute("INSERT INTO other VALUES (7)");
            statement.execute("COMMIT");

            room.keep(FRAME, 0);

            assertThat(room.size()).isGreaterThanOrEqualTo(FRAME + LogRoom.LEAST);
            statement.execute("INSERT INTO other VALUES (8)");
            try (var found = statement.executeQuery("SELECT sum(number) FROM other")) {
                assertThat(found.getLong(1)).isEqualTo(15);
            }
        }
    }

    @Test
    void roomIsAsMuchAsIsLikelyToCome_withinItsBounds_andNothingIsWrittenBeforeHalfIsUsed()
            throws Exception {
        try (var own = new Database(file).openCheckpointer();
                var commands = own.createStatement()) {
            var room = new LogRoom(log, own, new ReentrantLock());
            room.keep(0, LogRoom.MOST);
            assertThat(room.size()).as("of an empty log").isZero();
            commands.execute("CREATE TABLE other (number INTEGER)");

            room.keep(FRAME, 2 * LogRoom.LEAST);
            var wide = room.size();
            assertThat(wide).isBetween(4 * LogRoom.LEAST, 5 * LogRoom.LEAST);
            room.keep(wide / 2 - FRAME, 0);
            assertThat(room.size()).isEqualTo(wide);
            room.keep(wide, Long.MAX_VALUE / 4);
            assertThat(room.size()).isBetween(wide + LogRoom.MOST, wide + 2 * LogRoom.MOST);
        }
        assertThat(Files.exists(log)).as("a log of a closed database").isFalse();
    }
}
