package dev.artel.testkit.broker;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.service.OptionalService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// A `redis-server` in a process of its own, which keeps each write. Not safe for use by many threads.
public final class RedisServer implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final int GLANCE_MILLIS = 20;
    private static final int ANSWER_MILLIS = 60_000;

    private final Path folder;
    private final int port = FreePort.next();
    private Process process;

    /// Starts one that takes connections. Skips the test if Redis is not here.
    ///
    /// @param folder for its data and its log
    public RedisServer(Path folder) throws IOException {
        this.folder = folder;
        process = launch();
        awaitReady();
    }

    private Process launch() throws IOException {
        return new ProcessBuilder(
                        OptionalService.REDIS.program(),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--dir",
                        folder.toString(),
                        "--appendonly",
                        "yes",
                        "--appendfsync",
                        "always",
                        "--save",
                        "")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
    }

    private Path log() {
        return folder.resolve("redis.log");
    }

    private void awaitReady() throws IOException {
        var deadline = System.nanoTime() + LONGEST.toNanos();
        try {
            while (!isAnswering()) {
                if (process.waitFor(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new IllegalStateException(
                            "redis-server ended with "
                                    + process.exitValue()
                                    + ": "
                                    + Files.readString(log()));
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "redis-server did not answer within "
                                    + LONGEST
                                    + ": "
                                    + Files.readString(log()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while redis-server starts", e);
        }
    }

    private boolean isAnswering() {
        try {
            return command("PING").equals("+PONG");
        } catch (IOException notYet) {
            return false;
        }
    }

    /// @return the first line of the answer
    private String command(String words) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write((words + "\r\n").getBytes(UTF_8));
            var line = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
            var answer = line.readLine();
            if (answer == null) {
                throw new IOException("redis-server closed the connection");
            }
            return answer;
        }
    }

    /// Adds an account that may read and write `keys`, a pattern, and publish on all channels.
    public void addUser(String name, String password, String keys) throws IOException {
        var answer =
                command(
                        "ACL SETUSER %s on >%s ~%s &* +get +set +del +publish +ping +client"
                                .formatted(name, password, keys));
        if (!answer.equals("+OK")) {
            throw new IOException("redis-server refuses the account " + name + ": " + answer);
        }
    }

    /// Where it is, without a login.
    public URI uri() {
        return URI.create("redis://127.0.0.1:" + port);
    }

    /// The port on which it listens.
    public int port() {
        return port;
    }

    /// SIGKILL; what was written stays.
    public void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(LONGEST.toSeconds(), TimeUnit.SECONDS).join();
    }

    /// Starts it again after a [#kill], on the same port and data; it takes connections when the call returns.
    public void startAgain() {
        try {
            process = launch();
            awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Kills it.
    @Override
    public void close() {
        kill();
    }
}
