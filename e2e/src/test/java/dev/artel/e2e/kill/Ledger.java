package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/// The jobs that were acknowledged, and whether each ended as it should: once.
final class Ledger {
    private static final Set<String> ANOTHER_END = Set.of("failed", "cancelled", "quarantined");

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
            try (var _ = orchestrator.explained(job)) {
                Await.await("job " + job + " has finished")
                        .until(() -> hasFinished(orchestrator, job));
            }
            audit(job, orchestrator.history(job), tasksOfEach);
        }
    }

    private static boolean hasFinished(Orchestrator orchestrator, String job) throws Exception {
        var status = orchestrator.awaitStatus(job);
        if (status.filter(ANOTHER_END::contains).isPresent()) {
            throw new AssertionError(
                    "job "
                            + job
                            + " is "
                            + status.get()
                            + ", its history:\n"
                            + text(orchestrator, job));
        }
        return status.equals(Optional.of("finished"));
    }

    private static String text(Orchestrator orchestrator, String job) throws Exception {
        return orchestrator.history(job).stream()
                .map(event -> new String(JsonText.write(event), StandardCharsets.UTF_8))
                .collect(Collectors.joining("\n"));
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
