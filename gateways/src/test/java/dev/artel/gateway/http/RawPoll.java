package dev.artel.gateway.http;

import dev.artel.testkit.transport.WireAnswer;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A poll on a bare socket, which can be broken.
final class RawPoll implements WorkerWire.Poll {
    private final Socket socket;
    private final Reading reading;
    private final CompletableFuture<WireAnswer> answer = new CompletableFuture<>();

    @FunctionalInterface
    interface Reading {
        WireAnswer of(int status, byte[] body);
    }

    private RawPoll(Socket socket, Reading reading) {
        this.socket = socket;
        this.reading = reading;
    }

    static RawPoll open(int port, String worker, int max, Reading reading) {
        return open(port, worker, max == 0 ? "" : "?max=" + max, reading);
    }

    /// @param query with its question mark; empty: none
    static RawPoll open(int port, String worker, String query, Reading reading) {
        try {
            var socket = new Socket();
            socket.setReceiveBufferSize(8 * 1024);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            var head =
                    "GET /_worker/workers/"
                            + worker
                            + "/tasks/next"
                            + query
                            + " HTTP/1.1\r\nHost: localhost\r\nX-Worker-Token: "
                            + GatewayServer.TOKEN
                            + "\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            return new RawPoll(socket, reading);
        } catch (IOException e) {
            throw new UncheckedIOException("opening a poll", e);
        }
    }

    RawPoll begin() {
        Thread.startVirtualThread(this::read);
        return this;
    }

    private void read() {
        try (socket) {
            var in = new DataInputStream(socket.getInputStream());
            var status = Integer.parseInt(line(in).substring(9, 12));
            var length = 0;
            for (var header = line(in); !header.isEmpty(); header = line(in)) {
                if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Integer.parseInt(header.substring(15).strip());
                }
            }
            var body = new byte[length];
            in.readFully(body);
            answer.complete(reading.of(status, body));
        } catch (IOException | RuntimeException | AssertionError broken) {
            answer.completeExceptionally(broken);
        }
    }

    private static String line(DataInputStream in) throws IOException {
        var text = new StringBuilder();
        for (var c = in.readUnsignedByte(); c != '\n'; c = in.readUnsignedByte()) {
            if (c != '\r') {
                text.append((char) c);
            }
        }
        return text.toString();
    }

    @Override
    public WireAnswer answer() {
        try {
            return answer.get(Await.seconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("the poll got no answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public boolean isAnswered() {
        return answer.isDone();
    }

    @Override
    public void hangUp() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("breaking a poll", e);
        }
    }
}
