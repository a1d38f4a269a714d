package dev.artel.benchmarks;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.TaskCall;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// A durable function that calls tasks one after another, beside a fan-out of as many tasks of which one is open at a time.
final class FunctionBenchmark implements Benchmark {
    private static final int CALLS = 10_000;
    private static final int WARM_UP = 1_000;
    private static final int RUNS = 3;
    private static final String FUNCTION = "calls";
    private static final String FAN_OUT = "fan_out";
    private static final String NOOP = "noop";
    private static final TaskSpec TASK = TaskSpec.of(NOOP, JsonObject.EMPTY);

    @Override
    public String name() {
        return "function";
    }

    @Override
    public List<String> metrics() {
        return List.of("seconds", "fan_out_seconds", "ratio_of_medians");
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var calls = size.of(CALLS, 20);
        var functions = new ArrayList<Double>();
        var fanOuts = new ArrayList<Double>();
        try (var stores = TemporaryStore.create();
                var engine =
                        LocalEngine.start(
                                EngineConfig.DEFAULTS,
                                stores.events(),
                                stores.payloads(),
                                Blueprints.of(function(), fanOut()),
                                InstantSource.system())) {
            var worker = new InProcessWorker(engine, 8);
            engine.addListener(worker);
            worker.start(NOOP, 8);
            seconds(engine, FUNCTION, size.fixed(WARM_UP, 10));
            seconds(engine, FAN_OUT, size.fixed(WARM_UP, 10));
            for (var i = 0; i < size.runs(RUNS); i++) {
                functions.add(seconds(engine, FUNCTION, calls));
                fanOuts.add(seconds(engine, FAN_OUT, calls));
            }
        }
        var ratio = median(functions) / median(fanOuts);
        return List.of(
                new BenchmarkResult(
                        name(), "seconds", "s", BenchmarkResult.Better.LOWER, functions),
                new BenchmarkResult(
                        name(), "fan_out_seconds", "s", BenchmarkResult.Better.LOWER, fanOuts),
                new BenchmarkResult(
                        name(),
                        "ratio_of_medians",
                        "1",
                        BenchmarkResult.Better.LOWER,
                        List.of(ratio)));
    }

    private static Blueprint function() {
        return dev.artel.blueprint.Blueprint.function(
                        BlueprintType.of(FUNCTION, JsonObject.class),
                        (run, input) -> {
                            for (var i = count(input); i > 0; i--) {
                                var _ = run.call(TaskCall.of(NOOP, JsonObject.EMPTY));
                            }
                            return Nothing.NOTHING;
                        })
                .definition();
    }

    private static Blueprint fanOut() {
        return Blueprint.named(FAN_OUT)
                .start(
                        "begin",
                        step ->
                                Action.dispatchParallel(
                                                Collections.nCopies(
                                                        count(step.initialData()), TASK),
                                                "done")
                                        .withWindow(1))
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static int count(JsonObject input) {
        return (int) input.number("count").orElseThrow().asLong();
    }

    private static double seconds(LocalEngine engine, String blueprint, int calls) {
        var began = System.nanoTime();
        var reply =
                engine.submit(
                        Submission.of(blueprint, JsonObject.of("count", JsonValue.of(calls))));
        if (!(reply instanceof SubmitReply.Accepted(var id, var _))) {
            throw new IllegalStateException("a submission was refused: " + reply);
        }
        var job = engine.awaitFinal(id, Duration.ofMinutes(10)).orElseThrow();
        if (!job.status().equals("finished")) {
            throw new IllegalStateException(
                    "job " + id + " is " + job.status() + ": " + job.errorMessage());
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
