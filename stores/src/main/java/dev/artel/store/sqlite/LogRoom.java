package dev.artel.store.sqlite;

import dev.artel.store.files.UsableSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.Lock;

/// Keeps room in the file of the write-ahead log beyond what is in it. A commit over bytes that are there waits for its data alone, one that makes the
/// file longer for the journal of the file system as well, which takes about twice as long.
///
/// The room is zeros: what follows the last commit SQLite takes for the remains of an older log, which it overwrites. Not safe for use by many threads, but for [#size].
final class LogRoom {
    static final long LEAST = 1L << 20;
    static final long MOST = 16L << 20;

    /// As much is written at once while commits wait.
    private static final int PIECE = 256 << 10;

    /// Where the file system has less than so many times the room, none is kept.
    private static final int SPARE = 64;

    private final Path log;
    private final Connection connection;
    private final Lock writing;
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(PIECE);

    /// @param connection that waits for no lock
    /// @param writing held by all that write in this process
    LogRoom(Path log, Connection connection, Lock writing) {
        this.log = log;
        this.connection = connection;
        this.writing = writing;
    }

    /// Makes the file longer where less than half of the room is left. A log that is not there, or is empty, gets none.
    ///
    /// @param used how many bytes are in the log, or were a moment ago
    /// @param coming how many bytes are likely to come until the next call
    void keep(long used, long coming) throws IOException, SQLException {
        var room = Math.clamp(2 * coming, LEAST, MOST);
        if (used <= 0 || size() - used >= room / 2 || isShort(room)) {
            return;
        }
        try (var channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
            var isLonger = true;
            while (isLonger && channel.size() < used + room) {
                isLonger = extend(channel);
            }
            // Not left to the next commit, which would wait for all of it.
            channel.force(false);
        }
    }

    /// @return whether it is longer; not while another program writes
    private boolean extend(FileChannel channel) throws IOException, SQLException {
        writing.lock();
        try (var statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            try {
                // Nobody writes, in other programs neither: nothing that is in the log is behind
                // the end of the file.
                channel.write(zeros.rewind(), channel.size());
            } finally {
                statement.execute("ROLLBACK");
            }
            return true;
        } catch (SQLException failure) {
            if (Failures.isBusy(failure)) {
                return false;
            }
            throw failure;
        } finally {
            writing.unlock();
        }
    }

    private boolean isShort(long room) throws IOException {
        return UsableSpace.of(log) < SPARE * room;
    }

    /// How long the file is.
    long size() throws IOException {
        try {
            return Files.size(log);
        } catch (NoSuchFileException none) {
            return 0;
        }
    }
}
