package dev.artel.gateway.websocket;

import static dev.artel.gateway.websocket.SocketClient.message;
import static dev.artel.gateway.websocket.SocketClient.registration;
import static dev.artel.gateway.websocket.SocketClient.texts;
import static dev.artel.gateway.websocket.SocketClient.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.http.RawPings;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskReport;
import dev.artel.waits.Await;
import dev.artel.worker.server.hub.HubLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What hostile workers send: each frame is refused with a code, or ignored, and harms no other worker.
@Timeout(Await.HUNG)
final class HostileWorkerFramesTest {
    private static final List<JsonValue> VALUES =
            List.of(
                    JsonNull.NULL,
                    JsonValue.of(true),
                    JsonNumber.of(-1),
                    JsonNumber.of(1e300),
                    new JsonString(""),
                    new JsonString("x".repeat(2_000)),
                    JsonArray.EMPTY,
                    JsonArray.of(JsonNull.NULL, JsonValue.of(7)),
                    JsonObject.EMPTY,
                    texts("status", "\u0000"));

    private static final List<String> TYPES =
            List.of(
                    "work_accepted",
                    "work_refused",
                    "work_complete",
                    "work_result",
                    "work_failed",
                    "work_progress",
                    "work_log",
                    "call",
                    "leases",
                    "shutdown");

    private static final List<String> MEMBERS =
            List.of(
                    "requestId",
                    "callId",
                    "method",
                    "body",
                    "progress",
                    "message",
                    "lines",
                    "result",
                    "data",
                    "status",
                    "error",
                    "success",
                    "large_data",
                    "jobId");

    private static final List<String> METHODS =
            List.of(
                    "register",
                    "heartbeat",
                    "poll",
                    "result",
                    "results",
                    "renew",
                    "release",
                    "question",
                    "log",
                    "event",
                    "drain",
                    "none");

    private final List<SocketClient> clients = new ArrayList<>();
    private SocketWire wire = new SocketWire();

    @AfterEach
    void close() {
        clients.forEach(SocketClient::close);
        wire.close();
    }

    private SocketClient client() {
        var client = SocketClient.open(wire.port());
        clients.add(client);
        return client;
    }

    private void assertOthersWork() {
        var worker = client().register(registration("well", 1, "well"));
        wire.engine().submit("well");
        var request = worker.await("work_request", 1);
        worker.send(message("work_complete", request.string("requestId").orElseThrow()));
        assertThat(worker.await("work_complete_ack", 1).string("status"))
                .hasValue("result_accepted_success");
    }

