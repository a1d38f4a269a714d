package dev.artel.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.HttpSettings;
import dev.artel.config.ProxySettings;
import dev.artel.config.ServerConfig;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Secrets that travel in the open are not sent without a word.
final class PlainHttpTest {
    private static ServerConfig at(String host) {
        var http = HttpSettings.DEFAULTS;
        return TestNodes.CONFIG.withHttp(http.withHost(host).withPort(0));
    }

    private static List<String> warnings(ServerConfig config) {
        try (var log = LogLines.of("dev.artel.server.wiring.Wiring");
                var _ = ArtelNode.start(config, SampleBlueprints.all(), TestNodes.storage())) {
            return log.texts().stream().filter(line -> line.contains("plain HTTP")).toList();
        }
    }

    @Test
    void plainHttpForOtherMachines_isReportedAtTheStart() {
        assertThat(warnings(at("0.0.0.0")))
                .singleElement()
                .asString()
                .contains("set tls.certificate and tls.key", "host=\"0.0.0.0\"");
    }

    @Test
    void onThisMachineAlone_orBehindAKnownProxy_nothingIsReported() {
        assertThat(warnings(at("127.0.0.1"))).isEmpty();
        var proxy = ProxySettings.DEFAULTS.withTrusted(List.of("10.0.0.0/8"));
        var ingress = TestNodes.CONFIG.ingress();
        assertThat(warnings(at("0.0.0.0").withIngress(ingress.withProxy(proxy)))).isEmpty();
    }
}
