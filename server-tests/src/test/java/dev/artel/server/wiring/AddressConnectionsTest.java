package dev.artel.server.wiring;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ProxySettings;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Over sockets of this machine, which is not one that is free here.
final class AddressConnectionsTest {
    private static final int MOST = 8;

    private final AddressConnections connections = new AddressConnections(MOST, _ -> false);
    private final List<Socket> sockets = new ArrayList<>();
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server, 1, 1);

    @BeforeEach
    void start() throws Exception {
        connector.setHost("0.0.0.0");
        connector.addBean(connections);
        server.addConnector(connector);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        for (var socket : sockets) {
            socket.close();
        }
        server.stop();
    }

    private Socket open(String from) throws IOException {
        var socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout(Math.toIntExact(Await.seconds() * 1000));
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral(from), 0));
        socket.connect(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), connector.getLocalPort()));
        return socket;
    }

    /// What the server answers to a request; nothing: the connection is closed.
    private static String answer(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
            return new String(socket.getInputStream().readNBytes(12), US_ASCII);
        } catch (SocketException reset) {
            return "";
        }
    }

    /// Trap: one address opens as many connections as there are, and opens them anew when they have been idle too long.
    @Test
    void anAddress_hasHalfOfWhatOthersLeave_andConnectionsThatEndGiveTheirPlaceBack()
            throws Exception {
        for (var i = 0; i < MOST / 2; i++) {
            assertThat(answer(open("127.0.0.1"))).isEqualTo("HTTP/1.1 404");
        }
        assertThat(answer(open("127.0.0.1"))).isEmpty();
        assertThat(answer(open("127.0.0.2"))).isEqualTo("HTTP/1.1 404");
        assertThat(connections.count()).isEqualTo(MOST / 2 + 1);

        for (var socket : sockets) {
            socket.close();
        }
        await("all have ended").until(() -> connections.count() == 0);
        assertThat(answer(open("127.0.0.1"))).isEqualTo("HTTP/1.1 404");
    }

    @Test
    void thisMachineAndKnownProxies_areFree() {
        var free =
                AddressConnections.free(ProxySettings.DEFAULTS.withTrusted(List.of("10.0.0.0/8")));

        assertThat(free.test(InetAddress.ofLiteral("127.0.0.1"))).isTrue();
        assertThat(free.test(InetAddress.ofLiteral("::1"))).isTrue();
        assertThat(free.test(InetAddress.ofLiteral("10.1.2.3"))).isTrue();
        assertThat(free.test(InetAddress.ofLiteral("192.0.2.1"))).isFalse();
    }
}
