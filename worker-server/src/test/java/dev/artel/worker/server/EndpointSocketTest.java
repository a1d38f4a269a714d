package dev.artel.worker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.worker.server.hub.ConnectionInput;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.junit.jupiter.api.Test;

/// What a WebSocket keeps of messages, and what follows when a step fails.
final class EndpointSocketTest {
    private static final int LARGEST = 8 << 20;
    private static final int PARTS = 64;

    private final List<String> events = new ArrayList<>();

    /// Takes all and does nothing; notes a close with its code.
    private Session session() {
        return (Session)
                Proxy.newProxyInstance(
                        Session.class.getClassLoader(),
                        new Class<?>[] {Session.class},
                        (self, method, arguments) -> {
                            if (method.getName().equals("close") && arguments != null) {
                                events.add("close " + arguments[0]);
                            }
                            return method.getName().equals("hashCode")
                                    ? System.identityHashCode(self)
                                    : null;
                        });
    }

    private EndpointSocket opened(ConnectionInput input) {
        var socket = EndpointSocket.of("/ws", _ -> input, LARGEST);
        socket.onWebSocketOpen(session());
        return socket;
    }

    private static void text(EndpointSocket socket, String... parts) {
        for (var i = 0; i < parts.length; i++) {
            socket.onWebSocketPartialText(parts[i], i == parts.length - 1);
        }
    }

    private static void binary(EndpointSocket socket, String... parts) {
        for (var i = 0; i < parts.length; i++) {
            var bytes = ByteBuffer.wrap(parts[i].getBytes(StandardCharsets.UTF_8));
            socket.onWebSocketPartialBinary(bytes, i == parts.length - 1, Callback.NOOP);
        }
    }

    private final class Noted implements ConnectionInput {
        @Override
        public void onText(String text) {
            events.add("text " + text);
        }

        @Override
        public void onBinary(ByteBuffer bytes) {
            events.add("binary " + StandardCharsets.UTF_8.decode(bytes));
        }

        @Override
        public void onClosed(int code, String reason) {
            events.add("closed " + code);
        }
    }

    @Test
    void aMessage_arrivesWhole_inHoweverManyParts() {
        var socket = opened(new Noted());

        text(socket, "a", "", "\u0442");
        binary(socket, "b");
        text(socket, "");
        binary(socket, "c", "d");
        text(socket, "e");

        assertThat(events)
                .containsExactly("text a\u0442", "binary b", "text ", "binary cd", "text e");
    }

    /// Trap: each connection kept the buffers of the largest message that it ever had, for as long as it was open.
    @Test
    void whatAConnectionKeeps_isNotThatOfItsLargestMessage() {
        var large = new String[PARTS];
        Arrays.fill(large, "\u0442" + "x".repeat((2 << 20) / PARTS));
        var sockets = new ArrayList<EndpointSocket>();
        var before = used();
        for (var i = 0; i < 8; i++) {
            var socket = opened(_ -> {});
            text(socket, large);
            binary(socket, large);
            text(socket, "{}");
            sockets.add(socket);
        }

        assertThat(used() - before).isLessThan(16L << 20);
        assertThat(sockets).hasSize(8);
    }

    /// Trap: each connection of a worker may have the greater part of a large message under way, and counts nowhere with it.
    @Test
    void messagesUnderWay_haveRoomTogether_andAConnectionWithoutIsClosed() {
        var room = new ArrivalRoom(1 << 20, 1 << 20, Duration.ZERO);
        var part = "x".repeat(ArrivalRoom.FREE + (200 << 10));
        var route = new Routes.Route("/ws", SocketGuard.none(), _ -> new Noted());
        var sockets = new ArrayList<EndpointSocket>();
        // The second one goes beyond the room of its address.
        for (var i = 0; i < 3; i++) {
            var socket = new EndpointSocket(route, LARGEST, new Sessions(), room);
            socket.onWebSocketOpen(session());
            socket.onWebSocketPartialText(part, false);
            sockets.add(socket);
        }

        assertThat(events).containsExactly("close 1013");
        assertThat(room.taken()).isEqualTo(800 << 10);
        text(sockets.getLast(), "more");
        assertThat(events).hasSize(1);
        text(sockets.get(1), "more");
        assertThat(room.taken()).isEqualTo(400 << 10);
        text(sockets.getFirst(), "more");
        assertThat(events).hasSize(3).last().isEqualTo("text " + part + "more");
        assertThat(room.taken()).isZero();
        binary(sockets.getFirst(), part);
        sockets.getFirst().onWebSocketPartialText(part, false);
        sockets.getFirst().onWebSocketClose(1000, "", Callback.NOOP);
        assertThat(room.taken()).isZero();
    }

    private static long used() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /// Trap: memory runs out, and the process goes on with connections that end one after the other.
    @Test
    void anError_reachesTheHandlerOfUncaughtExceptions_andEndsTheConnection()
            throws InterruptedException {
        var errors = new ArrayList<Throwable>();
        var socket =
                opened(
                        new ConnectionInput() {
                            private final Noted noted = new Noted();

                            @Override
                            public void onText(String text) {
                                noted.onText(text);
                                throw new OutOfMemoryError("of this test");
                            }

                            @Override
                            public void onClosed(int code, String reason) {
                                noted.onClosed(code, reason);
                            }
                        });

        var thread =
                Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, error) -> errors.add(error))
                        .start(() -> {
                            text(socket, "first");
                            text(socket, "second");
                            socket.onWebSocketClose(1011, "Endpoint failed", Callback.NOOP);
                        });
        thread.join();

        assertThat(errors).hasSize(1).first().isInstanceOf(OutOfMemoryError.class);
        assertThat(events).containsExactly("text first", "close 1011", "closed 1011");
    }

    /// Trap: there is no memory for a part, or for all of them together, and Jetty keeps the error to itself.
    @Test
    void anErrorWhileAMessageArrives_reachesTheHandlerAsWell_andTheMessageIsDropped()
            throws InterruptedException {
        var errors = new ArrayList<Throwable>();
        var socket =
                opened(
                        new ConnectionInput() {
                            @Override
                            public boolean mayGoOn(long bytes) {
                                throw new OutOfMemoryError("of this test");
                            }

                            @Override
                            public void onText(String text) {
                                events.add("text " + text);
                            }
                        });

        var thread =
                Thread.ofPlatform()
                        .uncaughtExceptionHandler((_, error) -> errors.add(error))
                        .start(() -> text(socket, "first", "second"));
        thread.join();

        assertThat(errors).hasSize(1);
        assertThat(events).containsExactly("close 1011");
    }
}
