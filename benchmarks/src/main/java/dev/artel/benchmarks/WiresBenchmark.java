package dev.artel.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The jobs of the benchmark `http` with the worker of the SDK on each wire. The orchestrators, each with its store on the disk, and their workers are there
/// at the same time, and take turns, so that what else the machine does strikes all wires alike.
final class WiresBenchmark implements Benchmark {
    private static final List<String> SCHEMES = List.of("http", "ws", "zmq");
    private static final int WARM_UP = 16_000;
    private static final int JOBS = 4_000;
    private static final int TASKS_AT_ONCE = 64;
    private static final int RUNS = 5;

    @Override
    public String name() {
        return "wires";
    }

    /// What was measured with one wire.
    private record Measured(List<Double> rates, List<Double> latencies) {
        Measured() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    @Override
    public List<BenchmarkResult> run() throws Exception {
        var clusters = new LinkedHashMap<String, TestCluster>();
        var measured = new LinkedHashMap<String, Measured>();
        try {
            for (var scheme : SCHEMES) {
                clusters.put(scheme, TestCluster.start(TASKS_AT_ONCE, scheme));
                measured.put(scheme, new Measured());
            }
            for (var cluster : clusters.values()) {
                HttpBenchmark.load(cluster, WARM_UP);
                HttpBenchmark.alone(cluster, Chains.ORDINARY);
            }
            for (var i = 0; i < RUNS; i++) {
                for (var scheme : clusters.sequencedKeySet()) {
                    measure(clusters, measured, scheme);
                }
            }
        } finally {
            for (var cluster : clusters.values()) {
                cluster.close();
            }
        }
        var results = new ArrayList<BenchmarkResult>();
        measured.forEach((scheme, figures) -> {
            results.add(
                    BenchmarkResult.best(
                            name(),
                            scheme + "_jobs_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            figures.rates()));
            results.add(
                    BenchmarkResult.best(
                            name(),
                            scheme + "_single_job_p50_ms",
                            "ms",
                            BenchmarkResult.Better.LOWER,
                            figures.latencies()));
        });
        return results;
    }

    private static void measure(
            SequencedMap<String, TestCluster> clusters,
            SequencedMap<String, Measured> measured,
            String scheme)
            throws Exception {
        var cluster = clusters.get(scheme);
        var figures = measured.get(scheme);
        if (cluster == null || figures == null) {
            throw new IllegalStateException("there is no orchestrator for " + scheme);
        }
        var began = System.nanoTime();
        HttpBenchmark.load(cluster, JOBS);
        figures.rates().add(JOBS / ((System.nanoTime() - began) / 1e9));
        figures.latencies().add(HttpBenchmark.alone(cluster, Chains.ORDINARY));
    }
}
