package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskOutcome;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SocketTest {
    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));
    private final SocketServer ingress = new SocketServer(orchestrator.uri());
    private final Gate gate = new Gate();

    @AfterEach
    void close() {
        gate.open();
        ingress.close();
        orchestrator.close();
    }

    private Worker worker() {
        return Worker.named("w1")
                .orchestrator(URI.create("http://127.0.0.1:" + ingress.port()), "secret")
                .longestBackoff(Duration.ofMillis(200))
                .drainTimeout(Duration.ofSeconds(5))
                .websocket()
                .handle(
                        "x",
                        JsonObject.class,
                        (_, task) -> {
                            task.progress(0.5, "halfway");
                            return gate.pass();
                        })
                .withoutShutdownHook()
                .build();
    }

    @Test
    void aCancelArrivesOverTheSocket_andProgressLeavesByIt() {
        try (var worker = worker()) {
            worker.start();
            await().until(() -> ingress.opened() == 1);
            var id = orchestrator.offer("x", JsonObject.EMPTY);
            await().until(() -> !ingress.frames().isEmpty());
            ingress.send("not json");
            ingress.send("{\"command\":\"cancel_task\",\"task_id\":\"another\"}");
            ingress.send("{\"command\":\"cancel_task\",\"task_id\":\"" + id + "\"}");

            await().until(() -> orchestrator.results.size() == 1);
        }

        assertThat(orchestrator.results.getFirst().outcome())
                .isEqualTo(new TaskOutcome.CancelledByWorker());
        assertThat(ingress.frames().getFirst())
                .contains("\"event\":\"progress_update\"", "\"progress\":0.5", "\"t-1\"");
        assertThat(ingress.requestLines()).contains("GET /_worker/ws/w1 HTTP/1.1");
        assertThat(ingress.upgrades().getFirst())
                .contains("Authorization: Bearer secret", "X-Worker-Token: secret");
    }

    @Test
    void aSocketThatIsLost_isOpenedAgain() {
        try (var worker = worker()) {
            worker.start();
            await().until(() -> ingress.opened() == 1);
            ingress.drop();

            await().until(() -> ingress.opened() >= 2);
        }
    }
}
