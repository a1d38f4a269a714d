package dev.artel.store.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads what was committed off the write-ahead log of a database, once, as SQLite describes the file
/// (https://www.sqlite.org/fileformat2.html#walformat): frames of a page each, under a checksum that goes on from frame to
/// frame. Not safe for use by many threads.
final class WriteAheadLog {
    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;
    private static final int MAGIC = 0x377f0682;
    private static final int VERSION = 3_007_000;

    /// Where the index of the log has the number of the last frame and the salts.
    private static final int INDEX_FRAMES = 16;

    private static final int INDEX_CHANGES = 8;
    private static final int INDEX_SALTS = 32;
    private static final int INDEX_HEADER = 48;

    private final Path log;
    private final Path index;
    private final int pageSize;

    private @Nullable Salts salts;
    private boolean anySalts = true;

    /// As the index was before the last reading.
    private @Nullable Indexed known;

    /// As it was before all was read.
    private @Nullable Indexed seen;

    /// Of the last commit that was read.
    private long frames;

    private int sum0;
    private int sum1;

    /// What became of reading.
    enum Outcome {
        /// All that was committed before the call was read.
        AT_THE_END,
        /// The limit was reached.
        MORE,
        /// The log began anew, and whether all of the old one was read is unknown.
        LOST
    }

    private record Salts(int first, int second) {}

    WriteAheadLog(Path database, int pageSize) {
        this.log = database.resolveSibling(database.getFileName() + "-wal");
        this.index = database.resolveSibling(database.getFileName() + "-shm");
        this.pageSize = pageSize;
    }

    /// The log is emptied now, after all of it was read: the next one begins anew.
    void emptied() {
        anySalts = true;
    }

    /// Whether nothing was committed since all was read.
    boolean isUnchanged() throws IOException {
        return seen != null && indexed().equals(Optional.of(seen));
    }

    /// Notes what the index knows, so that reading can be checked against it.
    void look() throws IOException {
        known = indexed().orElse(null);
    }

    /// Reads whole commits into `pages`, until the end or until there are `limit` bytes of them.
    Outcome read(ChangedPages pages, long limit) throws IOException {
        var outcome = readLog(pages, limit);
        seen = null;
        var of = known;
        if (outcome != Outcome.AT_THE_END || of == null) {
            return outcome;
        }
        // What the index knows and the log did not give: frames were overwritten under our eyes.
        if (of.salts().equals(salts) && of.frames() > frames) {
            return Outcome.LOST;
        }
        seen = of;
        return outcome;
    }

    private Outcome readLog(ChangedPages pages, long limit) throws IOException {
        try (var channel = FileChannel.open(log, StandardOpenOption.READ)) {
            var header = ByteBuffer.allocate(HEADER);
            if (!fill(channel, header, 0)) {
                return Outcome.AT_THE_END;
            }
            var order =
                    (header.getInt(0) & 1) == 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
            if ((header.getInt(0) & ~1) != MAGIC || header.getInt(4) != VERSION) {
                return Outcome.AT_THE_END; // it is being written
            }
            var found = new Salts(header.getInt(16), header.getInt(20));
            if (!found.equals(salts)) {
                var sum = new int[2];
                add(sum, header, 0, FRAME_HEADER, order);
                if (sum[0] != header.getInt(24) || sum[1] != header.getInt(28)) {
                    return Outcome.AT_THE_END; // it is being written
                }
                if (!anySalts && (salts == null || found.first() != salts.first() + 1)) {
                    return Outcome.LOST;
                }
                salts = found;
                anySalts = false;
                frames = 0;
                sum0 = sum[0];
                sum1 = sum[1];
            }
            return readFrames(channel, found, order, pages, limit);
        } catch (NoSuchFileException none) {
            return Outcome.AT_THE_END;
        }
    }

    private Outcome readFrames(
            FileChannel channel, Salts of, ByteOrder order, ChangedPages pages, long limit)
            throws IOException {
        var frame = ByteBuffer.allocate(FRAME_HEADER + pageSize);
        var sum = new int[] {sum0, sum1};
        var uncommitted = new ChangedPages(pageSize);
        for (var next = frames; ; next++) {
            if (pages.bytes() >= limit) {
                return Outcome.MORE;
            }
            frame.clear();
            if (!fill(channel, frame, HEADER + next * (FRAME_HEADER + pageSize))
                    || frame.getInt(8) != of.first()
                    || frame.getInt(12) != of.second()) {
                return Outcome.AT_THE_END;
            }
            add(sum, frame, 0, 8, order);
            add(sum, frame, FRAME_HEADER, pageSize, order);
            if (sum[0] != frame.getInt(16) || sum[1] != frame.getInt(20)) {
                return Outcome.AT_THE_END;
            }
            var page = new byte[pageSize];
            frame.get(FRAME_HEADER, page);
            uncommitted.put(frame.getInt(0), page);
            if (frame.getInt(4) != 0) {
                uncommitted.committed(Integer.toUnsignedLong(frame.getInt(4)));
                pages.add(uncommitted);
                uncommitted = new ChangedPages(pageSize);
                frames = next + 1;
                sum0 = sum[0];
                sum1 = sum[1];
            }
        }
    }

    private static boolean fill(FileChannel channel, ByteBuffer into, long at) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into, at + into.position()) < 0) {
                return false;
            }
        }
        into.flip();
        return true;
    }

    private static void add(int[] sum, ByteBuffer of, int from, int length, ByteOrder order) {
        var words = of.duplicate().order(order);
        for (var at = from; at < from + length; at += 8) {
            sum[0] += words.getInt(at) + sum[1];
            sum[1] += words.getInt(at + 4) + sum[0];
        }
    }

    /// What the index of the log knows.
    ///
    /// @param changes a counter of the changes of the index
    private record Indexed(Salts salts, long frames, int changes) {}

    private Optional<Indexed> indexed() throws IOException {
        try (var channel = FileChannel.open(index, StandardOpenOption.READ)) {
            var header = ByteBuffer.allocate(INDEX_HEADER);
            if (!fill(channel, header, 0)) {
                return Optional.empty();
            }
            var last = header.order(ByteOrder.nativeOrder()).getInt(INDEX_FRAMES);
            var changes = header.getInt(INDEX_CHANGES);
            header.order(ByteOrder.BIG_ENDIAN);
            return Optional.of(
                    new Indexed(
                            new Salts(header.getInt(INDEX_SALTS), header.getInt(INDEX_SALTS + 4)),
                            Integer.toUnsignedLong(last),
                            changes));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        }
    }

    /// How long the log is, in bytes.
    long size() throws IOException {
        return Files.exists(log) ? Files.size(log) : 0;
    }
}
