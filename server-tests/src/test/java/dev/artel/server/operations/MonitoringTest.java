package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.BackupSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The rules and the dashboard of the folder `ops` with a real Prometheus that scrapes a real orchestrator; skipped where there
/// is no Prometheus.
final class MonitoringTest {
    private static final Path OPS =
            Path.of(System.getProperty("basedir", "."), "../ops").toAbsolutePath().normalize();
    private static final Path RULES = OPS.resolve("prometheus/artel.rules.yml");
    private static final Path DASHBOARD = OPS.resolve("grafana/artel.json");
    private static final Pattern METRIC =
            Pattern.compile("\\b(?:artel|orchestrator|jvm|process|system)_\\w+");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir private Path folder;

    @BeforeEach
    void needsPrometheus() {
        OptionalService.PROMETHEUS.assumePresent();
    }

    private String run(String... command) throws IOException, InterruptedException {
        var log = Files.createTempFile(folder, "out", ".log");
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        var text = Files.readString(log);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    @Test
    void theRules_andTheExample_areValid() throws IOException, InterruptedException {
        assertThat(run("promtool", "check", "rules", RULES.toString())).contains("SUCCESS");
        assertThat(
                        run(
                                "promtool",
                                "check",
                                "config",
                                OPS.resolve("prometheus/prometheus.yml").toString()))
                .contains("SUCCESS");
    }

    private static Blueprint painted(String type) {
        return Blueprint.named(type)
                .start(
                        "begin",
                        step ->
                                Action.dispatch(
                                        TaskSpec.of(type, step.initialData()),
                                        Outcomes.on("success", "done")))
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Blueprint broken() {
        return Blueprint.named("broken")
                .start(
                        "begin",
                        _ -> {
                            throw new IllegalStateException("no paper");
                        })
                .leadingTo("end")
                .end("end")
                .build();
    }

    /// Texts of members named `expr`, however deep they are.
    private static List<String> expressions(JsonValue value) {
        var found = new ArrayList<String>();
        switch (value) {
            case JsonObject object ->
                    object.members()
                            .forEach((name, member) -> {
                                if (name.equals("expr") && member instanceof JsonString(var text)) {
                                    found.add(text);
                                } else {
                                    found.addAll(expressions(member));
                                }
                            });
            case JsonArray array -> array.values().forEach(each -> found.addAll(expressions(each)));
            default -> {
                // nothing is below it
            }
        }
        return found;
    }

    private static JsonObject ask(int port, String path) throws IOException, InterruptedException {
        var answer =
                HTTP.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .timeout(Await.longest())
                                .build(),
                        BodyHandlers.ofString());
        return (JsonObject) JsonText.read(answer.body());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /// What a schedule does only after minutes, in series of a file.
    @Test
    void theRulesAboutSchedules_fireWhenTheyShould() throws IOException, InterruptedException {
        Files.copy(RULES, folder.resolve("artel.rules.yml"));
        var series = folder.resolve("schedules.yml");
        try (var file =
                MonitoringTest.class.getResourceAsStream("/monitoring/schedules.test.yml")) {
            Files.copy(Objects.requireNonNull(file), series);
        }

        assertThat(run("promtool", "test", "rules", series.toString())).contains("SUCCESS");
    }

    /// Trap: a metric gets another name, and its alert never fires again.
    @Test
    void everyExpression_namesMetricsThatThereAre_andAlertsFire() throws Exception {
        var config =
                TestNodes.CONFIG
                        .withData(folder.resolve("data"))
                        .withBackup(
                                TestNodes.CONFIG
                                        .backup()
                                        .withTo(new BackupSettings.Folder(folder.resolve("copy"))));
        try (var node =
                ArtelNode.start(
                        config, Blueprints.of(painted("paint"), painted("missing"), broken()))) {
            var client = TestClient.of(node);
            client.get("/metrics");
            bringAbout(node, client);
            var port = FreePort.next();
            var prometheus = start(node, port);
            try {
                await().ignoreExceptions()
                        .until(() ->
                                ask(port, "/api/v1/query?query=" + encoded("up{job=\"artel\"}"))
                                        .toString()
                                        .contains("\"1\""));

                await().untilAsserted(() -> assertEveryMetricIsThere(port));
                await().untilAsserted(() ->
                        assertThat(ask(port, "/api/v1/alerts").toString())
                                .contains("\"alertname\":\"ArtelNoWorkersOfType\"")
                                .contains("\"type\":\"missing\"")
                                .contains("\"state\":\"firing\"")
                                .contains("\"alertname\":\"ArtelScheduleRefused\""));
            } finally {
                prometheus.destroy();
                if (!prometheus.waitFor(Await.seconds(), TimeUnit.SECONDS)) {
                    prometheus.destroyForcibly();
                }
            }
        }
    }

    private static void bringAbout(ArtelNode node, TestClient client) {
        var job = client.submit("{\"blueprint\":\"paint\"}");
        var worker = new TestWorker(node, "w1", "paint");
        worker.report(worker.next(), JsonObject.EMPTY);
        client.get("/api/v1/jobs/" + job + "?wait=60");
        client.submit("{\"blueprint\":\"paint\"}");
        assertThat(worker.next().string("type")).contains("paint");
        client.submit("{\"blueprint\":\"missing\"}");
        client.submit("{\"blueprint\":\"broken\"}");
        var _ = client.get("/api/v1/jobs/none");
        // Refused each second, as long as the test takes.
        client.send(
                "PUT",
                "/api/v1/schedules/often",
                """
                {"blueprint":"unknown","timing":{"every_seconds":1},"submit_attempts":1,"overlap":"allow"}
                """);
        await().untilAsserted(() ->
                assertThat(client.get("/metrics").text())
                        .contains("artel_needs{kind=\"quarantine\"} 1")
                        .contains(
                                "artel_waiting_tasks{reason=\"no_worker_of_type\",type=\"missing\"} 1")
                        .contains("artel_oldest_waiting_seconds{")
                        .contains("artel_refusals_total{code=\"job_not_found\"} 1")
                        .contains("artel_task_execution_seconds_count{type=\"paint\"} 1")
                        .contains("artel_job_seconds_count{blueprint=\"paint\"} 1")
                        .contains("artel_workers{wire=\"http\"} 1")
                        .contains("artel_leased_tasks{type=\"paint\"} 1")
                        .contains("artel_slots 5")
                        .contains("artel_commit_seconds_bucket")
                        .contains("artel_backup_age_seconds"));
    }

    private Process start(ArtelNode node, int port) throws IOException {
        // The rules as they are, without the time for which they wait.
        Files.writeString(
                folder.resolve("artel.rules.yml"),
                Files.readString(RULES).replaceAll("for: \\w+", "for: 0s"));
        Files.writeString(
                folder.resolve("prometheus.yml"),
                Files.readString(OPS.resolve("prometheus/prometheus.yml"))
                        .replace("15s", "1s")
                        .replace("localhost:8080", node.uri().getAuthority()));
        return new ProcessBuilder(
                        OptionalService.PROMETHEUS.program(),
                        "--config.file=" + folder.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + folder.resolve("tsdb"),
                        "--web.listen-address=127.0.0.1:" + port,
                        "--log.level=warn")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
    }

    private static void assertEveryMetricIsThere(int port) throws Exception {
        var known = new TreeSet<String>();
        ask(port, "/api/v1/label/__name__/values")
                .array("data")
                .orElseThrow()
                .values()
                .forEach(name -> known.add(((JsonString) name).value()));
        var all = new ArrayList<>(expressions(JsonText.read(Files.readAllBytes(DASHBOARD))));
        assertThat(all).hasSizeGreaterThan(30);
        ask(port, "/api/v1/rules")
                .object("data")
                .flatMap(data -> data.array("groups"))
                .orElseThrow()
                .values()
                .forEach(group ->
                        ((JsonObject) group)
                                .array("rules")
                                .orElseThrow()
                                .values()
                                .forEach(rule ->
                                        all.add(
                                                ((JsonObject) rule)
                                                        .string("query")
                                                        .orElseThrow())));
        for (var expression : all) {
            var plain = expression.replace("$instance", ".*").replace("$__rate_interval", "1m");
            assertThat(ask(port, "/api/v1/query?query=" + encoded(plain)).string("status"))
                    .as(plain)
                    .contains("success");
            METRIC.matcher(plain)
                    .results()
                    .forEach(name -> assertThat(known).as(plain).contains(name.group()));
        }
    }
}
