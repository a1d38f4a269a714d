package dev.artel.worker;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.worker.process.PooledTask;
import dev.artel.worker.process.ProcessFailed;
import dev.artel.worker.process.ProcessTerms;
import dev.artel.worker.process.RunningPool;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Handlers in processes of their own, for code that computes long, leaks, or can bring a process down.
///
/// ```java
/// Worker.fromEnvironment()
///         .handlersIn(ProcessPool.of(Renders.class).processes(4).timeLimit(Duration.ofMinutes(2)).memoryLimit(1L << 30))
///         .run();
/// ```
///
/// A process does one task at a time and stays for the next one; the processes are started with the worker, so that they are warm when
/// tasks come. A handler that calls `System.exit`, runs out of memory or crashes its process costs the attempt, and another process
/// takes its place. Results, progress, log lines and questions travel over a pipe. Describes the pool; not safe for use by many
/// threads.
public final class ProcessPool {
    private static final int ASIDE = 4;

    private final List<HandledType> types = new ArrayList<>();
    private final List<String> command;
    private final @Nullable String handlers;
    private final List<String> jvmOptions = new ArrayList<>();
    private final List<Path> classPath = new ArrayList<>();
    private final AtomicReference<@Nullable RunningPool> running = new AtomicReference<>();
    private final Set<String> hot = ConcurrentHashMap.newKeySet();
    private int size = Runtime.getRuntime().availableProcessors();
    private Duration timeLimit = Duration.ofHours(1);
    private long memory;
    private Duration grace = Duration.ofSeconds(5);
    private Duration startLimit = Duration.ofSeconds(30);
    private int tasks;

    private ProcessPool(List<String> command, @Nullable String handlers) {
        this.command = command;
        this.handlers = handlers;
    }

    /// A pool of JVMs that do tasks with the methods of `handlers` that are marked with [Handles]. They have the class path of this
    /// process.
    ///
    /// @param handlers with a constructor without parameters, which each process calls once
    /// @throws IllegalArgumentException if it has no such method or no such constructor
    public static ProcessPool of(Class<?> handlers) {
        try {
            var _ = handlers.getDeclaredConstructor();
        } catch (NoSuchMethodException missing) {
            throw new IllegalArgumentException(
                    handlers.getName()
                            + " has no constructor without parameters, which each process of a pool calls; add one",
                    missing);
        }
        var pool = new ProcessPool(List.of(), handlers.getName());
        for (var type : AnnotatedHandlers.of(handlers, handlers)) {
            pool.types.add(new HandledType(type.name(), type.category(), pool::perform));
        }
        return pool;
    }

    /// A pool of programs in any language that do tasks of `types`, and speak the protocol of handler processes.
    ///
    /// @param command the program and its arguments
    /// @throws IllegalArgumentException if one of them is empty
    public static ProcessPool ofCommand(List<String> command, String... types) {
        if (command.isEmpty() || types.length == 0) {
            throw new IllegalArgumentException(
                    "a pool of programs needs a command and at least one task type, got "
                            + command
                            + " and "
                            + List.of(types));
        }
        var pool = new ProcessPool(List.copyOf(command), null);
        for (var type : types) {
            pool.types.add(new HandledType(type, null, pool::perform));
        }
        return pool;
    }

    /// How many processes there are; as many as the machine has processors by default. Give the worker as many slots
    /// ([WorkerBuilder#maxConcurrentTasks]), since a task waits for a process with its slot.
    public ProcessPool processes(int count) {
        size = atLeast(1, count, "the number of processes");
        return this;
    }

    /// How long a task may take; an hour by default. Its process, and all that it has started, is killed then. Time in which the task waits for an
    /// answer does not count.
    public ProcessPool timeLimit(Duration longest) {
        timeLimit = positive(longest, "the time limit");
        return this;
    }

    /// The most resident memory of a process with all that it has started, in bytes; none by default. A process that has more is killed: on
    /// Linux, within a tenth of a second. The heap of a JVM gets three quarters of it, everywhere, and a process whose heap is
    /// full ends by itself.
    public ProcessPool memoryLimit(long bytes) {
        memory = atLeast(1, bytes, "the memory limit in bytes");
        return this;
    }

    /// How long a task may take to end when it is cancelled, or the worker stops, before its process is killed; 5 s by default.
    public ProcessPool cancelGrace(Duration longest) {
        grace = positive(longest, "the grace after a cancel");
        return this;
    }

    /// How long a process may take to be ready; 30 s by default. Tasks fail, for another attempt, when no process has been ready for so
    /// long.
    public ProcessPool startLimit(Duration longest) {
        startLimit = positive(longest, "the time to start");
        return this;
    }

    /// Replaces a process after so many tasks, for handlers that leak; never by default.
    public ProcessPool tasksPerProcess(int count) {
        tasks = atLeast(1, count, "the tasks of a process");
        return this;
    }

    /// Adds options of the JVM, such as `-XX:+UseZGC`. Only for pools of JVMs.
    public ProcessPool jvmOptions(String... options) {
        jvmOptions.addAll(List.of(options));
        return this;
    }

    /// Adds folders and jars to the class path. Only for pools of JVMs.
    public ProcessPool classPath(Path... entries) {
        classPath.addAll(List.of(entries));
        return this;
    }

