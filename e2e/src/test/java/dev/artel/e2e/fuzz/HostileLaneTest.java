package dev.artel.e2e.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.waits.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Whether those who send hostile frames see a server that answers them badly.
@Timeout(Await.HUNG)
final class HostileLaneTest {
    private static final String UPGRADED =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n";

    private final FuzzFindings findings = new FuzzFindings();
    private final Tally tally = new Tally();
    private final ServerSocket server;

    HostileLaneTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /// What a bad server does with each connection.
    private interface Behaviour {
        void serve(Socket connection) throws IOException;
    }

    private void serve(Behaviour behaviour) {
        Thread.ofVirtual()
                .start(() -> {
                    while (!server.isClosed()) {
                        try (var connection = server.accept()) {
                            behaviour.serve(connection);
                        } catch (IOException over) {
                            // The other side is gone, or the test is over.
                        }
                    }
                });
    }

    private static HostileJson json() {
        return new HostileJson(new SplittableRandom(1), 0, () -> "a.0.1.x");
    }

    private void fire(HostileLane lane, int times) throws IOException {
        try (lane) {
            for (var i = 0; i < times; i++) {
                lane.fire();
            }
        }
    }

    private static void answer(Socket connection, String text) throws IOException {
        var _ = connection.getInputStream().read(new byte[1 << 16]);
        connection.getOutputStream().write(text.getBytes(ISO_8859_1));
        connection.shutdownOutput();
        // Unread, what comes meanwhile would reset the connection.
        var _ = connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    @Test
    void anErrorWithoutACode_isFound() throws IOException {
        serve(connection ->
                answer(
                        connection,
                        "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}"));

        fire(new HostileHttp(server.getLocalPort(), json(), findings, tally), 20);

        assertThat(findings.lines()).anyMatch(line -> line.contains("an answer 400 has no code"));
    }

    @Test
    void anInternalError_isFound() throws IOException {
        serve(connection ->
                answer(
                        connection,
                        "HTTP/1.1 500 Oh\r\nConnection: close\r\nContent-Length: 12\r\n\r\n{\"code\":\"x\"}"));

        fire(new HostileHttp(server.getLocalPort(), json(), findings, tally), 20);

        assertThat(findings.lines()).anyMatch(line -> line.contains("an answer is 500 x"));
    }

    @Test
    void aRequestWithoutAnAnswer_isFound() throws IOException {
        serve(connection -> answer(connection, ""));

        fire(new HostileHttp(server.getLocalPort(), json(), findings, tally), 20);

        assertThat(findings.lines()).anyMatch(line -> line.contains("was not answered"));
    }

    @Test
    void aConnectionThatEndsWithoutACloseCode_isFound() throws IOException {
        serve(connection -> answer(connection, UPGRADED));

        fire(new HostileSocket(server.getLocalPort(), json(), findings, tally), 20);

        assertThat(findings.lines()).anyMatch(line -> line.contains("without a close code"));
    }

    @Test
    void aCloseCodeThatNoDocumentHas_isFound() throws IOException {
        serve(connection -> answer(connection, UPGRADED + "\u0088\u0002\u0003\u00f3"));

        fire(new HostileSocket(server.getLocalPort(), json(), findings, tally), 20);

        assertThat(findings.lines()).anyMatch(line -> line.contains("was closed with 1011"));
    }

    @Test
    void theSameSeed_makesTheSameFrames_andOfManyKinds() {
        var valid = JsonObject.of("a", JsonValue.of(1), "b", JsonObject.of("c", JsonValue.of("x")));
        var once = json();
        var again = json();

        var frames = IntStream.range(0, 2_000).mapToObj(_ -> once.of(valid)).toList();

        assertThat(IntStream.range(0, 2_000).mapToObj(_ -> again.of(valid)).toList())
                .usingElementComparator(Arrays::compare)
                .isEqualTo(frames);
        var texts = frames.stream().map(bytes -> new String(bytes, UTF_8)).toList();
        assertThat(texts.stream().distinct().count()).isGreaterThan(500);
        for (var part : List.of("1e999999999", "[[[[[", "null", "\"twice\":2", "\\ud800")) {
            assertThat(texts).as(part).anyMatch(text -> text.contains(part));
        }
        assertThat(texts).contains("", "{\"a\":1,\"b\":{\"c\":\"x\"}}");
    }

    @Test
    void anExample_isPrintable_andEachFindingIsCounted() {
        findings.add("bad", "a\u0000b");
        findings.add("bad", "c");

        assertThat(findings.lines()).containsExactly("2 times: bad, such as [a?b, c]");
    }
}
