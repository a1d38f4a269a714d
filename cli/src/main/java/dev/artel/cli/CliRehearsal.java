package dev.artel.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Runs commands against a socket that answers each request in the same way, so that a JVM that watches (`-XX:AOTCacheOutput`) learns which classes and methods a
/// command needs.
public final class CliRehearsal {
    private static final String BODY =
            """
            {"items":[{"id":"1","job_id":"1","blueprint_name":"b","status":"finished","worker_id":"w"}],"text":"t",\
            "jobs":{"running":1},"queues":[{"task_type":"t","queued":1}],"latencies":[{"task_type":"t","count":1}]}\
            """;

    private static final String ANSWER =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
                    + BODY.length()
                    + "\r\n\r\n"
                    + BODY;

    private static final List<List<String>> COMMANDS =
            List.of(
                    List.of("--help"),
                    List.of("job", "list"),
                    List.of("job", "list", "--json"),
                    List.of("job", "get", "1"),
                    List.of("job", "explain", "1"),
                    List.of("job", "history", "1"),
                    List.of("task", "list", "1"),
                    List.of("worker", "list"),
                    List.of("top", "--once"),
                    List.of("job", "submit", "b", "a=1"));

    private CliRehearsal() {}

    /// Does it and ends.
    public static void main(String[] arguments) throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(socket));
            var address = "http://127.0.0.1:" + socket.getLocalPort();
            for (var command : COMMANDS) {
                ArtelCommand.run(
                        command,
                        nowhere(),
                        nowhere(),
                        Map.of("ARTEL_URL", address, "ARTEL_TOKEN", "rehearsal", "HOME", "/"),
                        false);
            }
        }
    }

    private static PrintStream nowhere() {
        return new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
    }

    private static void answer(ServerSocket socket) {
        while (!socket.isClosed()) {
            try (var connection = socket.accept()) {
                answer(connection);
            } catch (IOException over) {
                if (!socket.isClosed()) {
                    throw new UncheckedIOException(over);
                }
            }
        }
    }

    private static void answer(Socket connection) throws IOException {
        var in = connection.getInputStream();
        var read = new byte[1 << 16];
        if (in.read(read) > 0) {
            connection.getOutputStream().write(ANSWER.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
