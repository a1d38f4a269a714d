package dev.artel.benchmarks;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.task.TaskSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// A process with an engine on SQLite, one worker, and lone jobs one after another. `alone` answers the 50th and 99th
/// percentiles of their milliseconds; `beside` those of the lone jobs that ended while a fan-out drained, and how many
/// of its tasks a second.
final class BesideProcess {
    private static final int SLOTS = 64;

    private final LocalEngine engine;
    private final int tasks;
    private final int aloneJobs;
    private final int fewest;

    private BesideProcess(LocalEngine engine, int tasks, int aloneJobs, int fewest) {
        this.engine = engine;
        this.tasks = tasks;
        this.aloneJobs = aloneJobs;
        this.fewest = fewest;
    }

    /// Runs until its input ends.
    ///
    /// @param args how many tasks the fan-out has, how many lone jobs there are without it, and how many must end beside it
    public static void main(String[] args) throws IOException {
        var tasks = Integer.parseInt(args[0]);
        try (var stores = TemporaryStore.create();
                var engine =
                        LocalEngine.start(
                                EngineConfig.DEFAULTS,
                                stores.events(),
                                stores.payloads(),
                                Blueprints.of(Chains.ordinary(), wide(tasks)),
                                InstantSource.system())) {
            var worker = new InProcessWorker(engine, 4);
            engine.addListener(worker);
            worker.start("noop", SLOTS);
            var process =
                    new BesideProcess(
                            engine, tasks, Integer.parseInt(args[1]), Integer.parseInt(args[2]));
            ChildProtocol.send("ready");
            ChildProtocol.untilEnd(process::answer);
        }
    }

    private String answer(String line) {
        return switch (line) {
            case "alone" -> alone();
            case "beside" -> beside();
            default -> throw new IllegalArgumentException("what is " + line + "?");
        };
    }

    private static Blueprint wide(int tasks) {
        return Blueprint.named("wide")
                .start(
                        "spread",
                        _ ->
                                Action.dispatchParallel(
                                                Collections.nCopies(
                                                        tasks,
                                                        TaskSpec.of("noop", JsonObject.EMPTY)),
                                                "done")
                                        .withWindow(tasks))
                .leadingTo("done")
                .end("done")
                .build();
    }

    private String alone() {
        return percentiles(IntStream.range(0, aloneJobs).mapToObj(_ -> one()).toList());
    }

    private String beside() {
        var began = System.nanoTime();
        var large = submit("wide", "alice");
        var lone = new ArrayList<Double>();
        while (!engine.awaitEnd(large, Duration.ofMillis(1))) {
            lone.add(one());
        }
        if (lone.size() < fewest) {
            throw new IllegalStateException(
                    "only " + lone.size() + " lone jobs ended beside the fan-out; take more tasks");
        }
        return percentiles(lone) + " " + tasks / ((System.nanoTime() - began) / 1e9);
    }

    private double one() {
        var began = System.nanoTime();
        var job = submit(Chains.ORDINARY, "bob");
        if (!engine.awaitEnd(job, Duration.ofMinutes(10))) {
            throw new IllegalStateException("job " + job + " has not ended in ten minutes");
        }
        return (System.nanoTime() - began) / 1e6;
    }

    private JobId submit(String blueprint, String client) {
        var submission =
                new Submission(
                        blueprint,
                        client,
                        JsonObject.of("n", JsonValue.of(1)),
                        Optional.empty(),
                        JobOptions.DEFAULTS);
        if (!(engine.submit(submission) instanceof SubmitReply.Accepted(var id, var _))) {
            throw new IllegalStateException("a submission was refused");
        }
        return id;
    }

    private static String percentiles(List<Double> millis) {
        var sorted = millis.stream().sorted().toList();
        return sorted.get(sorted.size() / 2) + " " + sorted.get(sorted.size() * 99 / 100);
    }
}