    private static int atLeast(int least, int value, String what) {
        return Math.toIntExact(atLeast(least, (long) value, what));
    }

    private static long atLeast(long least, long value, String what) {
        if (value < least) {
            throw new IllegalArgumentException(
                    what + " of a pool is at least " + least + ", was " + value);
        }
        return value;
    }

    private static Duration positive(Duration time, String what) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException(
                    what + " of a pool is longer than nothing, was " + time);
        }
        return time;
    }

    /// The task types that it does.
    List<HandledType> types() {
        return List.copyOf(types);
    }

    /// Starts the processes.
    ///
    /// @param cache has what they have loaded, as long as they have it
    void start(HotCache cache) {
        var pool = new RunningPool(this::command, terms(), loaded -> changed(cache, loaded));
        if (!running.compareAndSet(null, pool)) {
            pool.close();
            throw new IllegalStateException(
                    "a pool of processes belongs to one worker, and this one has been started");
        }
    }

    private synchronized void changed(HotCache cache, List<String> loaded) {
        for (var name : loaded) {
            if (hot.add(name)) {
                cache.add(name);
            }
        }
        hot.removeIf(name -> {
            var isGone = !loaded.contains(name);
            if (isGone) {
                cache.remove(name);
            }
            return isGone;
        });
    }

    private ProcessTerms terms() {
        return new ProcessTerms(size, timeLimit, memory, grace, startLimit, tasks);
    }

    /// Kills the processes.
    void close() {
        var pool = running.get();
        if (pool != null) {
            pool.close();
        }
    }

    /// The ids of the processes that live.
    public List<Long> pids() {
        var pool = running.get();
        return pool == null ? List.of() : pool.pids();
    }

    private ProcessBuilder command() {
        return new ProcessBuilder(handlers == null ? command : jvm(handlers));
    }

    private List<String> jvm(String name) {
        var words = new ArrayList<String>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // A process without memory ends, and does not write files where the worker stands.
        words.addAll(List.of("-XX:+ExitOnOutOfMemoryError", "-XX:-CreateCoredumpOnCrash"));
        words.add(
                "-XX:ErrorFile="
                        + Path.of(System.getProperty("java.io.tmpdir"), "artel-process-%p.log"));
        if (memory > 0) {
            words.add("-Xmx" + memory / ASIDE * (ASIDE - 1));
        }
        words.addAll(jvmOptions);
        words.addAll(List.of("-cp", classPath(), HandlerMain.class.getName(), name));
        return words;
    }

    /// What this process has on its class path and its module path; a module on a class path works as any other jar.
    private String classPath() {
        var entries = new ArrayList<String>();
        classPath.forEach(entry -> entries.add(entry.toString()));
        for (var property : List.of("java.class.path", "jdk.module.path")) {
            var path = System.getProperty(property, "");
            if (!path.isEmpty()) {
                entries.add(path);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private Result perform(HandledType.Params params, TaskContext task) throws Exception {
        var pool = running.get();
        if (pool == null) {
            throw new IllegalStateException("the processes of a pool start with their worker");
        }
        var end = pool.run(new Piped(params.json(), task));
        if (end.string("kind").equals(Optional.of("failure"))) {
            throw failure(end);
        }
        var status = end.string("status").orElse("success");
        var file = end.string("file").map(Path::of);
        return file.map(path -> new Result(status, JsonObject.EMPTY, path))
                .orElseGet(() -> new Result(status, end.get("data").orElse(JsonObject.EMPTY)));
    }

    private static Exception failure(JsonObject end) {
        var message = end.string("message").orElse("the process of the handler gave no reason");
        return switch (end.string("code").orElse("").toUpperCase(Locale.ROOT)) {
            case HandlerMain.PERMANENT -> new PermanentFailure(message);
            case HandlerMain.INVALID -> new InvalidInput(message);
            default -> new ProcessFailed(message);
        };
    }

    /// A task as a process sees it.
    private record Piped(JsonObject params, TaskContext task) implements PooledTask {
        @Override
        public String id() {
            return task.taskId();
        }

        @Override
        public JsonObject message() {
            var message =
                    JsonObject.builder()
                            .put("kind", "task")
                            .put("task_id", task.taskId())
                            .put("job_id", task.jobId())
                            .put("type", task.type())
                            .put("attempt", task.attempt())
                            .put("priority", JsonNumber.of(task.priority()))
                            .put("params", params)
                            .put("tracing_context", task.tracingContext());
            task.deadline().ifPresent(at -> message.put("deadline", at.toString()));
            var answers = new ArrayList<JsonValue>();
            task.answers()
                    .forEach((question, answer) ->
                            answers.add(
                                    JsonObject.of(
                                            "question",
                                            new JsonString(question),
                                            "answer",
                                            new JsonString(answer))));
            return message.put("answers", new JsonArray(answers)).build();
        }

        @Override
        public void progress(double fraction, String message) {
            task.progress(fraction, message);
        }

        @Override
        public void spent(String usd, long tokens) {
            task.spent(usd, tokens);
        }

        @Override
        public void log(String level, String line) {
            task.log(level, line);
        }

        @Override
        public String ask(String question, List<String> choices, Optional<Duration> within)
                throws InterruptedException {
            return task.ask(question, choices, within);
        }
    }
}
