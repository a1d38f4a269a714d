package dev.artel.gateway.zeromq;

import static dev.artel.gateway.zeromq.WirePort.REGISTRATION;
import static dev.artel.gateway.zeromq.WirePort.RESULTS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.MonotonicTime;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Calls in a session, and what limits a session: tokens and rates.
@Timeout(Await.HUNG)
final class PushCallsTest {
    private final AtomicBoolean isRevoked = new AtomicBoolean();
    private final AtomicBoolean isLimited = new AtomicBoolean();
    private final AtomicInteger refused = new AtomicInteger();
    private final ZeroMqServer server =
            new ZeroMqServer(
                    ZeroMqConfig.DEFAULTS
                            .withPorts(ZeroMqConfig.Ports.FREE)
                            .withTerms(ZeroMqServer.PATIENT),
                    new MonotonicTime(Instant.now()),
                    this::check,
                    new Limits());
    private final PushPeer peer = new PushPeer(server.ports(), "w1");
    private int calls;

    @AfterEach
    void close() {
        peer.close();
        server.close();
    }

    private WorkerAuthentication.Decision check(String token, @Nullable WorkerId claimed) {
        if (isRevoked.get() || !token.equals(ZeroMqServer.TOKEN)) {
            return new WorkerAuthentication.Decision.Refused("no good token");
        }
        return claimed != null && claimed.value().equals("other")
                ? new WorkerAuthentication.Decision.Named(new WorkerId("w1"))
                : new WorkerAuthentication.Decision.Unnamed();
    }

    private final class Limits implements WorkerLimits {
        @Override
        public Optional<Duration> take(WorkerId worker, Kind kind) {
            if (!isLimited.get()) {
                return Optional.empty();
            }
            refused.incrementAndGet();
            return Optional.of(Duration.ofMillis(200));
        }

        @Override
        public void giveBack(WorkerId worker, Kind kind) {}
    }

    private PushPeer.Received call(String operation, String lease, JsonValue body) {
        return call(operation, lease, body, peer.session());
    }

    private PushPeer.Received call(String operation, String lease, JsonValue body, String session) {
        var id = "call-" + ++calls;
        peer.send(
                RESULTS,
                "CALL",
                JsonObject.builder()
                        .put("call_id", id)
                        .put("op", operation)
                        .put("session", session)
                        .put("lease_id", lease)
                        .put("body", body)
                        .build());
        var received = peer.receiveOneOf(RESULTS, List.of("CALL_OK", "CALL_FAILED"));
        assertThat(received.text("call_id")).isEqualTo(id);
        return received;
    }

    @Test
    void progressAndLogs_areKept_ofATaskThatTheWorkerHolds() {
        peer.join(1);
        server.engine.submit("echo");
        var lease = peer.task().text("lease_id");
        var progress =
                JsonObject.of("progress", JsonNumber.of(0.5), "message", new JsonString("half"));
        var line = JsonObject.of("level", new JsonString("warn"), "message", new JsonString("hot"));

        assertThat(status(call("progress", lease, progress))).isEqualTo("kept");
        assertThat(status(call("log", lease, JsonObject.of("lines", JsonArray.of(line)))))
                .isEqualTo("kept");
        assertThat(status(call("progress", "no-such.0.1.lease", progress))).isEqualTo("ignored");

        assertThat(server.heard).containsExactly("w1 0.5 half", "w1 warn hot");
    }

    @Test
    void aQuestion_isParked_andAnswered() {
        peer.join(1);
        var job = server.engine.submit("echo");
        var lease = peer.task().text("lease_id");
        var question = JsonObject.of("question", new JsonString("Which account?"));

        assertThat(status(call("question", lease, question))).isEqualTo("parked");
        server.engine.answer(job, "savings");

        var answered = call("question", lease, question);
        assertThat(status(answered)).isEqualTo("answered");
        assertThat(answered.body().object("body").orElseThrow().string("answer"))
                .contains("savings");
    }

    /// Trap: it is answered as refused in its place, which a simple sender takes for final, and the work is done again.
    @Test
    void resultsThatCannotBeTakenNow_areAllAskedForLater() {
        peer.join(1);
        var job = server.engine.submit("echo");
        var task = peer.task();
        var lease = task.text("lease_id");
        var result =
                JsonObject.builder()
                        .put("job_id", job.value())
                        .put("task_id", lease)
                        .put("lease_token", lease)
                        .put("result", JsonObject.of("status", new JsonString("success")))
                        .build();
        server.engine.refuseReports(
                new CommandReply.TryLater(Duration.ofMillis(300), "planted by the test"));

        var later = call("results", "", JsonObject.of("results", JsonArray.of(result)));

        assertThat(later.text("code")).isEqualTo("TRY_LATER");
        server.engine.refuseReports(null);
        assertThat(
                        call("results", "", JsonObject.of("results", JsonArray.of(result)))
                                .body()
                                .toString())
                .contains("accepted");
        assertThat(server.engine.applied(job)).hasSize(1);
    }

