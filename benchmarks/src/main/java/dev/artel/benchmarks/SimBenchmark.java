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
    private static final int SEEDS = 500;

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public List<String> metrics() {
        return List.of("jobs_per_cpu_second");
    }

    @Override
    public List<BenchmarkResult> run(Size size) {
        var threads = ManagementFactory.getThreadMXBean();
        var seeds = (long) size.of(SEEDS, 5);
        var warmUps = size.runs(WARM_UPS);
        var rates = new ArrayList<Double>();
        for (var i = 0; i < warmUps + size.runs(RUNS); i++) {
            var began = threads.getCurrentThreadCpuTime();
            var jobs = play(i * seeds, seeds).jobs();
            var seconds = (threads.getCurrentThreadCpuTime() - began) / 1e9;
            if (i >= warmUps) {
                rates.add(jobs / seconds);
            }
        }
        return List.of(
                new BenchmarkResult(
                        name(),
                        "jobs_per_cpu_second",
                        "1/s",
                        BenchmarkResult.Better.HIGHER,
                        rates));
    }

    private static RunStats play(long from, long seeds) {
        var codec = new JsonEventCodec();
        var sum = RunStats.NOTHING;
        for (var seed = from; seed < from + seeds; seed++) {
            sum = sum.plus(Simulation.run(Scenario.of(seed), codec));
        }
        return sum;
    }
}
