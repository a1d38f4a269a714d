package dev.artel.benchmarks;

import java.util.List;

/// A load program.
interface Benchmark {
    /// Its name on the command line and in the results.
    String name();

    /// Warms up, runs three times and gives the best.
    List<BenchmarkResult> run() throws Exception;
}
