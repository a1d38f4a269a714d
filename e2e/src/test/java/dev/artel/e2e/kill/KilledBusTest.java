package dev.artel.e2e.kill;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A process card whose steps are done by an agent on RabbitMQ that knows nothing of Artel: broker, agent and orchestrator are killed in turn, and each process
/// ends once.
@Timeout(Await.HUNG)
@Tag("kill")
@Tag("long")
final class KilledBusTest {
    private static final Path CARDS = Path.of("src", "test", "resources", "cards");
    private static final int ROUNDS = 2;

    /// The tasks of each process beside those of its subprocess.
    private static final int TASKS = 3;

    /// What each process and its subprocess leave in the file at least: the first step fails once.
    private static final int NOTES = 5;

    @TempDir Path folder;

    @BeforeEach
    void needBrokerAndAgent() {
        OptionalService.assumeAll(OptionalService.RABBITMQ, OptionalService.PYTHON_PIKA);
    }

    @Test
    void aCardOfFiveSteps_endsOnce_whileBrokerAgentAndOrchestratorAreKilledInTurn()
            throws Exception {
        var notes = Files.createFile(folder.resolve("notes"));
        try (var broker = new ServiceBroker(folder.resolve("services"));
                var orchestrator = orchestrator(broker);
                var agent =
                        new BusAgent(
                                broker.uri(), "agent.notes.001", folder.resolve("agent.log"))) {
            var jobs = new ArrayList<String>();
            var kills =
                    List.<Kill>of(
                            broker::killAndRestart, agent::kill, orchestrator::killAndRestart);
            for (var round = 0; round < ROUNDS; round++) {
                for (var kill : kills) {
                    // However fast the steps are, there are some for the kill to hit.
                    var before = lines(notes).size();
                    jobs.add(submit(orchestrator, notes));
                    awaitProgress(orchestrator, jobs.getLast(), notes, before);
                    kill.act();
                }
            }

            var ledger = new Ledger();
            jobs.forEach(ledger::acknowledged);
            ledger.audit(orchestrator, TASKS);

            var done = lines(notes);
            assertThat(new HashSet<>(done))
                    .as("the steps that were done")
                    .hasSize(jobs.size() * (TASKS + 1));
            assertThat(done).hasSizeGreaterThanOrEqualTo(jobs.size() * NOTES);
            var histories = new ArrayList<String>();
            for (var job : jobs) {
                assertThat(endsOfChildren(orchestrator, job)).as("of job %s", job).isEqualTo(1);
                histories.add(orchestrator.history(job).toString());
            }
            // A kill may take the report of a failure with it, but not of each job.
            assertThat(histories).anyMatch(it -> it.contains("not there for a moment"));
        }
    }

    private interface Kill {
        void act() throws IOException;
    }

    private Orchestrator orchestrator(ServiceBroker broker) throws IOException {
        var blueprints = Files.createDirectories(folder.resolve("data").resolve("blueprints"));
        for (var card : List.of("bus-report.yaml", "bus-notes.yaml")) {
            Files.copy(CARDS.resolve(card), blueprints.resolve(card));
        }
        var settings = new HashMap<>(Orchestrator.SHORT_TERMS);
        settings.put("ARTEL_MINDBUS_URI", broker.uri().toString());
        // The only agent fails and is killed on purpose: a suspension would stop everything.
        settings.put("ARTEL_MINDBUS_BREAKER_FAILURES", "0");
        return new Orchestrator(folder, Map.copyOf(settings));
    }

    private static String submit(Orchestrator orchestrator, Path notes) {
        var input = JsonObject.of("file", JsonValue.of(notes.toAbsolutePath().toString()));
        return orchestrator.submitted("bus-report", input);
    }

    /// The next kill is to hit something that goes on.
    ///
    /// @param before how many steps were done before the job began
    private static void awaitProgress(
            Orchestrator orchestrator, String job, Path notes, int before) {
        try (var _ = orchestrator.explained(job)) {
            await("a step is done").until(() -> lines(notes).size() > before);
        }
    }

    private static List<String> lines(Path notes) throws IOException {
        return Files.readAllLines(notes);
    }

    private static long endsOfChildren(Orchestrator orchestrator, String job)
            throws IOException, InterruptedException {
        return orchestrator.history(job).stream()
                .filter(event -> event.string("type").filter("child.ended"::equals).isPresent())
                .count();
    }
}
