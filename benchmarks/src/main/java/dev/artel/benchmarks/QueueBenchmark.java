package dev.artel.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The whole engine on SQLite in a process of its own with [#HEAP] of memory: 1,000,000 queued tasks with 4 KB of
/// parameters each, of fan-outs that were submitted as users do, and how fast one worker drains them, against 10,000.
final class QueueBenchmark implements Benchmark {
    private static final String HEAP = "1500m";
    private static final int TASKS = 1_000_000;
    private static final int WIDTH = 1_000;
    private static final int FEW = 10_000;
    private static final int DRAINED = 10_000;
    private static final int WARM_UP = 3;
    private static final int RUNS = 3;

    @Override
    public String name() {
        return "queue";
    }

    @Override
    public List<String> metrics() {
        return List.of(
                "heap_mb",
                "peak_heap_mb",
                "heap_bytes_per_task",
                "queued_per_second",
                "drained_per_second",
                "few_drained_per_second",
                "drain_ratio");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var width = size.fixed(WIDTH, 10);
        var tasks = size.of(TASKS, 50);
        var fewTasks = size.fixed(FEW, 50);
        var drained = size.fixed(DRAINED, 50);
        var full = new ArrayList<Double>();
        var few = new ArrayList<Double>();
        var options = new ArrayList<>(ServerProcess.OPTIONS);
        options.add("-Xmx" + HEAP);
        try (var engine =
                ChildProcess.start(QueueProcess.class, options, Integer.toString(width))) {
            engine.line();
            for (var i = 0; i < size.runs(WARM_UP); i++) {
                ask(engine, "fill", fewTasks);
                ask(engine, "drain", fewTasks);
            }
            for (var i = 0; i < size.runs(RUNS); i++) {
                ask(engine, "fill", fewTasks);
                few.add(ask(engine, "drain", fewTasks));
            }
            var before = ask(engine, "heap", 0);
            var submitted = ask(engine, "fill", tasks);
            var heap = ask(engine, "heap", 0);
            for (var i = 0; i < size.runs(RUNS); i++) {
                full.add(ask(engine, "drain", drained));
            }
            var peak = ask(engine, "peak", 0);
            var ratio = median(full) / median(few);
            return List.of(
                    lower("heap_mb", "MB", heap / 1e6),
                    lower("peak_heap_mb", "MB", peak / 1e6),
                    lower("heap_bytes_per_task", "B", Math.max(0, heap - before) / tasks),
                    higher("queued_per_second", "1/s", submitted),
                    new BenchmarkResult(
                            name(),
                            "drained_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            full),
                    new BenchmarkResult(
                            name(),
                            "few_drained_per_second",
                            "1/s",
                            BenchmarkResult.Better.HIGHER,
                            few),
                    higher("drain_ratio", "", ratio));
        }
    }

    private static double ask(ChildProcess engine, String what, int tasks) throws IOException {
        return Double.parseDouble(engine.ask(what + " " + tasks));
    }

    private static double median(List<Double> runs) {
        return runs.stream().sorted().toList().get(runs.size() / 2);
    }

    private BenchmarkResult lower(String metric, String unit, double value) {
        return new BenchmarkResult(
                name(), metric, unit, BenchmarkResult.Better.LOWER, List.of(value));
    }

    private BenchmarkResult higher(String metric, String unit, double value) {
        return new BenchmarkResult(
                name(), metric, unit, BenchmarkResult.Better.HIGHER, List.of(value));
    }
}
