package dev.artel.worker;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Stands before an orchestrator and answers WebSocket upgrades (RFC 6455) itself, since the JDK's server does not;
/// all else passes through.
final class SocketServer implements AutoCloseable {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private final ServerSocket ingress;
    private final URI behind;
    private final List<Socket> all = new CopyOnWriteArrayList<>();
    private final List<Socket> upgraded = new CopyOnWriteArrayList<>();
    private final List<String> frames = new CopyOnWriteArrayList<>();
    private final List<String> requestLines = new CopyOnWriteArrayList<>();

    /// The heads of the requests that were upgraded.
    private final List<List<String>> upgrades = new CopyOnWriteArrayList<>();

    private final AtomicInteger opened = new AtomicInteger();

    SocketServer(URI behind) {
        this.behind = behind;
        try {
            ingress = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return ingress.getLocalPort();
    }

    int opened() {
        return opened.get();
    }

    List<String> frames() {
        return frames;
    }

    List<String> requestLines() {
        return requestLines;
    }

    List<List<String>> upgrades() {
        return upgrades;
    }

    void send(String text) {
        var bytes = text.getBytes(UTF_8);
        var frame = new ByteArrayOutputStream();
        frame.write(0x81);
        frame.write(bytes.length);
        frame.writeBytes(bytes);
        try {
            upgraded.getLast().getOutputStream().write(frame.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void drop() {
        shut(upgraded.getLast());
    }

    private void accept() {
        try {
            while (true) {
                var socket = ingress.accept();
                all.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException closed) {
            shutAll();
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new DataInputStream(socket.getInputStream());
            var head = head(in);
            requestLines.add(head.getFirst());
            var key =
                    head.stream()
                            .filter(line ->
                                    line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:"))
                            .findFirst();
            if (key.isPresent()) {
                upgrades.add(head);
                upgrade(socket, key.get().substring(key.get().indexOf(':') + 1).strip());
                read(in);
            } else {
                pass(socket, in, head);
            }
        } catch (IOException closed) {
            requestLines.add("closed");
        }
    }

    private static List<String> head(DataInputStream in) throws IOException {
        var lines = new ArrayList<String>();
        var line = new ByteArrayOutputStream();
        for (var b = in.read(); b >= 0; b = in.read()) {
            if (b == '\n') {
                var text = line.toString(ISO_8859_1).strip();
                if (text.isEmpty()) {
                    return lines;
                }
                lines.add(text);
                line.reset();
            } else {
                line.write(b);
            }
        }
        throw new IOException("no request");
    }

    private void upgrade(Socket socket, String key) throws IOException {
        var answer =
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        + "Sec-WebSocket-Accept: "
                        + accepted(key)
                        + "\r\n\r\n";
        socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
        upgraded.add(socket);
        opened.incrementAndGet();
    }

    private static String accepted(String key) {
        try {
            var digest = MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Reads masked frames of at most 64 KB.
    private void read(DataInputStream in) throws IOException {
        while (true) {
            var kind = in.readUnsignedByte() & 0x0F;
            var length = in.readUnsignedByte() & 0x7F;
            length = length == 126 ? in.readUnsignedShort() : length;
            var mask = in.readNBytes(4);
            var bytes = in.readNBytes(length);
            for (var i = 0; i < bytes.length; i++) {
                bytes[i] ^= mask[i % 4];
            }
            if (kind == 1) {
                frames.add(new String(bytes, UTF_8));
            }
        }
    }

    /// Passes one connection on, in both directions.
    private void pass(Socket socket, DataInputStream in, List<String> head) throws IOException {
        var onward = new Socket(behind.getHost(), behind.getPort());
        all.add(onward);
        Thread.ofVirtual().start(() -> copyBack(onward, socket));
        var first = String.join("\r\n", head) + "\r\n\r\n";
        onward.getOutputStream().write(first.getBytes(ISO_8859_1));
        in.transferTo(onward.getOutputStream());
        onward.close();
    }

    private static void copyBack(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException closed) {
            shut(to);
        }
    }

    private void shutAll() {
        all.forEach(SocketServer::shut);
    }

    private static void shut(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            ingress.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        shutAll();
    }
}
