package dev.artel.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What open dashboards cost: the load of `http`, by turns without and with 200 readers of the stream of the overview, each on a connection of
/// its own; and an idle orchestrator with and without them.
///
/// The readers live in the process of the load, which takes from the same processors what browsers would take elsewhere.
final class DashboardsBenchmark implements Benchmark {
    private static final int DASHBOARDS = 200;
    private static final int WARM_UP = 16_000;
    private static final int JOBS = 8_000;
    private static final int FEW = 64;
    private static final int ROUNDS = 5;
    private static final Duration IDLE = Duration.ofSeconds(30);

    @Override
    public String name() {
        return "dashboards";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "jobs_per_second",
                "watched_jobs_per_second",
                "watched_ratio",
                "idle_cpu_percent_of_core",
                "watched_idle_cpu_percent_of_core");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var alone = new ArrayList<Double>();
        var watched = new ArrayList<Double>();
        var ratios = new ArrayList<Double>();
        double idle;
        double watchedIdle;
        try (var cluster = TestCluster.start(64)) {
            HttpBenchmark.load(cluster, size.fixed(WARM_UP, FEW));
            for (var round = 0; round < size.runs(ROUNDS); round++) {
                alone.add(rate(cluster, size.of(JOBS, FEW)));
                try (var readers = OverviewReaders.open(cluster, size.fixed(DASHBOARDS, 3))) {
                    watched.add(rate(cluster, size.of(JOBS, FEW)));
                    readers.requireAllOpen();
                }
                ratios.add(watched.getLast() / alone.getLast());
            }
            idle = cpuPercent(cluster, size);
            try (var readers = OverviewReaders.open(cluster, size.fixed(DASHBOARDS, 3))) {
                watchedIdle = cpuPercent(cluster, size);
                readers.requireAllOpen();
            }
        }
        return List.of(
                result("jobs_per_second", "1/s", BenchmarkResult.Better.HIGHER, alone),
                result("watched_jobs_per_second", "1/s", BenchmarkResult.Better.HIGHER, watched),
                result("watched_ratio", "", BenchmarkResult.Better.HIGHER, ratios),
                result(
                        "idle_cpu_percent_of_core",
                        "%",
                        BenchmarkResult.Better.LOWER,
                        List.of(idle)),
                result(
                        "watched_idle_cpu_percent_of_core",
                        "%",
                        BenchmarkResult.Better.LOWER,
                        List.of(watchedIdle)));
    }

    private BenchmarkResult result(
            String metric, String unit, BenchmarkResult.Better better, List<Double> runs) {
        return new BenchmarkResult(name(), metric, unit, better, runs);
    }

    private static double rate(TestCluster cluster, int jobs) throws Exception {
        var began = System.nanoTime();
        HttpBenchmark.load(cluster, jobs);
        return jobs / ((System.nanoTime() - began) / 1e9);
    }

    /// What the orchestrator takes of a core while nothing happens.
    private static double cpuPercent(TestCluster cluster, Size size)
            throws IOException, InterruptedException {
        var before = cluster.serverCpu();
        var began = System.nanoTime();
        Thread.sleep(size.of(IDLE, Duration.ofSeconds(1)));
        return cluster.serverCpu().minus(before).toNanos() * 100.0 / (System.nanoTime() - began);
    }
}
