package dev.artel.waits;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// What helps to understand why a wait was in vain: the state of a job, the end of the log of a process. A test or its fixture registers it, and it is read
/// when a wait of this process gives up, whichever that is.
///
/// Safe for use by many threads.
public final class Evidence implements AutoCloseable {
    private static final List<Evidence> REGISTERED = new CopyOnWriteArrayList<>();
    private static final int LONGEST = 6_000;
    private static final int SECONDS_TO_READ = 10;

    private final String name;
    private final Callable<?> content;

    private Evidence(String name, Callable<?> content) {
        this.name = name;
        this.content = content;
    }

    /// Registers what is read when a wait gives up, until it is closed.
    ///
    /// @param name what it is, such as "job 7"
    /// @param content reads it; what it throws stands in its place
    public static Evidence of(String name, Callable<?> content) {
        var evidence = new Evidence(name, content);
        REGISTERED.add(evidence);
        return evidence;
    }

    /// Registers the end of a file, until it is closed.
    public static Evidence ofFile(Path file) {
        return of(file.toString(), () -> end(file));
    }

    private static String end(Path file) throws IOException {
        try (var read = new RandomAccessFile(file.toFile(), "r")) {
            var bytes = new byte[(int) Math.min(LONGEST, read.length())];
            read.seek(read.length() - bytes.length);
            read.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /// All that is registered, each under its name.
    static String all() {
        var text = new StringBuilder();
        for (var evidence : REGISTERED) {
            text.append("\n--- ").append(evidence.name).append('\n');
            text.append(Text.end(evidence.read().strip(), LONGEST));
        }
        return text.toString();
    }

    private String read() {
        var reading = new FutureTask<>(() -> String.valueOf(content.call()));
        Thread.ofVirtual().name("evidence").start(reading);
        try {
            return reading.get(SECONDS_TO_READ, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            return "not to be read: " + e.getCause();
        } catch (TimeoutException e) {
            reading.cancel(true);
            return "not to be read within " + SECONDS_TO_READ + " s";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted while it was read";
        }
    }

    /// No later wait reads it.
    @Override
    public void close() {
        REGISTERED.remove(this);
    }
}
