package dev.artel.server.feed;

import dev.artel.kernel.store.EventStore.Committed;
import java.util.ArrayList;
import java.util.List;

/// An append as all its readers get it: written out, without the values that its events hold, which may take a hundred times as much.
///
/// @param client whose job it is
/// @param last the position of its last event
/// @param frames its events, in order
record WrittenAppend(String client, long last, List<Frame> frames) {
    /// Of an append and of an event, beside what is written out.
    private static final int OVERHEAD = 100;

    /// An event as it is written.
    static final class Frame {
        private final long position;
        private final byte[] bytes;

        private Frame(long position, byte[] bytes) {
            this.position = position;
            this.bytes = bytes;
        }

        long position() {
            return position;
        }

        /// Not to be changed.
        byte[] bytes() {
            return bytes;
        }
    }

    /// Copies `frames`.
    WrittenAppend {
        frames = List.copyOf(frames);
    }

    static WrittenAppend of(Committed one, Feeds.OfAll renderer) {
        var events = one.events();
        var frames = new ArrayList<Frame>();
        for (var i = 0; i < events.events().size(); i++) {
            var position = events.position() + i;
            var notification = renderer.render(one, events.version() + i, events.events().get(i));
            frames.add(
                    new Frame(
                            position,
                            EventStream.frame(position, notification.type(), notification.what())));
        }
        return new WrittenAppend(one.client(), one.last(), frames);
    }

    /// About how many bytes it takes in memory.
    long weight() {
        var weight = (long) OVERHEAD;
        for (var frame : frames) {
            weight += OVERHEAD + frame.bytes().length;
        }
        return weight;
    }
}
