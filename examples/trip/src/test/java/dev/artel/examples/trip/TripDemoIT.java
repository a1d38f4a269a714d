package dev.artel.examples.trip;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobSubmission;
import dev.artel.examples.trip.TripTypes.Trip;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `./artel trip` as people run it: a process with the jars that are packaged beside it, not those of the tests.
final class TripDemoIT {
    private static final Pattern PASTE =
            Pattern.compile(
                    "export API=(\\S+)/api/v1 AUTH=\"Authorization: Bearer \\$\\(\\./artel token show client --data"
                            + " '(.+)'\\)\"");
    private static final Pattern TOKEN = Pattern.compile("\"client_token\":\"([^\"]+)\"");

    @TempDir private Path folder;

    private Process demo;

    @BeforeEach
    void start() throws IOException {
        var target = Path.of("target").toAbsolutePath();
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var jars = target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*";
        demo =
                new ProcessBuilder(
                                java,
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                jars,
                                TripDemo.class.getName(),
                                "--port",
                                "0")
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("output.txt").toFile())
                        .start();
    }

    @AfterEach
    void stop() {
        demo.destroyForcibly().onExit().join();
    }

    private Optional<MatchResult> paste() throws IOException {
        var output = Files.readString(folder.resolve("output.txt"));
        assertThat(demo.isAlive()).as("%s", output).isTrue();
        return PASTE.matcher(output).results().findFirst();
    }

    @Test
    void whatItPrints_leadsToATrip() throws IOException {
        await().until(() -> paste().isPresent());
        var line = paste().orElseThrow();

        var tokens = Files.readString(Path.of(line.group(2)).resolve("tokens.json"));
        var token = TOKEN.matcher(tokens).results().findFirst().orElseThrow().group(1);
        assertThat(Files.readString(folder.resolve("output.txt"))).doesNotContain(token);
        try (var client = ArtelClient.of(URI.create(line.group(1)), token)) {
            var job = client.submit(JobSubmission.of("trip", new Trip("Ada", "Oslo", 1480)));

            await().untilAsserted(() -> assertThat(client.approvals(job)).hasSize(1));
        }
        assertThat(folder.resolve("trip-data")).isDirectory();
    }
}
