package dev.artel.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
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

    /// Trap: a worker that costs less than nothing, or has any number of slots, is the first to get each task.
    @Test
    void aPriceBelowZero_countsAsZero_andSlotsHaveABound() {
        var prices =
                (JsonObject)
                        JsonText.read(
                                """
                                {"worker_id":"w","cost":-5,"cost_per_second":-0.0,
                                 "cost_per_skill":{"a":-1,"b":2},"max_concurrent_tasks":2147483647}
                                """);

        var profile = Register.read(prices).profile();

        assertThat(profile.costs().perTask()).isEqualTo(0.0);
        assertThat(profile.costs().perSecond()).isEqualTo(0.0);
        assertThat(profile.costs().perSkill()).containsEntry("a", 0.0).containsEntry("b", 2.0);
        assertThat(profile.limits().maxConcurrentTasks()).isEqualTo(10_000);
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

    /// Trap: a poll names task types without number, which are kept for its worker as if it had registered them.
    @Test
    void theTaskTypesOfAPoll_haveTheBoundsOfARegistration() {
        var many = IntStream.range(0, 1_001).mapToObj(i -> "t" + i).toList();
        var tooLong = List.of("t".repeat(201));
        var much = IntStream.range(0, 400).mapToObj(i -> "t".repeat(190) + i).toList();
        for (var wrong : List.of(many, tooLong, much)) {
            assertThatThrownBy(() -> new WorkerMessage.Poll("w", 1, wrong, null, null))
                    .isInstanceOf(MalformedMessage.class)
                    .hasMessageStartingWith("available_skills: expected ");
            assertThatThrownBy(() -> new WorkerMessage.Poll("w", 1, null, wrong, null))
                    .hasMessageStartingWith("hot_skills: expected ");
        }
    }

    /// Trap: lists of leases are compared with each other, and a megabyte of them takes minutes.
    @Test
    void moreLeasesThanAWorkerMayHold_areRefused() {
        var leases = types(10_001, "l");
        assertThatThrownBy(() -> Renew.read("w", JsonObject.of("lease_tokens", leases)))
                .hasMessageContaining("at most 10000 of them");
        assertThatThrownBy(() -> Release.read(WORKER.with("lease_tokens", leases)))
                .hasMessageContaining("at most 10000 of them");
        assertThatThrownBy(() -> Heartbeat.read("w", JsonObject.of("current_tasks", leases)))
                .hasMessageContaining("at most 10000 of them");
    }

    /// A worker with thousands of tasks in work lists them all.
    @Test
    void whatIsNotKept_hasNoBoundHere() {
        var tasks = types(10_000, "a-lease-token-that-is-rather-long.");

        assertThat(Heartbeat.read("w", WORKER.with("current_tasks", tasks)))
                .isInstanceOf(Heartbeat.Full.class);
    }
}
