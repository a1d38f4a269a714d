package dev.artel.benchmarks;

import dev.artel.card.Card;
import dev.artel.card.Cards;
import dev.artel.config.ActionSettings;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.server.ArtelNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Process cards: how long it takes to read and compile one, and how many steps a second the orchestrator runs with its own actions.
final class CardsBenchmark implements Benchmark {
    private static final int RUNS = 3;
    private static final int LARGE = 100;
    private static final int COMPILES = 200;
    private static final int STEPS = 10;
    private static final int IN_FLIGHT = 64;
    private static final int WARM_UP = 500;
    private static final int JOBS = 1_000;
    private static final int FEW = 10;

    @Override
    public String name() {
        return "cards";
    }

    @Override
    public List<String> metrics() {
        return List.of("compile_p50_ms", "steps_per_second");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var compiles = new ArrayList<Double>();
        // The last step ends the process.
        var text = card("large", LARGE - 1);
        var _ = medianOfCompiles(text, size.fixed(COMPILES, 3));
        for (var i = 0; i < size.runs(RUNS); i++) {
            compiles.add(medianOfCompiles(text, size.fixed(COMPILES, 3)));
        }
        return List.of(
                new BenchmarkResult(
                        name(), "compile_p50_ms", "ms", BenchmarkResult.Better.LOWER, compiles),
                new BenchmarkResult(
                        name(),
                        "steps_per_second",
                        "1/s",
                        BenchmarkResult.Better.HIGHER,
                        stepsPerSecond(size)));
    }

    /// Each step has parameters with a reference to the output of the one before.
    private static String card(String name, int steps) {
        var text = new StringBuilder();
        text.append("metadata: {name: ")
                .append(name)
                .append(", version: 1.0.0}\nspec:\n  steps:\n");
        for (var i = 0; i < steps; i++) {
            var before = i == 0 ? "input.n" : "out" + (i - 1) + ".n";
            text.append(
                    "    - {id: step%d, action: set, params: {n: \"${%s}\"}, output: out%d}\n"
                            .formatted(i, before, i));
        }
        return text.append(
                        "    - {id: end, type: complete, result: \"${out%d}\"}\n"
                                .formatted(steps - 1))
                .toString();
    }

    private static double medianOfCompiles(String text, int compiles) {
        var times = new ArrayList<Double>();
        for (var i = 0; i < compiles; i++) {
            var began = System.nanoTime();
            var _ = Cards.read(text).orElseThrow();
            times.add((System.nanoTime() - began) / 1e6);
        }
        return times.stream().sorted().toList().get(compiles / 2);
    }

    private static List<Double> stepsPerSecond(Size size) throws Exception {
        var card = Cards.read(card("steps", STEPS)).orElseThrow();
        var parent = Files.createDirectories(Path.of("target", "bench"));
        var folder = Files.createTempDirectory(parent, "cards-");
        var config =
                ServerConfig.DEFAULTS
                        .withPort(0)
                        .withData(folder)
                        .withActions(
                                ActionSettings.DEFAULTS.withEnabled(true).withSlots(IN_FLIGHT));
        var jobs = size.of(JOBS, FEW);
        var rates = new ArrayList<Double>();
        try (var node = ArtelNode.start(config, Blueprints.of(card))) {
            load(node.engine(), card, size.fixed(WARM_UP, FEW));
            for (var i = 0; i < size.runs(RUNS); i++) {
                var began = System.nanoTime();
                load(node.engine(), card, jobs);
                rates.add(jobs * STEPS / ((System.nanoTime() - began) / 1e9));
            }
        } finally {
            remove(folder);
        }
        return rates;
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void load(LocalEngine engine, Card card, int jobs) throws Exception {
        var left = new AtomicInteger(jobs);
        try (var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<?>>();
            for (var i = 0; i < IN_FLIGHT; i++) {
                all.add(
                        clients.submit(() -> {
                            while (left.getAndDecrement() > 0) {
                                one(engine, card);
                            }
                        }));
            }
            for (var client : all) {
                client.get();
            }
        }
    }

    private static void one(LocalEngine engine, Card card) {
        var reply = engine.submit(Submission.of(card.name(), JsonObject.of("n", JsonValue.of(1))));
        if (!(reply instanceof SubmitReply.Accepted(var id, var _))) {
            throw new IllegalStateException("a submission was refused: " + reply);
        }
        var job = engine.awaitFinal(id, Duration.ofMinutes(10)).orElseThrow();
        if (!job.status().equals("finished")) {
            throw new IllegalStateException(
                    "job " + id + " is " + job.status() + ": " + job.errorMessage());
        }
    }
}
