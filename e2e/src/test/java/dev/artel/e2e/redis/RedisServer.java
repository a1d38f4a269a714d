package dev.artel.e2e.redis;

import dev.artel.testkit.service.OptionalService;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/// A `redis-server` in a process of its own, which keeps each write.
final class RedisServer implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final RedisClient client;
    private Process process;

    RedisServer(Path folder) throws IOException {
        this.folder = folder;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        process = launch();
        client = RedisClient.create("127.0.0.1", port);
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
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("redis.log").toFile()))
                .start();
    }

    private void awaitReady() {
        Awaitility.await("redis-server answers")
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptionsInstanceOf(JedisException.class)
                .until(() -> client.ping().equals("PONG"));
    }

    URI uri() {
        return URI.create("redis://127.0.0.1:" + port);
    }

    int port() {
        return port;
    }

    /// What a user of Redis sees.
    RedisClient client() {
        return client;
    }

    /// SIGKILL; what was written stays.
    void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(30, TimeUnit.SECONDS).join();
    }

    void startAgain() throws IOException {
        process = launch();
        awaitReady();
    }

    @Override
    public void close() {
        client.close();
        kill();
    }
}
