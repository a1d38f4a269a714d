package dev.artel.store.sqlite;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobLogs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gathers lines of logs and writes them a few times a second, so that they cost the jobs little.
final class Logs implements JobLogs, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Logs.class);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration END = Duration.ofSeconds(10);

    private final Readers readers;
    private final Consumer<List<LogWriter.Entry>> writer;
    private final LogQueue waiting = new LogQueue(LogQueue.BYTES);
    private final ReentrantLock writing = new ReentrantLock();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    /// @param writer makes entries durable, and throws if it cannot
    Logs(Readers readers, Consumer<List<LogWriter.Entry>> writer) {
        this.readers = readers;
        this.writer = writer;
        this.thread = Thread.ofPlatform().name("artel-store-logs").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    @Override
    public boolean keep(Attempt attempt, List<Line> lines) {
        return lines.isEmpty() || waiting.offer("", attempt, lines);
    }

    @Override
    public boolean keep(WorkerId worker, Attempt attempt, List<Line> lines) {
        return lines.isEmpty() || waiting.offer(worker.value(), attempt, lines);
    }

    /// Sees every line that was taken in before.
    @Override
    public List<Entry> read(JobId job, OptionalInt task, Optional<Place> before, int limit) {
        write();
        return readers.read(
                "reading the log of job " + job,
                reader -> LogLines.read(reader.connection(), job, task, before, limit));
    }

    /// Writes what was taken in before.
    void flush() {
        write();
    }

    /// Writes what waits, and ends.
    @Override
    public void close() {
        closing.countDown();
        try {
            if (!thread.join(END)) {
                LOG.warn("lines of logs are still being written");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                write();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        write();
    }

    private void write() {
        writing.lock();
        try {
            for (var some = waiting.take(); !some.isEmpty(); some = waiting.take()) {
                write(some);
                waiting.written(some);
            }
        } finally {
            writing.unlock();
        }
    }

    private void write(List<LogWriter.Entry> entries) {
        try {
            writer.accept(entries);
        } catch (RuntimeException e) {
            LOG.atWarn()
                    .addKeyValue("entries", entries.size())
                    .setCause(e)
                    .log("lines of workers' logs are lost");
        }
    }
}
