package dev.artel.worker.zeromq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DealerAddressTest {
    private static final String KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";

    @TempDir Path folder;

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
                "zmq://host?public-key=alone",
                "zmq://host?public-key=one&secret-key=two",
                "zmq://host?server-key=short&certificate=/none&secret-key=two"
            })
    void whatIsNoAddress_isRefused(String uri) {
        assertThatThrownBy(() -> Worker.named("w").orchestrator(URI.create(uri), "t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("address");
    }

    @Test
    void aRefusedAddress_isNamedWithoutItsQuery_whichMayHaveASecretKey() {
        for (var query : List.of("secret-key=hush&task=1", "secret-key=hush&tasks=no")) {
            assertThatThrownBy(() -> of("zmq://host:7000?" + query))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("zmq://host:7000")
                    .hasMessageNotContaining("hush");
        }
    }

    /// The file is one that pyzmq has made.
    @Test
    void aCertificate_hasTheKeysOfTheWorker() throws IOException {
        var file = folder.resolve("worker.key_secret");
        Files.writeString(
                file,
                """
                #   ****  Generated on 2026-01-01 10:00:00.000000 by pyzmq  ****
                #   ZeroMQ CURVE **Secret** Certificate
                #   DO NOT PROVIDE THIS FILE TO OTHER USERS nor change its permissions.

                metadata
                curve
                    public-key = "Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID"
                    secret-key = "D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs"
                """);

        var own = withCertificate(file).curve().orElseThrow().own().orElseThrow();

        assertThat(own.publicKey()).isEqualTo("Yne@$w-vo<fVvi]a<NY6T1ed:M$fCG*[IaLV{hID");
        assertThat(own.secretKey()).isEqualTo("D:)Q[IlAW!ahhC2ac:9*A}h:p?([4%wOTJ%JR%cs");
    }

    @Test
    void aCertificateWithoutASecretKey_orNone_isRefused() throws IOException {
        var file = folder.resolve("worker.key");
        Files.writeString(file, "curve\n    public-key = \"" + KEY + "\"\n");

        assertThatThrownBy(() -> withCertificate(file)).hasMessageContaining("no secret-key");
        assertThatThrownBy(() -> withCertificate(folder.resolve("none")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("certificate: the file " + folder.resolve("none"));
        Files.writeString(file, "curve\n        secret-key = \"hush\"\n");
        assertThatThrownBy(() -> withCertificate(file))
                .hasMessageContaining("line 2 of the file " + file)
                .hasMessageNotContaining("hush");
    }

    private static DealerAddress withCertificate(Path file) {
        return of(
                "zmq://host?server-key="
                        + URLEncoder.encode(KEY, StandardCharsets.UTF_8)
                        + "&certificate="
                        + URLEncoder.encode(file.toString(), StandardCharsets.UTF_8));
    }
}
