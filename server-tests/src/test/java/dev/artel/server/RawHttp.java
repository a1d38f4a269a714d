package dev.artel.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;

/// A connection on which a test sends what it likes.
public final class RawHttp implements AutoCloseable {
    private static final int TIMEOUT_MILLIS = Math.toIntExact(Await.longest().toMillis());

    private final Socket socket;

    public RawHttp(ArtelNode node) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), node.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.setTcpNoDelay(true);
    }

    public RawHttp send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /// Whether the other side still takes what is sent.
    public boolean isOpenFor(String text) {
        try {
            send(text);
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /// Sends no more.
    public RawHttp end() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /// All that comes until the other side closes.
    public String hear() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    /// Whether the other side closes without a word. It may do so before it has read what was sent, which resets the connection.
    public boolean isHungUpOn() throws IOException {
        try {
            return hear().isEmpty();
        } catch (SocketException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
