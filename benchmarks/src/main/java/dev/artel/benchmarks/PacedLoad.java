package dev.artel.benchmarks;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.task.TaskSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/// Tasks at a fixed rate, whether or not those before are done: jobs of ten tasks `noop`, over HTTP. Each task knows when its job was due to be
/// submitted, by `System.nanoTime()`, which on one machine is the same for all processes; a job that is submitted late is late for its tasks, too. The load
/// program takes the time when the orchestrator has acknowledged the result.
final class PacedLoad {
    static final String SENT_AT = "sent_at";

    /// The tasks a second of the smallest size.
    static final int SLOW = 50;

    private static final String NAME = "paced";
    private static final int WIDTH = 10;
    private static final int CLIENTS = 8;
    private static final int WAITING_CLIENTS = 64;
    private static final int RUNS = 3;
    private static final Duration RUN = Duration.ofSeconds(10);
    private static final Duration BRIEFLY = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofMillis(100);

    private PacedLoad() {}

    /// Milliseconds from the time when a task was due to be submitted until its result was acknowledged.
    private record Latency(double p50, double p99) {
        /// @param log what [LatencyLog#toString] has
        static Latency of(String log) {
            var fields = log.split(" ", -1);
            return new Latency(Double.parseDouble(fields[1]), Double.parseDouble(fields[2]));
        }
    }

    static Blueprint blueprint() {
        return Blueprint.named(NAME)
                .start("spread", PacedLoad::spread)
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Action spread(Step step) {
        var sentAt = step.initialData().get(SENT_AT).orElseThrow();
        var task = TaskSpec.of("noop", JsonObject.of(SENT_AT, sentAt));
        return Action.dispatchParallel(Collections.nCopies(WIDTH, task), "done");
    }

    /// What tasks take at that rate, three times, after a warm-up.
    ///
    /// @param workers a load program that answers as [LoadCounts#answer]
    static List<BenchmarkResult> results(
            String benchmark,
            LoadedServer server,
            ChildProcess workers,
            int tasksPerSecond,
            Size size)
            throws IOException, InterruptedException {
        var time = size.of(RUN, BRIEFLY);
        var latencies = new ArrayList<Latency>();
        run(server, workers, tasksPerSecond, time);
        for (var i = 0; i < size.runs(RUNS); i++) {
            latencies.add(run(server, workers, tasksPerSecond, time));
        }
        return results(benchmark, tasksPerSecond, latencies);
    }

    private static List<BenchmarkResult> results(
            String benchmark, int tasksPerSecond, List<Latency> latencies) {
        return List.of(
                new BenchmarkResult(
                        benchmark,
                        "paced_tasks_per_second",
                        "1/s",
                        BenchmarkResult.Better.HIGHER,
                        List.of((double) tasksPerSecond)),
                new BenchmarkResult(
                        benchmark,
                        "latency_p50_ms",
                        "ms",
                        BenchmarkResult.Better.LOWER,
                        latencies.stream().map(Latency::p50).toList()),
                new BenchmarkResult(
                        benchmark,
                        "latency_p99_ms",
                        "ms",
                        BenchmarkResult.Better.LOWER,
                        latencies.stream().map(Latency::p99).toList()));
    }

    /// How long jobs take at that rate of tasks, from the time when each was due to be submitted until its client knows that all of its ten tasks are
    /// done: for a wire on which workers do not learn that their results are kept.
    static List<BenchmarkResult> jobResults(
            String benchmark, LoadedServer server, int tasksPerSecond, Size size)
            throws IOException, InterruptedException {
        var time = size.of(RUN, BRIEFLY);
        var latencies = new ArrayList<Latency>();
        runJobs(server, tasksPerSecond, time);
        for (var i = 0; i < size.runs(RUNS); i++) {
            latencies.add(runJobs(server, tasksPerSecond, time));
        }
        return results(benchmark, tasksPerSecond, latencies);
    }

    private static Latency runJobs(LoadedServer server, int tasksPerSecond, Duration time)
            throws IOException, InterruptedException {
        var log = new LatencyLog();
        put(
                server,
                jobs(tasksPerSecond, time),
                time,
                WAITING_CLIENTS,
                (client, due) -> {
                    TestCluster.finished(client, submit(client, due));
                    log.acknowledged(due);
                });
        return Latency.of(log.toString());
    }

    /// Puts the load on for `time`.
    private static Latency run(
            LoadedServer server, ChildProcess workers, int tasksPerSecond, Duration time)
            throws IOException, InterruptedException {
        workers.ask("reset");
        var jobs = jobs(tasksPerSecond, time);
        put(server, jobs, time, CLIENTS, PacedLoad::submit);
        return latency(workers, jobs * WIDTH);
    }

    private static int jobs(int tasksPerSecond, Duration time) {
        return Math.max(1, (int) (tasksPerSecond * time.toMillis() / 1000 / WIDTH));
    }

    /// What a client does when a job is due.
    private interface Turn {
        void take(HttpClient client, long due) throws IOException;
    }

    private static void put(LoadedServer server, int jobs, Duration time, int count, Turn turn)
            throws IOException, InterruptedException {
        var period = time.toNanos() / jobs;
        var began = System.nanoTime() + PAUSE.toNanos();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var clients = new ArrayList<Future<?>>();
            for (var i = 0; i < count; i++) {
                var first = i;
                clients.add(
                        threads.submit(() -> {
                            try (var client = server.client()) {
                                for (var job = first; job < jobs; job += count) {
                                    turn.take(client, await(began + job * period));
                                }
                            }
                            return null;
                        }));
            }
            for (var client : clients) {
                client.get();
            }
        } catch (ExecutionException failed) {
            throw new IOException("a client of the paced load failed", failed.getCause());
        }
    }

    /// @return `due`, which has come
    private static long await(long due) {
        for (var left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        return due;
    }

    private static JsonObject submit(HttpClient client, long due) throws IOException {
        var job =
                JsonObject.of(
                        "blueprint",
                        JsonValue.of(NAME),
                        "initial_data",
                        JsonObject.of(SENT_AT, JsonNumber.of(due)));
        return client.post("/api/v1/jobs", job);
    }

    private static Latency latency(ChildProcess workers, int tasks)
            throws IOException, InterruptedException {
        var deadline = System.nanoTime() + LONGEST.toNanos();
        while (System.nanoTime() < deadline) {
            var log = workers.ask("latency");
            if (Integer.parseInt(log.split(" ", -1)[0]) >= tasks) {
                return Latency.of(log);
            }
            Thread.sleep(PAUSE);
        }
        throw new IOException(
                "of " + tasks + " tasks not all are acknowledged: " + workers.ask("latency"));
    }
}
