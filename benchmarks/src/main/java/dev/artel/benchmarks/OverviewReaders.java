package dev.artel.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Readers of the stream of the overview, as open pages of the dashboard are, each on a connection and a thread of its own.
final class OverviewReaders implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<HttpClient> clients = new ArrayList<>();
    private final List<Future<Long>> reading = new ArrayList<>();

    private OverviewReaders() {}

    /// Opens `count` streams; each has answered when this returns.
    static OverviewReaders open(TestCluster cluster, int count) throws IOException {
        var readers = new OverviewReaders();
        try {
            for (var i = 0; i < count; i++) {
                var client = cluster.client();
                readers.clients.add(client);
                client.stream("/api/v1/overview/events");
                readers.reading.add(readers.threads.submit(client::drain));
            }
            return readers;
        } catch (IOException e) {
            readers.close();
            throw e;
        }
    }

    /// @throws IllegalStateException if a stream has ended
    void requireAllOpen() {
        var ended = reading.stream().filter(Future::isDone).count();
        if (ended > 0) {
            throw new IllegalStateException(
                    "of " + reading.size() + " streams of the overview " + ended + " have ended");
        }
    }

    @Override
    public void close() {
        for (var client : clients) {
            try {
                client.close();
            } catch (IOException e) {
                throw new UncheckedIOException("closing a stream of the overview", e);
            }
        }
        threads.close();
    }
}
