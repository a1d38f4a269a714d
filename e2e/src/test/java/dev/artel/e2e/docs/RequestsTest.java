package dev.artel.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.testkit.service.OptionalService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Curl sends the requests of the documents to an orchestrator as they stand, and each succeeds. A block is about a job that waits, or about
/// one of the scene that a mark names, anew for each command (`<!-- scene: approval -->`, see [Scenes]); `<!-- refused: 422 -->` marks
/// one that shows a refusal.
@Execution(ExecutionMode.SAME_THREAD)
final class RequestsTest {
    private static final Pattern STATUS = Pattern.compile("(?m)^STATUS (\\d+)$");

    /// What curl writes if nothing came in time.
    private static final String UNANSWERED = "STATUS 000";

    /// Seconds.
    private static final int LONGEST = 60;

    @TempDir static Path data;
    @TempDir Path folder;

    private static Scenes scenes;

    @BeforeAll
    static void start() throws IOException {
        if (OptionalService.CURL.isPresent()) {
            scenes = new Scenes(data);
        }
    }

    /// Not before all: a class that is skipped as a whole leaves no report.
    @BeforeEach
    void needCurl() {
        OptionalService.CURL.assumePresent();
    }

    @AfterAll
    static void stop() {
        if (scenes != null) {
            scenes.close();
        }
    }

    static List<Snippet> requests() throws IOException {
        return Snippet.all().stream().filter(Snippet::isRequest).toList();
    }

    @ParameterizedTest
    @MethodSource("requests")
    void aRequest_succeeds(Snippet snippet) throws Exception {
        var scene = snippet.marked("scene");
        var job = scenes.job(scene.isEmpty() ? "waiting" : scene);
        var isFirst = true;
        for (var command : commands(snippet)) {
            if (!scene.isEmpty() && !isFirst) {
                job = scenes.job(scene);
            }
            isFirst = false;
            var output = run(command, job, scene);
            var statuses = STATUS.matcher(output).results().map(it -> it.group(1)).toList();
            var refused = snippet.marked("refused");
            assertThat(statuses)
                    .as("%s of %s:\n%s", command, snippet, output)
                    .singleElement()
                    .asString()
                    .matches(refused.isEmpty() ? "2.." : refused);
        }
    }

    /// The lines that begin with `curl`, each with those that go on with it.
    private static List<String> commands(Snippet snippet) {
        return List.of(snippet.code().split("\n(?=curl )", -1));
    }

    private String run(String command, String job, String scene) throws Exception {
        var node = scenes.node();
        var written =
                command.replace("http://127.0.0.1:8080", node.uri().toString())
                        .replace("https://example.com/hooks/artel", scenes.receiver())
                        .replace("?wait=30", "?wait=1")
                        .replace("01a1fdf1-...", job);
        var token = "";
        switch (scene) {
            case "approval" -> {
                written =
                        written.replace(
                                "/approvals/4", "/approvals/" + scenes.number(job, "approval"));
                token = scenes.items(job, "approvals").getFirst().string("token").orElseThrow();
            }
            case "question" ->
                    written =
                            written.replace(
                                    "/questions/17",
                                    "/questions/" + scenes.number(job, "question"));
            case "called" ->
                    written =
                            written.replace(
                                    "9.536870912",
                                    scenes.items(job, "webhooks")
                                            .getFirst()
                                            .string("call")
                                            .orElseThrow());
            default -> {
                // has no number of its own
            }
        }
        if (written.contains("/wh-...")) {
            written = written.replace("wh-...", subscription());
        }
        // A stream has no end.
        var isStream = written.contains("curl -N");
        var longest = isStream ? 2 : LONGEST;
        var output = bash(written, longest, job, token);
        while (output.contains(UNANSWERED) && longest < LONGEST) {
            longest *= 2;
            output = bash(written, longest, job, token);
        }
        return output;
    }

    /// @param longest after how many seconds a request is given up
    private String bash(String commands, int longest, String job, String token) throws Exception {
        var node = scenes.node();
        return bash(
                "curl() { command curl -s --max-time "
                        + longest
                        + " -w '\\nSTATUS %{http_code}\\n' \"$@\"; }\n"
                        + commands,
                Map.of(
                        "API",
                        node.uri() + "/api/v1",
                        "AUTH",
                        "Authorization: Bearer " + node.clientToken(),
                        "ORCHESTRATOR_URL",
                        node.uri().toString(),
                        "CLIENT_TOKEN",
                        node.clientToken(),
                        "TOKEN",
                        token,
                        "JOB",
                        job));
    }

    private static String subscription() {
        return scenes.ok(
                        "POST",
                        "/api/v1/webhooks",
                        "{\"url\":\"" + scenes.receiver() + "\",\"events\":[\"job_failed\"]}")
                .string("id")
                .orElseThrow();
    }

    private String bash(String script, Map<String, String> variables) throws Exception {
        var log = folder.resolve("output.txt");
        var builder = new ProcessBuilder("bash", "-c", script);
        builder.environment().putAll(variables);
        var process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            assertThat(process.waitFor(Scenes.LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(log);
    }
}
