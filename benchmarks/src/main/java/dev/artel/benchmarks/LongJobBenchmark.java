package dev.artel.benchmarks;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import dev.artel.server.ArtelNode;
import dev.artel.server.wiring.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/// A job with 1,000,000 events beside one with 100, both of a loop that waits: reading each over HTTP, a page of its
/// history, and a signal with which it goes on; and reading them after their end and a restart, from the store.
final class LongJobBenchmark implements Benchmark {
    private static final int EVENTS = 1_000_000;
    private static final int SHORT = 100;
    private static final int BATCH = 2_000;
    private static final int ROUNDS_OF_A_RUN = 100;
    private static final int REQUESTS = 300;

    private final JobId longJob = new JobId(UUID.randomUUID().toString());
    private final JobId shortJob = new JobId(UUID.randomUUID().toString());
    private final List<BenchmarkResult> results = new ArrayList<>();

    @Override
    public String name() {
        return "long-job";
    }

    @Override
    public List<String> metrics() {
        return Stream.concat(
                        Stream.of("fill_seconds", "first_start_seconds", "next_start_seconds"),
                        Stream.of("get", "history", "signal", "get_ended")
                                .flatMap(act ->
                                        Stream.of(act + "_long_p50_ms", act + "_short_p50_ms")))
                .toList();
    }

    @Override
    public List<BenchmarkResult> run(Size size) throws Exception {
        var requests = size.fixed(REQUESTS, 5);
        try (var stores = TemporaryStore.create()) {
            var began = System.nanoTime();
            fill(stores, shortJob, SHORT);
            fill(stores, longJob, size.of(EVENTS, 1_000));
            once("fill_seconds", "s", (System.nanoTime() - began) / 1e9);
            began = System.nanoTime();
            try (var node = new Node(stores)) {
                once("first_start_seconds", "s", (System.nanoTime() - began) / 1e9);
                for (var i = 0; i < 2; i++) {
                    results.removeIf(result -> result.metric().endsWith("_ms"));
                    compare("get", requests, job -> node.client.bytes("/api/v1/jobs/" + job));
                    compare(
                            "history",
                            requests,
                            job ->
                                    node.client.bytes(
                                            "/api/v1/jobs/" + job + "/history?after=50&limit=20"));
                    compare("signal", requests, job -> node.signal(job, false));
                }
                node.end(longJob);
                node.end(shortJob);
            }
            stores.reopen();
            began = System.nanoTime();
            try (var node = new Node(stores)) {
                once("next_start_seconds", "s", (System.nanoTime() - began) / 1e9);
                compare("get_ended", requests, job -> node.client.bytes("/api/v1/jobs/" + job));
            }
        }
        return results;
    }

    private void once(String metric, String unit, double value) {
        results.add(
                new BenchmarkResult(
                        name(), metric, unit, BenchmarkResult.Better.LOWER, List.of(value)));
    }

    private interface Act {
        void on(JobId job) throws IOException;
    }

    /// By turns, so that what else the machine does is the same for both.
    private void compare(String what, int requests, Act act) throws IOException {
        var ofLong = new ArrayList<Double>();
        var ofShort = new ArrayList<Double>();
        for (var i = 0; i < requests; i++) {
            ofLong.add(millis(act, longJob));
            ofShort.add(millis(act, shortJob));
        }
        once(what + "_long_p50_ms", "ms", median(ofLong));
        once(what + "_short_p50_ms", "ms", median(ofShort));
    }

    private static double millis(Act act, JobId job) throws IOException {
        var began = System.nanoTime();
        act.on(job);
        return (System.nanoTime() - began) / 1e6;
    }

    private static double median(List<Double> runs) {
        return runs.stream().sorted().toList().get(runs.size() / 2);
    }

    // The job

    private static Blueprint loop() {
        return Blueprint.named("loop")
                .start("again", LongJobBenchmark::again)
                .leadingTo("again")
                .build();
    }

    private static Action again(Step step) {
        var end = step.data().object("go").filter(go -> go.has("end")).isPresent();
        return end ? Action.finish(JsonObject.EMPTY) : Action.awaitSignal("go", "again");
    }

    private static void fill(TemporaryStore stores, JobId id, int events) {
        var life = new Life(stores, id);
        while (life.state.version() < events) {
            life.round();
        }
        life.write();
    }

