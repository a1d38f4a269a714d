package dev.artel.server.blueprints;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.RawHttp;
import dev.artel.server.TestClient;
import dev.artel.server.TestJar;
import dev.artel.server.TestNodes;
import dev.artel.server.jars.UploadedJars;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Jars of blueprints that come over HTTP.
final class UploadJarTest {
    private static final String TYPE = "application/java-archive";
    private static final String JARS = "/api/v1/admin/jars";

    @TempDir private Path folder;
    private Path jars;

    /// Finishes at once.
    public static final class LateSource implements BlueprintSource {
        /// For the loader of services.
        public LateSource() {}

        @Override
        public List<Blueprint> blueprints() {
            return List.of(
                    Blueprint.named("late")
                            .version("2")
                            .start("begin", step -> Action.finish(step.initialData()))
                            .build());
        }
    }

    /// Waits for a signal.
    public static final class WaitingSource implements BlueprintSource {
        /// For the loader of services.
        public WaitingSource() {}

        @Override
        public List<Blueprint> blueprints() {
            return List.of(
                    Blueprint.named("waiting")
                            .version("1")
                            .start("begin", _ -> Action.awaitSignal("go", "end"))
                            .leadingTo("end")
                            .end("end")
                            .build());
        }
    }

    @BeforeEach
    void makeFolders() throws IOException {
        jars = Files.createDirectories(folder.resolve("jars"));
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(
                folder.resolve("data").resolve("clients.toml"),
                "[plain]\ntoken = \"token-of-plain-0123456\"\n");
    }

    private ArtelNode start(boolean upload) throws IOException {
        var file = folder.resolve("artel.yaml");
        Files.writeString(
                file,
                "http.port: 0\ndata: "
                        + folder.resolve("data")
                        + "\nblueprints.folder: "
                        + jars
                        + "\nblueprints.upload: "
                        + upload
                        + "\n");
        var known =
                Blueprints.of(
                        Blueprint.named("own")
                                .start("begin", step -> Action.finish(step.initialData()))
                                .build());
        return TestNodes.launched(file, jars, known);
    }

    private static byte[] jar(Class<?> source) throws IOException {
        return TestJar.of(BlueprintSource.class, source);
    }

    private List<String> files() throws IOException {
        try (var all = Files.list(jars)) {
            return all.filter(Files::isRegularFile)
                    .map(each -> each.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private static String code(Answer answer) {
        return answer.status() + " " + answer.object().string("code").orElse("");
    }

    @Test
    void aJar_isTakenUpAtOnce_andReadAgainAtTheNextStart() throws IOException {
        try (var node = start(true)) {
            var client = TestClient.of(node);

            var answer = client.put(JARS + "/late-2.jar", jar(LateSource.class), TYPE);

            assertThat(answer.status()).as(answer.text()).isEqualTo(201);
            assertThat(answer.text())
                    .contains("\"name\":\"late-2.jar\"", "[{\"name\":\"late\",\"version\":\"2\"}]");
            var job = client.submit("{\"blueprint\":\"late\"}");
            assertThat(client.get("/api/v1/jobs/" + job + "?wait=60").object().string("status"))
                    .contains("finished");
            assertThat(client.get(JARS).items().toString()).contains("late-2.jar");
            assertThat(client.put(JARS + "/late-2.jar", jar(LateSource.class), TYPE).status())
                    .isEqualTo(200);
            assertThat(client.post("/api/v1/admin/reload", "").object().array("changed"))
                    .hasToString("Optional[[]]");
        }
        assertThat(files()).containsExactly("late-2.jar");
        try (var node = start(false)) {
            TestClient.of(node).submit("{\"blueprint\":\"late\"}");
        }
        assertThat(Files.readString(folder.resolve("data").resolve("audit.jsonl")))
                .contains(
                        "/api/v1/admin/jars/late-2.jar",
                        "took up [Definition[name=late, version=2]]");
    }

    /// Trap: half a jar, or one that cannot be used, is in the folder at the next start.
    @Test
    void whatCannotBeUsed_isRefused_andTheFolderIsAsItWas() throws IOException {
        try (var node = start(true)) {
            var client = TestClient.of(node);
            client.put(JARS + "/late.jar", jar(LateSource.class), TYPE);

            var garbage = client.put(JARS + "/garbage.jar", "no zip".getBytes(UTF_8), TYPE);
            var twin = client.put(JARS + "/twin.jar", jar(LateSource.class), TYPE);
            var other = client.put(JARS + "/late.jar", jar(WaitingSource.class), TYPE);
            var html = client.put(JARS + "/x.jar", jar(WaitingSource.class), "text/html");

            assertThat(code(garbage)).isEqualTo("422 invalid_jar");
            assertThat(garbage.object().array("problems").orElseThrow().toString())
                    .contains("garbage.jar: reading it: it is no readable jar");
            assertThat(code(twin)).isEqualTo("409 jar_taken");
            assertThat(twin.detail()).contains("'late' is registered already in version 2");
            assertThat(code(other)).isEqualTo("409 jar_taken");
            assertThat(other.detail()).contains("give this one another name");
            assertThat(code(html)).isEqualTo("400 invalid_body");
            client.submit("{\"blueprint\":\"late\"}");
        }
        assertThat(files()).containsExactly("late.jar");
        assertThat(Files.readAllBytes(jars.resolve("late.jar"))).isEqualTo(jar(LateSource.class));
    }

    @Test
    void anUploadThatTakesItsTime_delaysNoOther() throws IOException {
        var jar = jar(LateSource.class);
        try (var node = start(true);
                var slow = new RawHttp(node)) {
            var client = TestClient.of(node);
            slow.send(
                    "PUT %s/slow.jar HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
                            .formatted(JARS, node.port(), node.clientToken(), TYPE, jar.length));
            slow.send(new String(jar, 0, 100, ISO_8859_1));
            await("the upload has begun").until(() -> incoming() == 1);

            assertThat(client.put(JARS + "/other.jar", jar(WaitingSource.class), TYPE).status())
                    .isEqualTo(201);
            assertThat(client.get(JARS).items().toString()).contains("other.jar");

            slow.send(new String(jar, 100, jar.length - 100, ISO_8859_1));
            assertThat(slow.hear()).startsWith("HTTP/1.1 201");
            assertThat(incoming()).isZero();
        }
    }

    @Test
    void whatUploadsOfAKilledProcessHaveLeft_isRemovedLater() throws IOException {
        var old = Files.createDirectories(jars.resolve(".incoming").resolve("1234"));
        Files.write(old.resolve("late.jar"), new byte[100]);
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(2))));
        try (var node = start(true)) {
            TestClient.of(node).put(JARS + "/late.jar", jar(LateSource.class), TYPE);
        }
        assertThat(incoming()).isZero();
    }

