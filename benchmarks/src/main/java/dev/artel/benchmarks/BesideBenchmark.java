package dev.artel.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Lone jobs of one client, one after another, while a fan-out of 100,000 tasks of another client drains: how long one
/// takes from its submission to its end. The engine on SQLite in a process of its own, with one worker for all.
final class BesideBenchmark implements Benchmark {
    private static final int TASKS = 100_000;
    private static final int ALONE = 500;
    private static final int FEWEST = 100;
    private static final int RUNS = 5;

    @Override
    public String name() {
        return "fan-out-beside";
    }

    @Override
    public List<String> metrics() {
        return List.of("lone_p50_ms", "lone_p99_ms", "alone_p99_ms", "tasks_per_second");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws IOException {
        var p50 = new ArrayList<Double>();
        var p99 = new ArrayList<Double>();
        var alone = new ArrayList<Double>();
        var drained = new ArrayList<Double>();
        try (var engine =
                ChildProcess.start(
                        BesideProcess.class,
                        ServerProcess.OPTIONS,
                        Integer.toString(size.fixed(TASKS, 1_000)),
                        Integer.toString(size.fixed(ALONE, 5)),
                        Integer.toString(size.fixed(FEWEST, 1)))) {
            engine.line();
            engine.ask("beside"); // to warm up
            for (var i = 0; i < size.runs(RUNS); i++) {
                alone.add(ask(engine, "alone").getLast());
                var beside = ask(engine, "beside");
                p50.add(beside.get(0));
                p99.add(beside.get(1));
                drained.add(beside.get(2));
            }
        }
        return List.of(
                new BenchmarkResult(name(), "lone_p50_ms", "ms", BenchmarkResult.Better.LOWER, p50),
                new BenchmarkResult(name(), "lone_p99_ms", "ms", BenchmarkResult.Better.LOWER, p99),
                new BenchmarkResult(
                        name(), "alone_p99_ms", "ms", BenchmarkResult.Better.LOWER, alone),
                new BenchmarkResult(
                        name(), "tasks_per_second", "1/s", BenchmarkResult.Better.HIGHER, drained));
    }

    private static List<Double> ask(ChildProcess engine, String what) throws IOException {
        return List.of(engine.ask(what).split(" ", -1)).stream().map(Double::valueOf).toList();
    }
}
