package dev.artel.benchmarks;

import java.util.ArrayList;
import java.util.List;

/// A dispatcher alone, without threads and without a store: 10,000 workers, 5 % of them free, which come, go and
/// change meanwhile; 100,000 tasks in 200 demand classes. Half of the tasks come to free workers, half wait for slots
/// to be freed.
final class DispatchBenchmark implements Benchmark {
    private static final int WARM_UPS = 4;
    private static final int RUNS = 5;

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public List<BenchmarkResult> run() {
        var rates = new ArrayList<Double>();
        var tails = new ArrayList<Double>();
        for (var i = 0; i < WARM_UPS + RUNS; i++) {
            var dispatchWorkload = new DispatchWorkload(i);
            dispatchWorkload.taskComesToFreeWorkers();
            dispatchWorkload.slotsAreFreedForTasks();
            if (i >= WARM_UPS) {
                rates.add(dispatchWorkload.placementsPerSecond());
                tails.add(dispatchWorkload.p99Millis());
            }
        }
        return List.of(
                BenchmarkResult.best(
                        name(),
                        "placements_per_second",
                        "1/s",
                        BenchmarkResult.Better.HIGHER,
                        rates),
                BenchmarkResult.best(name(), "p99_ms", "ms", BenchmarkResult.Better.LOWER, tails));
    }
}
