package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests that are said again and again on one connection.
@Timeout(60)
final class RepeatingConnectionTest {
    private static final String BEAT = "{\"load\":0,\"supported_tasks\":[\"echo\"]}";

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);

    /// The token that is good now.
    private final AtomicReference<String> good = new AtomicReference<>(GatewayServer.TOKEN);

    private final GatewayServer server =
            new GatewayServer(
                    0,
                    clock,
                    new WorkerAuthentication() {
                        @Override
                        public Verdict check(String token, @Nullable WorkerId claimed) {
                            return token.equals(good.get())
                                    ? new Verdict.Unnamed()
                                    : new Verdict.Refused("Invalid token");
                        }

                        @Override
                        public Object era() {
                            return good.get();
                        }
                    });

    private final RawHttp http = new RawHttp(server.port);

    @BeforeEach
    void register() {
        server.connect(engine, engine::connect);
        http.send(
                "POST",
                "/_worker/workers/register",
                "{\"worker_id\":\"w-1\",\"supported_tasks\":[\"echo\"]}");
    }

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    @Test
    void aHeartbeatThatIsSaidAgain_hasTheSameAnswer() throws IOException {
        try (var talk = new Talk(server.port)) {
            var first = talk.ask(beat("w-1", BEAT));

            for (var i = 0; i < 5; i++) {
                var again = talk.ask(beat("w-1", BEAT));
                assertThat(again.body()).isEqualTo(first.body());
                assertThat(again.status()).isEqualTo("HTTP/1.1 200 OK");
                assertThat(again.header("Content-Type")).isEqualTo(first.header("Content-Type"));
                assertThat(again.header("Date")).endsWith("GMT");
            }
            var names = new TreeSet<String>();
            for (var i = 0; i < 20 && !names.contains("7"); i++) {
                names.add(talk.ask(beat("w-1", BEAT)).header("X-Request-Id"));
            }
            assertThat(first.header("X-Request-Id")).isEmpty();
            assertThat(names).as("the connection answers itself what it knows").contains("7");
        }
    }

    @Test
    void aHeartbeatThatDiffersInOneByte_isReadAnew() throws IOException {
        try (var talk = new Talk(server.port)) {
            talk.ask(beat("w-1", BEAT));
            talk.ask(beat("w-1", BEAT));
            var other = talk.ask(beat("w-1", BEAT.replace("echo", "each")));

            assertThat(other.body()).contains("each").doesNotContain("echo");
        }
    }

    /// Trap: what was let in once is let in for ever.
    @Test
    void aTokenThatIsWorthNothingAnyMore_isRefusedOnTheSameConnection() throws IOException {
        try (var talk = new Talk(server.port)) {
            talk.ask(beat("w-1", BEAT));
            talk.ask(beat("w-1", BEAT));
            good.set("another");

            assertThat(talk.ask(beat("w-1", BEAT)).status()).startsWith("HTTP/1.1 401");
        }
    }

    @Test
    void twoRequestsAtOnce_areBothAnswered_howeverOften() throws IOException {
        try (var talk = new Talk(server.port)) {
            var one = talk.ask(beat("w-1", BEAT)).body();
            for (var i = 0; i < 5; i++) {
                talk.say(beat("w-1", BEAT) + beat("w-1", BEAT));

                assertThat(talk.hear().body()).isEqualTo(one);
                assertThat(talk.hear().body()).isEqualTo(one);
                assertThat(talk.ask(beat("w-1", BEAT)).body()).isEqualTo(one);
            }
        }
    }

    @Test
    void aRequestThatIsNotRemembered_andAnotherOne_areBothAnswered_howeverOften()
            throws IOException {
        try (var talk = new Talk(server.port)) {
            var one = talk.ask(beat("w-1", BEAT)).body();
            for (var i = 0; i < 20; i++) {
                talk.say("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n" + beat("w-1", BEAT));

                assertThat(talk.hear().status()).startsWith("HTTP/1.1 404");
                assertThat(talk.hear().body()).isEqualTo(one);
            }
        }
    }

    @Test
    void aKnownRequestThatComesInParts_isAnswered() throws IOException {
        try (var talk = new Talk(server.port)) {
            var known = beat("w-1", BEAT);
            var body = talk.ask(known).body();
            talk.say(known.substring(0, 30));
            // Until it has arrived, so that the rest is a piece of its own.
            assertThat(http.send("PATCH", "/_worker/workers/w-1", BEAT).status()).isEqualTo(200);
            talk.say(known.substring(30));

            assertThat(talk.hear().body()).isEqualTo(body);
            assertThat(talk.ask(known).body()).isEqualTo(body);
        }
    }

    @Test
    void aPollThatIsSaidAgain_waits_andGetsItsTask() throws IOException {
        try (var talk = new Talk(server.port)) {
            var names = new TreeSet<String>();
            for (var i = 0; i < 20 && !names.contains("7"); i++) {
                talk.say(poll("w-1"));
                engine.await("the poll asks", () -> engine.asks("w-1") == 1);
                clock.advance(Duration.ofSeconds(31));
                server.shell.tick();
                var answer = talk.hear();
                assertThat(answer.status()).isEqualTo("HTTP/1.1 204 No Content");
                names.add(answer.header("X-Request-Id"));
                talk.ask(beat("w-1", BEAT));
            }
            // Not each: some other thread than the one that reads may have been at it.
            assertThat(names).as("the connection answers itself what it knows").contains("7");
            talk.say(poll("w-1"));
            engine.await("the poll asks", () -> engine.asks("w-1") == 1);
            var job = engine.submit("echo");

            assertThat(talk.hear().body()).contains(job.value());
        }
    }

    /// Trap: the poll of a dead worker takes a task along.
    @Test
    void aKnownPollWhoseSenderHangsUp_isOver() throws IOException {
        try (var talk = new Talk(server.port)) {
            talk.say(poll("w-1"));
            engine.await("the poll asks", () -> engine.asks("w-1") == 1);
            clock.advance(Duration.ofSeconds(31));
            server.shell.tick();
            talk.hear();
            talk.say(poll("w-1"));
            engine.await("the poll asks", () -> engine.asks("w-1") == 1);
        }

        engine.await("the ask is withdrawn", () -> engine.asks("w-1") == 0);
    }

    @Test
    void aRequestSentWhileAKnownPollWaits_endsThePollAndTheConnection() throws Exception {
        try (var talk = new Talk(server.port)) {
            talk.say(poll("w-1"));
            engine.await("the poll asks", () -> engine.asks("w-1") == 1);
            clock.advance(Duration.ofSeconds(31));
            server.shell.tick();
            talk.hear();
            talk.say(poll("w-1"));
            engine.await("the poll asks", () -> engine.asks("w-1") == 1);
            talk.say(poll("w-1"));

            assertThat(talk.hear().head()).startsWith("HTTP/1.1 204").contains("Connection: close");
            engine.await("the ask is withdrawn", () -> engine.asks("w-1") == 0);
        }
    }

    private static String beat(String worker, String body) {
        return "PATCH /_worker/workers/"
                + worker
                + " HTTP/1.1\r\nHost: a\r\nX-Worker-Token: wt\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n"
                + body;
    }

    private static String poll(String worker) {
        return "GET /_worker/workers/"
                + worker
                + "/tasks/next HTTP/1.1\r\nHost: a\r\nX-Worker-Token: wt\r\n\r\n";
    }

    /// A connection of a client.
    private static final class Talk implements AutoCloseable {
        private final Socket socket;

        Talk(int port) throws IOException {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(20_000);
        }

        private record Answer(String head, String body) {
            String status() {
                return head.substring(0, head.indexOf("\r\n"));
            }

            String header(String name) {
                var at = head.indexOf("\r\n" + name + ": ");
                return at < 0
                        ? ""
                        : head.substring(at + name.length() + 4, head.indexOf("\r\n", at + 2));
            }
        }

        Answer ask(String request) throws IOException {
            say(request);
            return hear();
        }

        void say(String request) throws IOException {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
        }

        Answer hear() throws IOException {
            var head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                var next = socket.getInputStream().read();
                assertThat(next).as("the connection is open").isNotNegative();
                head.append((char) next);
            }
            var answer = new Answer(head.toString(), "");
            var length = answer.header("Content-Length");
            var body =
                    socket.getInputStream()
                            .readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
            return new Answer(answer.head, new String(body, StandardCharsets.UTF_8));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
