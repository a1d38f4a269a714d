package dev.artel.worker.zeromq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.worker.Worker;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DealerAddressTest {
    private static final String KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";

    private static DealerAddress of(String uri) {
        return DealerAddress.of(URI.create(uri));
    }

    @Test
    void portsFollowTheFirst_unlessTheyAreNamed() {
        assertThat(of("zmq://host").ports())
                .isEqualTo(
                        Map.of(
                                DealerPort.REGISTRATION, 5555,
                                DealerPort.TASKS, 5556,
                                DealerPort.RESULTS, 5557));
        assertThat(of("zmq://host:7000").endpoint(DealerPort.RESULTS)).isEqualTo("tcp://host:7002");
        assertThat(of("zmq://host:7000?tasks=1&results=2").ports())
                .containsEntry(DealerPort.TASKS, 1)
                .containsEntry(DealerPort.RESULTS, 2);
    }

    @Test
    void keysAndTheAddressOverHttp_areDecoded_andTheKeysAreNotShown() {
        var key = URLEncoder.encode(KEY, StandardCharsets.UTF_8);
        var address = of("zmq://host?server-key=" + key + "&http=http%3A%2F%2Fhost%3A8080");

        assertThat(address.curve().orElseThrow().server()).isEqualTo(KEY);
        assertThat(address.http()).contains(URI.create("http://host:8080"));
        assertThat(address.toString()).isEqualTo("zmq://host:5555");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zmq:///path",
                "zmq://host/path",
                "zmq://host?tasks=no",
                "zmq://host?tasks=70000",
                "zmq://host?task=1",
                "zmq://host?server-key=short",
                "zmq://host?public-key=alone"
            })
    void whatIsNoAddress_isRefused(String uri) {
        assertThatThrownBy(() -> Worker.named("w").orchestrator(URI.create(uri), "t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("address");
    }
}
