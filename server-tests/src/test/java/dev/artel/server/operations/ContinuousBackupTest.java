package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.backup.BackupPlace;
import dev.artel.config.BackupSettings;
import dev.artel.config.ServerConfig;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.maintenance.MaintenanceFailed;
import dev.artel.maintenance.Restore;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ContinuousBackupTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final String LARGE = "y".repeat(90_000);

    @TempDir private Path folder;

    private ServerConfig config(String data, Path to) {
        return ServerConfig.DEFAULTS
                .withPort(0)
                .withData(folder.resolve(data))
                .withBackup(
                        BackupSettings.DEFAULTS
                                .withTo(BackupSettings.Target.of(to.toString()))
                                .withEvery(Duration.ofSeconds(1)));
    }

    private ArtelNode start(String data, Path to) {
        return ArtelNode.start(config(data, to), SampleBlueprints.all());
    }

    @Test
    void anEndInOrder_losesNothing_tokensAndLargeValuesAmongIt() {
        var copy = folder.resolve("copy");
        String small;
        String large;
        try (var node = start("data", copy)) {
            var client = TestClient.of(node);
            small = client.submit("{\"blueprint\":\"echo\",\"initial_data\":{\"x\":1}}");
            large =
                    client.submit(
                            "{\"blueprint\":\"echo\",\"initial_data\":{\"x\":\"" + LARGE + "\"}}");
        }

        var restored = restore("other", copy);

        assertThat(restored.jobs()).isEqualTo(2);
        try (var node = start("other", folder.resolve("copy of the other"))) {
            var client = TestClient.of(node); // with the former tokens
            assertThat(client.get("/api/v1/jobs/" + small).status()).isEqualTo(200);
            assertThat(
                            client.get("/api/v1/jobs/" + large)
                                    .object()
                                    .object("initial_data")
                                    .orElseThrow()
                                    .string("x"))
                    .contains(LARGE);
        }
    }

    /// Trap: a copy of which something is missing or torn is put back as far as it goes, and nobody notices.
    @Test
    void aDamagedCopy_isRefused_andSaysWhatIsWrong() throws Exception {
        var copy = folder.resolve("copy");
        try (var node = start("data", copy)) {
            var _ = TestClient.of(node).submit("{\"blueprint\":\"echo\"}");
        }
        var head = (JsonObject) JsonText.read(Files.readAllBytes(copy.resolve("head.json")));
        var digest = head.string("segment").orElseThrow();
        var segment = object(copy, digest);
        var bytes = Files.readAllBytes(segment);

        bytes[bytes.length / 2] ^= 1;
        Files.write(segment, bytes);
        assertThatThrownBy(() -> restore("other", copy))
                .isInstanceOf(MaintenanceFailed.class)
                .hasMessageContaining(digest);
        Files.delete(segment);
        assertThatThrownBy(() -> restore("other", copy))
                .isInstanceOf(MaintenanceFailed.class)
                .hasMessageContaining(digest)
                .hasMessageContaining("restore another backup");
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void aPlaceThatIsAwayForAWhile_showsInTheAgeOfTheCopy_andIsUpToDateAgainAfterwards()
            throws Exception {
        // A link, which is replaced at one stroke: a folder that is missing is made anew.
        var place = Files.createDirectory(folder.resolve("place"));
        var copy = Files.createSymbolicLink(folder.resolve("copy"), place);
        try (var node = start("data", copy)) {
            var client = TestClient.of(node);
            await().until(() -> Files.exists(copy.resolve("head.json")));
            var none = Files.writeString(folder.resolve("none"), "no folder");
            Files.move(none, copy, StandardCopyOption.ATOMIC_MOVE);
            var _ = client.submit("{\"blueprint\":\"echo\"}");
            await().until(() -> figure(client, "artel_backup_failures_total") > 0);
            await().until(() -> figure(client, "artel_backup_age_seconds") > 2);

            var again = Files.createSymbolicLink(folder.resolve("again"), place);
            Files.move(again, copy, StandardCopyOption.ATOMIC_MOVE);

            await().until(() -> figure(client, "artel_backup_age_seconds") < 2);
        }
        assertThat(restore("other", copy).jobs()).isEqualTo(1);
    }

    @Test
    void twoOrchestratorsWithOnePlace_theFirstStopsToCopy_andReportsIt() throws Exception {
        var copy = folder.resolve("copy");
        try (var first = start("data", copy)) {
            var client = TestClient.of(first);
            await().until(() -> Files.exists(copy.resolve("head.json")));
            try (var second = start("other", copy)) {
                var _ = TestClient.of(second).submit("{\"blueprint\":\"echo\"}");
                await().until(() -> figure(client, "artel_backup_taken_over") == 1);
            }
        }
        assertThat(restore("third", copy).jobs()).isEqualTo(1);
    }

    /// Trap: the first has read its own head, the second replaces it, and the first replaces that: both believe to be the last.
    @Test
    void aHeadThatTheFirstReplacesOnceMore_isReplacedByTheSecond() throws Exception {
        var copy = folder.resolve("copy");
        var head = copy.resolve("head.json");
        byte[] ofFirst;
        try (var _ = start("data", copy)) {
            await().until(() -> Files.exists(head));
            ofFirst = Files.readAllBytes(head);
        }
        try (var second = start("other", copy)) {
            var client = TestClient.of(second);
            await().until(() -> !isSameOwner(Files.readAllBytes(head), ofFirst));
            var once = Files.write(folder.resolve("once more"), ofFirst);
            Files.move(once, head, StandardCopyOption.ATOMIC_MOVE);

            var _ = client.submit("{\"blueprint\":\"echo\"}");

            await().until(() -> !isSameOwner(Files.readAllBytes(head), ofFirst));
            assertThat(figure(client, "artel_backup_taken_over")).isZero();
        }
        assertThat(restore("third", copy).jobs()).isEqualTo(1);
    }

    private static boolean isSameOwner(byte[] head, byte[] other) {
        return JsonText.read(head) instanceof JsonObject one
                && JsonText.read(other) instanceof JsonObject another
                && one.string("owner").equals(another.string("owner"));
    }

    /// Trap: what only older bases need stays forever.
    @Test
    void aNewBase_removesWhatOnlyTheOldOneNeeded() throws Exception {
        var copy = folder.resolve("copy");
        List<Path> before;
        try (var node = start("data", copy)) {
            var _ = TestClient.of(node).submit("{\"blueprint\":\"echo\"}");
        }
        before = objects(copy);
        try (var node = start("data", copy)) {
            var _ = TestClient.of(node).submit("{\"blueprint\":\"echo\"}");
            await().until(() -> !objects(copy).containsAll(before));
        }
        assertThat(restore("other", copy).jobs()).isEqualTo(2);
    }

    /// Trap: what jobs have kept in files is lost with the disk, though the copy was up to date.
    @Test
    void filesOfActions_areInTheCopy_asTheyWereLast() throws Exception {
        var copy = folder.resolve("copy");
        var files = folder.resolve("data/files");
        try (var node = start("data", copy)) {
            Files.createDirectories(files.resolve("a/unfinished"));
            Files.writeString(files.resolve("a/unfinished/b.new"), "stays");
            Files.writeString(files.resolve("changes"), "before");
            Files.writeString(files.resolve("goes"), "goes");
            await("a copy of all three").until(() -> haveAll(copy));

            Files.writeString(files.resolve("changes"), "after");
            Files.delete(files.resolve("goes"));
            Files.createDirectories(files.resolve("new"));
            Files.writeString(files.resolve("new/artel.db"), "new");
            assertThat(node.port()).isPositive();
        }

        var _ = restore("other", copy);

        try (var all = Files.walk(folder.resolve("other/files"))) {
            assertThat(all.filter(Files::isRegularFile))
                    .extracting(file -> file.getFileName().toString())
                    .containsExactlyInAnyOrder("b.new", "changes", "artel.db");
        }
        assertThat(folder.resolve("other/files/a/unfinished/b.new")).hasContent("stays");
        assertThat(folder.resolve("other/files/changes")).hasContent("after");
        assertThat(folder.resolve("other/files/new/artel.db")).hasContent("new");
    }

    private static boolean haveAll(Path copy) throws IOException {
        if (!Files.exists(copy.resolve("head.json"))) {
            return false;
        }
        var names = objects(copy).stream().map(file -> file.getFileName().toString()).toList();
        for (var content : List.of("stays", "before", "goes")) {
            if (!names.contains(VerifiedBytes.digestOf(content.getBytes(UTF_8)))) {
                return false;
            }
        }
        return true;
    }

    private Restore.Restored restore(String data, Path copy) {
        try (var place =
                BackupPlace.lookInto(
                        BackupSettings.DEFAULTS.withTo(
                                BackupSettings.Target.of(copy.toString())))) {
            return new Restore(folder.resolve(data)).from(place, false, NOW);
        }
    }

    private static double figure(TestClient client, String name) {
        return client.get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    /// Those that are there; the orchestrator renames and removes some meanwhile.
    private static List<Path> objects(Path copy) throws IOException {
        var found = new ArrayList<Path>();
        Files.walkFileTree(
                copy.resolve("objects"),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes its) {
                        if (its.isRegularFile()) {
                            found.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failed)
                            throws IOException {
                        if (failed instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw failed;
                    }
                });
        return found;
    }

    private static Path object(Path copy, String digest) throws IOException {
        return objects(copy).stream()
                .filter(file -> file.endsWith(digest))
                .findFirst()
                .orElseThrow();
    }
}
