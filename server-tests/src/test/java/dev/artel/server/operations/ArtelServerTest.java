package dev.artel.server.operations;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.maintenance.Doctor;
import dev.artel.maintenance.TokenCommands;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.StartChecks;
import dev.artel.waits.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The program, as a process.
final class ArtelServerTest {
    @TempDir private Path folder;

    private Process start(String... arguments) throws IOException {
        var command = new ProcessBuilder();
        command.command()
                .addAll(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.artel.server.ArtelServer"));
        command.command().addAll(List.of(arguments));
        command.environment().keySet().removeIf(name -> name.startsWith("ARTEL_"));
        return command.redirectErrorStream(true).start();
    }

    @Test
    void whatPreventsTheStart_isOneLine_andTheExitCodeIsTwo() throws Exception {
        Files.writeString(folder.resolve("artel.db"), "this is no database ".repeat(500));

        var process = start("--port", "0", "--data", folder.toString());

        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(output.lines().filter(line -> !isAboutHangUp(line)))
                .singleElement()
                .asString()
                .startsWith("artel: ")
                .contains("artel.db")
                .doesNotContain("\tat ");
    }

    /// Trap: a supervisor starts a second orchestrator on the folder of a first one again and again.
    @Test
    void aFolderThatAnotherOrchestratorHas_needsAPerson_soTheExitCodeIsTwo() throws Exception {
        try (var _ = ArtelNode.start(TestNodes.CONFIG.withData(folder), Blueprints.of())) {
            var process = start("--port", "0", "--data", folder.toString());

            var output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(2);
            assertThat(output).contains("has it open; stop that one first");
        }
    }

    /// Trap: a jar that is not used is a line that nobody reads, and jobs of its blueprints are refused.
    @Test
    void aBrokenJar_isNotAcceptedWhenStrict_andTheDoctorSaysIt() throws Exception {
        Files.writeString(
                Files.createDirectory(folder.resolve("blueprints")).resolve("broken.jar"),
                "no zip at all");

        var process = start("--port", "0", "--data", folder.toString(), "--strict");

        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(output).contains("broken.jar").contains("(--strict)");
        assertThat(
                        Doctor.look(
                                ServerConfig.DEFAULTS.withData(folder).withPort(0),
                                Instant.now(),
                                new StartChecks(
                                        ServerConfig.DEFAULTS.withData(folder).withPort(0))))
                .anySatisfy(
                        finding -> assertThat(finding.toString()).contains("not used: broken.jar"));
    }

    @Test
    void aBrokenCard_isNotAcceptedWhenStrict_andTheDoctorNamesIt() throws Exception {
        var cards = Files.createDirectory(folder.resolve("cards"));
        Files.writeString(
                cards.resolve("wrong.yml"),
                """
                metadata: {name: wrong, version: 1.0.0}
                spec:
                  steps:
                    - {id: ask, action: greet, next: don}
                    - {id: done, type: complete}
                """);
        var problem =
                "wrong.yml:4:38: error: spec.steps.ask: it leads to 'don', and there is no such step here; did you mean 'done'?";

        var process =
                start(
                        "--port",
                        "0",
                        "--data",
                        folder.toString(),
                        "--strict",
                        "--cards",
                        cards.toString());

        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(output).contains("artel: " + problem).contains("(--strict)");
        var config = ServerConfig.DEFAULTS.withData(folder).withPort(0);
        var withCards = config.withBlueprints(config.blueprints().withCards(cards));
        assertThat(Doctor.look(withCards, Instant.now(), new StartChecks(withCards)))
                .anySatisfy(finding -> assertThat(finding.toString()).contains(problem));
    }

    /// Trap: the jar is named on the standard error stream alone, which no log has.
    @Test
    void aBrokenJar_isALineOfTheLog_andTheStartGoesOn() throws Exception {
        Files.writeString(
                Files.createDirectory(folder.resolve("blueprints")).resolve("broken.jar"),
                "no zip at all");

        var process = start("--port", "0", "--data", folder.toString(), "--log-format", "json");

        try (var output = process.inputReader(UTF_8)) {
            var lines = new ArrayList<String>();
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (line.contains("listening")) {
                    break;
                }
            }
            assertThat(lines)
                    .filteredOn(line -> line.contains("broken.jar"))
                    .singleElement()
                    .satisfies(line -> {
                        var logged = (JsonObject) JsonText.read(line);
                        assertThat(logged.string("level")).contains("WARN");
                        assertThat(line).contains("not all in the folder of blueprints is used");
                    });
            assertThat(lines).last().asString().contains("listening");
        } finally {
            process.destroyForcibly();
        }
    }

