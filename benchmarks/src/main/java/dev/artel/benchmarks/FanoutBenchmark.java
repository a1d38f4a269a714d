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
    public List<String> metrics() {
        return List.of("seconds", "seconds_1000", "peak_heap_bytes_per_task");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var tasks = size.fixed(LARGE, 50);
        var fewer = size.fixed(SMALL, 10);
        var large = new ArrayList<Double>();
        var small = new ArrayList<Double>();
        var heap = new ArrayList<Double>();
        try (var testCluster = TestCluster.start(128)) {
            for (var i = 0; i < size.runs(RUNS); i++) {
                seconds(testCluster, fewer);
            }
            seconds(testCluster, tasks);
            for (var i = 0; i < size.runs(RUNS); i++) {
                small.add(seconds(testCluster, fewer));
                var before = testCluster.resetHeap();
                large.add(seconds(testCluster, tasks));
                heap.add((testCluster.peakHeap() - before) / (double) tasks);
            }
        }
        return List.of(
                new BenchmarkResult(name(), "seconds", "s", BenchmarkResult.Better.LOWER, large),
                new BenchmarkResult(
                        name(), "seconds_1000", "s", BenchmarkResult.Better.LOWER, small),
                new BenchmarkResult(
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
