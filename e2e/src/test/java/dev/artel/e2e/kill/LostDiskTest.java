package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.e2e.payloads.S3Server;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelMaintenance;
import dev.artel.waits.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The data folder is gone, and the copy that was kept meanwhile is put back.
@Tag("kill")
@Tag("long")
final class LostDiskTest {
    private static final int CLIENTS = 4;
    private static final int LOSSES = 2;

    /// Some jobs have data that are kept beside the database.
    private static final String LARGE = "x".repeat(100_000);

    /// On a machine that does nothing else it is little more than a second; on a busy one the copy and this test may stand still.
    private static final Duration BEHIND = Duration.ofMinutes(2);

    @TempDir Path folder;

    private record Acknowledged(String job, Instant at) {}

    private final Queue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();

    /// Where a copy is kept.
    ///
    /// @param to as it is named in the settings and to `restore`
    /// @param settings with which it is reached
    /// @param head what the copy names as its beginning; empty: there is none yet
    private record Copy(String to, Map<String, String> settings, Callable<Optional<byte[]>> head) {}

    @Test
    void whateverWasCommittedBeforeTheLastSegment_isThereAfterTheDiskIsLost_andEndsOnce()
            throws Exception {
        var place = folder.resolve("copy");
        var head = place.resolve("head.json");
        losesItsDisk(
                new Copy(
                        place.toString(),
                        Map.of(),
                        () ->
                                Files.exists(head)
                                        ? Optional.of(Files.readAllBytes(head))
                                        : Optional.empty()));
    }

    /// Trap: what a folder can do is tested, and a bucket is what is used.
    @Test
    void withACopyInABucket_theSameIsThereAfterTheDiskIsLost_andEndsOnce() throws Exception {
        var server = S3Server.start();
        try {
            var bucket = server.bucket("copies");
            var keys = bucket.keys().orElseThrow();
            losesItsDisk(
                    new Copy(
                            "s3://copies/of/artel",
                            Map.of(
                                    "ARTEL_BACKUP_S3_ENDPOINT",
                                    bucket.endpoint().orElseThrow().toString(),
                                    "ARTEL_BACKUP_S3_PATH_STYLE",
                                    "true",
                                    "ARTEL_BACKUP_S3_ACCESS_KEY",
                                    keys.access(),
                                    "ARTEL_BACKUP_S3_SECRET_KEY",
                                    keys.secret()),
                            () -> server.object("copies", "of/artel/head.json")));
        } finally {
            server.stop();
        }
    }

    private void losesItsDisk(Copy copy) throws Exception {
        var settings = new HashMap<>(Orchestrator.SHORT_TERMS);
        settings.putAll(copy.settings());
        settings.put("ARTEL_BACKUP_TO", copy.to());
        settings.put("ARTEL_BACKUP_EVERY", "1s");
        var over = new AtomicBoolean();
        try (var orchestrator = new Orchestrator(folder, settings);
                var one = worker(orchestrator, "one");
                var two = worker(orchestrator, "two");
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (var i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> load(orchestrator, over)));
            }
            for (var loss = 0; loss < LOSSES; loss++) {
                var begin = acknowledged.size();
                var started = Instant.now();
                Await.await("jobs of this time are in the copy")
                        .until(() ->
                                acknowledgedBy(until(copy)) > begin + 50
                                        && until(copy).isAfter(started.plusSeconds(3)));
                orchestrator.kill();
                var killed = Instant.now();
                remove(orchestrator.data());
                var until = until(copy);
                assertThat(Duration.between(until, killed)).isLessThan(BEHIND);

                assertThat(restore(copy, orchestrator.data())).isZero();
                orchestrator.start();
                var lost = new ArrayList<Acknowledged>();
                for (var job : List.copyOf(acknowledged)) {
                    if (!orchestrator.knows(job.job())) {
                        lost.add(job);
                    }
                }
                assertThat(lost).allMatch(job -> job.at().isAfter(until));
                acknowledged.removeAll(lost);
            }
            over.set(true);
            for (var client : running) {
                client.get(Await.seconds(), TimeUnit.SECONDS);
            }

            assertThat(one.isAlive() && two.isAlive()).as("the workers live").isTrue();
            var ledger = new Ledger();
            for (var job : acknowledged) {
                // What was acknowledged between the last look and the kill may be lost, too.
                if (orchestrator.knows(job.job())) {
                    ledger.acknowledged(job.job());
                }
            }
            assertThat(ledger.size()).isGreaterThan(100);
            ledger.audit(orchestrator, 3);
        }
    }

    private Void load(Orchestrator orchestrator, AtomicBoolean over) throws InterruptedException {
        for (var i = 0; !over.get(); i++) {
            var data =
                    JsonObject.builder().put("n", i).put("text", i % 10 == 0 ? LARGE : "").build();
            var job = orchestrator.submit("chain3", UUID.randomUUID().toString(), data);
            if (job.isPresent()) {
                acknowledged.add(new Acknowledged(job.get(), Instant.now()));
                var _ = orchestrator.awaitStatus(job.get());
            } else {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
        return null;
    }

    private long acknowledgedBy(Instant until) {
        return acknowledged.stream().filter(job -> !job.at().isAfter(until)).count();
    }

    private static Instant until(Copy copy) throws Exception {
        return copy.head()
                .call()
                .map(head -> (JsonObject) JsonText.read(head))
                .map(head -> Instant.parse(head.string("until").orElseThrow()))
                .orElse(Instant.EPOCH);
    }

    private int restore(Copy copy, Path data) throws Exception {
        try (var process =
                Jvm.start(
                        ArtelMaintenance.class,
                        copy.settings(),
                        folder.resolve("restore.log"),
                        List.of("restore", copy.to(), "--data", data.toString()))) {
            return process.await();
        }
    }

    private static void remove(Path data) throws IOException {
        try (var files = Files.walk(data)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> {
                        try {
                            Files.delete(file);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    });
        }
    }

    private Jvm worker(Orchestrator orchestrator, String name) throws Exception {
        return Jvm.start(
                TestWorker.class,
                Map.of(),
                folder.resolve(name + ".log"),
                List.of(orchestrator.uri().toString(), Orchestrator.WORKER_TOKEN, name, "10000"));
    }
}