    @Test
    void framesThatAreNoMessages_closeWith4400_afterTheThird() {
        for (var frame : List.of("null", "[]", "7", "{", "", "\"text\"", "{}", "{\"type\":42}")) {
            var hostile = client();
            hostile.trySend(frame).trySend(frame).trySend(frame);
            assertThat(hostile.closed()).as(frame).isEqualTo("4400 Protocol error");
        }
        var binary = client();
        for (var i = 0; i < 3; i++) {
            binary.sendBytes(new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        }
        assertThat(binary.closed()).isEqualTo("4400 Protocol error");
        assertOthersWork();
    }

    @Test
    void aRegistrationWithAnyValueAnywhere_isRefusedWithACode_orTaken() {
        var additions =
                List.of(
                        "instance",
                        "supportedTasks",
                        "taskCategories",
                        "runningTasks",
                        "delivery",
                        "inlineBytes",
                        "leaseMs",
                        "profile");
        for (var value : VALUES) {
            for (var member : additions) {
                tryRegistration(
                        with(
                                registration("w", 1, "echo"),
                                JsonObject.of("artel", JsonObject.of(member, value))),
                        member + " " + value);
            }
            for (var member :
                    List.of("workerId", "workerName", "capabilities", "authToken", "type")) {
                var hostile = client();
                hostile.send(registration("w", 1, "echo").with(member, value));
                hostile.trySend("null").trySend("null").trySend("null");
                assertThat(hostile.closed()).as(member + " " + value).startsWith("4");
            }
        }
        assertOthersWork();
    }

    private void tryRegistration(JsonObject registration, String what) {
        var hostile = client().register(registration);
        var isTaken =
                hostile.await("worker_registration_ack", 1)
                        .get("success")
                        .equals(Optional.of(JsonValue.of(true)));
        if (!isTaken) {
            assertThat(hostile.closed()).as(what).isEqualTo("4400 Protocol error");
            assertThat(hostile.await("worker_registration_ack", 1).string("error").orElse(""))
                    .as(what)
                    .contains("invalid registration");
        }
        hostile.close();
    }

    @Test
    void messagesWithAnyMembers_areAnsweredOrIgnored_andTheConnectionGoesOn() {
        var random = new SplittableRandom(20_260_301);
        var hostile = client().register(registration("w", 2, "echo"));
        wire.engine().submit("echo");
        var request = hostile.await("work_request", 1);
        for (var i = 0; i < 3_000; i++) {
            var frame = JsonObject.builder().put("type", pick(random, TYPES));
            var names = new ArrayList<>(MEMBERS);
            for (var n = random.nextInt(5); n >= 0; n--) {
                var name = names.remove(random.nextInt(names.size()));
                frame.put(name, value(random, name, request));
            }
            hostile.send(frame.build());
            if (i % 100 == 0) {
                // A worker that does not read its answers is closed.
                hostile.awaitUnderstood();
            }
        }

        hostile.send(SocketClient.heartbeat("w"));
        hostile.await("heartbeat_ack", 1);
        assertThat(hostile.isClosed()).isFalse();
        assertOthersWork();
    }

    private static JsonValue value(SplittableRandom random, String name, JsonObject request) {
        if (name.equals("requestId") && random.nextInt(8) == 0) {
            return request.get("requestId").orElseThrow();
        }
        if (name.equals("callId") && random.nextInt(4) != 0) {
            return new JsonString("c" + random.nextInt(100));
        }
        if (name.equals("method") && random.nextInt(4) != 0) {
            return new JsonString(pick(random, METHODS));
        }
        return pick(random, VALUES);
    }

    private static <T> T pick(SplittableRandom random, List<T> among) {
        return among.get(random.nextInt(among.size()));
    }

    @Test
    void callsThatMakeNoSense_areAnsweredWithTheirFault() {
        var worker = client().register(registration("w", 1, "echo"));

        assertThat(status(worker, "no-such-method", JsonObject.EMPTY)).isEqualTo(404);
        assertThat(status(worker, "register", JsonArray.EMPTY)).isEqualTo(400);
        assertThat(status(worker, "register", texts("worker_id", "other"))).isEqualTo(403);
        assertThat(status(worker, "result", JsonNull.NULL)).isEqualTo(400);
        assertThat(status(worker, "question", texts("question", "Why?"))).isEqualTo(400);
        assertThat(status(worker, "poll", JsonValue.of(7))).isEqualTo(400);
        assertThat(status(worker, "poll", JsonObject.of("max", new JsonString("many"))))
                .isEqualTo(400);
        assertThat(status(worker, "results", JsonObject.EMPTY)).isEqualTo(400);
        worker.send(texts("type", "call").with("method", new JsonString("drain")));
        assertThat(worker.await("error", 1).string("code")).hasValue("invalid_body");
        worker.send(texts("type", "work_complete"));
        assertThat(worker.await("error", 2).string("about")).hasValue("work_complete");
        worker.send(SocketClient.heartbeat("w").with("runningTasks", JsonValue.of(7)));
        assertThat(worker.await("error", 3).string("about")).hasValue("heartbeat");
        assertThat(worker.isClosed()).isFalse();
    }

    private static long status(SocketClient worker, String method, JsonValue body) {
        var answer = SocketClient.await(worker.call(method, body));
        return answer.number("status").orElseThrow().asLong();
    }

    @Test
    void aMessageThatIsTooLarge_closesWith4413() {
        var hostile = client().register(registration("w", 1, "echo"));

        hostile.trySend("{\"type\":\"work_complete\",\"x\":\"" + "x".repeat(4 << 20) + "\"}");

        assertThat(hostile.closed()).isEqualTo("4413 Message too large");
        var stranger = client();
        stranger.trySend("\"" + "x".repeat(4 << 20) + "\"");
        assertThat(stranger.closed()).isEqualTo("4413 Message too large");
        assertOthersWork();
    }

    /// Trap: each connection has megabytes kept for it, without a token.
    @Test
    void aStranger_hasLittleRoom_beforeItRegisters() {
        var stranger = client();
        stranger.trySend("{\"type\":\"hello\",\"x\":\"" + "x".repeat(64 << 10) + "\"}");
        assertThat(stranger.closed()).isEqualTo("4413 Message too large");

        var worker = client().register(registration("w", 1, "echo"));
        worker.send("{\"type\":\"hello\",\"x\":\"" + "x".repeat(64 << 10) + "\"}");
        worker.trySend("{\"type\":\"worker_registration\",\"x\":\"" + "x".repeat(64 << 10) + "\"}");
        assertThat(worker.closed()).isEqualTo("4413 Message too large");
        assertOthersWork();
    }

    /// Trap: a result that cannot be read is dropped, comes again, and its task is done again by another worker, which reports the same.
    @Test
    void aResultThatIsNoJson_orTooLarge_endsItsAttemptAtOnce_andTheConnectionGoesOn() {
        var worker = client().register(registration("w", 2, "echo"));
        var noJson = wire.engine().submit("echo");
        var tooLarge = wire.engine().submit("echo");
        var first = worker.await("work_request", 1).string("requestId").orElseThrow();
        var second = worker.await("work_request", 2).string("requestId").orElseThrow();

        worker.send("{\"type\":\"work_complete\",\"requestId\":\"" + first + "\",\"data\":NaN}");
        worker.send(
                "{\"type\":\"work_result\",\"requestId\":\""
                        + second
                        + "\",\"result\":\""
                        + "x".repeat(4 << 20)
                        + "\"}");

        worker.await("work_complete_ack", ack -> ack.string("requestId").orElse("").equals(first));
        worker.await("work_complete_ack", ack -> ack.string("requestId").orElse("").equals(second));
        assertThat(failure(noJson)).isEqualTo("INVALID_RESULT");
        assertThat(failure(tooLarge)).isEqualTo("RESULT_TOO_LARGE");
        var third = wire.engine().submit("echo");
        worker.send(
                message(
                        "work_complete",
                        worker.await("work_request", 3).string("requestId").orElseThrow()));
        worker.await("work_complete_ack", 3);
        assertThat(wire.engine().applied(third)).hasSize(1);
        assertThat(worker.isClosed()).isFalse();
    }

    private String failure(JobId job) {
        return ((TaskReport.Failed) wire.engine().applied(job).getFirst()).error().code();
    }

    @Test
    void aCallThatIsNoJson_orTooLarge_isAnswered() {
        var worker = client().register(registration("w", 1, "echo"));

        var noJson = worker.callWith("log", "{\"lines\":NaN}".getBytes(StandardCharsets.UTF_8));
        var tooLarge =
                worker.callWith(
                        "log",
                        ("\"" + "x".repeat(4 << 20) + "\"").getBytes(StandardCharsets.UTF_8));

        assertThat(SocketClient.await(noJson).number("status").orElseThrow().asLong())
                .isEqualTo(400);
        assertThat(SocketClient.await(tooLarge).number("status").orElseThrow().asLong())
                .isEqualTo(413);
    }

    /// Trap: pings and pongs are no messages, so no limit counts them, and the thread that reads what has arrived already never waits: two
    /// strangers stop all others.
    @Test
    void tooManyFramesThatCarryNothing_endTheConnection() throws IOException {
        for (var kind : RawPings.Kind.values()) {
            assertThat(RawPings.closeAfter(wire.port(), "/ws/worker", kind, 1_001))
                    .isEqualTo("1008 Too many frames");
            assertOthersWork();
        }
    }

    @Test
    void tooManyMessages_closeWith1008() {
        wire.close();
        wire =
                new SocketWire(
                        SocketGatewayConfig.DEFAULTS.withLimits(
                                HubLimits.DEFAULTS.withMaxMessagesPerSecond(5)));
        var hostile = tooManyCalls();
        while (!hostile.isClosed()) {
            hostile = tooManyCalls();
        }

        assertThat(hostile.closed()).isEqualTo("1008 Too many messages");
        assertOthersWork();
    }

    /// Sends as many messages as are one too many, unless some time goes by between them. What would be under way when the hub closes had the operating
    /// system drop the close frame, unread.
    private SocketClient tooManyCalls() {
        var hostile = client().register(registration("w", 1, "echo"));
        var answers =
                IntStream.range(0, 10)
                        .mapToObj(_ -> hostile.call("log", JsonObject.EMPTY))
                        .toList();
        Await.await("the last message is answered, or too much")
                .pollInterval(Duration.ofMillis(1))
                .until(() -> hostile.isClosed() || answers.getLast().isDone());
        return hostile;
    }

    @Test
    void tooManyConnections_areAskedToComeLater() {
        wire.close();
        wire =
                new SocketWire(
                        SocketGatewayConfig.DEFAULTS.withLimits(
                                HubLimits.DEFAULTS.withMaxConnections(1)));
        client().register(registration("w", 1, "echo"));

        assertThat(client().closed()).isEqualTo("1013 Try again later");
    }
}
