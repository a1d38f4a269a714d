package dev.artel.benchmarks;

import java.util.List;
import java.util.Optional;

/// A load program. An instance runs once.
interface Benchmark {
    /// Its name on the command line and in the results.
    String name();

    /// The metrics that it has here, each of which [#run] gives once.
    List<String> metrics();

    /// The program that it needs and that is not here.
    default Optional<String> missing() {
        return Optional.empty();
    }

    /// Warms up and measures.
    List<BenchmarkResult> run(Size size) throws Exception;
}
