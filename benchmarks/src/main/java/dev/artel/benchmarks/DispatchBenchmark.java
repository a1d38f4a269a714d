package dev.artel.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A dispatcher alone, without threads and without a store: 10,000 workers, which come, go and change meanwhile, with few of
/// them free and with most of them free, with few demand classes and with many, and with a long queue.
final class DispatchBenchmark implements Benchmark {
    /// A load by the name that its metrics begin with, and how often it runs before and while it is measured.
    private record Case(String prefix, DispatchLoad load, int warmUps, int runs) {}

    private static final String RATE = "placements_per_second";
    private static final String TAIL = "p99_ms";

    private static final List<Case> CASES =
            List.of(
                    new Case("", DispatchLoad.BUSY_FLEET, 4, 5),
                    new Case("free95_", DispatchLoad.FREE_FLEET, 2, 5),
                    new Case("classes5000_", DispatchLoad.MANY_CLASSES, 2, 5),
                    new Case("queued1m_", DispatchLoad.LONG_QUEUE, 1, 3));

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public List<String> metrics() {
        return CASES.stream()
                .flatMap(each -> Stream.of(each.prefix() + RATE, each.prefix() + TAIL))
                .toList();
    }

    @Override
    public List<BenchmarkResult> run(Size size) {
        var results = new ArrayList<BenchmarkResult>();
        for (var each : CASES) {
            results.addAll(measure(each, size));
        }
        return results;
    }

    private List<BenchmarkResult> measure(Case each, Size size) {
        var rates = new ArrayList<Double>();
        var tails = new ArrayList<Double>();
        var warmUps = size.runs(each.warmUps());
        var load = each.load().of(size);
        for (var i = 0; i < warmUps + size.runs(each.runs()); i++) {
            var dispatchWorkload = new DispatchWorkload(load, i);
            dispatchWorkload.run();
            if (i >= warmUps) {
                rates.add(dispatchWorkload.placementsPerSecond());
                tails.add(dispatchWorkload.p99Millis());
            }
        }
        return List.of(
                new BenchmarkResult(
                        name(), each.prefix() + RATE, "1/s", BenchmarkResult.Better.HIGHER, rates),
                new BenchmarkResult(
                        name(), each.prefix() + TAIL, "ms", BenchmarkResult.Better.LOWER, tails));
    }
}
