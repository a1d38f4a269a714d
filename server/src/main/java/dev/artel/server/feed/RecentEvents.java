package dev.artel.server.feed;

import dev.artel.kernel.store.EventStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// The last committed events, read from the store once for all who follow them, and kept as they are written to readers. What is kept is bounded
/// by its bytes, and so is what a reader gets at once. A reader that is further behind reads from the store. Safe for use by many threads.
final class RecentEvents {
    private static final int MOST_KEPT = 4_096;
    private static final int PIECE = 512;

    /// A piece ends behind so many bytes, as they are written to readers.
    private static final long PIECE_BYTES = 256 << 10;

    /// So many are read from the store for a piece, as they are there, or one append that is larger: it is decoded alone.
    private static final long READ_BYTES = 4 << 20;

    private static final long KEPT_BYTES = 8 << 20;

    /// Of the heap this part.
    private static final int OF_THE_HEAP = 64;

    private final EventStore store;
    private final Feeds.OfAll renderer;
    private final long mostBytes;
    private final Deque<WrittenAppend> newest = new ArrayDeque<>();
    private long bytes;

    /// Below this position nothing is kept; -1: nothing was read yet.
    private long from = -1;

    private long last;

    /// The events of `store`.
    ///
    /// @param renderer renders each event once for all readers
    RecentEvents(EventStore store, Feeds.OfAll renderer) {
        this(store, renderer, Math.min(KEPT_BYTES, Runtime.getRuntime().maxMemory() / OF_THE_HEAP));
    }

    /// @param mostBytes how many bytes are kept
    RecentEvents(EventStore store, Feeds.OfAll renderer, long mostBytes) {
        this.store = store;
        this.renderer = renderer;
        this.mostBytes = mostBytes;
    }

    /// The position of the last event that there is.
    long lastPosition() {
        return store.lastPosition();
    }

    /// How many bytes are kept, about.
    long bytes() {
        synchronized (newest) {
            return bytes;
        }
    }

    /// The appends that hold events after `position`, in order, some of them.
    List<WrittenAppend> after(long position) {
        synchronized (newest) {
            if (from >= 0 && position >= from) {
                if (position >= last) {
                    readOn();
                }
                // What is too large to be kept, each reader reads for itself.
                if (position >= from) {
                    return kept(position);
                }
            }
        }
        var piece = new Piece();
        if (piece.readAfter(position)) {
            beginAt(position);
        }
        return piece.read;
    }

    /// Some appends, no more than a reader takes at once.
    private final class Piece {
        private final List<WrittenAppend> read = new ArrayList<>();
        private long room = PIECE_BYTES;

        /// @return whether there are no more behind them
        boolean readAfter(long position) {
            return store.readCommitted(
                    position, PIECE, READ_BYTES, one -> add(WrittenAppend.of(one, renderer)));
        }

        /// @return whether there is room for another one
        boolean add(WrittenAppend one) {
            read.add(one);
            room -= one.weight();
            return room > 0 && read.size() < PIECE;
        }
    }

    /// A reader has come to the end: from here on it is kept.
    private void beginAt(long position) {
        synchronized (newest) {
            if (from < 0) {
                from = position;
                last = position;
            }
        }
    }

    private void readOn() {
        var piece = new Piece();
        var _ = piece.readAfter(last);
        for (var one : piece.read) {
            newest.add(one);
            bytes += one.weight();
            last = one.last();
            while (newest.size() > MOST_KEPT || bytes > mostBytes) {
                var oldest = newest.remove();
                bytes -= oldest.weight();
                from = oldest.last();
            }
        }
    }

    private List<WrittenAppend> kept(long position) {
        var behind = new ArrayDeque<WrittenAppend>();
        var backwards = newest.descendingIterator();
        while (backwards.hasNext()) {
            var one = backwards.next();
            if (one.last() <= position) {
                break;
            }
            behind.addFirst(one);
        }
        var piece = new Piece();
        for (var one : behind) {
            if (!piece.add(one)) {
                break;
            }
        }
        return piece.read;
    }
}
