package dev.artel.benchmarks;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// The results of one call of `bench`, while they come.
final class ResultDocument {
    private final Environment environment;
    private final Size size;
    private final List<BenchmarkResult> results = new ArrayList<>();
    private final SequencedMap<String, Double> seconds = new LinkedHashMap<>();
    private final SequencedMap<String, String> failed = new LinkedHashMap<>();
    private final SequencedMap<String, String> skipped = new LinkedHashMap<>();
    private boolean isComplete;

    ResultDocument(Environment environment, Size size) {
        this.environment = environment;
        this.size = size;
    }

    void add(List<BenchmarkResult> more) {
        results.addAll(more);
    }

    void fail(String benchmark, String cause) {
        failed.put(benchmark, cause);
    }

    void skip(String benchmark, String missing) {
        skipped.put(benchmark, missing);
    }

    void took(String benchmark, double duration) {
        seconds.put(benchmark, duration);
    }

    /// All that were chosen have had their turn.
    void complete() {
        isComplete = true;
    }

    /// Why, by the name of the benchmark.
    SequencedMap<String, String> failed() {
        return failed;
    }

    /// What is missing here, by the name of the benchmark.
    SequencedMap<String, String> skipped() {
        return skipped;
    }

    /// Replaces what is in `file`; a reader finds the one or the other.
    void write(Path file) {
        try {
            var target = file.toAbsolutePath();
            Files.createDirectories(target.getParent());
            var fresh = target.resolveSibling(target.getFileName() + ".new");
            Files.writeString(fresh, JsonText.pretty(json()) + "\n", StandardCharsets.UTF_8);
            Files.move(fresh, target, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write the results to " + file, failure);
        }
    }

    JsonObject json() {
        var times = JsonObject.builder();
        seconds.forEach((name, duration) -> times.put(name, number(duration)));
        return environment
                .json()
                .with("size", JsonValue.of(size.text()))
                .with("complete", JsonValue.of(isComplete))
                .with("failed", texts(failed))
                .with("skipped", texts(skipped))
                .with("seconds", times.build())
                .with(
                        "results",
                        new JsonArray(
                                results.stream().<JsonValue>map(ResultDocument::json).toList()));
    }

    private static JsonObject texts(SequencedMap<String, String> map) {
        var texts = JsonObject.builder();
        map.forEach(texts::put);
        return texts.build();
    }

    private static JsonObject json(BenchmarkResult result) {
        return JsonObject.builder()
                .put("benchmark", result.benchmark())
                .put("metric", result.metric())
                .put("unit", result.unit())
                .put("better", result.better().text())
                .put("median", number(result.median()))
                .put("best", number(result.best()))
                .put(
                        "runs",
                        new JsonArray(
                                result.runs().stream()
                                        .<JsonValue>map(ResultDocument::number)
                                        .toList()))
                .build();
    }

    private static JsonNumber number(double value) {
        return JsonNumber.of(Figure.rounded(value));
    }
}
