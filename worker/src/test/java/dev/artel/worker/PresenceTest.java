package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.artel.json.JsonObject;
import dev.artel.protocol.Register;
import dev.artel.worker.ScriptedOrchestrator.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

final class PresenceTest {
    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));
    private final Gate gate = new Gate();

    private WorkerBuilder builder() {
        return Worker.named("w 1")
                .orchestrator(orchestrator.uri(), "secret")
                .longestBackoff(Duration.ofMillis(200))
                .heartbeat(Duration.ofMillis(100))
                .drainTimeout(Duration.ofSeconds(5))
                .handle("x", JsonObject.class, (_, _) -> gate.pass())
                .withoutShutdownHook();
    }

    @AfterEach
    void close() {
        gate.open();
        orchestrator.close();
    }

    private List<ScriptedOrchestrator.Request> registrations() {
        return orchestrator.all("POST", "/register");
    }

    @Test
    void aWorkerSaysWhatItIs() {
        try (var worker =
                builder()
                        .maxConcurrentTasks(7)
                        .limit("gpu", 2)
                        .handle("render", "gpu", JsonObject.class, (_, _) -> Result.success())
                        .skillDependency("render", "sdxl")
                        .hot("sdxl")
                        .model("sdxl", "1.0")
                        .lease(Duration.ofSeconds(20))
                        .build()) {
            worker.start();
            await().until(() -> !orchestrator.heartbeats().isEmpty());
        }

        var register = Register.read(registrations().getFirst().json());
        assertThat(register.workerId()).isEqualTo("w 1");
        assertThat(register.profile().names()).containsExactly("x", "render");
        assertThat(register.profile().limits().perCategory()).containsEntry("gpu", 2);
        assertThat(register.readiness().hotSkills()).containsExactly("render");
        assertThat(register.readiness().hotCache()).containsExactly("sdxl", "render");
        assertThat(register.wishes().lease()).isEqualTo(Duration.ofSeconds(20));
        assertThat(register.origin().instance()).isNotBlank();
        assertThat(orchestrator.heartbeats().getFirst().path()).isEqualTo("/_worker/workers/w 1");
    }

    /// Trap: a worker with a wrong token fills the log with JSON, and no line states what to do.
    @Test
    void aWrongToken_isReportedOnce_withWhatToDo_andTheWorkerTriesAgain() {
        var log = (Logger) LoggerFactory.getLogger("dev.artel.worker.link.HeartbeatLoop");
        var lines = new ListAppender<ILoggingEvent>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        log.setAdditive(false);
        log.setLevel(Level.WARN);
        log.addAppender(lines);
        var wrong =
                "{\"error\":\"Unauthorized: No valid token found\",\"code\":\"unauthenticated\"}";
        orchestrator.next(4, request -> request.is("POST", "/register"), Reply.of(401, wrong));
        orchestrator.next(
                2,
                request -> request.is("POST", "/register"),
                Reply.of(401, "{\"error\":\"Expired\"}"));
        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> !orchestrator.all("GET", "/tasks/next").isEmpty());
        } finally {
            log.detachAppender(lines);
            log.setLevel(null);
            log.setAdditive(true);
        }

        assertThat(registrations()).hasSizeGreaterThanOrEqualTo(7);
        assertThat(lines.list)
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line.getFormattedMessage())
                                .contains(
                                        "token of this worker",
                                        "WORKER_TOKEN",
                                        "./artel token show worker"));
        assertThat(lines.list.getFirst().getKeyValuePairs().toString())
                .contains(
                        orchestrator.uri().toString(),
                        "w 1",
                        "401 Unauthorized: No valid token found")
                .doesNotContain("{");
        assertThat(lines.list.getLast().getKeyValuePairs().toString()).contains("401 Expired");
    }

    @Test
    void aRegistrationIsTriedUntilItSucceeds() {
        orchestrator.next(1, request -> request.is("POST", "/register"), Reply.NONE);
        orchestrator.next(1, request -> request.is("POST", "/register"), Reply.of(500, "oops"));
        orchestrator.next(1, request -> request.is("POST", "/register"), Reply.of(401, "{}"));

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> !orchestrator.all("GET", "/tasks/next").isEmpty());
        }

        assertThat(registrations()).hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void aWorkerThatIsForgotten_registersAgainAsTheSameProcess() {
        orchestrator.next(
                1,
                request -> request.method().equals("PATCH"),
                Reply.of(404, "{\"error\":\"Worker not found\"}"));

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> registrations().size() == 2);
            await().until(() -> orchestrator.heartbeats().size() > 2);
        }

        assertThat(registrations())
                .extracting(request -> Register.read(request.json()).origin().instance())
                .containsOnly(Register.read(registrations().getFirst().json()).origin().instance());
    }

    @Test
    void anOrchestratorThatAsksForAll_getsARegistration() {
        orchestrator.next(
                1,
                request -> request.method().equals("PATCH"),
                Reply.of(200, "{\"require_full_sync\":true}"));

        try (var worker = builder().build()) {
            worker.start();
            await().until(() -> registrations().size() == 2);
        }
    }

    @Test
    void heartbeatsGoOnWhileEveryHandlerIsBusy_andListTheTasks() {
        orchestrator.offer("x", JsonObject.EMPTY);

        try (var worker = builder().maxConcurrentTasks(1).build()) {
            worker.start();
            await().until(() -> gate.inside() == 1);
            var before = orchestrator.heartbeats().size();

            await().until(() -> orchestrator.heartbeats().size() >= before + 2);
            assertThat(orchestrator.heartbeats().getLast().body())
                    .contains("\"current_tasks\":[\"lease-t-1\"]", "\"load\":1");
            gate.open();
        }
    }

    @Test
    void aChangeIsSent_andManyAreSentTogether() {
        var goOn = new CountDownLatch(1);
        orchestrator.always(request -> {
            if (request.method().equals("PATCH")) {
                awaitEnd(goOn);
            }
            return null;
        });
        try (var worker =
                builder()
                        .heartbeat(Duration.ofSeconds(60))
                        .skillDependency("x", "a", "b")
                        .build()) {
            worker.start();
            await().until(() -> !orchestrator.all("GET", "/tasks/next").isEmpty());
            worker.hotCache().add("a");
            await().until(() -> !orchestrator.heartbeats().isEmpty());
            // While that one has no answer.
            worker.hotCache().add("b");
            worker.hotCache().add("c");
            goOn.countDown();

            await().untilAsserted(() ->
                    assertThat(orchestrator.heartbeats().getLast().body())
                            .contains(
                                    "\"hot_cache\":[\"a\",\"b\",\"c\",\"x\"]",
                                    "\"hot_skills\":[\"x\"]"));
            assertThat(orchestrator.heartbeats())
                    .noneMatch(beat -> beat.body().contains("[\"a\",\"b\",\"x\"]"));
            worker.hotCache().remove("b");
            await().untilAsserted(() ->
                    assertThat(orchestrator.heartbeats().getLast().body())
                            .contains("\"hot_cache\":[\"a\",\"c\"]")
                            .doesNotContain("hot_skills"));
        }
    }

    private static void awaitEnd(CountDownLatch latch) {
        await().until(() -> latch.getCount() == 0);
    }
}
