package dev.artel.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// The jobs of the benchmark `http` with the worker of the SDK on each wire. The orchestrators, each with its store on the disk, and their workers are there
/// at the same time, and take turns, so that what else the machine does strikes all wires alike.
final class WiresBenchmark implements Benchmark {
    private static final List<String> SCHEMES = List.of("http", "ws", "zmq");
    private static final int WARM_UP = 16_000;
    private static final int JOBS = 4_000;
    private static final int TASKS_AT_ONCE = 64;
    private static final int FEW = 64;
    private static final int RUNS = 5;
    private static final String RATE = "_jobs_per_second";
    private static final String LATENCY = "_single_job_p50_ms";

    @Override
    public String name() {
        return "wires";
    }

    @Override
    public List<String> metrics() {
        return SCHEMES.stream()
                .flatMap(scheme -> Stream.of(scheme + RATE, scheme + LATENCY))
                .toList();
    }

    /// What was measured with one wire.
    private record Measured(List<Double> rates, List<Double> latencies) {
        Measured() {
            this(new ArrayList<>(), new ArrayList<>());
        }
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var clusters = new LinkedHashMap<String, TestCluster>();
        var measured = new LinkedHashMap<String, Measured>();
        try {
            for (var scheme : SCHEMES) {
                clusters.put(scheme, TestCluster.start(TASKS_AT_ONCE, scheme));
                measured.put(scheme, new Measured());
            }
            for (var cluster : clusters.values()) {
                HttpBenchmark.load(cluster, size.fixed(WARM_UP, FEW));
                HttpBenchmark.alone(cluster, Chains.ORDINARY, size);
            }
            for (var i = 0; i < size.runs(RUNS); i++) {
                for (var scheme : clusters.sequencedKeySet()) {
                    measure(clusters, measured, scheme, size);
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
                    new BenchmarkResult(
                            name(),
                            scheme + RATE,
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            figures.rates()));
            results.add(
                    new BenchmarkResult(
                            name(),
                            scheme + LATENCY,
                            "ms",
                            BenchmarkResult.Better.LOWER,
                            figures.latencies()));
        });
        return results;
    }

    private static void measure(
            SequencedMap<String, TestCluster> clusters,
            SequencedMap<String, Measured> measured,
            String scheme,
            Size size)
            throws Exception {
        var cluster = clusters.get(scheme);
        var figures = measured.get(scheme);
        if (cluster == null || figures == null) {
            throw new IllegalStateException("there is no orchestrator for " + scheme);
        }
        var jobs = size.of(JOBS, FEW);
        var began = System.nanoTime();
        HttpBenchmark.load(cluster, jobs);
        figures.rates().add(jobs / ((System.nanoTime() - began) / 1e9));
        figures.latencies().add(HttpBenchmark.alone(cluster, Chains.ORDINARY, size));
    }
}
