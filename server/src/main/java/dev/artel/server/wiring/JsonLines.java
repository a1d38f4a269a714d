package dev.artel.server.wiring;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.server.files.PrivateFiles;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file to which JSON objects are added, one a line. Whoever adds never waits: what comes faster than the disk takes it
/// is dropped and counted. At a size the file is put aside, and a few of those are kept.
final class JsonLines implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JsonLines.class);
    private static final int WAITING = 20_000;
    private static final int KEPT = 5;
    private static final Duration END = Duration.ofSeconds(5);

    private final Path file;
    private final long largest;
    private final BlockingQueue<JsonObject> queue = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;

    private JsonLines(Path file, long largest) {
        this.file = file;
        this.largest = largest;
        this.thread = Thread.ofPlatform().daemon().name("artel-lines").unstarted(this::run);
    }

    /// Adds to `file`, whose folder is made if it is missing.
    ///
    /// @param largest at how many bytes it is put aside
    /// @throws CannotStart if the file cannot be written
    static JsonLines open(Path file, long largest) {
        var lines = new JsonLines(file.toAbsolutePath(), largest);
        try {
            Files.createDirectories(lines.file.getParent());
            lines.open().close();
        } catch (IOException e) {
            throw new CannotStart(
                    "cannot write the log "
                            + lines.file
                            + " ("
                            + e
                            + "); choose another place or check its permissions",
                    e);
        }
        lines.thread.start();
        return lines;
    }

    void add(JsonObject line) {
        if (!queue.offer(line) && dropped.getAndIncrement() == 0) {
            LOG.atWarn().addKeyValue("file", file).log("the disk is too slow; lines are dropped");
        }
    }

    private OutputStream open() throws IOException {
        PrivateFiles.makeFile(file);
        return new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                64 << 10);
    }

    private void run() {
        while (!closed || !queue.isEmpty()) {
            try {
                var first = queue.poll(200, TimeUnit.MILLISECONDS);
                if (first != null) {
                    write(first);
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException failed) {
                LOG.atError()
                        .addKeyValue("file", file)
                        .setCause(failed)
                        .log("lines could not be written and are lost");
            }
        }
    }

    /// Writes `first` and all that waits.
    private void write(JsonObject first) throws IOException {
        if (Files.exists(file) && Files.size(file) > largest) {
            putAside();
        }
        try (var out = open()) {
            for (var line = first; line != null; line = queue.poll()) {
                out.write(JsonText.write(line));
                out.write('\n');
            }
        }
        var lost = dropped.getAndSet(0);
        if (lost > 0) {
            LOG.atWarn().addKeyValue("file", file).addKeyValue("lines", lost).log("dropped lines");
        }
    }

    private void putAside() throws IOException {
        for (var i = KEPT - 1; i >= 1; i--) {
            var older = aside(i);
            if (Files.exists(older)) {
                Files.move(older, aside(i + 1), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.move(file, aside(1), StandardCopyOption.REPLACE_EXISTING);
    }

    private Path aside(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    /// Writes what waits.
    @Override
    public void close() {
        closed = true;
        try {
            if (!thread.join(END)) {
                LOG.atWarn().addKeyValue("file", file).log("a log did not end in time");
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
