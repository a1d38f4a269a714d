package dev.artel.server.logs;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import dev.artel.config.TraceSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestNodes;
import dev.artel.waits.Await;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/// From a line of the log of an orchestrator to the trace of its job.
@Timeout(Await.HUNG)
final class TracedLinesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String SAMPLED = "00-" + TRACE + "-b7ad6b7169203331-01";
    private static final String NOT_SAMPLED = "00-" + TRACE + "-b7ad6b7169203331-00";

    private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger engine = context.getLogger("dev.artel.engine");
    private final ByteArrayOutputStream json = new ByteArrayOutputStream();
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private List<OutputStreamAppender<ILoggingEvent>> appenders = List.of();

    @BeforeEach
    void listen() {
        engine.setLevel(Level.DEBUG);
        appenders =
                List.of(
                        appender(new JsonLayout(ZoneOffset.UTC), json),
                        appender(new LogLayout(ZoneOffset.UTC), text));
        appenders.forEach(engine::addAppender);
    }

    private OutputStreamAppender<ILoggingEvent> appender(
            LayoutBase<ILoggingEvent> layout, ByteArrayOutputStream out) {
        layout.setContext(context);
        layout.start();
        var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
        encoder.setContext(context);
        encoder.setCharset(UTF_8);
        encoder.setLayout(layout);
        encoder.start();
        var appender = new OutputStreamAppender<ILoggingEvent>();
        appender.setContext(context);
        appender.setEncoder(encoder);
        appender.setOutputStream(out);
        appender.start();
        return appender;
    }

    @AfterEach
    void stopListening() {
        appenders.forEach(engine::detachAppender);
        engine.setLevel(null);
    }

    private static ArtelNode node(TraceSettings traces) {
        var config = TestNodes.CONFIG;
        return ArtelNode.start(
                config.withIngress(
                        config.ingress()
                                .withOperations(config.ingress().operations().withTraces(traces))),
                Blueprints.of(
                        Blueprint.named("broken")
                                .start(
                                        "one",
                                        _ -> {
                                            throw new IllegalStateException("no paper");
                                        })
                                .retry(RetryPolicy.NEVER)
                                .build()));
    }

    private static String submit(ArtelNode node, String context) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var answer =
                    http.send(
                            HttpRequest.newBuilder(node.uri().resolve("/api/v1/jobs"))
                                    .header("X-Client-Token", node.clientToken())
                                    .header("traceparent", context)
                                    .timeout(Await.longest())
                                    .POST(
                                            HttpRequest.BodyPublishers.ofString(
                                                    "{\"blueprint\":\"broken\"}"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            return ((JsonObject) JsonText.read(answer.body().getBytes(UTF_8)))
                    .string("job_id")
                    .orElseThrow();
        }
    }

    private JsonObject line(String job) {
        return await().until(
                        () ->
                                json.toString(UTF_8)
                                        .lines()
                                        .filter(line ->
                                                line.contains("a handler failed")
                                                        && line.contains(job))
                                        .findFirst(),
                        Optional::isPresent)
                .map(line -> (JsonObject) JsonText.read(line.getBytes(UTF_8)))
                .orElseThrow();
    }

    @Test
    void aLineAboutAJobThatIsTraced_namesItsTrace() throws Exception {
        var nobody = TraceSettings.DEFAULTS.withEndpoint(URI.create("http://127.0.0.1:1"));
        try (var node = node(nobody)) {
            var traced = submit(node, SAMPLED);
            var other = submit(node, NOT_SAMPLED);

            assertThat(line(traced).string("trace_id")).contains(TRACE);
            assertThat(line(traced).object("fields").orElseThrow().string("job")).contains(traced);
            assertThat(line(other).string("trace_id")).isEmpty();
            await().until(() -> text.toString(UTF_8).contains("job=\"" + traced + "\""));
            assertThat(text.toString(UTF_8).lines())
                    .anyMatch(line ->
                            line.contains("job=\"" + traced + "\"")
                                    && line.endsWith(" trace_id=\"" + TRACE + "\""));
        }
    }

    /// Trap: the context of the client is there without a collector, too.
    @Test
    void withoutTraces_aLineNamesNone() throws Exception {
        try (var node = node(TraceSettings.DEFAULTS)) {
            assertThat(line(submit(node, SAMPLED)).string("trace_id")).isEmpty();
        }
    }
}
