package dev.artel.benchmarks;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// Compares the results of two versions: `compare A.json[,..] B.json[,..] [--below RATIO] [--only NAME]...`.
///
/// @param before A, as [ResultFile#read] takes it
/// @param after B
/// @param least the least ratio that is no failure
/// @param only the benchmarks that count; empty: all
record CompareCommand(String before, String after, double least, List<String> only) {
    private static final double DEFAULT_LEAST = 0.9;
    private static final String USAGE =
            "compare takes two files of results, or the files of several rounds with commas between them:"
                    + " compare A.json[,A2.json] B.json[,B2.json] [--below RATIO] [--only NAME]...";
    private static final String ROW = "%-14s %-34s %-4s %12s %14s %12s %14s %8s  %s";

    /// @throws BenchRefused if `args` are wrong
    static CompareCommand of(List<String> args) {
        var files = new ArrayList<String>();
        var only = new ArrayList<String>();
        var least = DEFAULT_LEAST;
        for (var i = 0; i < args.size(); i++) {
            var arg = args.get(i);
            switch (arg) {
                case "--below" -> least = ratio(RunCommand.value(args, ++i, arg));
                case "--only" -> only.add(RunCommand.value(args, ++i, arg));
                default -> {
                    if (arg.startsWith("-")) {
                        throw new BenchRefused("there is no option " + arg + "; " + USAGE);
                    }
                    files.add(arg);
                }
            }
        }
        if (files.size() != 2) {
            throw new BenchRefused(USAGE);
        }
        return new CompareCommand(files.getFirst(), files.getLast(), least, List.copyOf(only));
    }

    private static double ratio(String text) {
        try {
            var ratio = Double.parseDouble(text);
            if (ratio > 0 && Double.isFinite(ratio)) {
                return ratio;
            }
        } catch (NumberFormatException noNumber) {
            throw new BenchRefused("--below takes a ratio such as 0.9, was " + text, noNumber);
        }
        throw new BenchRefused("--below takes a ratio above 0, was " + text);
    }

    /// Prints the table.
    ///
    /// @return the status with which the process ends
    int run(Consumer<String> out) {
        var a = ResultFile.read(before);
        var b = ResultFile.read(after);
        a.requireSameSize(b);
        if (!a.machine().equals(b.machine())) {
            out.accept("A and B are not of the same machine: " + a.machine() + "; " + b.machine());
        }
        out.accept(
                String.format(
                        Locale.ROOT,
                        ROW,
                        "benchmark",
                        "metric",
                        "unit",
                        "median A",
                        "spread A",
                        "median B",
                        "spread B",
                        "ratio",
                        ""));
        var slower = new ArrayList<MetricComparison>();
        var unclear = new ArrayList<MetricComparison>();
        var missing = new ArrayList<MetricComparison>();
        var comparisons = comparisons(a, b);
        for (var comparison : comparisons) {
            var verdict = verdict(comparison, b);
            out.accept(row(comparison, verdict));
            switch (verdict) {
                case SLOWER -> slower.add(comparison);
                case WITHIN_SPREAD -> unclear.add(comparison);
                case MISSING -> missing.add(comparison);
                case GOOD, SKIPPED, NEW -> {}
            }
        }
        out.accept(
                "%d metrics: %d below %s, %d more below it within the spread of their runs, %d missing in B"
                        .formatted(
                                comparisons.size(),
                                slower.size(),
                                Figure.text(least),
                                unclear.size(),
                                missing.size()));
        if (slower.isEmpty() && !unclear.isEmpty()) {
            out.accept("Nothing is clearly slower: measure both again before you believe it.");
        }
        return slower.isEmpty() && unclear.isEmpty() && missing.isEmpty() ? 0 : 1;
    }

    private List<MetricComparison> comparisons(ResultFile a, ResultFile b) {
        var keys = new LinkedHashSet<>(a.results().sequencedKeySet());
        keys.addAll(b.results().sequencedKeySet());
        var comparisons = new ArrayList<MetricComparison>();
        for (var key : keys) {
            if (only.isEmpty() || only.contains(key.benchmark())) {
                var one = Optional.ofNullable(a.results().get(key));
                var other = Optional.ofNullable(b.results().get(key));
                requireSameMeaning(key, one, other);
                comparisons.add(new MetricComparison(key, one, other, reason(key, b)));
            }
        }
        if (comparisons.isEmpty()) {
            throw new BenchRefused("there is nothing to compare in " + before + " and " + after);
        }
        return comparisons;
    }

    private static void requireSameMeaning(
            ResultFile.Key key, Optional<BenchmarkResult> one, Optional<BenchmarkResult> other) {
        if (one.isPresent() && other.isPresent() && !one.get().isComparable(other.get())) {
            throw new BenchRefused(
                    key + " has another unit, or another direction, in B: compare it by hand");
        }
    }

    private static Optional<String> reason(ResultFile.Key key, ResultFile b) {
        return Optional.ofNullable(b.skipped().get(key.benchmark()))
                .or(() -> Optional.ofNullable(b.failed().get(key.benchmark())));
    }

    private MetricComparison.Verdict verdict(MetricComparison comparison, ResultFile b) {
        return comparison.verdict(least, b.skipped().containsKey(comparison.key().benchmark()));
    }

    private static String row(MetricComparison comparison, MetricComparison.Verdict verdict) {
        var any = comparison.before().or(comparison::after).orElseThrow();
        var reason = comparison.after().isPresent() ? "" : comparison.reason().orElse("");
        return String.format(
                        Locale.ROOT,
                        ROW,
                        any.benchmark(),
                        any.metric(),
                        any.unit(),
                        median(comparison.before()),
                        comparison.before().map(MetricComparison::spread).orElse(""),
                        median(comparison.after()),
                        comparison.after().map(MetricComparison::spread).orElse(""),
                        comparison
                                .ratio()
                                .map(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
                                .orElse("-"),
                        reason.isEmpty() ? verdict.text() : verdict.text() + ": " + reason)
                .stripTrailing();
    }

    private static String median(Optional<BenchmarkResult> result) {
        return result.map(BenchmarkResult::median).map(Figure::text).orElse("-");
    }
}
