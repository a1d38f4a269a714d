package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.BlueprintSettings;
import dev.artel.config.ServerConfig;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.VerifiedBytes;
import dev.artel.maintenance.Backup;
import dev.artel.maintenance.Doctor;
import dev.artel.maintenance.Finding;
import dev.artel.maintenance.MaintenanceFailed;
import dev.artel.maintenance.Restore;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.StartChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BackupTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir private Path folder;

    private ServerConfig config(String name) {
        return ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve(name));
    }

    /// Trap: a copy made while the orchestrator writes is torn, or lacks the large values that its events name.
    @ParameterizedTest
    @ValueSource(strings = {"copy.zip", "copy"})
    void aBackupUnderLoad_hasAllThatWasAcknowledgedBefore_andIsWhole(String target)
            throws Exception {
        List<String> acknowledged;
        try (var node = ArtelNode.start(config("data"), SampleBlueprints.all())) {
            var client = TestClient.of(node);
            var all = Collections.synchronizedList(new ArrayList<String>());
            var goesOn = new AtomicBoolean(true);
            var load =
                    Thread.ofVirtual()
                            .start(() -> {
                                for (var i = 0; goesOn.get(); i++) {
                                    all.add(client.submit(job(i)));
                                }
                            });
            await().until(() -> all.size() > 20);
            acknowledged = List.copyOf(all);

            new Backup(folder.resolve("data"), true).to(folder.resolve(target), NOW);

            goesOn.set(false);
            load.join();
            assertThat(all).hasSizeGreaterThan(acknowledged.size());
        }

        var restored =
                new Restore(folder.resolve("other")).from(folder.resolve(target), false, NOW);

        assertThat(restored.jobs()).isGreaterThanOrEqualTo(acknowledged.size());
        assertThat(restored.made()).isEqualTo(NOW.toString());
        try (var node = ArtelNode.start(config("other"), SampleBlueprints.all())) {
            var client = TestClient.of(node); // with the former token
            for (var id : acknowledged) {
                assertThat(client.get("/api/v1/jobs/" + id).status()).isEqualTo(200);
            }
            // Also those that came while the copy was made are whole, large values included.
            for (var row : client.get("/api/v1/jobs?limit=1000").items().values()) {
                var id = ((JsonObject) row).string("id").orElseThrow();
                var job = client.get("/api/v1/jobs/" + id).object();
                assertThat(job.object("initial_data").orElseThrow().has("x")).isTrue();
            }
        }
    }

    /// Trap: a card calls its file as Artel calls its own, and the file is in no backup.
    @ParameterizedTest
    @ValueSource(strings = {"copy.zip", "copy"})
    void filesOfActions_areInABackup_whateverTheirNames(String target) throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        var names =
                List.of(
                        "artel.db",
                        "artel.db-wal",
                        "backup.json",
                        "instance",
                        "unfinished/a",
                        "a/unfinished/b.new",
                        "payloads/unfinished/c",
                        "blueprints/d.new");
        for (var name : names) {
            var file = folder.resolve("data/files/" + name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, name);
        }
        Files.createDirectories(folder.resolve("data/unfinished"));
        Files.writeString(folder.resolve("data/unfinished/half"), "half");
        Files.writeString(folder.resolve("data/tokens.json.new"), "half");

        new Backup(folder.resolve("data"), true).to(folder.resolve(target), NOW);
        new Restore(folder.resolve("other")).from(folder.resolve(target), false, NOW);

        for (var name : names) {
            assertThat(folder.resolve("other/files/" + name)).hasContent(name);
        }
        assertThat(folder.resolve("other/unfinished")).doesNotExist();
        assertThat(folder.resolve("other/tokens.json.new")).doesNotExist();
    }

    private static String job(int number) {
        var x = number % 10 == 0 ? "large".repeat(20_000) + number : "small" + number;
        return JsonObject.of(
                        "blueprint",
                        JsonValue.of("echo"),
                        "initial_data",
                        JsonObject.of("x", JsonValue.of(x)))
                .toString();
    }

    @Test
    void aBackup_isForItsOwnerOnly_andNeverReplacesAnything() throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        var backup = new Backup(folder.resolve("data"), true);
        backup.to(folder.resolve("b.zip"), NOW);
        backup.to(folder.resolve("b"), NOW);

        assertThat(permissions("b.zip")).isEqualTo("rw-------");
        assertThat(permissions("b")).isEqualTo("rwx------");
        assertThatThrownBy(() -> backup.to(folder.resolve("b.zip"), NOW))
                .isInstanceOf(MaintenanceFailed.class)
                .hasMessage(
                        "backup of "
                                + folder.resolve("data")
                                + " to "
                                + folder.resolve("b.zip")
                                + ": it is there already; choose another name");
        assertThatThrownBy(
                        () -> new Backup(folder.resolve("no"), true).to(folder.resolve("c"), NOW))
                .hasMessageEndingWith("artel.db; name the data folder with --data");
        try (var left = Files.list(folder)) {
            assertThat(left.map(each -> each.getFileName().toString()).toList())
                    .containsExactlyInAnyOrder("data", "b", "b.zip");
        }
    }

    private String permissions(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(name)));
    }

    /// A zip keeps no permissions, and tokens are in it.
    @ParameterizedTest
    @ValueSource(strings = {"copy.zip", "copy"})
    void whatIsRestored_isForItsOwnerOnly(String target) throws Exception {
        try (var node = ArtelNode.start(config("data"), SampleBlueprints.all())) {
            TestClient.of(node).submit(job(0));
        }
        new Backup(folder.resolve("data"), true).to(folder.resolve(target), NOW);

        new Restore(folder.resolve("other")).from(folder.resolve(target), false, NOW);

        try (var all = Files.walk(folder.resolve("other"))) {
            assertThat(all)
                    .isNotEmpty()
                    .allSatisfy(each ->
                            assertThat(
                                            PosixFilePermissions.toString(
                                                    Files.getPosixFilePermissions(each)))
                                    .isEqualTo(
                                            Files.isDirectory(each) ? "rwx------" : "rw-------"));
        }
        assertThat(folder.resolve("other/tokens.json")).exists();
    }

    /// Two orchestrators on one machine: the doctor of one must not speak of the other.
    @Test
    void theDoctor_doesNotTakeTheOrchestratorOfAnotherFolder_forItsOwn() {
        try (var node = ArtelNode.start(config("data"), SampleBlueprints.all())) {
            ArtelNode.start(config("other"), SampleBlueprints.all()).close();
            for (var name : List.of("other", "none")) {
                assertThat(findings(config(name).withPort(node.port())))
                        .contains(
                                "is an orchestrator on another data folder, not on "
                                        + folder.resolve(name))
                        .doesNotContain("reports: ready");
            }
        }
    }

    @Test
    void jobsThatAreThere_areNeverOverwritten_butPutAsideWhenAsked() {
        try (var node = ArtelNode.start(config("data"), SampleBlueprints.all())) {
            TestClient.of(node).submit("{\"blueprint\":\"echo\"}");
        }
        new Backup(folder.resolve("data"), true).to(folder.resolve("b.zip"), NOW);
        var restore = new Restore(folder.resolve("data"));

        assertThatThrownBy(() -> restore.from(folder.resolve("b.zip"), false, NOW))
                .hasMessageEndingWith(
                        "there are jobs in it; give --replace to put them aside, or choose another"
                                + " --data");
        var restored = restore.from(folder.resolve("b.zip"), true, NOW);

        assertThat(restored.jobs()).isEqualTo(1);
        assertThat(restored.before()).contains(folder.resolve("data.before-20261121-120000"));
        assertThat(folder.resolve("data.before-20261121-120000/artel.db")).exists();
    }

    @Test
    void whatIsNoWholeBackup_isRefused_andTheDataFolderStaysAsItWas() throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        new Backup(folder.resolve("data"), true).to(folder.resolve("b"), NOW);
        var restore = new Restore(folder.resolve("other"));

        assertThatThrownBy(() -> restore.from(folder.resolve("none"), false, NOW))
                .hasMessageEndingWith("there is no such backup");
        var text = Files.writeString(folder.resolve("text.zip"), "no archive");
        assertThatThrownBy(() -> restore.from(text, false, NOW))
                .hasMessageContaining("it is no zip archive");
        assertThatThrownBy(() -> restore.from(escaping(), false, NOW))
                .hasMessageContaining("it has an entry '../escaped'");
        assertThat(folder.resolve("escaped")).doesNotExist();

        var database = folder.resolve("b/artel.db");
        var bytes = Files.readAllBytes(database);
        bytes[bytes.length / 2] ^= 1;
        Files.write(database, bytes);
        assertThatThrownBy(() -> restore.from(folder.resolve("b"), false, NOW))
                .hasMessageContaining("it is no whole backup: artel.db is not what was copied");
        assertThat(folder.resolve("other")).doesNotExist();
        assertThat(folder.resolve("other.unfinished")).doesNotExist();
    }

    /// Trap: a backup to which somebody added a jar, an operator or a token is restored without a word.
    @Test
    void aFileThatTheBackupDoesNotName_isRefused() throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        var backup = new Backup(folder.resolve("data"), true);
        backup.to(folder.resolve("b.zip"), NOW);
        var evil = "evil".getBytes(UTF_8);
        for (var name :
                List.of(
                        "blueprints/evil.jar",
                        "clients.toml",
                        "access-tokens.json",
                        "payloads/ab/ab")) {
            var of = "with-" + name.replace('/', '-');
            backup.to(folder.resolve(of), NOW);
            var added = folder.resolve(of).resolve(name);
            Files.createDirectories(added.getParent());
            Files.write(added, evil);
            var zip = rewritten("b.zip", of + ".zip", Set.of(), Map.of(name, evil));

            for (var source : List.of(folder.resolve(of), zip)) {
                assertThatThrownBy(() -> restore(source))
                        .isInstanceOf(MaintenanceFailed.class)
                        .hasMessageEndingWith(
                                "it is no whole backup: backup.json does not name "
                                        + name
                                        + "; take another one");
            }
        }
        assertThat(folder.resolve("other")).doesNotExist();
        assertThat(folder.resolve("other.unfinished")).doesNotExist();
    }

    @Test
    void aFileThatIsMissing_orIsNotWhatWasCopied_isRefused() throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        var backup = new Backup(folder.resolve("data"), true);
        backup.to(folder.resolve("b"), NOW);
        backup.to(folder.resolve("b.zip"), NOW);
        var tokens = Files.readAllBytes(folder.resolve("b/tokens.json"));
        tokens[tokens.length / 2] ^= 1;
        var others = Map.of("tokens.json", tokens);
        var bomb = Map.of("tokens.json", new byte[300 << 20]);
        Files.write(folder.resolve("b/tokens.json"), tokens);

        for (var source :
                List.of(
                        folder.resolve("b"),
                        rewritten("b.zip", "other.zip", others.keySet(), others))) {
            assertThatThrownBy(() -> restore(source))
                    .hasMessageContaining("tokens.json is not what was copied");
        }
        var packed = rewritten("b.zip", "bomb.zip", bomb.keySet(), bomb);
        assertThat(packed).satisfies(each -> assertThat(Files.size(each)).isLessThan(1 << 20));
        assertThatThrownBy(() -> restore(packed))
                .hasMessageContaining(
                        "tokens.json is not what was copied: it has more than "
                                + tokens.length
                                + " bytes");
        Files.delete(folder.resolve("b/tokens.json"));
        for (var source :
                List.of(
                        folder.resolve("b"),
                        rewritten("b.zip", "less.zip", others.keySet(), Map.of()))) {
            assertThatThrownBy(() -> restore(source))
                    .hasMessageContaining("tokens.json is missing");
        }
        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void aBackupThatIsLargerThanTheDisk_isRefusedBeforeAnythingIsWritten() throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        new Backup(folder.resolve("data"), true).to(folder.resolve("b"), NOW);
        var manifest = folder.resolve("b/backup.json");
        var text = Files.readString(manifest);
        Files.writeString(manifest, text.replaceFirst("\"bytes\":\\d+", "\"bytes\":" + (1L << 62)));

        assertThatThrownBy(() -> restore(folder.resolve("b")))
                .hasMessageContaining("its files take " + (1L << 62) / 1_000_000_000)
                .hasMessageContaining("make room");
        Files.writeString(manifest, text.replaceAll("\"bytes\":\\d+", "\"bytes\":" + (1L << 62)));
        assertThatThrownBy(() -> restore(folder.resolve("b")))
                .hasMessageContaining("its files take more, and there is room for ");
    }

    /// Nobody has to trust a backup without a look at what it brings.
    @ParameterizedTest
    @ValueSource(strings = {"copy.zip", "copy"})
    void codeAndTokensThatABackupBrings_areNamed(String target) throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        Files.createDirectories(folder.resolve("data/blueprints"));
        Files.writeString(folder.resolve("data/blueprints/a.jar"), "code");
        Files.writeString(folder.resolve("data/clients.toml"), "");
        new Backup(folder.resolve("data"), true).to(folder.resolve(target), NOW);

        var restored = restore(folder.resolve(target));

        assertThat(restored.code()).containsExactly("blueprints/a.jar");
        assertThat(restored.tokens()).containsExactlyInAnyOrder("clients.toml", "tokens.json");
    }

    /// Trap: a card that the database has is run by the first job that names it, a schedule begins jobs, a webhook sends what becomes of them, and none
    /// of them is a file.
    @Test
    void whatTheDatabaseOfABackupBrings_isNamed() throws Exception {
        var config = config("data").withBlueprints(BlueprintSettings.DEFAULTS.withUpload(true));
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            var client = TestClient.of(node);
            var card =
                    client.post(
                            "/api/v1/admin/cards",
                            "metadata: {name: own, version: 1.0.0}\nspec: {steps: [{id: end, type: complete}]}\n",
                            "Content-Type",
                            "application/yaml");
            assertThat(card.status()).as(card.text()).isEqualTo(201);
            var schedule =
                    client.send(
                            "PUT",
                            "/api/v1/schedules/nightly",
                            "{\"blueprint\":\"echo\",\"timing\":{\"cron\":\"30 2 * * *\",\"zone\":\"Europe/Berlin\"}}");
            assertThat(schedule.status()).as(schedule.text()).isEqualTo(201);
            var webhook = client.post("/api/v1/webhooks", "{\"url\":\"https://example.org\"}");
            assertThat(webhook.status()).as(webhook.text()).isBetween(200, 299);
        }
        Files.writeString(folder.resolve("data/schedules.toml"), "");
        Files.writeString(folder.resolve("data/limits.toml"), "");
        new Backup(folder.resolve("data"), true).to(folder.resolve("b"), NOW);

        var restored = restore(folder.resolve("b"));

        assertThat(restored.code()).containsExactly("card own@1.0.0 of the database");
        assertThat(restored.settings())
                .startsWith("limits.toml", "schedules.toml", "schedule nightly of the database")
                .hasSize(4)
                .last()
                .asString()
                .matches("webhook \\S+ of the database");
    }

    /// Trap: somebody fills the list of what a backup brings, so that nobody reads it.
    @Test
    void ofThousandsOfCardsInADatabase_someAreNamed_andTheOthersCounted() throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        var database = folder.resolve("data/artel.db");
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                var fill = connection.createStatement()) {
            fill.execute(
                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
                            + " INSERT INTO key_value (space, key, version, value)"
                            + " SELECT 'cards', printf('%05d\u001b', i), 1, '{}' FROM n");
        }
        new Backup(folder.resolve("data"), true).to(folder.resolve("b"), NOW);

        assertThat(restore(folder.resolve("b")).code())
                .hasSize(21)
                .startsWith("card 00001\ufffd of the database")
                .endsWith("4980 more of these");
    }

    @Test
    void aBackupOfAVersionThatNamedNoFiles_isTakenOnlyWhenAsked() throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        new Backup(folder.resolve("data"), true).to(folder.resolve("b"), NOW);
        Files.writeString(
                folder.resolve("b/backup.json"),
                "{\"artel_backup\":1,\"made\":\"" + NOW + "\",\"files\":1}");

        assertThatThrownBy(() -> restore(folder.resolve("b")))
                .hasMessageEndingWith(
                        "backup.json does not name its files, as an older version wrote it; if you"
                                + " trust all that is in it, give --unchecked");
        var restored =
                new Restore(folder.resolve("other"))
                        .unchecked()
                        .from(folder.resolve("b"), false, NOW);

        assertThat(restored.made()).isEqualTo(NOW.toString());
        assertThat(restored.tokens()).containsExactly("tokens.json");
    }

    /// Trap: an older version wrote the digest of the database alone, and a database that was torn or exchanged is taken unseen.
    @Test
    void aBackupOfAVersionThatNamedTheDatabaseAlone_isTakenOnlyWithThatDatabase() throws Exception {
        ArtelNode.start(config("data"), SampleBlueprints.all()).close();
        var backup = folder.resolve("b");
        new Backup(folder.resolve("data"), true).to(backup, NOW);
        var digest = VerifiedBytes.digestOf(Files.readAllBytes(backup.resolve("artel.db")));
        var older = "{\"artel_backup\":1,\"made\":\"%s\",\"files\":1,\"database_sha256\":\"%s\"}";
        var unchecked = new Restore(folder.resolve("other")).unchecked();

        Files.writeString(backup.resolve("backup.json"), older.formatted(NOW, "0".repeat(64)));
        assertThatThrownBy(() -> unchecked.from(backup, false, NOW))
                .isInstanceOf(MaintenanceFailed.class)
                .hasMessageContaining("artel.db is not what was copied");
        Files.writeString(backup.resolve("backup.json"), older.formatted(NOW, "none"));
        assertThatThrownBy(() -> unchecked.from(backup, false, NOW))
                .isInstanceOf(MaintenanceFailed.class)
                .hasMessageContaining("database_sha256 is no SHA-256");
        assertThat(folder.resolve("other")).doesNotExist();
        Files.writeString(backup.resolve("backup.json"), older.formatted(NOW, digest));
        assertThat(unchecked.from(backup, false, NOW).made()).isEqualTo(NOW.toString());
    }

    private Restore.Restored restore(Path backup) {
        return new Restore(folder.resolve("other")).from(backup, false, NOW);
    }

    /// A copy of the archive `from` without some files, and with others.
    private Path rewritten(String from, String to, Set<String> without, Map<String, byte[]> with)
            throws IOException {
        var target = folder.resolve(to);
        try (var zip = new ZipFile(folder.resolve(from).toFile());
                var out = new ZipOutputStream(Files.newOutputStream(target))) {
            for (var entry : Collections.list(zip.entries())) {
                if (!without.contains(entry.getName())) {
                    out.putNextEntry(new ZipEntry(entry.getName()));
                    try (var in = zip.getInputStream(entry)) {
                        in.transferTo(out);
                    }
                }
            }
            for (var added : with.entrySet()) {
                out.putNextEntry(new ZipEntry(added.getKey()));
                out.write(added.getValue());
            }
        }
        return target;
    }

    private Path escaping() throws IOException {
        var file = folder.resolve("escaping.zip");
        try (var out = new ZipOutputStream(Files.newOutputStream(file))) {
            out.putNextEntry(new ZipEntry("../escaped"));
            out.write(1);
        }
        return file;
    }

    @Test
    void theDoctor_findsNothing_whereNothingIsWrong_andWhatIsWrong() throws Exception {
        var config = config("data");
        assertThat(levels(config)).containsOnly("OK");
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            TestClient.of(node).submit("{\"blueprint\":\"echo\"}");
            var running = config.withPort(node.port());
            // On a busy machine the answer may take longer than the doctor waits for it.
            await().untilAsserted(() ->
                    assertThat(findings(running))
                            .contains(
                                    "port 127.0.0.1:"
                                            + node.port()
                                            + " is an orchestrator that reports: ready"));
        }
        assertThat(levels(config)).containsOnly("OK");

        Files.setPosixFilePermissions(
                folder.resolve("data/tokens.json"), PosixFilePermissions.fromString("rw-r--r--"));
        Files.writeString(folder.resolve("data/clients.toml"), "[a]\ntoken = 5\n");
        var database = folder.resolve("data/artel.db");
        var bytes = Files.readAllBytes(database);
        Arrays.fill(bytes, 4096, bytes.length, (byte) 7);
        Files.write(database, bytes);

        assertThat(findings(config))
                .contains("tokens clients.toml:2: a.token must be a string, was number")
                .containsPattern("store (damaged: |looking at store )");
    }

    @Test
    void theDoctor_looksAtFilesWithSecrets_thatAreNamed() throws Exception {
        var settings = Files.writeString(folder.resolve("artel.yaml"), "tokens.client: x\n");
        var config = config("data");

        for (var open : List.of("rw-r--r--", "rw-rw----", "rw--w----", "rw-----w-", "rw----rw-")) {
            Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString(open));
            assertThat(Doctor.look(config, List.of(settings), NOW, new StartChecks(config)))
                    .as(open)
                    .extracting(Finding::toString)
                    .contains(
                            "WARN  tokens       "
                                    + settings
                                    + " can be read or changed by others here ("
                                    + open
                                    + "), and holds secrets; chmod 600 "
                                    + settings);
        }
        // A service reads files of the administrator by its group.
        for (var closed : List.of("rw-------", "r--------", "rw-r-----")) {
            Files.setPosixFilePermissions(settings, PosixFilePermissions.fromString(closed));
            assertThat(Doctor.look(config, List.of(settings), NOW, new StartChecks(config)))
                    .as(closed)
                    .extracting(Finding::text)
                    .noneMatch(text -> text.contains(settings.toString()));
        }
    }

    /// A backup that lacks a value would be found out when its job needs it.
    @Test
    void aLargeValueThatIsMissing_isFoundByTheDoctor_andByABackup() throws Exception {
        var config = config("data");
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            TestClient.of(node).submit(job(0));
        }
        assertThat(findings(config))
                .containsPattern("values \\d large values of \\d{6} bytes in ")
                .contains("; 0 of them are named by no job");

        try (var files = Files.walk(folder.resolve("data/payloads"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }

        assertThat(findings(config))
                .containsPattern("values \\d large values that jobs name are not in ");
        for (var target : List.of("b", "b.zip")) {
            assertThatThrownBy(() ->
                            new Backup(folder.resolve("data"), true)
                                    .to(folder.resolve(target), NOW))
                    .isInstanceOf(MaintenanceFailed.class)
                    .hasMessageContaining("large values that its jobs name are not in it")
                    .hasMessageContaining("payloads.grace");
            assertThat(folder.resolve(target)).doesNotExist();
        }
        new Backup(folder.resolve("data"), false).to(folder.resolve("of-a-bucket"), NOW);
    }

    /// Trap: a job of which somebody passes the checksum of a file, and no backup is made any more.
    @Test
    void aValueOfAUserThatLooksLikeAReference_isNone() {
        var config = config("data");
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            var image = "{\"digest\":\"" + "ab".repeat(32) + "\",\"bytes\":70000}";
            TestClient.of(node)
                    .submit("{\"blueprint\":\"echo\",\"initial_data\":{\"image\":" + image + "}}");
            TestClient.of(node).submit("{\"blueprint\":\"echo\",\"initial_data\":" + image + "}");
        }

        assertThat(findings(config)).contains("values 0 large values");
        for (var target : List.of("b", "b.zip")) {
            new Backup(folder.resolve("data"), true).to(folder.resolve(target), NOW);
        }
    }

    private static String findings(ServerConfig config) {
        return Doctor.look(config, Instant.now(), new StartChecks(config)).stream()
                .map(each -> each.about() + " " + each.text())
                .collect(Collectors.joining("\n"));
    }

    private static List<String> levels(ServerConfig config) {
        return Doctor.look(config, Instant.now(), new StartChecks(config)).stream()
                .map(Finding::level)
                .map(Enum::name)
                .toList();
    }
}
