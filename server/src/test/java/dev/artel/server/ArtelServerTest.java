package dev.artel.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(output.lines()).hasSize(1);
        assertThat(output).startsWith("artel: ").contains("artel.db").doesNotContain("\tat ");
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
                            URI.create(uri), "X-Client-Token", after(output, "client token "));
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
            assertThat(output.readLine()).startsWith("artel: data in ");
            assertThat(output.readLine()).isEqualTo("artel: tokens are in tokens.json there");
        } finally {
            second.destroyForcibly();
        }
    }

    private static String after(BufferedReader output, String words) throws IOException {
        for (var line = output.readLine(); line != null; line = output.readLine()) {
            var at = line.indexOf(words);
            if (at >= 0) {
                return line.substring(at + words.length());
            }
        }
        throw new AssertionError("the program never said '" + words + "'");
    }
}