    /// A job that waits for time to pass, again and again, and for a signal in the end, by the rules themselves.
    private static final class Life {
        private final TemporaryStore stores;
        private final List<JobEvent> events = new ArrayList<>();
        private final List<Append> appends = new ArrayList<>();
        private Instant now =
                Instant.ofEpochMilli(System.currentTimeMillis()).minus(Duration.ofDays(20));
        private JobState state;
        private Effect.RunStep step;
        private int rounds;

        Life(TemporaryStore stores, JobId id) {
            this.stores = stores;
            state = new JobState.Unsubmitted(id);
            var blueprint = loop();
            var many = Integer.MAX_VALUE / 2;
            var guards =
                    Guards.DEFAULTS.withTransitions(many).withHistory(many).withTreeSteps(many);
            var spec =
                    new JobSpec(
                                    blueprint.ref(),
                                    blueprint.start().name(),
                                    "bench",
                                    JobData.EMPTY,
                                    JobOptions.DEFAULTS,
                                    JobSpec.CURRENT_RULES)
                            .withGuards(guards);
            step = (Effect.RunStep) give(new JobCommand.Submit(spec, now)).getFirst();
        }

        void round() {
            now = now.plusMillis(10);
            var waits = Action.waitFor(Duration.ofMillis(1), "again");
            var wake = (Effect.ScheduleTimer) complete(waits).getFirst();
            now = now.plusMillis(10);
            var asked = give(new JobCommand.FireTimer(wake.id(), wake.timerKind(), 0, now));
            step = (Effect.RunStep) asked.getFirst();
            rounds++;
            if (rounds % ROUNDS_OF_A_RUN == 0) {
                step =
                        (Effect.RunStep)
                                complete(Action.continueAsNew("again", JsonObject.EMPTY))
                                        .getFirst();
            }
            append();
            if (appends.size() >= BATCH) {
                flush();
            }
        }

        void write() {
            complete(Action.awaitSignal("go", "again"));
            append();
            flush();
        }

        private List<Effect> complete(Action action) {
            return give(new JobCommand.CompleteStep(step.id(), action, List.of(), now));
        }

        private List<Effect> give(JobCommand command) {
            return switch (Jobs.decide(state, command)) {
                case Decision.Accepted(var more, var after, var asked, var _) -> {
                    events.addAll(more);
                    state = after;
                    yield asked;
                }
                case Decision.Rejected rejected ->
                        throw new IllegalStateException("the rules refused: " + rejected.detail());
            };
        }

        private void append() {
            var job = (Job) state;
            appends.add(
                    new Append(
                            StreamId.of(job.id()),
                            job.version() - events.size(),
                            List.copyOf(events),
                            JobRow.of(job, now)));
            events.clear();
        }

        private void flush() {
            for (var result : stores.events().append(appends)) {
                if (!(result instanceof AppendResult.Appended)) {
                    throw new IllegalStateException("an append failed: " + result);
                }
            }
            appends.clear();
        }
    }

    /// A server on a store, and a client of it.
    private static final class Node implements AutoCloseable {
        private final Path folder;
        private final ArtelNode node;
        final HttpClient client;

        Node(TemporaryStore stores) throws IOException {
            folder =
                    Files.createTempDirectory(
                            Files.createDirectories(Path.of("target", "bench")), "node-");
            node =
                    ArtelNode.start(
                            ServerConfig.DEFAULTS.withPort(0).withData(folder),
                            Blueprints.of(loop()),
                            new Storage(stores.events(), stores.payloads(), stores.fleet()));
            client = new HttpClient(node.port(), node.clientToken());
        }

        void signal(JobId job, boolean end) throws IOException {
            var payload =
                    end
                            ? JsonObject.of("end", JsonValue.of(1))
                            : JsonObject.of("n", JsonValue.of(1));
            client.post(
                    "/api/v1/jobs/" + job + "/signals/go",
                    JsonObject.of(
                            "id", JsonValue.of(UUID.randomUUID().toString()), "payload", payload));
        }

        void end(JobId job) throws IOException {
            signal(job, true);
            client.get("/api/v1/jobs/" + job + "?wait=30");
        }

        @Override
        public void close() throws IOException {
            client.close();
            node.close();
            try (var files = Files.walk(folder)) {
                for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
