package dev.artel.benchmarks;

import dev.artel.simulation.random.RunStats;
import dev.artel.simulation.random.Simulation;
import dev.artel.simulation.world.Scenario;
import dev.artel.store.codec.JsonEventCodec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/// The simulation in one thread: how many jobs it plays in a second of processor time of that thread, so that what
/// else the machine does counts for little.
final class SimBenchmark implements Benchmark {
    private static final int WARM_UPS = 4;
    private static final int RUNS = 5;
    private static final long SEEDS = 500;

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public List<BenchmarkResult> run() {
        var threads = ManagementFactory.getThreadMXBean();
        var rates = new ArrayList<Double>();
        for (var i = 0; i < WARM_UPS + RUNS; i++) {
            var began = threads.getCurrentThreadCpuTime();
            var jobs = play(i * SEEDS).jobs();
            var seconds = (threads.getCurrentThreadCpuTime() - began) / 1e9;
            if (i >= WARM_UPS) {
                rates.add(jobs / seconds);
            }
        }
        return List.of(
                BenchmarkResult.best(
                        name(),
                        "jobs_per_cpu_second",
                        "1/s",
                        BenchmarkResult.Better.HIGHER,
                        rates));
    }

    private static RunStats play(long from) {
        var codec = new JsonEventCodec();
        var sum = RunStats.NOTHING;
        for (var seed = from; seed < from + SEEDS; seed++) {
            sum = sum.plus(Simulation.run(Scenario.of(seed), codec));
        }
        return sum;
    }
}
