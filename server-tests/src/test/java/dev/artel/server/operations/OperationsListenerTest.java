package dev.artel.server.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.OperationsSettings;
import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.StartupException;
import java.net.URI;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OperationsListenerTest {
    @TempDir private Path folder;

    private ServerConfig config(UnaryOperator<OperationsSettings> change) {
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder);
        return config.withIngress(
                config.ingress().withOperations(change.apply(OperationsSettings.DEFAULTS)));
    }

    @Test
    void withAnAddressOfTheirOwn_figuresAreThereAlone_andNothingElseIs() {
        var config = config(it -> it.withListen(new OperationsSettings.Listen("127.0.0.1", 0)));
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            var outside = TestClient.of(node);
            var inside =
                    new TestClient(
                            URI.create(
                                    "http://127.0.0.1:"
                                            + TestNodes.operationsPort(node).orElseThrow()),
                            "X-Nothing",
                            "x");

            assertThat(inside.get("/metrics").text()).contains("artel_jobs");
            assertThat(inside.get("/readyz").status()).isEqualTo(200);
            assertThat(inside.get("/healthz").status()).isEqualTo(200);
            assertThat(inside.get("/api/v1/jobs").status()).isEqualTo(404);
            assertThat(outside.get("/metrics").status()).isEqualTo(404);
            assertThat(outside.get("/_public/metrics").status()).isEqualTo(404);
            assertThat(outside.get("/readyz").status()).isEqualTo(200);
            assertThatThrownBy(() ->
                            ArtelNode.start(
                                    config(it ->
                                                    it.withListen(
                                                            new OperationsSettings.Listen(
                                                                    "127.0.0.1",
                                                                    TestNodes.operationsPort(node)
                                                                            .orElseThrow())))
                                            .withData(folder.resolve("other")),
                                    SampleBlueprints.all()))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContaining("cannot listen on 127.0.0.1:");
        }
    }

    @Test
    void withATokenForFigures_nobodyElseReadsThem() {
        var config = config(it -> it.withMetricsToken(new Secret("metrics-token-0123456789")));
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            var client = TestClient.of(node);
            var prometheus =
                    new TestClient(node.uri(), "Authorization", "Bearer metrics-token-0123456789");

            assertThat(client.get("/metrics").status()).isEqualTo(401);
            assertThat(client.get("/_public/metrics").status()).isEqualTo(401);
            assertThat(prometheus.get("/metrics").text()).contains("artel_jobs");
        }
    }

    @Test
    void theRoot_isTheDashboard() {
        try (var node = ArtelNode.start(config(it -> it), SampleBlueprints.all())) {
            var page = TestClient.of(node).get("/");

            assertThat(page.status()).isEqualTo(200);
            assertThat(page.text()).contains("<title>Artel</title>");
        }
    }
}
