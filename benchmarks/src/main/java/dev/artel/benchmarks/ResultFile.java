package dev.artel.benchmarks;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// The results of earlier calls of `bench`, read from their files.
///
/// @param name of the file, or of all of them
/// @param machine what must be the same for figures to compare: Java, cores and memory
/// @param results by benchmark and metric, in their order
/// @param failed why, by the name of the benchmark
/// @param skipped what was missing, by the name of the benchmark
record ResultFile(
        String name,
        String size,
        String machine,
        SequencedMap<Key, BenchmarkResult> results,
        SequencedMap<String, String> failed,
        SequencedMap<String, String> skipped) {
    /// What a result is of.
    record Key(String benchmark, String metric) {
        @Override
        public String toString() {
            return benchmark + " " + metric;
        }
    }

    /// Reads one file, or several with a comma between them: rounds of one version, whose runs count together.
    ///
    /// @throws BenchRefused if a file is not there or is no file of results, or they are of different sizes or machines
    static ResultFile read(String names) {
        return Stream.of(names.split(",", -1))
                .map(name -> read(Path.of(name)))
                .reduce(ResultFile::with)
                .orElseThrow();
    }

    private ResultFile with(ResultFile next) {
        requireSameSize(next);
        if (!machine.equals(next.machine)) {
            throw new BenchRefused(
                    "rounds of one version are of one machine: %s is of %s, %s is of %s"
                            .formatted(name, machine, next.name, next.machine));
        }
        var all = new LinkedHashMap<>(results);
        next.results.forEach((key, result) -> all.merge(key, result, BenchmarkResult::withRunsOf));
        var allFailed = new LinkedHashMap<>(failed);
        next.failed.forEach(allFailed::putIfAbsent);
        var allSkipped = new LinkedHashMap<>(skipped);
        next.skipped.forEach(allSkipped::putIfAbsent);
        return new ResultFile(name + "," + next.name, size, machine, all, allFailed, allSkipped);
    }

    /// @throws BenchRefused if they are not
    void requireSameSize(ResultFile other) {
        if (!size.equals(other.size)) {
            throw new BenchRefused(
                    "only results of one size compare: %s is %s, %s is %s"
                            .formatted(name, size, other.name, other.size));
        }
    }

    private static ResultFile read(Path path) {
        try {
            if (!(JsonText.read(Files.readAllBytes(path)) instanceof JsonObject document)) {
                throw new BenchRefused(path + " has no results");
            }
            return of(path, document);
        } catch (BenchRefused refused) {
            throw refused;
        } catch (IOException | RuntimeException unreadable) {
            throw new BenchRefused("cannot read " + path + ": " + unreadable, unreadable);
        }
    }

    private static ResultFile of(Path path, JsonObject document) {
        var results = new LinkedHashMap<Key, BenchmarkResult>();
        var items =
                document.array("results")
                        .orElseThrow(() -> new BenchRefused(path + " has no list results"));
        for (var item : items) {
            var result = result(path, item);
            if (results.put(new Key(result.benchmark(), result.metric()), result) != null) {
                throw new BenchRefused(
                        path + " has " + result.benchmark() + " " + result.metric() + " twice");
            }
        }
        return new ResultFile(
                path.toString(),
                document.string("size").orElse("full"),
                "Java %s, %s cores, %s MB"
                        .formatted(
                                document.string("java").orElse("?"),
                                document.get("cores").map(JsonValue::toString).orElse("?"),
                                document.get("memory_mb").map(JsonValue::toString).orElse("?")),
                results,
                texts(document, "failed"),
                texts(document, "skipped"));
    }

    private static BenchmarkResult result(Path path, JsonValue item) {
        if (!(item instanceof JsonObject fields)) {
            throw new BenchRefused(path + " has a result that is no object: " + item);
        }
        return new BenchmarkResult(
                text(path, fields, "benchmark"),
                text(path, fields, "metric"),
                text(path, fields, "unit"),
                better(path, fields),
                runs(path, fields));
    }

    private static BenchmarkResult.Better better(Path path, JsonObject fields) {
        return switch (text(path, fields, "better")) {
            case "higher" -> BenchmarkResult.Better.HIGHER;
            case "lower" -> BenchmarkResult.Better.LOWER;
            default -> throw new BenchRefused(path + ": better is higher or lower in " + fields);
        };
    }

    private static List<Double> runs(Path path, JsonObject fields) {
        var runs = new ArrayList<Double>();
        for (var run :
                fields.array("runs")
                        .orElseThrow(() -> new BenchRefused(path + ": no runs in " + fields))) {
            if (!(run instanceof JsonNumber number)) {
                throw new BenchRefused(path + ": a run is no number in " + fields);
            }
            runs.add(number.asDouble());
        }
        return runs;
    }

    private static String text(Path path, JsonObject fields, String name) {
        return fields.string(name)
                .orElseThrow(() -> new BenchRefused(path + ": no " + name + " in " + fields));
    }

    private static SequencedMap<String, String> texts(JsonObject document, String name) {
        var texts = new LinkedHashMap<String, String>();
        document.object(name)
                .orElse(JsonObject.EMPTY)
                .members()
                .forEach((key, value) ->
                        texts.put(
                                key,
                                value instanceof JsonString(var text) ? text : value.toString()));
        return texts;
    }
}
