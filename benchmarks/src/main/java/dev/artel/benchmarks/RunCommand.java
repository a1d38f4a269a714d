package dev.artel.benchmarks;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/// Runs benchmarks, one after another, and writes what is known after each.
///
/// @param chosen the benchmarks, in their order
/// @param file where the results go
record RunCommand(List<Benchmark> chosen, Size size, Path file) {
    private static final DateTimeFormatter FILE_NAME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String ALL = "all";

    /// @throws BenchRefused if `args` are wrong
    static RunCommand of(List<String> args, List<Benchmark> all) {
        var names = new ArrayList<String>();
        var size = Size.FULL;
        Optional<Path> file = Optional.empty();
        for (var i = 0; i < args.size(); i++) {
            var arg = args.get(i);
            switch (arg) {
                case "--json" -> file = Optional.of(Path.of(value(args, ++i, arg)));
                case "--size" -> size = size(value(args, ++i, arg));
                default -> names.add(arg);
            }
        }
        return new RunCommand(chosen(names, all), size, file.orElseGet(RunCommand::dated));
    }

    /// The value of an option.
    static String value(List<String> args, int at, String option) {
        if (at >= args.size()) {
            throw new BenchRefused(option + " needs a value");
        }
        return args.get(at);
    }

    private static Size size(String text) {
        for (var size : Size.values()) {
            if (size.text().equals(text)) {
                return size;
            }
        }
        throw new BenchRefused("--size is full, quick or small, was " + text);
    }

    private static List<Benchmark> chosen(List<String> names, List<Benchmark> all) {
        var known = all.stream().map(Benchmark::name).toList();
        for (var name : names) {
            if (!name.equals(ALL) && !known.contains(name)) {
                throw new BenchRefused(
                        (name.startsWith("-") ? "there is no option " : "there is no benchmark ")
                                + name
                                + "; "
                                + usage(known));
            }
        }
        if (names.isEmpty()) {
            throw new BenchRefused(usage(known));
        }
        return all.stream()
                .filter(each -> names.contains(ALL) || names.contains(each.name()))
                .toList();
    }

    private static String usage(List<String> known) {
        return "name one or more of all, "
                + String.join(", ", known)
                + "; --size full|quick|small, --json FILE for the results; or compare A.json"
                + " B.json";
    }

    private static Path dated() {
        return Path.of(System.getProperty("artel.home", ""), "target", "bench")
                .resolve(FILE_NAME.format(Clock.systemUTC().instant()) + ".json");
    }

    /// Runs them and prints what they find.
    ///
    /// @return the status with which the process ends
    int run(Consumer<String> out) throws InterruptedException {
        var document =
                new ResultDocument(Environment.current(Instant.now(Clock.systemUTC())), size);
        document.write(file);
        for (var i = 0; i < chosen.size(); i++) {
            var benchmark = chosen.get(i);
            out.accept("bench: %s, %d of %d".formatted(benchmark.name(), i + 1, chosen.size()));
            run(benchmark, document, out);
            document.write(file);
        }
        document.complete();
        document.write(file);
        document.skipped()
                .forEach((name, missing) ->
                        out.accept("bench: skipped " + name + ", which needs " + missing));
        document.failed()
                .forEach((name, cause) -> out.accept("bench: " + name + " failed: " + cause));
        out.accept("bench: the results are in " + file);
        return document.failed().isEmpty() ? 0 : 1;
    }

    private void run(Benchmark benchmark, ResultDocument document, Consumer<String> out)
            throws InterruptedException {
        var missing = benchmark.missing();
        if (missing.isPresent()) {
            document.skip(benchmark.name(), missing.get());
            out.accept("bench: skipped, it needs " + missing.get());
            return;
        }
        var began = System.nanoTime();
        try {
            var results = benchmark.run(size);
            requireAll(benchmark, results);
            document.add(results);
            results.forEach(result -> out.accept(row(result)));
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception | AssertionError | LinkageError | OutOfMemoryError failure) {
            out.accept(trace(failure));
            document.fail(benchmark.name(), causes(failure));
        }
        var seconds = (System.nanoTime() - began) / 1e9;
        document.took(benchmark.name(), seconds);
        out.accept(String.format(Locale.ROOT, "bench: %s took %.0f s", benchmark.name(), seconds));
    }

    private static void requireAll(Benchmark benchmark, List<BenchmarkResult> results)
            throws IOException {
        var found = results.stream().map(BenchmarkResult::metric).toList();
        var declared = benchmark.metrics();
        if (found.size() != declared.size()
                || !new HashSet<>(found).equals(new HashSet<>(declared))) {
            throw new IOException("it declares " + declared + " and gave " + found);
        }
    }

    private static String causes(Throwable failure) {
        var text = new StringBuilder(failure.toString());
        for (var cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            text.append("; ").append(cause);
        }
        return text.toString();
    }

    private static String trace(Throwable failure) {
        var text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static String row(BenchmarkResult result) {
        return String.format(
                Locale.ROOT,
                "%-14s %-32s median %s best %s %s runs %s",
                result.benchmark(),
                result.metric(),
                Figure.text(result.median()),
                Figure.text(result.best()),
                result.unit(),
                result.runs().stream().map(Figure::text).toList());
    }
}
