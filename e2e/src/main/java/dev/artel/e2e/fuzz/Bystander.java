package dev.artel.e2e.fuzz;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.JobRef;
import dev.artel.client.JobStatus;
import dev.artel.client.JobSubmission;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.worker.Result;
import dev.artel.worker.TaskContext;
import dev.artel.worker.Worker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A worker of the SDK that keeps to the protocol, on the wire of the hostile ones, and a client whose jobs it does one after another: each must be done, and in
/// time. Beside them the client keeps tasks in the queue that hostile workers get.
final class Bystander implements HostileJson.Stolen, AutoCloseable {
    private static final Duration LONGEST = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(50);
    private static final int PREY = 500;

    private final ArtelClient client;
    private final Worker worker;
    private final FuzzFindings findings;
    private final Thread thread;
    private volatile boolean isClosing;
    private volatile String lease = "";
    private final AtomicInteger done = new AtomicInteger();
    private final AtomicLong slowest = new AtomicLong();
    private @Nullable JobRef prey;

    Bystander(ServerUnderFuzz.Address address, FuzzedWire wire, FuzzFindings findings) {
        this.findings = findings;
        client = ArtelClient.of(address.http(), address.clientToken());
        worker =
                Worker.named(ServerUnderFuzz.GOOD)
                        .orchestrator(address.of(wire), ServerUnderFuzz.token(ServerUnderFuzz.GOOD))
                        .longestBackoff(Duration.ofMillis(500))
                        .withoutShutdownHook()
                        .handle("echo", JsonObject.class, this::echo)
                        .build();
        worker.start();
        thread = Thread.ofPlatform().name("bystander").start(this::run);
    }

    private Result echo(JsonObject params, TaskContext task) {
        lease = task.taskId();
        return Result.successOf(params);
    }

    @Override
    public String lease() {
        return lease;
    }

    /// How many of its jobs were done.
    int done() {
        return done.get();
    }

    /// How long the slowest of them took.
    Duration slowest() {
        return Duration.ofNanos(slowest.get());
    }

    private void run() {
        while (!isClosing) {
            try {
                keepPrey();
                one();
            } catch (ClientException refused) {
                findings.add(
                        "a request of the client that keeps to the protocol failed: " + refused);
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void one() {
        var began = System.nanoTime();
        var job =
                client.submit(
                        JobSubmission.of("echo", JsonObject.of("text", new JsonString("hi"))));
        var view = client.awaitFinal(job, LONGEST);
        var took = System.nanoTime() - began;
        if (view.status() != JobStatus.FINISHED) {
            findings.add(
                    "a job of the worker that keeps to the protocol is "
                            + view.status()
                            + " after "
                            + TimeUnit.NANOSECONDS.toMillis(took)
                            + " ms");
            return;
        }
        done.incrementAndGet();
        slowest.accumulateAndGet(took, Math::max);
    }

    private void keepPrey() {
        var before = prey;
        if (before == null || client.find(before).status().isFinal()) {
            prey =
                    client.submit(
                            JobSubmission.of("fanout", JsonObject.of("count", JsonValue.of(PREY))));
        }
    }

    /// Ends both, and the tasks of hostile workers.
    @Override
    public void close() {
        isClosing = true;
        try {
            thread.join();
            var last = prey;
            if (last != null) {
                client.cancel(last);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            worker.close();
            client.close();
        }
    }
}