    private long incoming() throws IOException {
        var folder = jars.resolve(".incoming");
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        try (var uploads = Files.list(folder)) {
            return uploads.count();
        }
    }

    @Test
    void aJarThatIsTooLarge_isRefused() throws IOException {
        try (var node = start(true)) {
            var large = new byte[(int) UploadedJars.MOST_BYTES + 1];

            var answer = TestClient.of(node).put(JARS + "/large.jar", large, TYPE);

            assertThat(code(answer)).isEqualTo("413 body_too_large");
        }
        assertThat(files()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "..%2Flate.jar",
                "%2e%2e%2flate.jar",
                "late.zip",
                ".jar",
                ".incoming",
                "a%00.jar",
                "a%5Cb.jar",
                "-rf.jar"
            })
    void aNameThatIsNone_isRefused(String name) throws IOException {
        try (var node = start(true)) {
            var client = TestClient.of(node);

            assertThat(client.put(JARS + "/" + name, jar(LateSource.class), TYPE).status())
                    .isIn(400, 404);
            assertThat(client.method("DELETE", JARS + "/" + name).status()).isIn(400, 404);
        }
        assertThat(files()).isEmpty();
        assertThat(folder.resolve("late.jar")).doesNotExist();
    }

    /// Trap: a client with any token runs code in the orchestrator.
    @Test
    void onlyOperators_andOnlyWhereItIsAllowed_uploadJars() throws IOException {
        try (var node = start(true)) {
            var plain = new TestClient(node.uri(), "X-Client-Token", "token-of-plain-0123456");
            assertThat(code(plain.put(JARS + "/late.jar", jar(LateSource.class), TYPE)))
                    .isEqualTo("403 forbidden");
            assertThat(plain.get(JARS).status()).isEqualTo(403);
        }
        try (var node = start(false)) {
            var client = TestClient.of(node);
            assertThat(code(client.put(JARS + "/late.jar", jar(LateSource.class), TYPE)))
                    .isEqualTo("403 uploads_disabled");
            assertThat(code(client.method("DELETE", JARS + "/late.jar")))
                    .isEqualTo("403 uploads_disabled");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void aJarThatAnOpenJobNeeds_isNotDeleted() throws IOException {
        try (var node = start(true)) {
            var client = TestClient.of(node);
            client.put(JARS + "/waiting.jar", jar(WaitingSource.class), TYPE);
            var job = client.submit("{\"blueprint\":\"waiting\"}");

            var refused = client.method("DELETE", JARS + "/waiting.jar");
            client.post("/api/v1/jobs/" + job + "/cancel", "");
            client.get("/api/v1/jobs/" + job + "?wait=60");

            assertThat(code(refused)).isEqualTo("409 jar_in_use");
            await().until(() -> client.method("DELETE", JARS + "/waiting.jar").status() == 200);
            assertThat(client.get(JARS).items().size()).isZero();
            assertThat(code(client.method("DELETE", JARS + "/waiting.jar")))
                    .isEqualTo("404 jar_not_found");
            assertThat(code(client.put(JARS + "/waiting.jar", jar(LateSource.class), TYPE)))
                    .isEqualTo("409 jar_taken");
        }
        assertThat(files()).isEmpty();
    }
}