    /// Trap: a mistyped name of a blueprint is taken in silence, and its jobs are removed by the time of the others.
    @Test
    void aTimeForABlueprintThatIsNotThere_isALineOfTheLog() throws Exception {
        var process =
                start(
                        "--port",
                        "0",
                        "--data",
                        folder.toString(),
                        "--log-format",
                        "json",
                        "--engine.keep-closed-of=invioce=3650d");

        try (var output = process.inputReader(UTF_8)) {
            assertThat(output.lines().takeWhile(line -> !line.contains("listening")))
                    .filteredOn(line -> line.contains("engine.keep-closed-of"))
                    .singleElement()
                    .satisfies(line -> {
                        var logged = (JsonObject) JsonText.read(line);
                        assertThat(logged.string("level")).contains("WARN");
                        assertThat(line).contains("invioce");
                    });
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void itTakesJobs_stopsInOrder_andKnowsThemAfterTheNextStart() throws Exception {
        String id;
        var first = start("--port", "0", "--data", folder.toString());
        TestClient client;
        try (var output = first.inputReader(UTF_8)) {
            var uri = after(output, "listening on ");
            client =
                    new TestClient(
                            URI.create(uri),
                            "X-Client-Token",
                            new TokenCommands(
                                            folder,
                                            _ -> {
                                                throw new AssertionError("not asked");
                                            },
                                            InstantSource.system(),
                                            "root")
                                    .show("client"));
            assertThat(after(output, "artel: tokens were "))
                    .isEqualTo(
                            "made, in tokens.json there; ./artel token show client, or worker,"
                                    + " prints one");
            id = client.submit("{\"blueprint\":\"echo\"}");
            first.toHandle().destroy();
            assertThat(output.lines()).anyMatch(line -> line.contains(" - stopped"));
        } finally {
            first.destroyForcibly();
        }

        var second = start("--port", "0", "--data", folder.toString());
        try (var output = second.inputReader(UTF_8)) {
            var uri = URI.create(after(output, "listening on "));
            assertThat(client.at(uri).get("/api/v1/jobs/" + id).status()).isEqualTo(200);
            assertThat(next(output)).isEqualTo("artel: dashboard at " + uri + "/");
            assertThat(next(output)).startsWith("artel: data in ");
            assertThat(next(output)).isEqualTo("artel: tokens are in tokens.json there");
        } finally {
            second.destroyForcibly();
        }
    }

    @Test
    void inJson_everyLineIsAnObject_andNoneHasAToken() throws Exception {
        var process = start("--port", "0", "--data", folder.toString(), "--log-format", "json");
        var lines = new ArrayList<JsonObject>();
        try (var output = process.inputReader(UTF_8)) {
            for (var line = output.readLine(); line != null; line = output.readLine()) {
                lines.add((JsonObject) JsonText.read(line.getBytes(UTF_8)));
                if (lines.getLast().string("message").equals(Optional.of("listening"))) {
                    process.toHandle().destroy();
                }
            }
        } finally {
            process.destroyForcibly();
        }

        assertThat(lines)
                .extracting(line -> line.string("message").orElseThrow())
                .contains("listening", "stopping", "stopped");
        assertThat(lines.toString())
                .contains("http://127.0.0.1:")
                .doesNotContain(
                        JsonText.read(Files.readAllBytes(folder.resolve("tokens.json")))
                                        instanceof JsonObject tokens
                                ? tokens.string("client_token").orElseThrow()
                                : "");
    }

    /// Whether it is the line of the log that a program has which is started under nohup, as the build may be.
    private static boolean isAboutHangUp(String line) {
        return line.contains("SIGHUP is ignored");
    }

    private static String next(BufferedReader output) throws IOException {
        var line = output.readLine();
        return line != null && isAboutHangUp(line) ? output.readLine() : line;
    }

    private static String after(BufferedReader output, String words) throws IOException {
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            var at = line.indexOf(words);
            if (at >= 0) {
                return line.substring(at + words.length());
            }
        }
        throw new AssertionError("the program never printed '" + words + "'");
    }
}
