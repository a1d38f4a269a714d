package dev.artel.testkit.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// A program beside the JDK, or a library of one, that tests use where it is. A test that needs it begins with [#assumePresent]: where it is
/// missing, the test is skipped with a message of one form, `needs NAME (install with: COMMAND)`, from which `dist/skipped` makes a table.
///
/// With the system property `artel.without-services` none is present, so that the skipping is tested where all are.
public enum OptionalService {
    /// The browser of the tests of the dashboard.
    CHROMIUM("chromium", "apt-get install chromium"),
    /// Sends the requests of the documents.
    CURL("curl", "apt-get install curl"),
    /// The Node.js that Playwright runs on, which wants version 20 or later.
    NODE("node 20", "apt-get install nodejs"),
    /// A Node.js that can load the package `ws`; it needs [#environment].
    NODE_WS("node-ws", "apt-get install node-ws"),
    /// Scrapes an orchestrator and checks the rules of alerts.
    PROMETHEUS("prometheus", "apt-get install prometheus"),
    /// A Python with its standard library.
    PYTHON("python3", "apt-get install python3"),
    /// A Python that can import `aiohttp`.
    PYTHON_AIOHTTP("python3-aiohttp", "apt-get install python3-aiohttp"),
    /// A Python that can import `pika`.
    PYTHON_PIKA("python3-pika", "apt-get install python3-pika"),
    /// A Python that can import `redis`.
    PYTHON_REDIS("python3-redis", "apt-get install python3-redis"),
    /// A Python that can import `zmq`.
    PYTHON_ZMQ("python3-zmq", "apt-get install python3-zmq"),
    /// The broker of agents.
    RABBITMQ("rabbitmq-server", "apt-get install rabbitmq-server"),
    /// Redis, through which tasks are submitted.
    REDIS("redis-server", "apt-get install redis-server");

    private static final int LONGEST_SECONDS = 60;

    /// Where Debian has its packages for Node.js, which another Node.js would not look at.
    private static final Map<String, String> ENVIRONMENT =
            Map.of("NODE_PATH", "/usr/share/nodejs:/usr/lib/nodejs");

    /// What was found by this process, which looks for each once.
    private static final Map<OptionalService, Optional<String>> FOUND = new ConcurrentHashMap<>();

    private final String title;
    private final String command;

    OptionalService(String title, String command) {
        this.title = title;
        this.command = command;
    }

    /// Its name in the table, and in `dist/services`.
    public String title() {
        return title;
    }

    /// The variables of the environment that its program needs.
    public static Map<String, String> environment() {
        return ENVIRONMENT;
    }

    /// Whether it is here.
    public boolean isPresent() {
        return find().isPresent();
    }

    /// Skips the test if it is not here. To be called in a test or before each one, and not before all: a class that is skipped as a whole leaves no
    /// report.
    public void assumePresent() {
        assumeAll(this);
    }

    /// Skips the test if one of them is not here; the message names each that is missing.
    public static void assumeAll(OptionalService... services) {
        var missing = Stream.of(services).filter(service -> !service.isPresent()).toList();
        if (!missing.isEmpty()) {
            Assumptions.abort(
                    missing.stream().map(OptionalService::need).collect(Collectors.joining("; ")));
        }
    }

    private String need() {
        return "needs " + title + " (install with: " + command + ")";
    }

    /// What runs it, such as `python3` or `/usr/bin/python3`. Skips the test if it is not here.
    public String program() {
        assumePresent();
        return find().orElseThrow();
    }

    private Optional<String> find() {
        return FOUND.computeIfAbsent(
                this,
                service ->
                        Boolean.getBoolean("artel.without-services")
                                ? Optional.empty()
                                : service.search());
    }

    private Optional<String> search() {
        return switch (this) {
            case CHROMIUM -> installed("/usr/bin/chromium");
            case CURL -> running(List.of("--version"), "curl");
            case NODE ->
                    running(
                            List.of(
                                    "-e",
                                    "process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)"),
                            "/usr/bin/node");
            case NODE_WS -> running(List.of("-e", "require('ws')"), "node");
            case PROMETHEUS -> installed("/usr/bin/prometheus", "/usr/bin/promtool");
            case PYTHON -> importing("json");
            case PYTHON_AIOHTTP -> importing("aiohttp");
            case PYTHON_PIKA -> importing("pika");
            case PYTHON_REDIS -> importing("redis");
            case PYTHON_ZMQ -> importing("zmq");
            case RABBITMQ -> installed("/usr/lib/rabbitmq/bin/rabbitmq-server");
            case REDIS -> running(List.of("--version"), "redis-server");
        };
    }

    /// The first one, if each of them may be run.
    private static Optional<String> installed(String... programs) {
        return Stream.of(programs).allMatch(program -> Files.isExecutable(Path.of(program)))
                ? Optional.of(programs[0])
                : Optional.empty();
    }

    /// The first Python that can import `module`.
    private static Optional<String> importing(String module) {
        return running(
                List.of("-c", "import " + module),
                "python3",
                "/usr/bin/python3",
                "/usr/local/bin/python3");
    }

    /// The first one that ends well with these arguments.
    private static Optional<String> running(List<String> arguments, String... programs) {
        return Stream.of(programs).filter(program -> endsWell(program, arguments)).findFirst();
    }

    private static boolean endsWell(String program, List<String> arguments) {
        var command = new ArrayList<>(List.of(program));
        command.addAll(arguments);
        var builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(ENVIRONMENT);
        try {
            var process = builder.start();
            try {
                return process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)
                        && process.exitValue() == 0;
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException missing) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
