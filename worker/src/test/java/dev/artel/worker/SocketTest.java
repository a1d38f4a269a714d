package dev.artel.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskOutcome;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class SocketTest {
    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));
    private final SocketDoor door = new SocketDoor(orchestrator.uri());
    private final Gate gate = new Gate();

    @AfterEach
    void close() {
        gate.open();
        door.close();
        orchestrator.close();
    }

    private Worker worker() {
        return Worker.named("w1")
                .orchestrator(URI.create("http://127.0.0.1:" + door.port()), "secret")
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
            await().until(() -> door.opened() == 1);
            var id = orchestrator.offer("x", JsonObject.EMPTY);
            await().until(() -> !door.frames().isEmpty());
            door.send("not json");
            door.send("{\"command\":\"cancel_task\",\"task_id\":\"another\"}");
            door.send("{\"command\":\"cancel_task\",\"task_id\":\"" + id + "\"}");

            await().until(() -> orchestrator.results.size() == 1);
        }

        assertThat(orchestrator.results.getFirst().outcome())
                .isEqualTo(new TaskOutcome.CancelledByWorker());
        assertThat(door.frames().getFirst())
                .contains("\"event\":\"progress_update\"", "\"progress\":0.5", "\"t-1\"");
        assertThat(door.requestLines()).contains("GET /_worker/ws/w1 HTTP/1.1");
    }

    @Test
    void aSocketThatIsLost_isOpenedAgain() {
        try (var worker = worker()) {
            worker.start();
            await().until(() -> door.opened() == 1);
            door.drop();

            await().until(() -> door.opened() == 2);
        }
    }
}
