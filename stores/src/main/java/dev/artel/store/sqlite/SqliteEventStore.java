package dev.artel.store.sqlite;

import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.AppendResult.Refused;
import dev.artel.kernel.store.Backlog;
import dev.artel.kernel.store.EventCodec;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.store.JobFolds;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.StoreWatch;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Remembers jobs in one SQLite file. What [#append] has answered survives the death of the process and the loss of
/// power. The file belongs to one orchestrator at a time; it may be read beside it with any SQLite program.
public final class SqliteEventStore implements EventStore {
    private static final Logger LOG = LoggerFactory.getLogger(SqliteEventStore.class);

    /// How many read at once for clients.
    private static final int CONNECTIONS = 4;

    /// How many read at once for the engine itself, for which no client has to be waited for.
    private static final int OWN_CONNECTIONS = 2;

    /// How long a handler that writes waits for another program that holds the file's lock.
    private static final Duration WAIT_FOR_LOCK = Duration.ofSeconds(12);

    /// A read of the engine takes some milliseconds, and a page of all open jobs some seconds on a slow disk.
    private static final Duration MOST_FOR_ENGINE = Duration.ofSeconds(30);

    /// A read of a client may look at many jobs, but not all connections at the same time.
    private static final Duration MOST_FOR_CLIENTS = Duration.ofMinutes(2);

    /// SQLite's own limit is a billion.
    private static final int MAX_BYTES = 256 << 20;

    private final StoreFile file;
    private final Database database;
    private final EventCodec codec;
    private final Readers readers;
    private final Readers ownReaders;
    private final Reading reading;
    private final EventStore reserved;
    private final Checkpoints checkpoints;
    private final Logs logs;
    private final Fleet fleet;
    private final KeyValueStore keyValues;
    private final WriteThread writeThread = new WriteThread();

    /// Where the removal of closed jobs goes on; those before it stay, most of them for as long as their parents are open.
    private final AtomicReference<JobRemoval.Place> removing =
            new AtomicReference<>(JobRemoval.Place.START);

    /// Held while a thread uses the writer. Fair, so that removing many jobs lets appends go in between.
    private final ReentrantLock writing = new ReentrantLock(true);

    /// Null after a failure whose outcome is unknown; then opened anew.
    private @Nullable Writer writer;

    private boolean closing;
    private boolean closed;

    private SqliteEventStore(
            StoreFile file, Database database, EventCodec codec, Checkpoints.LogSizes sizes)
            throws SQLException {
        this.file = file;
        this.database = database;
        this.codec = codec;
        this.writer = new Writer(database.openWriter());
        this.readers = new Readers(database, "artel-store-read", CONNECTIONS);
        this.ownReaders = new Readers(database, "artel-store-own", OWN_CONNECTIONS);
        this.reading = reading(readers);
        this.reserved = new ReservedStore(this, reading(ownReaders));
        this.fleet = new SqliteFleet(this, ownReaders);
        this.checkpoints = new Checkpoints(file, database, writing, sizes);
        this.logs = new Logs(readers, this::writeLogs);
        this.checkpoints.start();
        this.logs.start();
        this.keyValues = new SqliteKeyValueStore(ownReaders, new OneWriter());
    }

    private Reading reading(Readers over) {
        return new Reading(over, codec, new SqliteFolds(over, codec, new OneWriter()));
    }

    /// The store in `file`, which is made if it is not there; its folder must be. While another program holds the lock of the
    /// file, or its disk is full, this waits for a minute at most.
    ///
    /// @throws StoreUnavailable if the place cannot be used, or another orchestrator has the store
    /// @throws dev.artel.kernel.store.StoreException.StoreCorrupt if the file is not a store
    public static SqliteEventStore open(Path file, EventCodec codec) {
        return open(file, codec, Checkpoints.LogSizes.DEFAULTS);
    }

    static SqliteEventStore open(Path file, EventCodec codec, Checkpoints.LogSizes sizes) {
        var held = StoreFile.hold(file);
        try {
            var database = new Database(held.path());
            Opening.of(held.path(), database::migrate);
            return new SqliteEventStore(held, database, codec, sizes);
        } catch (SQLException e) {
            release(held, e);
            throw Failures.of("opening store " + held.path(), e);
        } catch (RuntimeException e) {
            release(held, e);
            throw e;
        }
    }

    /// The workers that are remembered in the same file, until [#close].
    public Fleet fleet() {
        return fleet;
    }

    /// What is committed from now on, page by page, for one who keeps a copy elsewhere and closes it before the store.
    ///
    /// @throws StoreUnavailable if the store cannot be read
    public CommittedPages committedPages() {
        try {
            var pages = new CommittedPages(file.path(), database);
            checkpoints.setFollower(pages);
            return pages;
        } catch (SQLException e) {
            throw Failures.of("following store " + file.path(), e);
        }
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        if (batch.isEmpty()) {
            tryRoom();
            return List.of();
        }
        var results = new AppendResult[batch.size()];
        var entries = new ArrayList<Encoded>(batch.size());
        for (var i = 0; i < results.length; i++) {
            var append = batch.get(i);
            try {
                entries.add(encode(i, append));
            } catch (IllegalArgumentException e) {
                results[i] = refused(append, e);
            }
        }
        if (!entries.isEmpty()) {
            writing.lock();
            try {
                write(entries, results);
            } finally {
                writing.unlock();
            }
        }
        return Arrays.asList(results);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after) {
        return reading.read(stream, after, Integer.MAX_VALUE);
    }

    @Override
    public List<StoredEvents> read(StreamId stream, long after, int limit) {
        return reading.read(stream, after, limit);
    }

    @Override
    public EventPage page(StreamId stream, long after, int limit, long bytes) {
        return reading.page(stream, after, limit, bytes);
    }

    @Override
    public long versionAt(StreamId stream, long position) {
        return reading.versionAt(stream, position);
    }

    @Override
    public List<Committed> committedAfter(long position, int limit) {
        return reading.committedAfter(position, limit);
    }

    @Override
    public boolean readCommitted(
            long position, int limit, long bytes, Predicate<Committed> reader) {
        return reading.readCommitted(position, limit, bytes, reader);
    }

    @Override
    public long lastPosition() {
        return reading.lastPosition();
    }

    @Override
    public OpenJobs open(long after, int limit) {
        return reading.open(after, limit);
    }

    @Override
    public OpenTails openTails(long after, int limit, long bytes) {
        return reading.openTails(after, limit, bytes);
    }

    @Override
    public Optional<JobRow> find(JobId job) {
        return reading.find(job);
    }

    @Override
    public JobPage list(JobQuery query) {
        return reading.list(query);
    }

    @Override
    public void setWatch(StoreWatch watch) {
        ownReaders.watchEach(watch, MOST_FOR_ENGINE);
        readers.watchAll(watch, MOST_FOR_CLIENTS);
        checkpoints.setWatch(watch);
        writeThread.setWatch(watch, MOST_FOR_ENGINE);
    }

    @Override
    public EventStore reserved() {
        return reserved;
    }

    @Override
    public Backlog backlog() {
        try {
            return checkpoints.backlog();
        } catch (IOException e) {
            throw new StoreUnavailable(
                    "looking at the log of store " + file.path() + ": found " + e, e);
        }
    }

    @Override
    public JobFolds folds() {
        return reading.folds();
    }

    @Override
    public JobLogs logs() {
        return logs;
    }

    @Override
    public long countOpen(String client, int most) {
        return reading.countOpen(client, most);
    }

    @Override
    public List<StatusCount> countByStatus() {
        return reading.countByStatus();
    }

    @Override
    public List<StatusCount> countByStatus(String client, int most) {
        return reading.countByStatus(client, most);
    }

    @Override
    public int removeClosed(Expiry expiry, int limit) {
        var begin = removing.getAndSet(JobRemoval.Place.START);
        var isRest = !begin.equals(JobRemoval.Place.START);
        var removed = 0;
        var place = Optional.of(begin);
        while (place.isPresent() && removed < limit) {
            var from = place.get();
            var some = Math.min(JobRemoval.JOBS, limit - removed);
            var step = remove(jobRemoval -> jobRemoval.removeSome(expiry, from, some));
            removed += step.removed();
            place = step.next();
            if (place.isEmpty() && isRest) {
                isRest = false;
                place = Optional.of(JobRemoval.Place.START);
            }
        }
        removing.set(place.orElse(JobRemoval.Place.START));
        if (removed > 0) {
            giveSpaceBack();
        }
        return removed;
    }

    private void giveSpaceBack() {
        var more = true;
        while (more) {
            more = remove(JobRemoval::giveSomeSpaceBack);
        }
    }

    @Override
    public Removal remove(JobId job) {
        // The latest lines of its workers may still be on its way into the file.
        logs.flush();
        var removal = write("removing job " + job, writer -> new JobRemoval(writer).removeOne(job));
        if (removal == Removal.REMOVED) {
            giveSpaceBack();
        }
        return removal;
    }

    @Override
    public List<String> unnamed(List<String> digests, Instant since) {
        return reading.unnamed(digests, since);
    }

    @Override
    public int forgetNames(Instant before, int limit) {
        return write(
                "forgetting names of large values",
                writer -> PayloadReferences.forget(writer, before, limit));
    }

    /// Versioned values in the same file.
    public KeyValueStore keyValues() {
        return keyValues;
    }

    /// Lets others use the writer.
    private final class OneWriter implements SqliteKeyValueStore.Writing {
        @Override
        public <T> T write(String attempted, SqliteKeyValueStore.Act<T> act) {
            return writeThread.run(() -> writeNow(attempted, act));
        }

        private <T> T writeNow(String attempted, SqliteKeyValueStore.Act<T> act) {
            var begun = System.nanoTime();
            while (true) {
                writing.lock();
                try {
                    return writer().write(act);
                } catch (SQLException e) {
                    var failure = failed(attempted, e);
                    var isLate = System.nanoTime() - begun > WAIT_FOR_LOCK.toNanos();
                    if (isLate || !Failures.isBusy(e)) {
                        throw failure;
                    }
                } finally {
                    writing.unlock();
                }
            }
        }
    }

    @Override
    public void close() {
        writing.lock();
        try {
            if (closing) {
                return;
            }
            closing = true;
        } finally {
            writing.unlock();
        }
        logs.close();
        writing.lock();
        try {
            closed = true;
        } finally {
            writing.unlock();
        }
        // Not under the lock, for which the last checkpoint may wait.
        var last = writer;
        try (file;
                last;
                writeThread;
                readers;
                ownReaders;
                checkpoints) {
            LOG.atDebug().addKeyValue("store", file.path()).log("closing store");
        } catch (SQLException e) {
            throw Failures.of("closing store " + file.path(), e);
        } catch (IOException e) {
            throw new StoreUnavailable(
                    "closing store " + file.path() + ": found " + e + "; end the process", e);
        }
    }

    /// Lets the file grow to `pages` and no further, as a full disk does.
    void limitPages(long pages) throws SQLException {
        writing.lock();
        try {
            writer().limitPages(pages);
        } finally {
            writing.unlock();
        }
    }

    private void tryRoom() {
        writing.lock();
        try {
            writer().tryRoom();
        } catch (SQLException e) {
            throw failed("trying whether there is room", e);
        } finally {
            writing.unlock();
        }
    }

    private Encoded encode(int place, Append append) {
        if (!append.stream().equals(StreamId.of(append.row().id()))) {
            throw new IllegalArgumentException("its row is of job " + append.row().id());
        }
        var bytes = codec.encode(append.events());
        if (bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "its events have " + bytes.length + " bytes, more than " + MAX_BYTES);
        }
        return new Encoded(place, append, bytes, PayloadReferences.in(bytes));
    }

    /// Writes `entries` with one commit, or, where one of them cannot be written, each with its own.
    private void write(List<Encoded> entries, AppendResult[] results) {
        try {
            var written = writer().append(entries);
            for (var i = 0; i < entries.size(); i++) {
                results[entries.get(i).place()] = written.get(i);
            }
        } catch (SQLException e) {
            if (!Failures.isOfTheEntry(e)) {
                throw failed("appending " + entries.size() + " entries", e);
            }
            writeAlone(entries, results, e);
        } catch (ArithmeticException e) {
            writeAlone(entries, results, e); // an instant that no column holds
        }
    }

    private void writeAlone(List<Encoded> entries, AppendResult[] results, Exception failure) {
        if (entries.size() == 1) {
            results[entries.getFirst().place()] = refused(entries.getFirst().append(), failure);
        } else {
            entries.forEach(entry -> write(List.of(entry), results));
        }
    }

    private <T> T remove(Removing<T> removing) {
        return write("removing closed jobs", writer -> removing.act(new JobRemoval(writer)));
    }

    /// Lets `act` use the writer; it commits, or abandons what it did.
    ///
    /// @param attempted for messages, as in "removing closed jobs"
    <T> T write(String attempted, Writing<T> act) {
        return writeThread.run(() -> writeNow(attempted, act));
    }

    private <T> T writeNow(String attempted, Writing<T> act) {
        writing.lock();
        try {
            return act.write(writer());
        } catch (SQLException e) {
            throw failed(attempted, e);
        } finally {
            writing.unlock();
        }
    }

    private void writeLogs(List<LogWriter.Entry> entries) {
        var _ =
                writeThread.run(() -> {
                    writeLogsNow(entries);
                    return entries;
                });
    }

    private void writeLogsNow(List<LogWriter.Entry> entries) {
        writing.lock();
        try {
            var open = writer();
            try {
                new LogWriter(open.connection()).write(entries);
                open.connection().commit();
            } catch (SQLException | RuntimeException e) {
                open.abandon(e);
                throw e;
            }
        } catch (SQLException e) {
            throw failed("keeping " + entries.size() + " pieces of logs", e);
        } finally {
            writing.unlock();
        }
    }

    interface Writing<T> {
        T write(Writer writer) throws SQLException;
    }

    private Writer writer() throws SQLException {
        if (closed) {
            throw new IllegalStateException("store " + file.path() + " is closed");
        }
        var open = writer;
        if (open == null) {
            open = new Writer(database.openWriter());
            writer = open;
        }
        return open;
    }

    /// Where the outcome is unknown the writer's memory of it is as well: it is opened anew.
    private StoreException failed(String attempted, SQLException failure) {
        var open = writer;
        if (open != null && !(open.isUsable() && Failures.isUnwritten(failure))) {
            writer = null;
            try {
                open.close();
            } catch (SQLException e) {
                failure.addSuppressed(e);
            }
        }
        return Failures.of(attempted + " in store " + file.path(), failure);
    }

    private static Refused refused(Append append, Exception reason) {
        return new Refused("append to " + append.stream() + ": " + reason.getMessage());
    }

    private static void release(StoreFile held, Exception failure) {
        try {
            held.close();
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private interface Removing<T> {
        T act(JobRemoval jobRemoval) throws SQLException;
    }
}
