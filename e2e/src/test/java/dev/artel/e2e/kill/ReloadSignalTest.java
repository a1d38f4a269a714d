package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What SIGHUP does to an orchestrator in a process of its own.
final class ReloadSignalTest {
    @TempDir private Path folder;
    private Path file;

    @BeforeEach
    void makeFile() throws IOException {
        HangUp.assumeHeard();
        file = folder.resolve("artel.yaml");
        level("warn");
    }

    private void level(String level) throws IOException {
        Files.writeString(file, "logs.level: " + level + "\n");
    }

    private Orchestrator start() throws IOException {
        return new Orchestrator(folder, Map.of("ARTEL_CONFIG", file.toString()));
    }

    /// The lines of the audit of reloads by a signal.
    private static List<String> reloads(Orchestrator orchestrator) throws IOException {
        try (var lines = Files.lines(orchestrator.data().resolve("audit.jsonl"))) {
            return lines.filter(line -> line.contains("a signal asked for it")).toList();
        }
    }

    /// Sends a signal, and returns what the audit has of that reload.
    private static String reloaded(Orchestrator orchestrator) throws Exception {
        var before = reloads(orchestrator).size();
        orchestrator.hangUp();
        Await.await("it has read its files again")
                .until(() -> reloads(orchestrator).size() > before);
        return reloads(orchestrator).getLast();
    }

    private static long reportedReadAgain(Orchestrator orchestrator) throws IOException {
        return orchestrator.log().stream().filter(line -> line.contains("needs_restart=")).count();
    }

    private static void eventually(ThrowingConsumer<Void> holds) {
        Await.await().untilAsserted(() -> holds.accept(null));
    }

    @Test
    void aSignal_hasTheFilesReadAgain_inARealProcess() throws Exception {
        try (var orchestrator = start()) {
            var limits = orchestrator.data().resolve("limits.toml");
            Files.writeString(limits, "[\"tenant:*\"]\nconcurrent = 1\n");
            assertThat(reloaded(orchestrator)).contains("changed [limits.toml]");

            Files.writeString(limits, "[\"tenant:*\"]\nconcurrent = 0\n");
            Files.writeString(file, "logs.level: warn\nlogs.levels: info\n");
            assertThat(reloaded(orchestrator))
                    .contains("changed []")
                    .contains("limits.toml:2: tenant:*.concurrent must be a whole number")
                    .contains("unknown setting logs.levels in " + file + ":2");

            Files.delete(limits);
            Files.writeString(file, "logs.level: warn\nhttp.max-body-bytes: 2MiB\n");
            assertThat(reloaded(orchestrator))
                    .contains("changed [limits.toml]", "needs a restart [http.max-body-bytes]");
            assertThat(orchestrator.submitted("echo", JsonObject.EMPTY))
                    .as("it goes on as before")
                    .isNotEmpty();
        }
    }

    /// Trap: the report states that the level has changed, and the log goes on as before.
    @Test
    void theLevelOfTheLog_isExchangedWhileItRuns() throws Exception {
        try (var orchestrator = start()) {
            assertThat(orchestrator.log()).noneMatch(line -> line.contains(" INFO "));

            level("info");
            assertThat(reloaded(orchestrator)).contains("changed [logs.level]");
            eventually(_ -> assertThat(reportedReadAgain(orchestrator)).isEqualTo(1));

            level("error");
            assertThat(reloaded(orchestrator)).contains("changed [logs.level]");
            assertThat(reloaded(orchestrator)).contains("changed []");
            level("debug");
            assertThat(reloaded(orchestrator)).contains("changed [logs.level]");
            eventually(_ -> {
                // Those while nothing but errors was logged are not among them.
                assertThat(reportedReadAgain(orchestrator)).isEqualTo(2);
            });
        }
    }
}
