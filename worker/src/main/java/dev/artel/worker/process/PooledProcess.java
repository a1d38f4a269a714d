package dev.artel.worker.process;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One process of a pool, which does one task at a time. [#run] is for one thread at a time, the rest is safe for use by many.
final class PooledProcess {
    private static final Logger LOG = LoggerFactory.getLogger("dev.artel.worker.process");
    private static final int KEPT_LINES = 30;
    private static final int SHOWN_LINES = 5;
    private static final int KEPT_OF_A_LINE = 300;
    private static final int SIGNAL = 128;

    /// How long what a process has printed before its end may take to be read.
    private static final Duration LAST_WORDS = Duration.ofSeconds(1);

    private static final int WAITING_MESSAGES = 1000;

    private final Process process;
    private final PipeWriter writer;
    private final BlockingQueue<Optional<JsonObject>> messages =
            new ArrayBlockingQueue<>(WAITING_MESSAGES);
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Consumer<PooledProcess> hotChanged;
    private final AtomicReference<@Nullable String> killed = new AtomicReference<>();
    private final Thread reader;
    private final Thread errors;
    private volatile @Nullable Limit limit;
    private volatile List<String> hot = List.of();
    private int tasks;

    /// When the task in work has to be over.
    ///
    /// @param at of [System#nanoTime]
    /// @param reason why the process is killed then
    private record Limit(long at, String reason) {}

    /// Starts `command`.
    ///
    /// @param hotChanged called when the process has loaded something, or something no longer
    PooledProcess(ProcessBuilder command, Consumer<PooledProcess> hotChanged) throws IOException {
        this.hotChanged = hotChanged;
        process = command.start();
        writer = new PipeWriter(process.getOutputStream());
        reader =
                Thread.ofPlatform()
                        .daemon()
                        .name("artel-process-" + process.pid() + "-out")
                        .start(this::readMessages);
        errors =
                Thread.ofPlatform()
                        .daemon()
                        .name("artel-process-" + process.pid() + "-err")
                        .start(this::readErrors);
        Thread.ofVirtual().name("artel-process-" + process.pid() + "-end").start(this::awaitEnd);
    }

    /// The pipe of a process that has ended stays open as long as something that it has started lives.
    private void awaitEnd() {
        try {
            process.waitFor();
            if (!reader.join(LAST_WORDS)) {
                ended();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void readMessages() {
        try {
            var pipe = new PipeReader(process.getInputStream(), this::output);
            for (var message = pipe.next(); message.isPresent(); message = pipe.next()) {
                take(message.get());
            }
        } catch (IOException broken) {
            kill("its pipe broke: " + broken.getMessage());
        } catch (InterruptedException killedMeanwhile) {
            LOG.debug("process {} was killed", process.pid());
        }
        ended();
    }

    private void take(JsonObject message) throws InterruptedException {
        switch (message.string("kind").orElse("")) {
            case "ready" -> ready.complete(true);
            case "hot" -> {
                hot = strings(message, "names");
                hotChanged.accept(this);
            }
            default -> messages.put(Optional.of(message));
        }
    }

    private void ended() {
        ready.complete(false);
        hot = List.of();
        hotChanged.accept(this);
        // What came before is of no more use if there is no room to say that nothing follows.
        while (!messages.offer(Optional.empty())) {
            messages.poll();
        }
    }

    private void readErrors() {
        try (BufferedReader lines = process.errorReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(this::output);
        } catch (IOException | UncheckedIOException ended) {
            LOG.debug("process {} prints no more", process.pid());
        }
    }

    private void output(String line) {
        LOG.atInfo().addKeyValue("pid", process.pid()).log(line);
        synchronized (lastLines) {
            if (lastLines.size() == KEPT_LINES) {
                lastLines.removeFirst();
            }
            lastLines.addLast(
                    line.length() > KEPT_OF_A_LINE ? line.substring(0, KEPT_OF_A_LINE) : line);
        }
    }

    /// Waits until the process can take a task.
    ///
    /// @throws ProcessFailed if it ends before, or takes longer; it is killed then
    void awaitReady(Duration longest) throws InterruptedException {
        try {
            if (ready.get(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (TimeoutException late) {
            kill("it was not ready within " + longest);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
        throw failure("before it was ready");
    }

    /// Has `task` done and waits for its end.
    ///
    /// @return the message of kind `result` or `failure`
    /// @throws ProcessFailed if the process ends before, by itself or since it took longer or more memory than `terms` allow
    /// @throws InterruptedException if the current thread is interrupted and the task does not end within the grace of `terms`
    JsonObject run(PooledTask task, ProcessTerms terms) throws InterruptedException {
        tasks++;
        within(terms.timeLimit(), "it took longer than " + terms.timeLimit());
        try {
            send(task.message(), task);
            return awaitEnd(task);
        } catch (InterruptedException cancelled) {
            within(terms.grace(), "it went on for " + terms.grace() + " after a cancel");
            send(message("cancel", task), task);
            return awaitEnd(task);
        } finally {
            limit = null;
        }
    }

    private void within(Duration time, String reason) {
        limit = new Limit(System.nanoTime() + time.toNanos(), reason);
    }

    private JsonObject awaitEnd(PooledTask task) throws InterruptedException {
        for (var message = messages.take(); message.isPresent(); message = messages.take()) {
            var it = message.get();
            if (it.string("task_id").filter(task.id()::equals).isEmpty()) {
                continue; // about a task that is over
            }
            switch (it.string("kind").orElse("")) {
                case "result", "failure" -> {
                    return it;
                }
                case "spent" ->
                        task.spent(
                                it.string("usd").orElse("0"),
                                it.number("tokens").map(JsonNumber::asLong).orElse(0L));
                case "progress" ->
                        task.progress(
                                it.number("fraction").map(JsonNumber::asDouble).orElse(0.0),
                                it.string("message").orElse(""));
                case "log" ->
                        task.log(
                                it.string("level").orElse("info"), it.string("message").orElse(""));
                case "ask" -> ask(it, task);
                default ->
                        LOG.atWarn()
                                .addKeyValue("pid", process.pid())
                                .addKeyValue("message", it)
                                .log("a message of unknown kind is ignored");
            }
        }
        throw failure("while it did task " + task.id());
    }

    /// Waits for people; the time limit does not run meanwhile.
    private void ask(JsonObject message, PooledTask task) throws InterruptedException {
        var question = message.string("question").orElse("");
        var within = message.number("within_ms").map(JsonNumber::asLong).map(Duration::ofMillis);
        var before = limit;
        var asked = System.nanoTime();
        limit = null;
        try {
            var answer = task.ask(question, strings(message, "choices"), within);
            send(message("answer", task).with("answer", new JsonString(answer)), task);
        } catch (IllegalStateException | UnsupportedOperationException refused) {
            send(
                    message("refused", task)
                            .with("message", new JsonString(String.valueOf(refused.getMessage()))),
                    task);
        } finally {
            if (before != null) {
                limit = new Limit(before.at() + System.nanoTime() - asked, before.reason());
            }
        }
    }

    private static JsonObject message(String kind, PooledTask task) {
        return JsonObject.of("kind", new JsonString(kind), "task_id", new JsonString(task.id()));
    }

    private static List<String> strings(JsonObject message, String member) {
        return message.array(member).orElse(JsonArray.EMPTY).stream()
                .filter(JsonString.class::isInstance)
                .map(it -> ((JsonString) it).value())
                .toList();
    }

    private void send(JsonObject message, PooledTask task) throws InterruptedException {
        try {
            writer.send(message);
        } catch (IOException broken) {
            if (process.isAlive()) {
                kill("its pipe broke: " + broken.getMessage());
            }
            throw failure("when it was to do task " + task.id());
        }
    }

    private ProcessFailed failure(String when) throws InterruptedException {
        process.waitFor();
        var _ = errors.join(LAST_WORDS);
        var reason = killed.get();
        var lines = lastWords();
        return new ProcessFailed(
                "process "
                        + process.pid()
                        + (reason == null
                                ? " ended " + when + ", with " + exit(process.exitValue())
                                : " was killed " + when + ": " + reason)
                        + (lines.isEmpty() ? "" : "; it printed at last: " + lines));
    }

    /// What it printed at last. A JVM that crashes prints the signal first, and much below it.
    private String lastWords() {
        synchronized (lastLines) {
            var signal =
                    lastLines.stream().filter(line -> line.matches("#\\s+SIG[A-Z]+ .*")).toList();
            return signal.isEmpty()
                    ? lastLines.stream()
                            .skip(Math.max(0, lastLines.size() - SHOWN_LINES))
                            .collect(Collectors.joining(" | "))
                    : signal.getLast().replaceFirst("#\\s+", "");
        }
    }

    private static String exit(int code) {
        return switch (code - SIGNAL) {
            case 6 -> "signal SIGABRT";
            case 9 -> "signal SIGKILL";
            case 11 -> "signal SIGSEGV";
            case 15 -> "signal SIGTERM";
            default -> "exit code " + code;
        };
    }

    /// Kills the process if its task is overdue, or it has more than `memory` bytes.
    void check(long memory) {
        var now = limit;
        if (now == null) {
            return;
        }
        if (System.nanoTime() - now.at() > 0) {
            kill(now.reason());
        } else if (memory > 0) {
            var used = MemoryUse.of(process.toHandle());
            if (used > memory) {
                kill("it had " + used + " bytes of memory, and may have " + memory);
            }
        }
    }

    /// Ends it and all that it has started, at once. A second call does nothing.
    ///
    /// @param reason for people, after "was killed: "
    void kill(String reason) {
        killed.compareAndSet(null, reason);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        reader.interrupt();
    }

    /// Whether it has been ready for tasks.
    boolean isReady() {
        return ready.getNow(false);
    }

    boolean isAlive() {
        return process.isAlive() && killed.get() == null;
    }

    /// How many tasks it has been given.
    int tasks() {
        return tasks;
    }

    /// What it has loaded.
    List<String> hot() {
        return hot;
    }

    /// For tests and logs.
    long pid() {
        return process.pid();
    }
}
