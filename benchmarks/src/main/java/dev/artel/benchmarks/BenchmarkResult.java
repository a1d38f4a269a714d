package dev.artel.benchmarks;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;

/// What a benchmark found.
///
/// @param value the best of `runs`
/// @param runs the value of each run, in order
record BenchmarkResult(
        String benchmark, String metric, double value, String unit, List<Double> runs) {
    /// Whether more is better, or less.
    enum Better {
        HIGHER,
        LOWER
    }

    static BenchmarkResult best(
            String benchmark, String metric, String unit, Better better, List<Double> runs) {
        var sorted = runs.stream().sorted().toList();
        var best = better == Better.HIGHER ? sorted.getLast() : sorted.getFirst();
        return new BenchmarkResult(benchmark, metric, best, unit, List.copyOf(runs));
    }

    JsonObject json() {
        return JsonObject.builder()
                .put("benchmark", benchmark)
                .put("metric", metric)
                .put("value", JsonValue.of(rounded(value)))
                .put("unit", unit)
                .put(
                        "runs",
                        new JsonArray(
                                runs.stream()
                                        .<JsonValue>map(run -> JsonValue.of(rounded(run)))
                                        .toList()))
                .build();
    }

    private static double rounded(double number) {
        return Math.round(number * 1000) / 1000.0;
    }
}
