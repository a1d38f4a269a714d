package dev.artel.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The whole engine on SQLite in a process of its own with [#HEAP] of memory: 1,000,000 queued tasks with 4 KB of
/// parameters each, of fan-outs that were submitted as users do, and how fast one worker drains them, against 10,000.
final class QueueBenchmark implements Benchmark {
    private static final String HEAP = System.getProperty("queue.heap", "1500m");
    private static final int TASKS = Integer.getInteger("queue.tasks", 1_000_000);
    private static final int FEW = 10_000;
    private static final int DRAINED = 10_000;
    private static final int WARM_UP = 3;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public List<BenchmarkResult> run() throws Exception {
        var full = new ArrayList<Double>();
        var few = new ArrayList<Double>();
        var options = new ArrayList<>(ServerProcess.OPTIONS);
        options.add("-Xmx" + HEAP);
        try (var engine = ChildProcess.start(QueueProcess.class, options)) {
            engine.line();
            for (var i = 0; i < WARM_UP; i++) {
                ask(engine, "fill", FEW);
                ask(engine, "drain", FEW);
            }
            for (var i = 0; i < RUNS; i++) {
                ask(engine, "fill", FEW);
                few.add(ask(engine, "drain", FEW));
            }
            var before = ask(engine, "heap", 0);
            var submitted = ask(engine, "fill", TASKS);
            var heap = ask(engine, "heap", 0);
            for (var i = 0; i < RUNS; i++) {
                full.add(ask(engine, "drain", DRAINED));
            }
            var peak = ask(engine, "peak", 0);
            var ratio = median(full) / median(few);
            return List.of(
                    lower("heap_mb", "MB", heap / 1e6),
                    lower("peak_heap_mb", "MB", peak / 1e6),
                    lower("heap_bytes_per_task", "B", (heap - before) / TASKS),
                    higher("queued_per_second", submitted),
                    BenchmarkResult.best(
                            name(),
                            "drained_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            full),
                    BenchmarkResult.best(
                            name(),
                            "few_drained_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            few),
                    higher("drain_ratio", ratio));
        }
    }

    private static double ask(ChildProcess engine, String what, int tasks) throws IOException {
        return Double.parseDouble(engine.ask(what + " " + tasks));
    }

    private static double median(List<Double> runs) {
        return runs.stream().sorted().toList().get(runs.size() / 2);
    }

    private BenchmarkResult lower(String metric, String unit, double value) {
        return BenchmarkResult.best(
                name(), metric, unit, BenchmarkResult.Better.LOWER, List.of(value));
    }

    private BenchmarkResult higher(String metric, double value) {
        return BenchmarkResult.best(
                name(), metric, "", BenchmarkResult.Better.HIGHER, List.of(value));
    }
}
