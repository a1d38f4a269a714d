package dev.artel.server.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One document for many readers: worked out once for all of them, written as the same bytes, and only while there are
/// readers. Safe for use by many threads.
public final class Broadcast {
    private static final Logger LOG = LoggerFactory.getLogger(Broadcast.class);

    private final String type;
    private final Supplier<String> document;
    private final Set<EventWaiter> readers = ConcurrentHashMap.newKeySet();
    private volatile Frame latest = new Frame(0, "", new byte[0]);

    /// An event as it is written.
    static final class Frame {
        private final long number;
        private final String document;
        private final byte[] bytes;

        private Frame(long number, String document, byte[] bytes) {
            this.number = number;
            this.document = document;
            this.bytes = bytes;
        }

        /// From 1; 0: there was none yet.
        long number() {
            return number;
        }

        /// The event, with its end; not to be changed.
        byte[] bytes() {
            return bytes;
        }
    }

    /// One of events with the type `type`.
    ///
    /// @param document returns JSON in one line; an equal text where nothing has changed
    public Broadcast(String type, Supplier<String> document) {
        this.type = type;
        this.document = document;
    }

    /// Sends the readers the document if it has changed; to be called once a second.
    public void tick() {
        if (readers.isEmpty()) {
            return;
        }
        try {
            var before = latest.number();
            if (current().number() != before) {
                readers.forEach(EventWaiter::ring);
            }
        } catch (RuntimeException notNow) {
            LOG.atDebug()
                    .addKeyValue("type", type)
                    .setCause(notNow)
                    .log("a document could not be made for its readers; it is made again");
        }
    }

    /// The document as it is now.
    synchronized Frame current() {
        var text = document.get();
        var before = latest;
        if (text.equals(before.document)) {
            return before;
        }
        var number = before.number() + 1;
        var event = "id: " + number + "\nevent: " + type + "\ndata: " + text + "\n\n";
        latest = new Frame(number, text, event.getBytes(UTF_8));
        return latest;
    }

    /// The last document that was made.
    Frame latest() {
        return latest;
    }

    EventWaiter waiter() {
        var eventWaiter = new EventWaiter(readers::remove);
        readers.add(eventWaiter);
        return eventWaiter;
    }
}