    @Test
    void aBatchOfTooManyResults_isRefused_andEndsItsCall() {
        peer.join(1);
        var job = server.engine.submit("echo");
        var lease = peer.task().text("lease_id");
        var result =
                JsonObject.builder()
                        .put("job_id", job.value())
                        .put("task_id", lease)
                        .put("lease_token", lease)
                        .put("result", JsonObject.of("status", new JsonString("success")))
                        .build();
        var many = new JsonArray(Collections.<JsonValue>nCopies(1_001, result));

        for (var count = 0; count < 2; count++) {
            var answer = call("results", "", JsonObject.of("results", many));
            assertThat(answer.text("code")).isEqualTo("BAD_CALL");
            assertThat(answer.text("message"))
                    .isEqualTo("the batch has more than 1000 results; split it");
        }

        assertThat(server.engine.applied(job)).isEmpty();
        var one = JsonObject.of("results", JsonArray.of(result));
        assertThat(call("results", "", one).kind()).isEqualTo("CALL_OK");
    }

    @Test
    void aTaskThatIsReleased_goesToAnother() {
        peer.join(1);
        var job = server.engine.submit("echo");
        var lease = peer.task().text("lease_id");
        var release =
                JsonObject.builder()
                        .put("worker_id", "w1")
                        .put("lease_tokens", JsonArray.of(new JsonString(lease)))
                        .build();

        var answer = call("release", "", release);

        assertThat(answer.body().object("body").orElseThrow().toString()).contains(lease);
        server.engine.await("it is back", () -> server.engine.endings(job).size() == 1);
    }

    @Test
    void callsThatMakeNoSense_areAnsweredWithWhatIsWrong() {
        peer.join(1);

        assertThat(call("fly", "", JsonObject.EMPTY).text("message")).contains("'fly'");
        assertThat(call("poll", "", JsonObject.EMPTY).text("code")).isEqualTo("BAD_CALL");
        assertThat(call("log", "", JsonObject.EMPTY).text("message")).contains("lease_id");
        assertThat(call("renew", "", new JsonString("x")).text("code")).isEqualTo("BAD_CALL");
        peer.send(RESULTS, "CALL", JsonObject.of("op", new JsonString("renew")));
        assertThat(peer.receive(RESULTS, "REJECT").text("message")).contains("call_id");
    }

    @Test
    void aCallInAnotherSession_isRefused_andTheWorkerRegistersAgain() {
        peer.join(1); // so that each socket has its connection
        var answer = call("renew", "", JsonObject.EMPTY, "no-such-session");

        assertThat(answer.text("code")).isEqualTo("BAD_TOKEN");
        peer.receive(REGISTRATION, "REREGISTER");
    }

    @Test
    void aTokenOfOneWorker_registersNoOther() {
        try (var other = new PushPeer(server.ports(), "other")) {
            other.send(REGISTRATION, "READY", other.ready(1));

            var reject = other.receive(REGISTRATION, "REJECT");
            assertThat(reject.text("code")).isEqualTo("BAD_TOKEN");
            assertThat(reject.text("message")).contains("another worker");
        }
    }

    @Test
    void aTokenThatIsRevoked_endsTheSessionWithTheNextHeartbeat() {
        peer.join(1);
        peer.beat(1);
        isRevoked.set(true);
        peer.heartbeat(1);

        assertThat(peer.receive(REGISTRATION, "REJECT").text("code")).isEqualTo("BAD_TOKEN");
        assertThat(peer.receive(REGISTRATION, "REREGISTER").text("reason")).contains("token");
        assertThat(server.gateway().workers()).isZero();
    }

    @Test
    void heartbeatsThatComeTooOften_areAcknowledged_andPutTogether() {
        peer.join(1);
        isLimited.set(true);

        for (var beat = 0; beat < 5; beat++) {
            assertThat(peer.beat(1, "gone.0.1.lease").texts("revoke")).isEmpty();
        }

        assertThat(refused.get()).isGreaterThanOrEqualTo(5);
        isLimited.set(false);
        server.engine.await(
                "it is revoked",
                () ->
                        peer.beat(1, "gone.0.1.lease")
                                .texts("revoke")
                                .equals(List.of("gone.0.1.lease")));
        server.engine.submit("echo");
        assertThat(peer.succeed(peer.task())).isEqualTo("ACCEPTED");
    }

    @Test
    void aRegistrationOrCallBeyondTheLimits_mayComeLater() {
        peer.join(1);
        isLimited.set(true);

        assertThat(call("renew", "", JsonObject.EMPTY).body().number("retry_after_ms"))
                .contains(JsonNumber.of(200));
        peer.send(REGISTRATION, "READY", peer.ready(1));
        assertThat(peer.receive(REGISTRATION, "REJECT").text("code")).isEqualTo("BUSY");
    }

    private static String status(PushPeer.Received answer) {
        return answer.body().object("body").orElse(JsonObject.EMPTY).string("status").orElse("");
    }
}
