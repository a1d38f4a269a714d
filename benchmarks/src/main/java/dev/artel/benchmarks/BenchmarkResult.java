package dev.artel.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// What a benchmark found.
///
/// @param runs the value of each run, in order; finite and not negative, at least one
record BenchmarkResult(
        String benchmark, String metric, String unit, Better better, List<Double> runs) {
    /// Whether more is better, or less.
    enum Better {
        HIGHER,
        LOWER;

        /// As in the results.
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Copies `runs`.
    BenchmarkResult {
        runs = List.copyOf(runs);
        if (runs.isEmpty() || !runs.stream().allMatch(run -> Double.isFinite(run) && run >= 0)) {
            throw new IllegalArgumentException(
                    benchmark
                            + " "
                            + metric
                            + ": the runs must be finite and not negative, were "
                            + runs);
        }
    }

    /// This with the runs of another round behind its own.
    ///
    /// @throws BenchRefused if that is of another metric, or counts it in another way
    BenchmarkResult withRunsOf(BenchmarkResult next) {
        if (!isComparable(next)) {
            throw new BenchRefused(
                    benchmark
                            + " "
                            + metric
                            + " has another unit, or another direction, in another round: compare it by hand");
        }
        return new BenchmarkResult(
                benchmark,
                metric,
                unit,
                better,
                Stream.concat(runs.stream(), next.runs.stream()).toList());
    }

    /// Whether both count the same in the same way.
    boolean isComparable(BenchmarkResult other) {
        return benchmark.equals(other.benchmark)
                && metric.equals(other.metric)
                && unit.equals(other.unit)
                && better == other.better;
    }

    /// The middle run, of an even number the mean of both.
    double median() {
        var sorted = runs.stream().sorted().toList();
        var middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    double best() {
        return better == Better.HIGHER ? most() : least();
    }

    double least() {
        return runs.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    double most() {
        return runs.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}
