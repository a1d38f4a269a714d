package dev.artel.worker;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WireAddressesTest {
    private static final WorkerBuilder BUILDER = Worker.named("w1");

    @Test
    void anAddressWhoseArtifactIsMissing_isRefused_withTheNameOfTheArtifact() {
        assertThatThrownBy(() -> BUILDER.orchestrator(URI.create("zmq://host"), "t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("zmq://host")
                .hasMessageContaining("dev.artel:artel-worker-zeromq");
        assertThatThrownBy(() -> BUILDER.orchestrator(URI.create("amqp://me:hidden@host"), "t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("amqp://host")
                .hasMessageContaining("dev.artel:artel-worker-amqp")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void anAddressOfNoWire_isRefused_withWhatOneIsLike() {
        assertThatThrownBy(() -> BUILDER.orchestrator(URI.create("ftp://host"), "t"))
                .hasMessageContaining(
                        "http://host:8080, ws://host:8080, zmq://host or amqp://host");
        assertThatThrownBy(() -> BUILDER.orchestrator(URI.create("ws:///path"), "t"))
                .hasMessageContaining("ws:///path");
        assertThatThrownBy(() -> BUILDER.orchestrator(List.of(), "t"))
                .hasMessageContaining("at least one address");
    }

    @Test
    void theEnvironmentMayHaveSeveralAddresses_eachOfWhichIsChecked() {
        var two = Map.of("ORCHESTRATOR_URL", "wss://host, https://host,");
        assertThatCode(() -> Worker.fromEnvironment(two)).doesNotThrowAnyException();

        var wrong = Map.of("ORCHESTRATOR_URL", "wss://host,host:80");
        assertThatThrownBy(() -> Worker.fromEnvironment(wrong))
                .hasMessageStartingWith("ORCHESTRATOR_URL: ")
                .hasMessageContaining("host:80");

        var none = Map.of("ORCHESTRATOR_URL", "");
        assertThatThrownBy(() -> Worker.fromEnvironment(none))
                .hasMessage(
                        "ORCHESTRATOR_URL: an orchestrator has at least one address, such as http://127.0.0.1:8080");
    }
}
