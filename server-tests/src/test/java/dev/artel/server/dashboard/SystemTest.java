package dev.artel.server.dashboard;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.server.AliceAndBob;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What operators see of the orchestrator itself: its settings, and who has changed what.
final class SystemTest {
    @TempDir private Path folder;
    private Path data;
    private ArtelNode node;
    private TestClient operator;

    @BeforeEach
    void start() throws IOException {
        data = Files.createDirectories(folder.resolve("data"));
        AliceAndBob.writeTo(data);
        var file = folder.resolve("artel.yaml");
        Files.writeString(
                file,
                "http.port: 0\ndata: "
                        + data
                        + "\noperations.metrics-token: a-secret-of-the-tests\n"
                        + "http.max-streams: 77\n");
        node =
                TestNodes.launched(
                        file, Files.createDirectories(folder.resolve("jars")), Blueprints.of());
        operator = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void theSystem_isShown_withItsSettings_andWithoutSecrets() {
        var answer = operator.get("/api/v1/admin/system");
        var system = answer.object();

        assertThat(system.string("java_version").orElseThrow()).startsWith("25");
        assertThat(system.object("store").orElseThrow().string("kind")).contains("sqlite");
        assertThat(system.object("store").orElseThrow().number("database_bytes")).isPresent();
        assertThat(setting(system, "http.max-streams").string("value")).contains("77");
        assertThat(setting(system, "http.max-streams").string("source").orElseThrow())
                .contains("artel.yaml");
        assertThat(setting(system, "http.max-waits").string("source")).isEmpty();
        assertThat(setting(system, "operations.metrics-token").string("value")).isEmpty();
        assertThat(setting(system, "operations.metrics-token").string("source")).isPresent();
        assertThat(answer.text())
                .contains("\"name\":\"alice\"", "\"wire\":\"http\"")
                .doesNotContain("a-secret-of-the-tests", node.clientToken(), "token-of-alice");
        assertThat(AliceAndBob.alice(node).get("/api/v1/admin/system").status()).isEqualTo(403);
    }

    private static JsonObject setting(JsonObject system, String name) {
        return system.array("settings").orElseThrow().values().stream()
                .map(JsonObject.class::cast)
                .filter(line -> line.string("name").orElse("").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(Answer page) {
        return page.items().values().stream()
                .map(JsonObject.class::cast)
                .map(line -> line.string("path").orElse(""))
                .filter(path -> path.contains("/pauses/"))
                .map(path -> path.replaceFirst(".*/", ""))
                .toList();
    }

    private void pause(String name) {
        assertThat(operator.send("PUT", "/api/v1/admin/pauses/blueprints/" + name, "{}").status())
                .isEqualTo(200);
    }

    @Test
    void theAudit_isReadBack_pageByPage_alsoFromFilesThatWerePutAside() throws IOException {
        for (var i = 0; i < 7; i++) {
            var lines = i + 1;
            pause("b" + i);
            // A line is written behind its answer, by the thread of its connection.
            await().until(() -> names(operator.get("/api/v1/admin/audit")).size() == lines);
        }
        var first = operator.get("/api/v1/admin/audit?limit=2");
        assertThat(names(first)).containsExactly("b6", "b5");

        // As at the end of a day, between two pages.
        Files.move(data.resolve("audit.jsonl"), data.resolve("audit.jsonl.20300101T000000000Z"));
        pause("late");
        await().until(() -> names(operator.get("/api/v1/admin/audit")).contains("late"));

        var rest = new ArrayList<String>();
        for (var page = first; page.next().isPresent(); ) {
            page = operator.get("/api/v1/admin/audit?limit=2&cursor=" + page.next().orElseThrow());
            rest.addAll(names(page));
        }
        assertThat(rest).containsExactly("b4", "b3", "b2", "b1", "b0");
        assertThat(names(operator.get("/api/v1/admin/audit")))
                .containsExactly("late", "b6", "b5", "b4", "b3", "b2", "b1", "b0");
        assertThat(operator.get("/api/v1/admin/audit?client=alice").items().values()).isEmpty();
        assertThat(operator.get("/api/v1/admin/audit?from=2200-01-01T00:00:00Z").items().values())
                .isEmpty();
        assertThat(operator.get("/api/v1/admin/audit?cursor=nonsense").status()).isEqualTo(400);
        assertThat(AliceAndBob.alice(node).get("/api/v1/admin/audit").status()).isEqualTo(403);
    }
}
