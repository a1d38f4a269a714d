package dev.artel.server.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.ServerConfig;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.maintenance.Doctor;
import dev.artel.maintenance.Finding;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.TestClient;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.StartChecks;
import dev.artel.server.wiring.StartupException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataFolderTest {
    @TempDir private Path folder;

    private ArtelNode start() {
        return ArtelNode.start(config(), SampleBlueprints.all());
    }

    private ServerConfig config() {
        return ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("data"));
    }

    @Test
    void aRestart_keepsJobsTokensAndResults() {
        String id;
        String token;
        JsonObject task;
        try (var node = start()) {
            token = node.clientToken();
            id = TestClient.of(node).submit("{\"blueprint\":\"echo\",\"initial_data\":{\"x\":1}}");
            task = new TestWorker(node, "w1", "echo").next();
        }

        try (var node = start()) {
            assertThat(node.clientToken()).isEqualTo(token);
            var worker = TestWorker.fromBefore(node, "w1");
            var data = JsonObject.of("y", JsonValue.of(2));
            assertThat(worker.report(task, data).status()).isEqualTo(200);
            var job = TestClient.of(node).get("/api/v1/jobs/" + id + "?wait=60").object();
            assertThat(job.string("status")).contains("finished");
            assertThat(job.get("result")).hasToString("Optional[{\"y\":2}]");
            assertThat(job.get("initial_data")).hasToString("Optional[{\"x\":1}]");
        }
    }

    @Test
    void tokens_areForTheirOwnerOnly() throws Exception {
        start().close();

        var file = folder.resolve("data/tokens.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    /// Other users of the machine must not read keys and jobs.
    @Test
    void whatIsKept_isForItsOwnerOnly() throws Exception {
        try (var node = start()) {
            var client = TestClient.of(node);
            client.submit(
                    "{\"blueprint\":\"echo\",\"initial_data\":{\"x\":\""
                            + "large".repeat(20_000)
                            + "\"}}");
            var _ = client.post("/api/v1/webhooks", "{\"url\":\"https://example.org\"}");
            assertThat(opened(folder.resolve("data"))).isEmpty();
        }
        assertThat(opened(folder.resolve("data"))).isEmpty();
    }

    /// The files in `folder`, and itself, that others may use. Folders of large values are inside one that is closed.
    private static List<String> opened(Path folder) throws Exception {
        var found = new ArrayList<String>();
        var values = folder.resolve("payloads");
        try (var all = Files.walk(folder)) {
            for (var path :
                    all.filter(each -> !each.startsWith(values) || each.equals(values)).toList()) {
                var permissions =
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
                if (!permissions.endsWith("------")) {
                    found.add(folder.relativize(path) + " " + permissions);
                }
            }
        }
        return found;
    }

    @Test
    void aFolderThatOthersMayLookInto_isNamedInTheLogAndByTheDoctor() throws Exception {
        Files.createDirectory(folder.resolve("data"));
        Files.setPosixFilePermissions(
                folder.resolve("data"), PosixFilePermissions.fromString("rwxr-xr-x"));
        try (var log = LogLines.of("dev.artel.server.wiring.DataFolder")) {
            start().close();
            assertThat(log.texts())
                    .anyMatch(line -> line.contains("run chmod -R go= " + folder.resolve("data")));
        }
        // Their content is not open all the same.
        assertThat(opened(folder.resolve("data"))).containsExactly(" rwxr-xr-x");
        assertThat(Doctor.look(config(), Instant.now(), new StartChecks(config())))
                .anyMatch(each ->
                        each.level() == Finding.Level.WARN
                                && each.text().contains("(rwxr-xr-x), and holds keys and jobs"));
    }

    @Test
    void tokensThatCannotBeUsed_areNotReplaced() throws Exception {
        start().close();
        Files.writeString(folder.resolve("data/tokens.json"), "{\"client_token\":\"short\"}");

        assertThatThrownBy(this::start)
                .isInstanceOf(StartupException.class)
                .hasMessageMatching(
                        "the tokens in .*tokens.json cannot be used: client_token and worker_token must be texts of at"
                                + " least 16 characters; fix the file, or remove it to get new tokens");
    }

    @Test
    void aDatabaseThatIsNone_isReportedInOneLine() throws Exception {
        start().close();
        Files.writeString(folder.resolve("data/artel.db"), "this is no database ".repeat(500));

        assertThatThrownBy(this::start)
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("artel.db")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aFolderThatIsAFile_isReported() throws Exception {
        Files.writeString(folder.resolve("data"), "x");

        assertThatThrownBy(this::start)
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("cannot make the data folder " + folder.resolve("data"));
    }

    @Test
    void aFolderInUse_isReported() {
        try (var _ = start()) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("has it open")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void aPortInUse_isReported_andTheFolderLetGo() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var config = config().withPort(taken.getLocalPort());

            assertThatThrownBy(() -> ArtelNode.start(config, SampleBlueprints.all()))
                    .isInstanceOf(StartupException.class)
                    .hasMessage(
                            "cannot listen on 127.0.0.1:"
                                    + taken.getLocalPort()
                                    + ": Address already in use; stop the program that listens there, or choose"
                                    + " another --port or --host");
        }
        start().close();
    }

    @Test
    void anAddressOfAnotherMachine_isReported() {
        var config = config().withHttp(config().http().withHost("192.0.2.1"));

        assertThatThrownBy(() -> ArtelNode.start(config, SampleBlueprints.all()))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("cannot listen on 192.0.2.1:0: ");
    }
}
