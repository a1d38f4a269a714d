package dev.artel.e2e.kill;

import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import dev.artel.waits.Evidence;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// The Python agent of the examples under a supervisor: it is started again whenever it ends.
final class BusAgent implements AutoCloseable {
    private static final Path PROGRAM = Path.of("..", "examples", "agents", "python_agent.py");

    private final ProcessBuilder builder;
    private final Evidence log;
    private boolean isOver;
    private Process process;

    /// @param log receives what its processes print
    BusAgent(URI broker, String name, Path log) throws IOException {
        builder =
                new ProcessBuilder(OptionalService.PYTHON_PIKA.program(), PROGRAM.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("RABBITMQ_URL", broker.toString());
        builder.environment().put("AGENT_NAME", name);
        builder.environment().put("AGENT_HEARTBEAT", "1");
        this.log = Evidence.ofFile(log);
        process = launch();
    }

    private Process launch() throws IOException {
        var launched = builder.start();
        var _ =
                launched.onExit()
                        .thenRunAsync(
                                this::again,
                                CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS));
        return launched;
    }

    private synchronized void again() {
        if (!isOver) {
            try {
                process = launch();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// SIGKILL; the supervisor starts the next process.
    synchronized void kill() {
        process.destroyForcibly();
    }

    @Override
    public synchronized void close() {
        isOver = true;
        process.destroyForcibly();
        process.onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
        log.close();
    }
}
