package dev.artel.worker;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.worker.process.PipeReader;
import dev.artel.worker.process.PipeWriter;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The program of a process of a [ProcessPool]: does the tasks that come over its standard input with the methods of one class, and
/// reports over its standard output. What handlers print goes to the standard error. It ends when its input does, so that it
/// does not outlive its worker.
final class HandlerMain {
    static final String PERMANENT = "PERMANENT_ERROR";
    static final String INVALID = "INVALID_INPUT_ERROR";
    private static final String TRANSIENT = "TRANSIENT_ERROR";
    private static final int MISUSED = 64;

    private static final PrintStream ERRORS =
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);

    private final Map<String, HandledType> types;
    private final PipeWriter out;
    private final HotCache hotCache;
    private final Map<String, PipedTask> tasks = new ConcurrentHashMap<>();

    private HandlerMain(Map<String, HandledType> types, PipeWriter out) {
        this.types = types;
        this.out = out;
        hotCache = new HotCache(this::loaded);
    }

    /// Does tasks until the input ends.
    ///
    /// @param arguments the name of the class with the handlers
    public static void main(String[] arguments) throws Exception {
        var out = new PipeWriter(new FileOutputStream(FileDescriptor.out));
        var in = new PipeReader(new FileInputStream(FileDescriptor.in), ERRORS::println);
        System.setOut(ERRORS);
        System.setIn(InputStream.nullInputStream());
        if (arguments.length != 1) {
            ERRORS.println(
                    "a handler process needs the name of one class, got " + arguments.length);
            System.exit(MISUSED);
        }
        var type = Class.forName(arguments[0]);
        var constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        var types =
                AnnotatedHandlers.of(constructor.newInstance(), type).stream()
                        .collect(Collectors.toMap(HandledType::name, it -> it));
        new HandlerMain(types, out).serve(in);
        Runtime.getRuntime().halt(0);
    }

    private void serve(PipeReader in) throws IOException {
        out.send(JsonObject.of("kind", new JsonString("ready")));
        for (var message = in.next(); message.isPresent(); message = in.next()) {
            take(message.get());
        }
    }

    private void take(JsonObject message) {
        var id = message.string("task_id").orElse("");
        switch (message.string("kind").orElse("")) {
            case "task" -> {
                var task = new PipedTask(message, out, hotCache);
                tasks.put(id, task);
                task.start(() -> perform(id, task));
            }
            case "cancel" -> Optional.ofNullable(tasks.get(id)).ifPresent(PipedTask::cancel);
            case "answer", "refused" ->
                    Optional.ofNullable(tasks.get(id)).ifPresent(task -> task.replied(message));
            default -> ERRORS.println("a message of unknown kind is ignored: " + message);
        }
    }

    private void perform(String id, PipedTask task) {
        var end = end(task);
        tasks.remove(id);
        try {
            out.send(end);
        } catch (IOException gone) {
            ERRORS.println("the end of task " + id + " cannot be reported: " + gone);
        }
    }

    private JsonObject end(PipedTask task) {
        try {
            var type = types.get(task.type());
            if (type == null) {
                throw new PermanentFailure(
                        "this process does not do tasks of type '"
                                + task.type()
                                + "', only "
                                + types.keySet());
            }
            var result = type.act().perform(task, task);
            var end =
                    JsonObject.builder()
                            .put("kind", "result")
                            .put("task_id", task.taskId())
                            .put("status", result.status());
            return result.file() == null
                    ? end.put("data", result.data()).build()
                    : end.put("file", result.file().toAbsolutePath().toString()).build();
        } catch (PermanentFailure failure) {
            return failure(task, PERMANENT, failure);
        } catch (InvalidInput failure) {
            return failure(task, INVALID, failure);
        } catch (Throwable failure) {
            failure.printStackTrace(ERRORS);
            return failure(task, TRANSIENT, failure);
        }
    }

    private static JsonObject failure(PipedTask task, String code, Throwable failure) {
        var message = failure.getMessage();
        return JsonObject.builder()
                .put("kind", "failure")
                .put("task_id", task.taskId())
                .put("code", code)
                .put(
                        "message",
                        message == null || message.isBlank()
                                ? failure.getClass().getName()
                                : message)
                .build();
    }

    private void loaded() {
        try {
            out.send(
                    JsonObject.of(
                            "kind",
                            new JsonString("hot"),
                            "names",
                            JsonArray.ofStrings(hotCache.names())));
        } catch (IOException gone) {
            throw new UncheckedIOException("what is loaded cannot be reported", gone);
        }
    }

    /// A task in a process of its own.
    private static final class PipedTask implements TaskContext, HandledType.Params {
        private final JsonObject task;
        private final PipeWriter out;
        private final HotCache hotCache;
        private final SynchronousQueue<JsonObject> replies = new SynchronousQueue<>();
        private volatile boolean isCancelled;
        private volatile @Nullable Thread thread;

        PipedTask(JsonObject task, PipeWriter out, HotCache hotCache) {
            this.task = task;
            this.out = out;
            this.hotCache = hotCache;
        }

        void start(Runnable work) {
            thread = Thread.ofPlatform().name("task-" + taskId()).start(work);
        }

        void cancel() {
            isCancelled = true;
            var running = thread;
            if (running != null) {
                running.interrupt();
            }
        }

        void replied(JsonObject reply) {
            try {
                if (!replies.offer(reply, 1, TimeUnit.SECONDS)) {
                    ERRORS.println("nothing waits for " + reply);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void send(JsonObject.Builder message) {
            try {
                out.send(message.put("task_id", taskId()).build());
            } catch (IOException gone) {
                throw new UncheckedIOException("the worker of task " + taskId() + " is gone", gone);
            }
        }

        @Override
        public JsonObject json() {
            return task.object("params").orElse(JsonObject.EMPTY);
        }

        @Override
        public Path file() throws IOException {
            throw new IOException(
                    "handlers in processes get their parameters as values, not as files");
        }

        @Override
        public String jobId() {
            return task.string("job_id").orElse("");
        }

        @Override
        public String taskId() {
            return task.string("task_id").orElse("");
        }

        @Override
        public String type() {
            return task.string("type").orElse("");
        }

        @Override
        public int attempt() {
            return task.number("attempt").map(it -> (int) it.asLong()).orElse(1);
        }

        @Override
        public double priority() {
            return task.number("priority").map(JsonNumber::asDouble).orElse(0.0);
        }

        @Override
        public Optional<Instant> deadline() {
            return task.string("deadline").map(Instant::parse);
        }

        @Override
        public JsonObject tracingContext() {
            return task.object("tracing_context").orElse(JsonObject.EMPTY);
        }

        @Override
        public void progress(double fraction, String message) {
            send(
                    JsonObject.builder()
                            .put("kind", "progress")
                            .put("fraction", JsonNumber.of(fraction))
                            .put("message", message));
        }

        @Override
        public void log(String level, String message) {
            send(
                    JsonObject.builder()
                            .put("kind", "log")
                            .put("level", level)
                            .put("message", message));
        }

        @Override
        public void spent(String usd, long tokens) {
            send(JsonObject.builder().put("kind", "spent").put("usd", usd).put("tokens", tokens));
        }

        /// One question at a time.
        @Override
        public synchronized String ask(
                String question, List<String> choices, Optional<Duration> within)
                throws InterruptedException {
            var message =
                    JsonObject.builder()
                            .put("kind", "ask")
                            .put("question", question)
                            .put("choices", JsonArray.ofStrings(choices));
            within.ifPresent(time -> message.put("within_ms", time.toMillis()));
            send(message);
            var reply = replies.take();
            return reply.string("answer")
                    .orElseThrow(() ->
                            new IllegalStateException(
                                    reply.string("message").orElse("the question was refused")));
        }

        @Override
        public SequencedMap<String, String> answers() {
            var answers = new LinkedHashMap<String, String>();
            for (JsonValue answer : task.array("answers").orElse(JsonArray.EMPTY)) {
                if (answer instanceof JsonObject it) {
                    answers.put(it.string("question").orElse(""), it.string("answer").orElse(""));
                }
            }
            return answers;
        }

        @Override
        public boolean isCancelled() {
            return isCancelled;
        }

        @Override
        public HotCache hotCache() {
            return hotCache;
        }
    }
}
