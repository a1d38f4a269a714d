package dev.artel.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// How much of a worker's own description is taken.
final class DeclaredTest {
    private static final JsonObject WORKER = JsonObject.of("worker_id", new JsonString("w"));

    private static JsonArray types(int count, String name) {
        return JsonArray.ofStrings(IntStream.range(0, count).mapToObj(i -> name + i).toList());
    }

    @Test
    void whatAnOrdinaryWorkerDeclares_isTaken() {
        var register = Register.read(WORKER.with("supported_tasks", types(1_000, "type-")));

        assertThat(register.profile().names()).hasSize(1_000);
        assertThat(Heartbeat.read("w", WORKER.with("supported_tasks", types(1_000, "type-"))))
                .isInstanceOf(Heartbeat.Full.class);
    }

    @Test
    void tooManyTypes_orTooLongOnes_areRefused() {
        for (var wrong : List.of(types(1_001, "t"), types(1, "t".repeat(200)))) {
            assertThatThrownBy(() -> Register.read(WORKER.with("supported_tasks", wrong)))
                    .isInstanceOf(MalformedMessage.class)
                    .hasMessageStartingWith("supported_tasks: expected ");
            assertThatThrownBy(() -> Heartbeat.read("w", WORKER.with("available_skills", wrong)))
                    .isInstanceOf(MalformedMessage.class);
        }
    }

    @Test
    void whateverItIs_allOfItTogetherHasABound() {
        var much = new JsonString("x".repeat(70_000));
        for (var member : List.of("worker_type", "hostname", "instance")) {
            assertThatThrownBy(() -> Register.read(WORKER.with(member, much)))
                    .hasMessageContaining("at most 65536 characters");
        }
        assertThatThrownBy(() ->
                        Register.read(
                                WORKER.with("multi_orchestrator_info", JsonObject.of("a", much))))
                .hasMessageContaining("at most 65536 characters");
        assertThatThrownBy(() -> Heartbeat.read("w", WORKER.with("hot_cache", JsonArray.of(much))))
                .hasMessageContaining("at most 65536 characters");
    }

    /// A worker with thousands of tasks in work lists them all.
    @Test
    void whatIsNotKept_hasNoBoundHere() {
        var tasks = types(10_000, "a-lease-token-that-is-rather-long.");

        assertThat(Heartbeat.read("w", WORKER.with("current_tasks", tasks)))
                .isInstanceOf(Heartbeat.Full.class);
    }
}
