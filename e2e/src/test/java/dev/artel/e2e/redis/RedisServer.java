package dev.artel.e2e.redis;

import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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
        port = FreePort.next();
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
        Await.await("redis-server answers")
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
        process.onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
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
