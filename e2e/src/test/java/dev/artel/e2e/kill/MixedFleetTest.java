package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.e2e.python.PythonWorker;
import dev.artel.e2e.python.PythonWorker.Generation;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.service.OptionalService;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Promises G1, G3, G4, G5 and G10, with workers of all generations side by side.
@Tag("kill")
@Tag("long")
final class MixedFleetTest {
    private static final int CLIENTS = 6;

    /// A tenth of those of [KilledOrchestratorTest]: each costs the workers in Python a pause.
    private static final int KILLS =
            Math.max(3, Integer.parseInt(System.getenv().getOrDefault("ARTEL_KILLS", "10")) / 10);

    private static final Map<String, String> SKILLS = Map.of("SKILLS", "noop");

    @TempDir Path folder;

    @Test
    void workersOfAllGenerations_loseNothing_howeverOftenTheOrchestratorIsKilled()
            throws Exception {
        OptionalService.PYTHON_AIOHTTP.assumePresent();
        var seed = Long.getLong("seed", System.nanoTime());
        var random = new SplittableRandom(seed);
        var ledger = new Ledger();
        var over = new AtomicBoolean();
        try (var orchestrator = new Orchestrator(folder, Orchestrator.SHORT_TERMS);
                var sdk = sdk(orchestrator);
                var alpha = python(orchestrator, Generation.ALPHA);
                var beta = python(orchestrator, Generation.BETA);
                var flat = python(orchestrator, Generation.FLAT);
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (var i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> load(orchestrator, ledger, over)));
            }
            for (var kill = 0; kill < KILLS; kill++) {
                // A kill at a random moment under load is what the test is about.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextLong(300, 1500)));
                orchestrator.killAndRestart();
            }
            for (var worker : List.of(alpha, beta, flat)) {
                Await.await("each worker has had a task")
                        .until(() -> !worker.events("answered").isEmpty());
            }
            over.set(true);
            for (var client : running) {
                client.get(Await.seconds(), TimeUnit.SECONDS);
            }

            ledger.audit(orchestrator, 3);
            assertThat(sdk.isAlive()).isTrue();
            for (var worker : List.of(alpha, beta, flat)) {
                assertThat(worker.isAlive()).isTrue();
                assertThat(worker.events("answered"))
                        .as("results of a worker in Python, -Dseed=%d", seed)
                        .isNotEmpty();
            }
        }
    }

    private static Void load(Orchestrator orchestrator, Ledger ledger, AtomicBoolean over)
            throws InterruptedException {
        var data = JsonObject.of("n", JsonValue.of(1));
        while (!over.get()) {
            var key = UUID.randomUUID().toString();
            var job = orchestrator.submit("chain3", key, data);
            while (job.isEmpty() && !over.get()) {
                // The same key: whether the first try came through or not, it is one job.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                job = orchestrator.submit("chain3", key, data);
            }
            if (job.isPresent()) {
                ledger.acknowledged(job.get());
                orchestrator.awaitStatus(job.get());
            }
        }
        return null;
    }

    private PythonWorker python(Orchestrator orchestrator, Generation generation) throws Exception {
        return PythonWorker.start(
                generation,
                orchestrator.uri(),
                Orchestrator.WORKER_TOKEN,
                "python-" + generation,
                folder,
                SKILLS);
    }

    private Jvm sdk(Orchestrator orchestrator) throws Exception {
        return Jvm.start(
                TestWorker.class,
                Map.of(),
                folder.resolve("sdk.log"),
                List.of(orchestrator.uri().toString(), Orchestrator.WORKER_TOKEN, "sdk", "5000"));
    }
}
