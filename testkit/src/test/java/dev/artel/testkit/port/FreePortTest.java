package dev.artel.testkit.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

final class FreePortTest {
    @Test
    void aPort_canBeListenedOn_andIsNotTheSameEachTime() throws Exception {
        var ports = new HashSet<Integer>();
        for (var i = 0; i < 20; i++) {
            var port = FreePort.next();
            try (var server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(server.getLocalPort()).isEqualTo(port);
            }
            ports.add(port);
        }
        assertThat(ports).hasSizeGreaterThan(1);
    }
}
