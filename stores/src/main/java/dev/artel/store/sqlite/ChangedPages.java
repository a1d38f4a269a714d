package dev.artel.store.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.SequencedMap;
import java.util.TreeMap;

/// Pages of a database as a sequence of commits left them: each page once, as the last of them wrote it. Written over the
/// database as it was before those commits, or between any two of them, they make it what it was after the last one. Not
/// safe for use by many threads.
public final class ChangedPages {
    private final int pageSize;
    private final SequencedMap<Integer, byte[]> pages = new TreeMap<>();
    private long databasePages;

    /// None yet.
    ///
    /// @param pageSize in bytes
    public ChangedPages(int pageSize) {
        this.pageSize = pageSize;
    }

    /// A page was written.
    ///
    /// @param number from 1 on
    public void put(int number, byte[] content) {
        if (number < 1 || content.length != pageSize) {
            throw new IllegalArgumentException(
                    "page " + number + " has " + content.length + " bytes, not " + pageSize);
        }
        pages.put(number, content);
    }

    /// A commit ended with a database of so many pages.
    public void committed(long pagesAfterwards) {
        databasePages = pagesAfterwards;
    }

    /// `later` was committed afterwards.
    public void add(ChangedPages later) {
        if (!later.isEmpty()) {
            pages.putAll(later.pages);
            databasePages = later.databasePages;
        }
    }

    /// In bytes.
    public int pageSize() {
        return pageSize;
    }

    /// How many pages the database has after the last commit.
    public long databasePages() {
        return databasePages;
    }

    /// By their numbers, in order.
    public SequencedMap<Integer, byte[]> pages() {
        return pages;
    }

    /// How much is in memory.
    public long bytes() {
        return (long) pages.size() * pageSize;
    }

    /// Whether there was no commit.
    public boolean isEmpty() {
        return databasePages == 0;
    }

    /// Writes them over the database in `file`, which is not open.
    public void writeTo(FileChannel file) throws IOException {
        for (var page : pages.entrySet()) {
            if (page.getKey() <= databasePages) {
                var left = ByteBuffer.wrap(page.getValue());
                var at = (page.getKey() - 1L) * pageSize;
                while (left.hasRemaining()) {
                    at += file.write(left, at);
                }
            }
        }
        if (file.size() > databasePages * pageSize) {
            file.truncate(databasePages * pageSize);
        }
    }
}
