package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.streamOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.store.codec.JsonEventCodec;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process that is killed while it appends loses nothing whose append has returned.
final class SqliteEventStoreKillIT {
    private static final int ROUNDS = 4;
    private static final int BATCHES = 100;

    @TempDir Path folder;

    @Test
    @Timeout(Await.HUNG)
    void whatWasAcknowledged_isThereAfterAKill_andNoBatchIsTorn()
            throws IOException, InterruptedException {
        var file = folder.resolve("artel.db");
        var version = 0L;
        for (var round = 0; round < ROUNDS; round++) {
            var acknowledged = appendAndKill(file, version, BATCHES + 37 * round);

            version = versionOfAll(file);

            assertThat(version).isBetween(acknowledged, acknowledged + 2);
        }
    }

    private static long appendAndKill(Path file, long version, int batches)
            throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process =
                new ProcessBuilder(
                                java,
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                AppendUntilKilled.class.getName(),
                                file.toString(),
                                Long.toString(version))
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var lines = process.inputReader(UTF_8)) {
            var last = version;
            for (var i = 0; i < batches; i++) {
                last = Long.parseLong(lines.readLine());
            }
            // Through the handle, which leaves the stream open: what it printed before it died
            // counts.
            assertThat(process.toHandle().destroyForcibly()).isTrue();
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                last = Long.parseLong(line);
            }
            assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
            return last;
        }
    }

    private static long versionOfAll(Path file) {
        try (var store = SqliteEventStore.open(file, new JsonEventCodec())) {
            var versions = new long[AppendUntilKilled.JOBS];
            for (var i = 0; i < versions.length; i++) {
                for (var append : store.read(streamOf("j" + i), 0)) {
                    assertThat(append.version()).isEqualTo(versions[i] + 1);
                    versions[i] += append.events().size();
                }
            }
            assertThat(versions).containsOnly(versions[0]);
            return versions[0];
        }
    }
}
