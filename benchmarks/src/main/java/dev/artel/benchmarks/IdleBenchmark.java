package dev.artel.benchmarks;

import java.time.Duration;
import java.util.List;

/// 5,000 workers that find nothing to do: what they cost the orchestrator in processor time and memory.
///
/// The orchestrator is a process of its own with its store on the disk, the workers are another one. Each worker has two
/// connections: on one a poll waits, 30 s each, on the other it sends a heartbeat each 15 s. They are spread evenly over
/// time, which makes 500 requests a second.
///
/// What is measured is the long run, not the start: all workers register, then heartbeats come as fast as they are
/// answered until the code is compiled, then all is at its pace for a while, and only then it counts. The
/// processor time is that of all threads of the orchestrator, in its own code and in the kernel, by 1 % of one core;
/// the memory is what it has resident at the end, the code and the caches of the JVM included. All answers of
/// that time must be good and none may be missing.
final class IdleBenchmark implements Benchmark {
    private static final int WORKERS = 5_000;
    private static final Duration WARM_UP = Duration.ofSeconds(15);
    private static final Duration SETTLING = Duration.ofSeconds(90);
    private static final Duration BRIEFLY = Duration.ofSeconds(1);

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public List<String> metrics() {
        return List.of("cpu_percent_of_core", "rss_mb");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var count = size.fixed(WORKERS, 60);
        try (var server = LoadedServer.start();
                var workers =
                        server.workers(
                                IdleWorkers.class,
                                Integer.toString(count),
                                Long.toString(size.of(WARM_UP, BRIEFLY).toSeconds()))) {
            var warmed = workers.ask("warm");
            if (!warmed.equals("warm")) {
                throw new IllegalStateException("the warm-up did not end: " + warmed);
            }
            return IdleCost.of(
                            server,
                            workers,
                            size.of(SETTLING, BRIEFLY),
                            size,
                            (answers, seconds) ->
                                    requireHealth(
                                            size.expected(count * seconds * (1.0 / 15 + 1.0 / 30)),
                                            answers))
                    .results(name(), "");
        }
    }

    /// Heartbeats and ends of polls must have been answered as they should.
    private static void requireHealth(double expected, String answers) {
        var good = Long.parseLong(answers.split(" ", -1)[0]);
        var bad = Long.parseLong(answers.split(" ", -1)[1]);
        if (bad > 0 || good < expected * 0.97) {
            throw new IllegalStateException(
                    good + " good answers and " + bad + " bad ones; expected " + expected);
        }
    }
}
