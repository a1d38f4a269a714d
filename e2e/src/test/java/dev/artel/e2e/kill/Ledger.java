package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;

/// The jobs that were acknowledged, and whether each ended as it should: once.
final class Ledger {
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();

    void acknowledged(String job) {
        acknowledged.add(job);
    }

    int size() {
        return acknowledged.size();
    }

    /// Waits until each has finished, and reads the history of each.
    void audit(Orchestrator orchestrator, int tasksOfEach) throws Exception {
        for (var job : acknowledged) {
            Awaitility.await("job " + job + " has finished")
                    .atMost(Duration.ofMinutes(3))
                    .until(() -> orchestrator.awaitStatus(job), Optional.of("finished")::equals);
            audit(job, orchestrator.history(job), tasksOfEach);
        }
    }

    /// How many leases were lost over all jobs.
    int lost(Orchestrator orchestrator) throws Exception {
        var lost = 0;
        for (var job : acknowledged) {
            lost +=
                    (int)
                            orchestrator.history(job).stream()
                                    .filter(event -> is("lease.lost", event))
                                    .count();
        }
        return lost;
    }

    /// Who got the first lease of a job.
    static Optional<String> holder(Collection<JsonObject> history) {
        return history.stream()
                .filter(event -> is("lease.granted", event))
                .findFirst()
                .flatMap(event -> event.string("worker"));
    }

    private static void audit(String job, Collection<JsonObject> history, int tasks) {
        assertThat(history.stream().filter(event -> is("job.ended", event)))
                .as("the ends of job %s", job)
                .hasSize(1);
        assertThat(
                        history.stream()
                                .filter(event -> is("task.succeeded", event))
                                .map(event ->
                                        event.number("task").map(JsonNumber::asLong).orElseThrow()))
                .as("the outcomes applied in job %s", job)
                .doesNotHaveDuplicates()
                .hasSize(tasks);
    }

    private static boolean is(String type, JsonObject event) {
        return event.string("type").equals(Optional.of(type));
    }
}
