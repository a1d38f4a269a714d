package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.StoreWatch;
import dev.artel.kernel.store.StoreWatch.Pulse;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/// A few connections that read, each in a transaction of its own, while the writer writes.
///
/// A thread that is in SQLite keeps its carrier if it is virtual: as many slow reads as there are processors would stop
/// all virtual threads. So what virtual threads read is read for them by platform threads, one for each connection.
final class Readers implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Database database;
    private final String name;
    private final List<Reader> all = new ArrayList<>();
    private final BlockingQueue<Reader> free;
    private final ExecutorService threads;

    /// Works as long as no connection is free.
    private volatile Pulse busy = Pulse.NONE;

    /// @param name of the threads
    /// @param connections how many read at once
    Readers(Database database, String name, int connections) throws SQLException {
        this.database = database;
        this.name = name;
        free = new ArrayBlockingQueue<>(connections);
        for (var i = 0; i < connections; i++) {
            var reader = new Reader(database.openReader());
            all.add(reader);
            free.add(reader);
        }
        threads =
                Executors.newFixedThreadPool(
                        connections, Thread.ofPlatform().daemon().name(name + "-", 0).factory());
    }

    /// Lets `watch` know what each connection is at, which should take `most`.
    void watchEach(StoreWatch watch, Duration most) {
        for (var i = 0; i < all.size(); i++) {
            all.get(i).setWatch(watch.part(name + "-" + i, most));
        }
    }

    /// Lets `watch` know when there is no free connection: one should come free within `most`.
    void watchAll(StoreWatch watch, Duration most) {
        busy = watch.part(name, most);
    }

    /// @param attempted for messages, as in "listing jobs"
    <T> T read(String attempted, Reading<T> reading) {
        var reader = take(attempted);
        if (!Thread.currentThread().isVirtual()) {
            return read(reader, attempted, reading);
        }
        // As many threads as connections: one is free for who has a connection, or soon.
        return await(attempted, threads.submit(() -> read(reader, attempted, reading)));
    }

    private <T> T read(Reader reader, String attempted, Reading<T> reading) {
        var pulse = reader.pulse();
        pulse.begin();
        if (free.isEmpty()) {
            busy.begin();
            if (!free.isEmpty()) {
                busy.rest(); // one has come free before this began
            }
        }
        try {
            return reading.read(reader);
        } catch (SQLException e) {
            throw Failures.of(attempted + " in store " + database.file(), e);
        } finally {
            pulse.rest();
            busy.rest();
            free.add(reader);
        }
    }

    /// However long it takes: a reading ends, and its connection is in use until then.
    private <T> T await(String attempted, Future<T> reading) {
        try {
            return reading.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(attempted, e);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failed.getCause();
        }
    }

    @Override
    public void close() throws SQLException {
        threads.close();
        for (var reader : all) {
            reader.close();
        }
    }

    private Reader take(String attempted) {
        try {
            var reader = free.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (reader == null) {
                throw new StoreUnavailable(
                        attempted
                                + " in store "
                                + database.file()
                                + ": found no free connection in "
                                + TIMEOUT
                                + "; try again with less load",
                        null);
            }
            return reader;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(attempted, e);
        }
    }

    private StoreUnavailable interrupted(String attempted, InterruptedException e) {
        return new StoreUnavailable(
                attempted + " in store " + database.file() + ": interrupted; try again", e);
    }

    interface Reading<T> {
        T read(Reader reader) throws SQLException;
    }
}
