package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.BlueprintProvider;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Promises G1, G4, G5, G7 and G10, with real processes, for blueprints of states and durable functions.
@Execution(ExecutionMode.CONCURRENT)
@Tag("kill")
final class KilledOrchestratorTest {
    private static final int CLIENTS = 8;
    private static final int ORCHESTRATORS = 2;
    private static final int KILLS_BETWEEN_JOBS = 5;

    /// Of each orchestrator; all together are killed so often as is asked for.
    private static final int KILLS =
            Math.ceilDiv(
                    Integer.parseInt(System.getenv().getOrDefault("ARTEL_KILLS", "5")),
                    ORCHESTRATORS);

    @TempDir Path folder;

    /// @param number beside each other, since a start mostly waits
    @ParameterizedTest
    @ValueSource(ints = {1, ORCHESTRATORS})
    void everyAcknowledgedJob_endsExactlyOnce_howeverOftenTheOrchestratorIsKilled(int number)
            throws Exception {
        var seed = Long.getLong("seed", System.nanoTime()) + number - 1;
        var random = new SplittableRandom(seed);
        var ledger = new Ledger();
        var over = new AtomicBoolean();
        BlueprintJar.write(
                folder.resolve("data"), Map.of(BlueprintProvider.class, SteadyFunctions.class));
        try (var orchestrator = new Orchestrator(folder, Orchestrator.SHORT_TERMS);
                var one = worker(orchestrator, "one");
                var two = worker(orchestrator, "two");
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (var i = 0; i < CLIENTS; i++) {
                var blueprint = i % 2 == 0 ? "chain3" : SteadyFunctions.NAME;
                running.add(clients.submit(() -> load(orchestrator, blueprint, ledger, over)));
            }
            for (var kill = 0; kill < KILLS; kill++) {
                // A kill at a random moment under load is what the test is about.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextLong(20, 600)));
                orchestrator.killAndRestart();
                if (kill % KILLS_BETWEEN_JOBS == 0) {
                    // However slow the machine is, there are more jobs than kills.
                    var enough = kill + KILLS_BETWEEN_JOBS + 1;
                    Await.await("more jobs than kills are acknowledged")
                            .until(() -> ledger.size() > enough);
                }
            }
            over.set(true);
            for (var client : running) {
                client.get(Await.seconds(), TimeUnit.SECONDS);
            }

            assertThat(one.isAlive() && two.isAlive()).as("the workers live").isTrue();
            assertThat(ledger.size())
                    .as("jobs under %d kills, -Dseed=%d", KILLS, seed)
                    .isGreaterThan(KILLS);
            ledger.audit(orchestrator, 3);
        }
    }

    private static Void load(
            Orchestrator orchestrator, String blueprint, Ledger ledger, AtomicBoolean over)
            throws InterruptedException {
        while (!over.get()) {
            var key = UUID.randomUUID().toString();
            var job = orchestrator.submit(blueprint, key, JsonObject.of("n", JsonValue.of(1)));
            while (job.isEmpty() && !over.get()) {
                // The same key: whether the first try came through or not, it is one job.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                job = orchestrator.submit(blueprint, key, JsonObject.of("n", JsonValue.of(1)));
            }
            if (job.isPresent()) {
                ledger.acknowledged(job.get());
                orchestrator.awaitStatus(job.get());
            }
        }
        return null;
    }

    private Jvm worker(Orchestrator orchestrator, String name) throws Exception {
        return Jvm.start(
                TestWorker.class,
                Map.of(),
                folder.resolve(name + ".log"),
                List.of(orchestrator.uri().toString(), Orchestrator.WORKER_TOKEN, name, "10000"));
    }
}
