package dev.artel.testkit.port;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

/// A TCP port for a server that a test kills and starts again on the same one. It is below those that the system gives to connections, so none of them takes
/// it meanwhile.
public final class FreePort {
    /// Where Linux has the first port that it gives to connections, and the last.
    private static final Path OF_CONNECTIONS = Path.of("/proc/sys/net/ipv4/ip_local_port_range");

    private static final int LOWEST = 10_000;
    private static final int FIRST_OF_CONNECTIONS = 32_768;
    private static final int TRIES = 1_000;

    private FreePort() {}

    /// One on which nobody listens now. Two processes that ask at the same time get the same with a probability of one in some ten thousands.
    public static int next() {
        try {
            var end = firstOfConnections();
            for (var i = 0; i < TRIES && end > LOWEST; i++) {
                var port = ThreadLocalRandom.current().nextInt(LOWEST, end);
                if (isFree(port)) {
                    return port;
                }
            }
            try (var any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return any.getLocalPort();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no free port found", e);
        }
    }

    private static int firstOfConnections() throws IOException {
        return Files.isReadable(OF_CONNECTIONS)
                ? Integer.parseInt(Files.readString(OF_CONNECTIONS).strip().split("\\s+", -1)[0])
                : FIRST_OF_CONNECTIONS;
    }

    private static boolean isFree(int port) throws IOException {
        try (var free = new ServerSocket()) {
            free.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
            return true;
        } catch (BindException taken) {
            return false;
        }
    }
}
