package dev.artel.server.feed;

import dev.artel.access.ClientTurns;
import dev.artel.access.Shares;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.EventStore.Committed;
import dev.artel.kernel.store.EventStore.EventPage;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamFold;
import dev.artel.kernel.store.StreamId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Sends readers the events, each on the thread that asks, until they are gone. An event is sent at least once, with
/// its position as its id, and after a break from the position that the reader names.
public final class Feeds {
    /// A reader of all events gets those of a moment together.
    private static final Duration JOIN = Duration.ofMillis(50);

    private static final int PIECE = 256;

    /// So many bytes of a job's events are read at once, as they are in the store: decoded they may take forty times as much.
    private static final long PIECE_BYTES =
            Math.clamp(
                    Runtime.getRuntime().maxMemory() / 1_024,
                    EventPage.BYTES / 16,
                    EventPage.BYTES);

    /// So many pieces are read for one client at a time, whatever the number of its streams.
    private static final int READ_AT_ONCE = 4;

    private final EventStore store;
    private final RecentEvents recent;
    private final EventWaiters eventWaiters;
    private final FleetEvents fleet;
    private final OpenStreams streams;

    /// As many wait as there are streams.
    private final ClientTurns turns =
            new ClientTurns(READ_AT_ONCE, Integer.MAX_VALUE, Duration.ofSeconds(10));

    /// How a stream ended.
    public enum End {
        /// The answer was written.
        DONE,
        /// There is nothing more to send; nothing was written.
        NOTHING_MORE,
        /// The client has as many streams open as it leaves to others, or reads too many; nothing was written.
        SHARE_USED,
        /// No further stream can be opened; nothing was written.
        NO_ROOM
    }

    /// An event as readers see it.
    public record Notification(String type, JsonObject what) {}

    /// Renders an event of a job.
    @FunctionalInterface
    public interface OfJob {
        /// The event with the number `version`.
        Notification render(long version, JobEvent event);
    }

    /// Renders an event of some job, the same for all who read it.
    @FunctionalInterface
    public interface OfAll {
        /// The event with the number `version` of its job.
        Notification render(Committed one, long version, JobEvent event);
    }

    /// Feeds from `store`.
    ///
    /// @param renderer of the events of all jobs
    public Feeds(
            EventStore store,
            OfAll renderer,
            EventWaiters eventWaiters,
            FleetEvents fleet,
            OpenStreams streams) {
        this.store = store;
        this.recent = new RecentEvents(store, renderer);
        this.eventWaiters = eventWaiters;
        this.fleet = fleet;
        this.streams = streams;
    }

    /// Sends the events of a job that come after position `after`, or without one (0) after its event `afterVersion`; ends when the job is
    /// closed.
    public End job(
            String client,
            HttpServletRequest request,
            HttpServletResponse response,
            JobId job,
            long after,
            long afterVersion,
            OfJob renderer)
            throws IOException, InterruptedException {
        if (after > 0) {
            if (!turns.begin(client)) {
                return End.SHARE_USED;
            }
            try {
                if (isOver(job, after)) {
                    return End.NOTHING_MORE;
                }
            } finally {
                turns.end(client);
            }
        }
        var taken = streams.take(client);
        if (taken != Shares.Taken.ROOM) {
            return refused(taken);
        }
        try (var stream = streams.open(client, request, response);
                var eventWaiter = eventWaiters.of(job)) {
            stream.waitsFor(eventWaiter);
            var version = after > 0 ? store.versionAt(StreamId.of(job), after) : afterVersion;
            while (true) {
                var behind = version;
                var piece = byTurns(client, stream, () -> piece(job, behind));
                if (piece.isEmpty()) {
                    break;
                }
                for (var append : piece.get().appends()) {
                    for (var i = 0; i < append.events().size(); i++) {
                        if (append.version() + i > version) {
                            var notification =
                                    renderer.render(append.version() + i, append.events().get(i));
                            stream.event(
                                    append.position() + i,
                                    notification.type(),
                                    notification.what());
                        }
                    }
                    version = append.version() + append.events().size() - 1;
                }
                stream.flush();
                if (piece.get().appends().isEmpty()) {
                    if (piece.get().isLast()) {
                        break;
                    }
                    pause(stream, eventWaiter);
                }
            }
        }
        return End.DONE;
    }

    /// Some events of a job.
    ///
    /// @param isLast whether no more come behind them
    private record Piece(List<StoredEvents> appends, boolean isLast) {}

    private Piece piece(JobId job, long version) {
        var page = store.page(StreamId.of(job), version, PIECE, PIECE_BYTES);
        // Looked at behind the last event alone: it may mean to read the whole job.
        if (!page.appends().isEmpty()) {
            return new Piece(page.appends(), false);
        }
        // Before the events: what ends it between the two is sent with the next piece.
        var isQuiet = isQuiet(job);
        return new Piece(
                store.page(StreamId.of(job), version, PIECE, PIECE_BYTES).appends(), isQuiet);
    }

