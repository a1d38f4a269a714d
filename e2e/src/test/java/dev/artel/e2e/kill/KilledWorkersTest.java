package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Promises G4 and G5, with real processes.
@Tag("kill")
@Tag("long")
final class KilledWorkersTest {
    private static final int KILLS = 5;

    @TempDir Path folder;

    @Test
    void aTaskWhoseWorkerIsKilled_isDoneByAnother_andItsOutcomeIsAppliedOnce() throws Exception {
        var ledger = new Ledger();
        try (var orchestrator = new Orchestrator(folder);
                var survivor = worker(orchestrator, "survivor")) {
            for (var kill = 0; kill < KILLS; kill++) {
                try (var victim = worker(orchestrator, "victim-" + kill)) {
                    var holder = "victim-" + kill;
                    Await.await("victim " + kill + " holds a lease")
                            .until(() -> oneMoreJob(orchestrator, ledger, holder));
                    victim.kill();
                }
                // Before the next one joins: a task lost with three workers is quarantined,
                // rightly.
                ledger.audit(orchestrator, 1);
            }

            assertThat(survivor.isAlive()).isTrue();
            assertThat(ledger.lost(orchestrator)).as("leases lost with the victims").isPositive();
        }
    }

    private static boolean oneMoreJob(Orchestrator orchestrator, Ledger ledger, String holder)
            throws Exception {
        var nap = JsonObject.of("millis", JsonValue.of(1500));
        var job = orchestrator.submitted("echo", nap);
        ledger.acknowledged(job);
        return Await.await("job " + job + " is handed out")
                .until(() -> Ledger.holder(orchestrator.history(job)), Optional::isPresent)
                .equals(Optional.of(holder));
    }

    private Jvm worker(Orchestrator orchestrator, String name) throws Exception {
        return Jvm.start(
                TestWorker.class,
                Map.of(),
                folder.resolve(name + ".log"),
                List.of(orchestrator.uri().toString(), Orchestrator.WORKER_TOKEN, name, "4000"));
    }
}
