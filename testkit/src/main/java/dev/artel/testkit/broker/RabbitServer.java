package dev.artel.testkit.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.service.OptionalService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A RabbitMQ in processes of its own: node name, ports, port mapper and data are nobody else's. Not safe for use by many threads, but for
/// [#uri] and [#control].
public final class RabbitServer implements AutoCloseable {
    private static final Path PROGRAMS = Path.of("/usr/lib/rabbitmq/bin");
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final int GLANCE_MILLIS = 200;
    private static final byte[] GREETING = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};

    /// The type of the frame with which a broker answers the greeting: a method.
    private static final int METHOD = 1;

    private static @Nullable RabbitServer shared;

    private final Path folder;
    private final int port = FreePort.next();
    private final int nodes = FreePort.next();
    private final int mapperPort = FreePort.next();
    private final Process mapper;
    private Process process;

    private RabbitServer() {
        try {
            folder = Files.createTempDirectory("artel-rabbitmq");
            Files.writeString(folder.resolve("plugins"), "[].");
            Files.writeString(
                    folder.resolve("rabbit.conf"),
                    "loopback_users = none\nlog.console = false\ndisk_free_limit.absolute = 1MB\n");
            mapper =
                    builder("epmd", "-port", "" + mapperPort, "-address", "127.0.0.1")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether RabbitMQ is here, as Debian installs it.
    public static boolean isInstalled() {
        return OptionalService.RABBITMQ.isPresent();
    }

    /// Skips the test if RabbitMQ is not here.
    public static void require() {
        OptionalService.RABBITMQ.assumePresent();
    }

    /// One for all tests of this process, as it needs seconds to start. Skips the test if RabbitMQ is not here.
    public static synchronized RabbitServer shared() {
        require();
        var running = shared;
        if (running == null) {
            running = start();
            shared = running;
        }
        return running;
    }

    /// One that a test may break. Skips the test if RabbitMQ is not here.
    public static RabbitServer own() {
        require();
        return start();
    }

    /// One that takes connections. It ends with this process at the latest.
    ///
    /// @throws UncheckedIOException if RabbitMQ is not here, or does not start
    public static RabbitServer start() {
        var server = new RabbitServer();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        server.awaitReady();
        return server;
    }

    private ProcessBuilder builder(String... command) {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        var env = builder.environment();
        env.put("HOME", folder.toString());
        env.put("ERL_EPMD_PORT", "" + mapperPort);
        env.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        env.put("RABBITMQ_NODENAME", "artel-" + port + "@localhost");
        env.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
        env.put("RABBITMQ_NODE_PORT", "" + port);
        env.put("RABBITMQ_DIST_PORT", "" + nodes);
        env.put("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString());
        env.put("RABBITMQ_LOG_BASE", folder.resolve("log").toString());
        env.put("RABBITMQ_PID_FILE", folder.resolve("pid").toString());
        env.put("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString());
        env.put("RABBITMQ_CONFIG_FILE", folder.resolve("rabbit").toString());
        env.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
        env.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "+S 1:1 +sbwt none");
        return builder;
    }

    private Process launch() throws IOException {
        return builder(PROGRAMS.resolve("rabbitmq-server").toString())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output().toFile()))
                .start();
    }

    private Path output() {
        return folder.resolve("out");
    }

    private void awaitReady() {
        var deadline = System.nanoTime() + LONGEST.toNanos();
        try {
            while (!isAnswering()) {
                if (process.waitFor(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException(
                            "rabbitmq-server ended with "
                                    + process.exitValue()
                                    + ": "
                                    + Files.readString(output()));
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "rabbitmq-server did not answer within "
                                    + LONGEST
                                    + ": "
                                    + Files.readString(output()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while rabbitmq-server starts", e);
        }
    }

    /// Whether it answers the greeting of AMQP.
    private boolean isAnswering() {
        try (var socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), GLANCE_MILLIS);
            socket.setSoTimeout((int) LONGEST.toMillis() / 20);
            socket.getOutputStream().write(GREETING);
            return socket.getInputStream().read() == METHOD;
        } catch (IOException notYet) {
            return false;
        }
    }

    /// Where it is, with the login of its administrator.
    public URI uri() {
        return uriOf("guest", "guest");
    }

    /// Where it is, with another login.
    public URI uriOf(String user, String password) {
        return URI.create("amqp://" + user + ":" + password + "@127.0.0.1:" + port + "/%2f");
    }

    /// Runs `rabbitmqctl`.
    ///
    /// @return what it prints
    public String control(String... arguments) {
        try {
            var command = new ArrayList<String>();
            command.add(PROGRAMS.resolve("rabbitmqctl").toString());
            command.addAll(List.of(arguments));
            var control = builder(command.toArray(String[]::new)).start();
            var output = new String(control.getInputStream().readAllBytes(), UTF_8);
            if (!control.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)
                    || control.exitValue() != 0) {
                throw new AssertionError(command + ": " + output);
            }
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// SIGKILL; what is durable stays.
    public void kill() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().orTimeout(LONGEST.toSeconds(), TimeUnit.SECONDS).join();
    }

    /// Starts it again after a [#kill], on the same port and data; it takes connections when the call returns.
    public void startAgain() {
        try {
            process = launch();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        awaitReady();
    }

    /// Kills it and removes its data.
    @Override
    public void close() {
        kill();
        mapper.destroyForcibly();
        if (!Files.exists(folder)) {
            return;
        }
        try {
            Files.walkFileTree(
                    folder,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.deleteIfExists(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(
                                Path directory, @Nullable IOException failure) throws IOException {
                            Files.deleteIfExists(directory);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException stays) {
            throw new UncheckedIOException(stays);
        }
    }
}
