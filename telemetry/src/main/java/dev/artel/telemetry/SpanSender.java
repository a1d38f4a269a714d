package dev.artel.telemetry;

import dev.artel.config.TraceSettings;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends spans to a collector, some at a time, from a thread of its own. What has no room is dropped and counted, and what the
/// collector does not take is so, too. Safe for use by many threads.
final class SpanSender implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpanSender.class);
    private static final int ROOM = 16_384;
    private static final int BATCH = 512;
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final Duration CLOSING = Duration.ofSeconds(3);

    /// A collector that is started anew is asked again for two seconds or so.
    private static final RetryPolicy RETRIES =
            RetryPolicy.builder()
                    .setMaxAttempts(3)
                    .setInitialBackoff(Duration.ofMillis(500))
                    .setMaxBackoff(Duration.ofSeconds(2))
                    .build();

    private static final long BETWEEN_WARNINGS = Duration.ofMinutes(1).toNanos();

    private final URI endpoint;
    private final SpanExporter exporter;
    private final BlockingQueue<SpanData> waiting = new ArrayBlockingQueue<>(ROOM);
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Thread thread;
    private volatile boolean isClosing;
    private final AtomicLong taken = new AtomicLong();
    private final AtomicLong handled = new AtomicLong();
    private long lastWarning = System.nanoTime() - BETWEEN_WARNINGS;
    private long unreported;

    private SpanSender(URI endpoint, SpanExporter exporter) {
        this.endpoint = endpoint;
        this.exporter = exporter;
        thread = Thread.ofPlatform().name("artel-traces-send").daemon().unstarted(this::run);
    }

    /// One for the collector of `settings`, which has an endpoint.
    static SpanSender open(TraceSettings settings) {
        var endpoint = settings.endpoint().orElseThrow();
        var exporter =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(endpoint.toString())
                        .setTimeout(LONGEST)
                        .setRetryPolicy(RETRIES)
                        .setCompression("gzip");
        settings.headers().forEach(exporter::addHeader);
        var sender = new SpanSender(endpoint, exporter.build());
        sender.thread.start();
        return sender;
    }

    /// Sends `span` soon.
    void send(SpanData span) {
        if (waiting.offer(span)) {
            taken.incrementAndGet();
        } else {
            dropped.incrementAndGet();
        }
    }

    /// Counts spans that were never made.
    void lost(int spans) {
        dropped.addAndGet(spans);
    }

    /// How many spans were taken so far.
    long taken() {
        return taken.get();
    }

    /// Of how many the end is known.
    long handled() {
        return handled.get();
    }

    long sent() {
        return sent.get();
    }

    /// How many had no room.
    long dropped() {
        return dropped.get();
    }

    /// How many the collector has not taken.
    long failed() {
        return failed.get();
    }

    private void run() {
        var batch = new ArrayList<SpanData>(BATCH);
        try {
            while (!isClosing || !waiting.isEmpty()) {
                var first = waiting.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.add(first);
                    waiting.drainTo(batch, BATCH - 1);
                    send(batch);
                    batch.clear();
                }
            }
        } catch (InterruptedException closed) {
            LOG.atDebug().log("sending traces was interrupted");
        }
    }

    private void send(List<SpanData> batch) {
        var size = batch.size();
        try {
            var result =
                    exporter.export(new ArrayList<>(batch))
                            .join(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
            if (result.isSuccess()) {
                sent.addAndGet(size);
            } else {
                notTaken(size, result.getFailureThrowable());
            }
        } catch (RuntimeException bug) {
            notTaken(size, bug);
        }
        handled.addAndGet(size);
    }

    private void notTaken(int size, @Nullable Throwable why) {
        failed.addAndGet(size);
        unreported += size;
        var now = System.nanoTime();
        if (now - lastWarning >= BETWEEN_WARNINGS) {
            lastWarning = now;
            LOG.atWarn()
                    .addKeyValue("endpoint", endpoint)
                    .addKeyValue("spans", unreported)
                    .addKeyValue("reason", why == null ? "no answer in time" : why.toString())
                    .log("the collector of traces did not take spans; they are dropped");
            unreported = 0;
        }
    }

    /// Sends what waits, for some seconds at most.
    @Override
    public void close() {
        isClosing = true;
        try {
            if (!thread.join(CLOSING)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        var _ = exporter.shutdown();
    }
}
