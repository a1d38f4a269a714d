package dev.artel.e2e.kill;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.testkit.port.FreePort;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// The RabbitMQ of `./artel services`, with its data in a folder of the test.
final class ServiceBroker implements AutoCloseable {
    private static final Path PROGRAM = Path.of("..", "dist", "services");
    private static final Pattern ADDRESS = Pattern.compile("--mindbus\\.uri=(\\S+)");

    private final Path folder;
    private final URI uri;

    /// Starts it; it takes connections when the call returns.
    ServiceBroker(Path folder) throws IOException {
        this.folder = folder;
        uri = start();
    }

    private URI start() throws IOException {
        var printed = run("start");
        var address = ADDRESS.matcher(printed);
        assertThat(address.find()).as(printed).isTrue();
        return URI.create(address.group(1));
    }

    private String run(String act) throws IOException {
        var output = folder.resolveSibling(act + ".out");
        var builder =
                new ProcessBuilder(PROGRAM.toString(), act, "rabbitmq")
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
        builder.environment().put("ARTEL_SERVICES", folder.toString());
        if (!Files.exists(portFile())) {
            builder.environment().put("ARTEL_RABBITMQ_PORT", "" + FreePort.next());
        }
        var process = builder.start();
        process.onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
        var printed = Files.readString(output, UTF_8);
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }

    private Path portFile() {
        return folder.resolve("rabbitmq").resolve("port");
    }

    URI uri() {
        return uri;
    }

    /// SIGKILL of all its processes, and a start on the same address and data.
    void killAndRestart() throws IOException {
        var pid = Files.readString(folder.resolve("rabbitmq").resolve("pid")).strip();
        var broker = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
        broker.descendants().forEach(ProcessHandle::destroyForcibly);
        broker.destroyForcibly();
        broker.onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
        assertThat(start()).isEqualTo(uri);
    }

    @Override
    public void close() throws IOException {
        run("stop");
    }
}
