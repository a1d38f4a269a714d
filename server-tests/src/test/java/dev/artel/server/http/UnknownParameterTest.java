package dev.artel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class UnknownParameterTest {
    @TempDir private Path folder;

    private ArtelNode node;
    private TestClient client;

    @BeforeEach
    void start() {
        node = ArtelNode.start(TestNodes.CONFIG.withData(folder), SampleBlueprints.all());
        client = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/jobs/j?wiat=3",
                "/jobs/j/history?limt=3",
                "/workers?stat=free",
                "/blueprints?version=1",
                "/jobs?label.=x"
            })
    void aMistypedParameter_isRefused_withThoseThatThereAre(String path) {
        var answer = client.get("/api/v1" + path);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.object().string("code")).contains("unknown_parameter");
        assertThat(answer.detail())
                .contains(path.replaceAll(".*\\?|=.*", ""))
                .containsAnyOf("this route has", "there are");
    }

    @Test
    void theNearestOne_isNamed() {
        assertThat(client.get("/api/v1/jobs?stauts=running").detail())
                .endsWith("; did you mean status?");
    }

    @Test
    void aRouteThatChangesSomething_changesNothingThen() {
        var id = client.submit("{\"blueprint\":\"echo\"}");

        assertThat(client.post("/api/v1/jobs/" + id + "/cancel?tre=true", "").status())
                .isEqualTo(400);

        assertThat(client.get("/api/v1/jobs/" + id).object().string("status").orElseThrow())
                .isIn("pending", "waiting_for_worker");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/_public/status",
                "/_public/jobs/quarantined",
                "/_public/webhooks/approval/00000000-0000-7000-8000-000000000000",
                "/_public/openapi.json",
                "/_public/docs",
                "/_public/approve",
                "/healthz",
                "/readyz",
                "/"
            })
    void whatIsPublic_refusesThemToo(String path) {
        var answer = client.get(path + "?wiat=3");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.object().string("code")).contains("unknown_parameter");
    }

    /// Trap: clients of the first generation send what they like.
    @Test
    void theRoutesOfTheFirstGeneration_takeAny() {
        var id = client.submit("{\"blueprint\":\"echo\"}");

        assertThat(client.get("/api/jobs/" + id + "?_=17").status()).isEqualTo(200);
    }
}
