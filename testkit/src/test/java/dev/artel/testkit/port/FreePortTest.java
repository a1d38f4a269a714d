package dev.artel.testkit.port;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

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

    /// Trap: the system gives the port to a connection of another test between the question and the use.
    @Test
    @EnabledOnOs(OS.LINUX)
    void aPort_isNoneThatTheSystemGivesToConnections() throws Exception {
        var range = new ProcessBuilder("cat", "/proc/sys/net/ipv4/ip_local_port_range").start();
        var first =
                Integer.parseInt(
                        new String(range.getInputStream().readAllBytes(), US_ASCII)
                                .strip()
                                .split("\\s+", -1)[0]);

        for (var i = 0; i < 20; i++) {
            assertThat(FreePort.next()).isLessThan(first);
        }
    }
}
