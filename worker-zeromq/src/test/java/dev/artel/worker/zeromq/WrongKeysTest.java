package dev.artel.worker.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskAssignment;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.zeromq.SocketType;
import org.zeromq.ZAuth;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/// A worker whose keys are wrong learns so at once, and what to do, where ZeroMQ itself tries again in silence.
@Timeout(900)
final class WrongKeysTest {
    private static final Duration LONG = Duration.ofMinutes(3);

    private final ZMQ.Curve.KeyPair orchestrator = ZMQ.Curve.generateKeyPair();
    private final ZMQ.Curve.KeyPair worker = ZMQ.Curve.generateKeyPair();
    private final ZContext context = new ZContext(1);

    @TempDir Path folder;

    @AfterEach
    void close() {
        context.close();
    }

    private int listen(boolean isEncrypted) {
        return router(isEncrypted).port();
    }

    private record Router(ZMQ.Socket socket, int port) {}

    private Router router(boolean isEncrypted) {
        var socket = context.createSocket(SocketType.ROUTER);
        if (isEncrypted) {
            socket.setCurveServer(true);
            socket.setZapDomain("artel");
            socket.setCurvePublicKey(orchestrator.publicKey.getBytes(US_ASCII));
            socket.setCurveSecretKey(orchestrator.secretKey.getBytes(US_ASCII));
        }
        return new Router(socket, socket.bindToRandomPort("tcp://127.0.0.1"));
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(int port, String keys) {
        var uri =
                URI.create(
                        "zmq://127.0.0.1:%d?tasks=%d&results=%d%s"
                                .formatted(port, port, port, keys));
        try (var wire =
                new ZeroMqWireProvider().wire(new WireAddress(uri, "t", "w1", -1), EVENTS)) {
            return assertThatThrownBy(() -> wire.register(JsonObject.EMPTY, List.of(), LONG))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("zmq://127.0.0.1:" + port);
        }
    }

    private static String member(String name, String value) {
        return "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    @Test
    void theKeyOfAnotherOrchestrator_isRefused() {
        var other = ZMQ.Curve.generateKeyPair();

        assertRefused(listen(true), member("server-key", other.publicKey))
                .hasMessageContaining(
                        "server-key may not be its public key, or it does not encrypt");
    }

    /// Trap: an orchestrator that encrypts lets in few connections a second, and each worker that is refused fails as if its keys were wrong.
    @Test
    void connectionsThatAreRefusedBeforeTheGreeting_areTriedAgain() throws IOException {
        var router = router(true);
        try (var front = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                var wire =
                        new ZeroMqWireProvider()
                                .wire(
                                        new WireAddress(
                                                URI.create(
                                                        "zmq://127.0.0.1:%d?tasks=%d&results=%d%s"
                                                                .formatted(
                                                                        front.getLocalPort(),
                                                                        router.port(),
                                                                        router.port(),
                                                                        member(
                                                                                "server-key",
                                                                                orchestrator
                                                                                        .publicKey))),
                                                "t",
                                                "w1",
                                                -1),
                                        EVENTS)) {
            var register =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    var _ = wire.register(JsonObject.EMPTY, List.of(), LONG);
                                } catch (IOException | InterruptedException closed) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            for (var count = 0; count < 3; count++) {
                front.accept().close();
            }
            try (var inside = front.accept();
                    var outside = new Socket(InetAddress.getLoopbackAddress(), router.port())) {
                copy(inside, outside);
                copy(outside, inside);

                router.socket().setReceiveTimeOut((int) LONG.toMillis());
                assertThat(router.socket().recvStr()).startsWith("~");
            }
            register.interrupt();
        }
    }

    private static void copy(Socket from, Socket to) {
        var _ =
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                var _ = from.getInputStream().transferTo(to.getOutputStream());
                            } catch (IOException closed) {
                                // as the test ends
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    @Test
    void noKey_whereTheOrchestratorEncrypts_isRefused() {
        assertRefused(listen(true), "")
                .hasMessageContaining("if it encrypts, the address needs server-key");
    }

    @Test
    void aKey_whereTheOrchestratorDoesNotEncrypt_isRefused() {
        assertRefused(listen(false), member("server-key", orchestrator.publicKey))
                .hasMessageContaining(
                        "server-key may not be its public key, or it does not encrypt");
    }

    @Test
    void aKeyThatIsNotLetIn_isNamed_andTheSecretOneIsNot() throws IOException {
        try (var list = new ZAuth(context)) {
            list.configureCurve(folder.toString());
            var port = listen(true);

            assertRefused(
                            port,
                            member("server-key", orchestrator.publicKey)
                                    + member("public-key", worker.publicKey)
                                    + member("secret-key", worker.secretKey))
                    .hasMessageContaining("does not let in the key " + worker.publicKey)
                    .hasMessageContaining("zeromq.curve-clients")
                    .hasMessageNotContaining(worker.secretKey);
            assertRefused(port, member("server-key", orchestrator.publicKey))
                    .hasMessageContaining("makes a key of its own in each process")
                    .hasMessageContaining("certificate");
        }
    }

    private static final WireEvents EVENTS =
            new WireEvents() {
                @Override
                public boolean pushed(TaskAssignment task) {
                    return false;
                }

                @Override
                public void cancelled(String id) {}

                @Override
                public void lost(String lease, String reason) {}

                @Override
                public List<String> held() {
                    return List.of();
                }

                @Override
                public void broken(TaskWire wire, String cause) {}
            };
}
