package dev.artel.testkit.port;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
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

    /// Read at once: of a file that the kernel makes up, some systems return one byte, and then the end.
    private static int firstOfConnections() throws IOException {
        if (!Files.isReadable(OF_CONNECTIONS)) {
            return FIRST_OF_CONNECTIONS;
        }
        try (var file = Files.newByteChannel(OF_CONNECTIONS)) {
            var text = ByteBuffer.allocate(64);
            var length = file.read(text);
            var words =
                    new String(text.array(), 0, Math.max(0, length), US_ASCII)
                            .strip()
                            .split("\\s+", -1);
            return words.length == 2 ? Integer.parseInt(words[0]) : FIRST_OF_CONNECTIONS;
        }
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