    /// What `read` gives when it is the turn of `client`. A reader that waits for long sees that the stream lives; empty
    /// if the stream has ended.
    private <T> Optional<T> byTurns(String client, EventStream stream, Supplier<T> read)
            throws IOException, InterruptedException {
        while (!streams.isClosed() && stream.isOpen()) {
            if (turns.begin(client)) {
                try {
                    return Optional.of(read.get());
                } finally {
                    turns.end(client);
                }
            }
            stream.alive();
        }
        return Optional.empty();
    }

    /// Whether nothing happens to the job any more but calls of its webhooks.
    private boolean isQuiet(JobId job) {
        var row = store.find(job);
        if (row.isEmpty() || row.get().closed()) {
            return true;
        }
        return switch (row.get().status()) {
            case "finished", "failed", "cancelled" -> {
                yield StreamFold.of(store, job).state() instanceof Job found && found.isQuiet();
            }
            default -> false;
        };
    }

    private boolean isOver(JobId job, long after) {
        var stream = StreamId.of(job);
        return isQuiet(job) && store.read(stream, store.versionAt(stream, after), 1).isEmpty();
    }

    /// Sends the events of the jobs of those clients that `seen` lets through.
    ///
    /// @param after the position after which to begin; empty: with what happens from now on
    public End all(
            String client,
            HttpServletRequest request,
            HttpServletResponse response,
            OptionalLong after,
            Predicate<String> seen)
            throws IOException, InterruptedException {
        try (var eventWaiter = eventWaiters.ofAll()) {
            var position = after.orElseGet(recent::lastPosition);
            var taken = streams.take(client);
            if (taken != Shares.Taken.ROOM) {
                return refused(taken);
            }
            try (var stream = streams.open(client, request, response)) {
                stream.waitsFor(eventWaiter);
                while (true) {
                    var behind = position;
                    var read = byTurns(client, stream, () -> recent.after(behind));
                    if (read.isEmpty()) {
                        break;
                    }
                    var some = read.get();
                    for (var one : some) {
                        if (seen.test(one.client())) {
                            send(one, position, stream);
                        }
                        position = one.last();
                    }
                    stream.flush();
                    if (some.isEmpty()) {
                        pause(stream, eventWaiter);
                        Thread.sleep(JOIN);
                    }
                }
            }
        }
        return End.DONE;
    }

    private static void send(WrittenAppend one, long after, EventStream stream) throws IOException {
        for (var frame : one.frames()) {
            if (frame.position() > after) {
                stream.frame(frame.bytes());
            }
        }
    }

    /// Sends the events of workers. A reader that asks for what is no longer known gets an event `reset` and has
    /// to read the fleet itself.
    ///
    /// @param after the position after which to begin; empty: with what happens from now on
    ///
    /// @param seen what a reader may know of what happened
    public End fleet(
            String client,
            HttpServletRequest request,
            HttpServletResponse response,
            OptionalLong after,
            UnaryOperator<JsonObject> seen)
            throws IOException, InterruptedException {
        try (var eventWaiter = fleet.waiter()) {
            var position = after.orElseGet(fleet::lastPosition);
            var taken = streams.take(client);
            if (taken != Shares.Taken.ROOM) {
                return refused(taken);
            }
            try (var stream = streams.open(client, request, response)) {
                stream.waitsFor(eventWaiter);
                while (!streams.isClosed() && stream.isOpen()) {
                    var since = fleet.after(position);
                    if (!since.complete()) {
                        position = fleet.lastPosition();
                        stream.event(position, "reset", JsonObject.EMPTY);
                    } else {
                        for (var item : since.items()) {
                            stream.event(item.position(), item.type(), seen.apply(item.what()));
                            position = item.position();
                        }
                    }
                    stream.flush();
                    pause(stream, eventWaiter);
                }
            }
        }
        return End.DONE;
    }

    /// Sends a document again and again, whenever it has changed.
    public End broadcast(
            String client,
            HttpServletRequest request,
            HttpServletResponse response,
            Broadcast source)
            throws IOException, InterruptedException {
        var frame = source.current();
        var taken = streams.take(client);
        if (taken != Shares.Taken.ROOM) {
            return refused(taken);
        }
        try (var eventWaiter = source.waiter();
                var stream = streams.open(client, request, response)) {
            stream.waitsFor(eventWaiter);
            var sent = 0L;
            while (!streams.isClosed() && stream.isOpen()) {
                if (frame.number() != sent) {
                    stream.frame(frame.bytes());
                    stream.flush();
                    sent = frame.number();
                }
                pause(stream, eventWaiter);
                frame = source.latest();
            }
        }
        return End.DONE;
    }

    private static End refused(Shares.Taken taken) {
        return taken == Shares.Taken.SHARE_USED ? End.SHARE_USED : End.NO_ROOM;
    }

    private void pause(EventStream stream, EventWaiter eventWaiter)
            throws IOException, InterruptedException {
        if (!eventWaiter.await(streams.silence()) && !streams.isClosed()) {
            stream.alive();
        }
    }
}
