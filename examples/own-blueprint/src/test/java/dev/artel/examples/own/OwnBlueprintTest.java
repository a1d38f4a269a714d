package dev.artel.examples.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.JobEvent;
import dev.artel.client.JobSubmission;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.examples.own.OrderBlueprint.Order;
import dev.artel.server.ArtelNode;
import dev.artel.server.jars.BlueprintFolder;
import dev.artel.waits.Await;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example from its source to a finished job, as in docs/howto/own-blueprint.md.
final class OwnBlueprintTest {
    private static final Path SOURCES =
            Path.of(System.getProperty("basedir", "."), "src/main/java/dev/artel/examples/own");

    private static final int MOST_TRIES = 6;

    @TempDir Path folder;

    private BlueprintFolder jars;
    private ArtelNode node;
    private Worker worker;

    @BeforeEach
    void start() throws IOException {
        var blueprints = Files.createDirectory(folder.resolve("blueprints"));
        jar(compiled(List.of("OrderBlueprint.java")), blueprints.resolve("orders.jar"));
        jars = read(blueprints);
        var known = new Blueprints();
        jars.addTo(known);
        assertThat(jars.problems()).isEmpty();
        assertThat(known.names()).containsExactly("order");
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("data"));
        node = ArtelNode.start(config, known);
        worker =
                OrderWorker.on(Worker.named("w1"))
                        .orchestrator(node.uri(), node.workerToken())
                        .withoutShutdownHook()
                        .build();
        worker.start();
    }

    /// A busy machine does not read a jar within half a minute.
    private static BlueprintFolder read(Path blueprints) {
        for (var tries = 1; tries < MOST_TRIES; tries++) {
            var read = BlueprintFolder.read(blueprints);
            if (read.problems().stream()
                    .noneMatch(problem -> problem.contains("not read within"))) {
                return read;
            }
            read.close();
        }
        return BlueprintFolder.read(blueprints);
    }

    @AfterEach
    void stop() {
        worker.close();
        node.close();
        jars.close();
    }

    private Path compiled(List<String> sources) throws IOException {
        var classes = Files.createDirectory(folder.resolve("classes"));
        var arguments =
                new ArrayList<>(
                        List.of(
                                "-parameters",
                                "-proc:none",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                classes.toString()));
        sources.forEach(source -> arguments.add(SOURCES.resolve(source).toString()));
        var result =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).as("javac").isZero();
        return classes;
    }

    private static void jar(Path classes, Path file) throws IOException {
        try (var jar = new JarOutputStream(Files.newOutputStream(file));
                var all = Files.walk(classes)) {
            for (var each : all.filter(Files::isRegularFile).toList()) {
                jar.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                jar.write(Files.readAllBytes(each));
                jar.closeEntry();
            }
        }
    }

    private Map<String, String> environment() {
        return Map.of(
                "ORCHESTRATOR_URL", node.uri().toString(), "CLIENT_TOKEN", node.clientToken());
    }

    @Test
    void orders_areSentAndCounted() {
        var first = OrderClient.order(environment(), new Order("lamp", 2, 30));
        var second = OrderClient.order(environment(), new Order("table", 3, 500));

        assertThat(first.tracking()).startsWith("T-").endsWith("(lamp)");
        assertThat(first.soldSoFar()).isEqualTo(2);
        assertThat(second.soldSoFar()).isEqualTo(5);
    }

    @Test
    void whatHappensToAnOrder_canBeFollowedToItsEnd() {
        try (var client = ArtelClient.of(node.uri(), node.clientToken())) {
            var job = client.submit(JobSubmission.of("order", new Order("lamp", 1, 1)));
            var types = new ArrayList<String>();
            try (var events = client.follow(job)) {
                events.forEach(event -> types.add(event.type()));
            }

            assertThat(types).startsWith("job.submitted").contains("task.succeeded");
            assertThat(types).last().isEqualTo("job.ended");
            assertThat(client.history(job)).extracting(JobEvent::type).isEqualTo(types);
        }
    }

    @Test
    void aRiskyOrder_isDeclined() {
        assertThatExceptionOfType(ClientException.JobFailed.class)
                .isThrownBy(() -> OrderClient.order(environment(), new Order("gold", 200, 900)));
    }

    @Test
    void aWrongToken_isNamedInOneLine_withWhatToDo() throws Exception {
        var errors = folder.resolve("errors.log");
        var builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OrderClient.class.getName());
        builder.environment().putAll(environment());
        builder.environment().put("CLIENT_TOKEN", "wrong");
        var process = builder.redirectError(errors.toFile()).start();
        try {
            assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).as("it ended").isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(errors).stripTrailing())
                .startsWith("order: ")
                .contains("401", "./artel token show client")
                .hasLineCount(1);
    }

    @Test
    void anOrderThatMakesNoSense_isRefusedWithAllThatIsWrong() {
        assertThatExceptionOfType(ClientException.Invalid.class)
                .isThrownBy(() -> {
                    try (var client =
                            ArtelClient.of(URI.create(node.uri().toString()), node.clientToken())) {
                        client.submit(
                                JobSubmission.of(
                                        "order", Map.of("item", 7, "amount", 1, "colour", "red")));
                    }
                })
                .withMessageContaining("initial_data.item: expected a string, found JSON number")
                .withMessageContaining("initial_data.price: expected a whole number of 32 bits")
                .withMessageContaining("initial_data.colour: is not known");
    }
}
