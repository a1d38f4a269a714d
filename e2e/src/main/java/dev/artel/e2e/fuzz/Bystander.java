package dev.artel.e2e.fuzz;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.JobRef;
import dev.artel.client.JobStatus;
import dev.artel.client.JobSubmission;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.worker.Result;
import dev.artel.worker.TaskContext;
import dev.artel.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A worker of the SDK that keeps to the protocol, on the wire of the hostile ones, and a client whose jobs it does one after another: each must be done, and in
/// time. Beside them the client keeps tasks in the queue that hostile workers get.
final class Bystander implements HostileJson.Stolen, AutoCloseable {
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final Duration PAUSE = Duration.ofMillis(50);

    /// As many times are kept.
    private static final int MOST = 1_000_000;

    private final ArtelClient client;
    private final Worker worker;
    private final FuzzFindings findings;
    private final Thread thread;
    private volatile boolean isClosing;
    private volatile String lease = "";
    private final List<Long> times = new ArrayList<>();
    private @Nullable JobRef prey;

    Bystander(ServerUnderFuzz.Address address, FuzzedWire wire, FuzzFindings findings) {
        this.findings = findings;
        client = ArtelClient.of(address.http(), address.clientToken());
        worker =
                Worker.named(ServerUnderFuzz.GOOD)
                        .orchestrator(address.of(wire), address.token(wire))
                        .longestBackoff(Duration.ofMillis(500))
                        .withoutShutdownHook()
                        .handle("echo", JsonObject.class, this::echo)
                        .build();
        worker.start();
        thread = Thread.ofPlatform().name("bystander").unstarted(this::run);
    }

    private Result echo(JsonObject params, TaskContext task) {
        lease = task.taskId();
        return Result.successOf(params);
    }

    @Override
    public String lease() {
        return lease;
    }

    /// Does some jobs one after another, before any frame is hostile, and goes on with others from then on.
    ///
    /// @param jobs how many; the first tenth of them is not counted
    Latencies alone(int jobs) {
        for (var i = 0; i < jobs; i++) {
            if (i == jobs / 10) {
                var _ = measureAnew();
            }
            one();
        }
        thread.start();
        return measureAnew();
    }

    /// How long its jobs took since this was asked for last.
    synchronized Latencies measureAnew() {
        var taken = new Latencies(times.stream().mapToLong(Long::longValue).toArray());
        times.clear();
        return taken;
    }

    private synchronized void took(long nanos) {
        if (times.size() < MOST) {
            times.add(nanos);
        }
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
                            + " ms",
                    client.explain(job).toString());
            return;
        }
        took(took);
    }

    private void keepPrey() {
        var before = prey;
        if (before == null || client.find(before).status().isFinal()) {
            prey = client.submit(JobSubmission.of(FuzzedServer.PREY, JsonObject.EMPTY));
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
