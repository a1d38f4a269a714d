package dev.artel.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// One job of many parallel tasks and their join, over HTTP.
final class FanoutBenchmark implements Benchmark {
    private static final int LARGE = 10_000;
    private static final int SMALL = 1_000;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "fanout";
    }

    @Override
    public List<BenchmarkResult> run() throws Exception {
        var large = new ArrayList<Double>();
        var small = new ArrayList<Double>();
        var heap = new ArrayList<Double>();
        try (var testCluster = TestCluster.start(128)) {
            for (var i = 0; i < RUNS; i++) {
                seconds(testCluster, SMALL);
            }
            seconds(testCluster, LARGE);
            for (var i = 0; i < RUNS; i++) {
                small.add(seconds(testCluster, SMALL));
                var before = testCluster.resetHeap();
                large.add(seconds(testCluster, LARGE));
                heap.add((testCluster.peakHeap() - before) / (double) LARGE);
            }
        }
        return List.of(
                BenchmarkResult.best(name(), "seconds", "s", BenchmarkResult.Better.LOWER, large),
                BenchmarkResult.best(
                        name(), "seconds_1000", "s", BenchmarkResult.Better.LOWER, small),
                BenchmarkResult.best(
                        name(),
                        "peak_heap_bytes_per_task",
                        "B",
                        BenchmarkResult.Better.LOWER,
                        heap));
    }

    private static double seconds(TestCluster testCluster, int tasks) throws IOException {
        try (var client = testCluster.client()) {
            return FanoutLoad.seconds(client, tasks);
        }
    }
}
