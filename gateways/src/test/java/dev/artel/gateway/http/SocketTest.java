package dev.artel.gateway.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Progress;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class SocketTest {
    private final HttpWire wire = new HttpWire();
    private final WorkerWire.Peer worker = wire.peer("w1");

    SocketTest() {
        worker.register(WorkerWire.registration("w1", 1, "echo"));
    }

    @AfterEach
    void close() {
        wire.close();
    }

    @Test
    void aCancel_isPushedToTheWorkersSocket_andAgainToTheNextOne() throws Exception {
        var job = wire.engine().submit("echo");
        var task = worker.poll(0).answer().task();
        try (var socket = RawSocket.open(wire.port(), "/_worker/ws/w1")) {
            wire.engine().cancel(job);

            assertThat(socket.next().string("task_id")).hasValue(task.taskId());
        }
        try (var again = RawSocket.open(wire.port(), "/_worker/ws/w1")) {
            assertThat(again.next().string("task_id")).hasValue(task.taskId());
        }
    }

    /// Trap: the end of the old socket unregisters the new one, and its worker hears nothing any more.
    @Test
    void aSecondSocketOfAWorker_takesThePlaceOfTheFirst_andKeepsIt() throws Exception {
        try (var one = RawSocket.open(wire.port(), "/_worker/ws/w1");
                var other = RawSocket.open(wire.port(), "/_worker/ws/w1")) {
            // The orchestrator may take note of the second one first.
            await("one of them is closed").until(() -> one.hasEnded() || other.hasEnded());
            var first = one.hasEnded() ? one : other;
            var second = one.hasEnded() ? other : one;
            assertThat(first.next().string("closed")).hasValue("1008 New connection established");

            var job = wire.engine().submit("echo");
            var task = worker.poll(0).answer().task();
            wire.engine().cancel(job);
            assertThat(second.next().string("task_id")).hasValue(task.taskId());
        }
    }

    @Test
    void progress_isTakenFromTheHolderOfATask_andFromNobodyElse() throws Exception {
        wire.engine().submit("echo");
        var task = worker.poll(0).answer().task();
        var report = new Progress(task.jobId(), task.taskId(), null, 0.5, "half");
        wire.peer("w2").register(WorkerWire.registration("w2", 1, "echo"));
        try (var stranger = RawSocket.open(wire.port(), "/_worker/ws/w2");
                var own = RawSocket.open(wire.port(), "/_worker/ws/w1")) {
            stranger.send(report.toFrame().toString());
            own.send("no json");
            own.send("{\"event\":\"something_new\"}");
            own.send(report.toFrame().toString());

            wire.engine().await("progress is reported", () -> !wire.heard().isEmpty());
            assertThat(wire.heard()).containsExactly("w1 0.5 half");
        }
    }

    @Test
    void aSocketWithoutANameAtFirst_belongsToTheHolderOfTheTaskItSpeaksOf() throws Exception {
        var job = wire.engine().submit("echo");
        var task = worker.poll(0).answer().task();
        var report = new Progress(task.jobId(), task.taskId(), null, 0.25, "");
        try (var socket = RawSocket.open(wire.port(), "/_worker/ws")) {
            socket.send(report.toFrame().toString());
            wire.engine().await("progress is reported", () -> !wire.heard().isEmpty());

            wire.engine().cancel(job);

            assertThat(socket.next().string("task_id")).hasValue(task.taskId());
            assertThat(wire.heard()).containsExactly("w1 0.25 ");
        }
    }

    /// Trap: one cancel has the one token of thousands of sockets judged thousands of times.
    @Test
    void aCancel_hasTheTokenOfManySocketsJudgedOnce() throws Exception {
        var judged = new AtomicInteger();
        var tokens = WorkerTokens.shared(GatewayServer.TOKEN);
        var clock = new ManualClock();
        var engine = new ReferenceEngine(clock);
        var counting = new Counting(tokens, judged);
        try (var server = new GatewayServer(0, clock, counting, WorkerLimits.NONE);
                var http = new RawHttp(server.port)) {
            server.connect(engine, engine::connect);
            http.send(
                    "POST",
                    "/_worker/workers/register",
                    "{\"worker_id\":\"w1\",\"supported_tasks\":[\"echo\"],\"max_concurrent_tasks\":2}");
            try (var one = RawSocket.open(server.port, "/_worker/ws");
                    var two = RawSocket.open(server.port, "/_worker/ws");
                    var three = RawSocket.open(server.port, "/_worker/ws")) {
                for (var i = 0; i < 2; i++) {
                    // With the first cancel all of them are known.
                    judged.set(0);
                    var job = engine.submit("echo", JsonObject.EMPTY);
                    http.send("GET", "/_worker/workers/w1/tasks/next", null);

                    engine.cancel(job);

                    for (var socket : List.of(one, two, three)) {
                        assertThat(socket.next().string("job_id")).hasValue(job.value());
                    }
                }
                assertThat(judged).hasValue(1);
            }
        }
    }

    /// @param judged how often it was asked of whom a token may be
    private record Counting(WorkerTokens tokens, AtomicInteger judged)
            implements WorkerAuthentication {
        @Override
        public Decision check(String token, @Nullable WorkerId claimed) {
            return tokens.check(token, claimed);
        }

        @Override
        public Decision judge(String token, @Nullable WorkerId claimed) {
            judged.incrementAndGet();
            return tokens.check(token, claimed);
        }
    }

    @Test
    void aSocketWithoutAToken_isNotOpened() {
        assertThatThrownBy(() -> RawSocket.open(wire.port(), "/_worker/ws/w1", "guess"))
                .hasMessageContaining("WebSocketHandshakeException");
    }

    /// Trap: control frames are counted by no limit of messages, and keep a processor busy.
    @Test
    void aSocketThatSendsControlFramesWithoutEnd_isClosed() throws Exception {
        assertThat(RawPings.closeAfter(wire.port(), "/_worker/ws/w1", RawPings.Kind.PINGS, 1_001))
                .isEqualTo("1008 Too many frames");
    }

    @Test
    void aMessageThatIsTooLarge_closesItsSocket() throws Exception {
        try (var socket = RawSocket.open(wire.port(), "/_worker/ws/w1")) {
            socket.send("x".repeat((64 << 10) + 1));

            assertThat(socket.next().string("closed"))
                    .hasValue("1009 a message has at most 65536 bytes");
        }
    }

    @Test
    void moreSocketsThanTheirTokenMayHave_closeWith4429_untilOneIsGone() throws Exception {
        var limits = new OneConnection();
        var clock = InstantSource.system();
        var tokens = WorkerTokens.shared(GatewayServer.TOKEN);
        try (var server = new GatewayServer(0, clock, tokens, limits)) {
            try (var _ = RawSocket.open(server.port, "/_worker/ws/w1")) {
                Await.await("the place is taken").until(() -> limits.connections().open() == 1);
                try (var second = RawSocket.open(server.port, "/_worker/ws/w2")) {
                    assertThat(second.next().string("closed"))
                            .hasValue("4429 Too many connections");
                    assertThat(limits.connections().open()).isOne();
                    assertThat(limits.connections().refused()).isOne();
                }
            }
            Await.await("the place is free").until(() -> limits.connections().open() == 0);
            try (var _ = RawSocket.open(server.port, "/_worker/ws/w2")) {
                Await.await("the place is taken").until(() -> limits.connections().open() == 1);
            }
            assertThat(limits.connections().refused()).isOne();
        }
    }

    /// As often as they like, over one connection.
    private static final class OneConnection implements WorkerLimits {
        private final TokenConnections connections = new TokenConnections(() -> 1);

        @Override
        public Optional<Duration> take(WorkerId worker, Kind kind) {
            return Optional.empty();
        }

        @Override
        public void giveBack(WorkerId worker, Kind kind) {}

        @Override
        public TokenConnections connections() {
            return connections;
        }
    }
}
