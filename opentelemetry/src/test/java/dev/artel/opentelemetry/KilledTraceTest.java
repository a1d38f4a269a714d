package dev.artel.opentelemetry;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobSubmission;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelServer;
import dev.artel.testkit.port.FreePort;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The trace of a job whose orchestrator is killed in the middle.
final class KilledTraceTest {
    private static final Duration LONG = Await.longest();
    private static final String CLIENT = "client-token-of-the-trace-tests";
    private static final String WORKER = "worker-token-of-the-trace-tests";

    @TempDir private Path folder;

    private Process orchestrator(int port, URI collector) throws IOException {
        var builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ArtelServer.class.getName(),
                        "--port",
                        Integer.toString(port),
                        "--data",
                        folder.resolve("data").toString());
        builder.environment().put("ARTEL_CLIENT_TOKEN", CLIENT);
        builder.environment().put("ARTEL_WORKER_TOKEN", WORKER);
        builder.environment().put("OTEL_EXPORTER_OTLP_ENDPOINT", collector.toString());
        builder.redirectErrorStream(true);
        builder.redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.resolve("orchestrator.log").toFile()));
        return builder.start();
    }

    /// Trap: spans that waited in the process are missing, so that others hang below none; or a second root is there.
    @Test
    void anOrchestratorThatIsKilled_leavesNoSpanWithoutItsParent() throws Exception {
        var port = FreePort.next();
        var uri = URI.create("http://127.0.0.1:" + port);
        var reached = new CountDownLatch(2);
        var goOn = new CountDownLatch(1);
        try (var collector = new TraceCollector();
                var client = ArtelClient.of(uri, CLIENT)) {
            var first = orchestrator(port, collector.uri());
            Process second = null;
            try (var worker =
                    Worker.named("w")
                            .orchestrator(uri, WORKER)
                            .handle(
                                    "noop",
                                    JsonObject.class,
                                    (_, _) -> {
                                        reached.countDown();
                                        if (reached.getCount() == 0) {
                                            goOn.await();
                                        }
                                        return Result.success();
                                    })
                            .withoutShutdownHook()
                            .build()) {
                await().until(client::isReady);
                worker.start();
                var job = client.submit(JobSubmission.of("chain3", JsonObject.EMPTY));
                reached.await();

                first.destroyForcibly().waitFor();
                second = orchestrator(port, collector.uri());
                await().until(client::isReady);
                goOn.countDown();

                assertThat(client.awaitFinal(job, LONG).isFinal()).isTrue();
                await().until(() ->
                        collector.spans().stream()
                                .anyMatch(span -> span.name().equals("job chain3")));
                second.destroy();
                second.waitFor();
            } finally {
                first.destroyForcibly();
                if (second != null) {
                    second.destroyForcibly();
                }
            }
            var byId = new HashMap<String, TraceCollector.Got>();
            for (var span : collector.spans()) {
                var same = byId.putIfAbsent(span.id(), span);
                if (same != null) {
                    assertThat(span.span()).isEqualTo(same.span());
                }
            }
            var traces = new HashSet<String>();
            for (var span : byId.values()) {
                traces.add(span.trace());
                if (!span.name().equals("job chain3")) {
                    assertThat(byId).as(span.name()).containsKey(span.parent());
                }
            }
            assertThat(traces).hasSize(1);
            assertThat(byId.values())
                    .extracting(TraceCollector.Got::name)
                    .filteredOn(name -> name.startsWith("attempt"))
                    .hasSize(3);
            assertThat(byId.values())
                    .extracting(TraceCollector.Got::name)
                    .filteredOn("job chain3"::equals)
                    .hasSize(1);
        }
    }
}
