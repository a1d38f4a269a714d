package dev.artel.e2e.python;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// `old_worker.py` in a process of its own.
public final class PythonWorker implements AutoCloseable {
    private static final Path SCRIPT = Path.of("src", "test", "python", "old_worker.py");

    private final Process process;
    private final Path log;

    private PythonWorker(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /// The generations of workers that it can be.
    public enum Generation {
        /// 1.0 alpha.
        ALPHA,
        /// 1.0 beta.
        BETA,
        /// The one with flat results.
        FLAT;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Starts a worker whose heartbeats come each half second, so that tests do not take minutes.
    public static PythonWorker start(
            Generation generation,
            URI orchestrator,
            String token,
            String name,
            Path folder,
            Map<String, String> settings)
            throws IOException {
        var environment = new LinkedHashMap<String, String>();
        environment.put("GENERATION", generation.word());
        environment.put("ORCHESTRATOR_URL", orchestrator.toString());
        environment.put("WORKER_TOKEN", token);
        environment.put("WORKER_ID", name);
        environment.put("HEARTBEAT_INTERVAL", "0.5");
        environment.put("TASK_POLL_ERROR_DELAY", "0.3");
        environment.put("RESULT_RETRY_INITIAL_DELAY", "0.3");
        environment.putAll(settings);
        return start(SCRIPT, environment, folder.resolve(name + ".log"));
    }

    /// Starts another script, which reads where, with which token and as whom from the environment. It waits five seconds
    /// for its tasks when it is to end.
    static PythonWorker example(
            Path script, URI orchestrator, String token, String name, Path folder)
            throws IOException {
        return start(
                script,
                Map.of(
                        "ORCHESTRATOR_URL",
                        orchestrator.toString(),
                        "WORKER_TOKEN",
                        token,
                        "WORKER_ID",
                        name,
                        "GRACE_SECONDS",
                        "5"),
                folder.resolve(name + ".log"));
    }

    private static PythonWorker start(Path script, Map<String, String> environment, Path log)
            throws IOException {
        return start(OptionalService.PYTHON_AIOHTTP.program(), script, environment, log);
    }

    /// Starts a script with an interpreter of its own.
    public static PythonWorker start(
            String interpreter, Path script, Map<String, String> environment, Path log)
            throws IOException {
        var builder =
                new ProcessBuilder(interpreter, script.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        return new PythonWorker(builder.start(), log);
    }

    /// What has happened so far: events of one kind, the oldest first.
    public List<JsonObject> events(String kind) {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.startsWith("{") && line.endsWith("}"))
                    .map(line -> (JsonObject) JsonText.read(line.getBytes(StandardCharsets.UTF_8)))
                    .filter(event -> event.string("event").equals(Optional.of(kind)))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError("the log of a worker cannot be read", e);
        }
    }

    /// Waits for `count` events of a kind.
    public List<JsonObject> await(String kind, int count) {
        return Await.await(count + " times '" + kind + "' in\n" + log)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> events(kind), events -> events.size() >= count);
    }

    /// Ctrl-C.
    public void interrupt() throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start().waitFor();
    }

    /// Waits for the process to end by itself.
    ///
    /// @return its exit code
    public int awaitEnd() throws InterruptedException {
        if (!process.waitFor(Await.seconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("the worker does not end, its log is " + log);
        }
        return process.exitValue();
    }

    /// All that it has printed so far.
    String printed() throws IOException {
        return Files.readString(log);
    }

    /// How much processor time it has taken so far.
    Duration processorTime() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /// Whether the process lives.
    public boolean isAlive() {
        return process.isAlive();
    }

    /// SIGKILL.
    public void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        kill();
    }
}
