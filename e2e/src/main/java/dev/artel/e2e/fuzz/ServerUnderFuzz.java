package dev.artel.e2e.fuzz;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The process of a [FuzzedServer], and how it is reached. For one thread, but for its addresses.
final class ServerUnderFuzz implements AutoCloseable {
    /// The worker that keeps to the protocol.
    static final String GOOD = "well";

    /// How many workers there are that do not, each with a token of its own.
    static final int HOSTILE = 8;

    private static final int MOST_LAST_LINES = 60;
    private static final long STOP_SECONDS = 60;

    /// Submitters through Redis are not slowed down.
    private static final String CLIENTS =
            """
            [redis]
            requests_per_minute = 1000000
            """;

    private static final String LOGBACK =
            """
            <configuration>
                <appender name="ERR" class="ch.qos.logback.core.ConsoleAppender">
                    <target>System.err</target>
                    <encoder><pattern>%level %logger{0} %msg %kvp%n</pattern></encoder>
                </appender>
                <root level="WARN"><appender-ref ref="ERR"/></root>
            </configuration>
            """;

    private final Process process;
    private final Path log;
    private final Optional<FuzzedBroker> broker;
    private final BufferedReader output;
    private final Writer input;
    private final Address address;

    /// Where it listens, and the token of its client.
    ///
    /// @param registration as `tasks` and `results` a port of ZeroMQ
    /// @param broker that of the wire, if it has one
    record Address(
            int port,
            String clientToken,
            int registration,
            int tasks,
            int results,
            Optional<FuzzedBroker> broker) {
        URI http() {
            return URI.create("http://127.0.0.1:" + port);
        }

        /// Where the SDK reaches it.
        URI of(FuzzedWire wire) {
            return switch (wire) {
                case HTTP, REDIS -> http();
                case WS -> URI.create("ws://127.0.0.1:" + port);
                case ZEROMQ ->
                        URI.create(
                                "zmq://127.0.0.1:%d?tasks=%d&results=%d"
                                        .formatted(registration, tasks, results));
                case RABBITMQ ->
                        URI.create(
                                "%s?exchange=%s&lease=10&user-id=true"
                                        .formatted(brokerOf(GOOD), FuzzedBroker.EXCHANGE));
            };
        }

        /// The token of the worker that keeps to the protocol; agents have none.
        String token(FuzzedWire wire) {
            return wire == FuzzedWire.RABBITMQ ? "" : ServerUnderFuzz.token(GOOD);
        }

        /// The broker of the wire, with the login of `name`.
        URI brokerOf(String name) {
            return broker.orElseThrow().uriOf(name);
        }
    }

    private ServerUnderFuzz(Process process, Path log, Optional<FuzzedBroker> broker)
            throws IOException {
        this.process = process;
        this.broker = broker;
        this.log = log;
        output = process.inputReader(StandardCharsets.UTF_8);
        input = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        var words = line().split(" ", -1);
        address =
                new Address(
                        Integer.parseInt(words[0]),
                        words[1],
                        Integer.parseInt(words[2]),
                        Integer.parseInt(words[3]),
                        Integer.parseInt(words[4]),
                        broker);
    }

    /// Starts one with its data in `folder`, and the broker of the wire if it has one.
    static ServerUnderFuzz start(FuzzedWire wire, Path folder) throws IOException {
        var broker = FuzzedBroker.start(wire, folder);
        try {
            return start(wire, folder, broker);
        } catch (IOException failed) {
            if (broker.isPresent()) {
                broker.get().close();
            }
            throw failed;
        }
    }

    private static ServerUnderFuzz start(
            FuzzedWire wire, Path folder, Optional<FuzzedBroker> broker) throws IOException {
        var data = Files.createDirectories(folder.resolve("data"));
        var log = folder.resolve("server.log");
        if (wire != FuzzedWire.RABBITMQ) {
            Files.writeString(data.resolve("workers.toml"), workers());
        }
        Files.writeString(data.resolve("clients.toml"), CLIENTS);
        var logback = Files.writeString(folder.resolve("logback.xml"), LOGBACK);
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Xmx512m",
                                "-XX:+UseSerialGC",
                                "-Dlogback.configurationFile=" + logback.toAbsolutePath(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                FuzzedServer.class.getName(),
                                data.toString(),
                                wire.word(),
                                broker.map(it -> it.uri().toString()).orElse(""))
                        .redirectError(log.toFile())
                        .start();
        return new ServerUnderFuzz(process, log, broker);
    }

    /// Each worker has a token of its own, so that none can act for another; those that are hostile get tasks of one type.
    private static String workers() {
        var text = new StringBuilder();
        text.append("[%s]\ntoken = \"%s\"\ntasks = [\"echo\"]\n".formatted(GOOD, token(GOOD)));
        for (var i = 0; i < HOSTILE; i++) {
            var name = hostile(i);
            text.append("[%s]\ntoken = \"%s\"\ntasks = [\"noop\"]\n".formatted(name, token(name)));
        }
        return text.toString();
    }

    static String hostile(int number) {
        return "hostile-" + number;
    }

    static String token(String worker) {
        return "own-token-of-worker-" + worker;
    }

    Address address() {
        return address;
    }

    HeldByServer vitals() throws IOException {
        input.write("vitals\n");
        input.flush();
        var line = line();
        if (line.isEmpty() || !Character.isDigit(line.charAt(0))) {
            throw new IOException(
                    "asked for what it holds, the server printed: "
                            + String.join("\n", untilItsEnd(line)));
        }
        return HeldByServer.read(line);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private String line() throws IOException {
        var line = output.readLine();
        if (line == null) {
            throw new IOException(
                    "the server has ended: " + String.join("\n", tail(Files.readAllLines(log))));
        }
        return line;
    }

    /// A Java virtual machine that cannot go on prints why, and ends.
    private List<String> untilItsEnd(String first) throws IOException {
        var lines = new ArrayList<String>();
        for (var line = first;
                line != null && lines.size() < MOST_LAST_LINES;
                line = output.readLine()) {
            lines.add(line);
        }
        return lines;
    }

    private static List<String> tail(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - 20), lines.size());
    }

    /// Its lines of level WARN and above.
    List<String> log() throws IOException {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
            return lines.toList();
        }
    }

    @Override
    public void close() throws IOException {
        input.close();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("the server has not ended in " + STOP_SECONDS + " s");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        } finally {
            if (broker.isPresent()) {
                broker.get().close();
            }
        }
    }
}
