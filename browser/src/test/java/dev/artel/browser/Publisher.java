package dev.artel.browser;

import static dev.artel.waits.Await.await;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobSubmission;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// An orchestrator of a publisher of books, with workers that take their time.
final class Publisher implements AutoCloseable {
    /// How many things need a person after [#people].
    static final int NEEDS = 4;

    /// How many runs [#schedule] has at least.
    private static final int RUNS = 5;

    private static final List<String> BOOKS =
            List.of("The Overcoat", "First Love", "A Hero of Our Time", "The Queen of Spades");

    private final ArtelNode node;
    private final ArtelClient client;
    private final List<Worker> workers = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(7);

    Publisher(Path folder) {
        node =
                ArtelNode.start(
                        ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("data")),
                        Blueprints.of(
                                publishBook(),
                                single("render-cover", "render_cover"),
                                single("record-audio", "record_audio"),
                                single("translate", "translate"),
                                single("hello", "greet"),
                                report(),
                                imported(),
                                unreadable()));
        client = ArtelClient.of(node.uri(), node.clientToken());
    }

    URI uri() {
        return node.uri();
    }

    String token() {
        return node.clientToken();
    }

    private static Blueprint publishBook() {
        return Blueprint.named("publish-book")
                .start("translate", step -> task("translate", step.initialData(), "proofread"))
                .leadingTo("proofread")
                .state(
                        "proofread",
                        step ->
                                Action.dispatch(
                                        TaskSpec.of("proofread", step.initialData()),
                                        Outcomes.on("success", "release")
                                                .and("errors", "translate")))
                .leadingTo("release", "translate")
                .state(
                        "release",
                        step ->
                                Action.awaitApproval(
                                        "Publish \"" + step.text("title") + "\"?",
                                        Outcomes.on("publish", "produce")
                                                .and("translate again", "translate")))
                .leadingTo("produce", "translate")
                .state("produce", _ -> Action.fork(List.of("typeset", "record"), "publish"))
                .leadingTo("typeset", "record", "publish")
                .state("typeset", step -> task("typeset", step.initialData(), "typeset-done"))
                .leadingTo("typeset-done")
                .state("typeset-done", _ -> Action.endBranch())
                .state("record", step -> task("record_audio", step.initialData(), "record-done"))
                .leadingTo("record-done")
                .state("record-done", _ -> Action.endBranch())
                .state("publish", step -> task("publish", step.initialData(), "published"))
                .leadingTo("published")
                .end("published")
                .build();
    }

    private static Action task(String type, JsonObject input, String then) {
        return Action.dispatch(TaskSpec.of(type, input), Outcomes.on("success", then));
    }

    private static Blueprint single(String name, String type) {
        return Blueprint.named(name)
                .start(type, step -> task(type, step.initialData(), "done"))
                .leadingTo("done")
                .end("done")
                .build();
    }

    private static Blueprint report() {
        return Blueprint.named("sales-report")
                .start("write", step -> Action.finish(step.initialData()))
                .build();
    }

    private static Blueprint imported() {
        return Blueprint.named("import-manuscript")
                .start("read", _ -> Action.fail("the file has no text"))
                .build();
    }

    private static Blueprint unreadable() {
        return Blueprint.named("pay-royalties")
                .start(
                        "pay",
                        _ -> {
                            throw new IllegalStateException("the bank does not answer");
                        })
                .retry(RetryPolicy.NEVER)
                .leadingTo("paid")
                .end("paid")
                .build();
    }

    private void hire(String name, int slots, int millis, String... types) {
        var hired =
                Worker.named(name)
                        .orchestrator(node.uri(), node.workerToken())
                        .maxConcurrentTasks(slots)
                        .withoutShutdownHook();
        for (var type : types) {
            hired =
                    hired.handle(
                            type,
                            JsonObject.class,
                            (_, _) -> {
                                // The work of this worker is to take time.
                                Thread.sleep(millis);
                                return Result.success();
                            });
        }
        var worker = hired.build();
        worker.start();
        workers.add(worker);
    }

    private String submit(String blueprint, String title) {
        return client.submit(
                        JobSubmission.of(blueprint, JsonObject.of("title", JsonValue.of(title))))
                .id();
    }

    private String book() {
        return BOOKS.get(random.nextInt(BOOKS.size()));
    }

    /// A job whose task nobody offers, before there are workers.
    ///
    /// @return its id
    String hello() {
        return client.submit(JobSubmission.of("hello", JsonObject.of("name", JsonValue.of("Ada"))))
                .id();
    }

    /// Workers come, and jobs, of which so many end, some badly; others wait.
    void work(int ended) {
        hire("text-01", 4, 900, "translate", "proofread");
        hire("text-02", 4, 700, "translate", "proofread");
        hire("gpu-01", 2, 600, "render_cover");
        for (var i = 0; i < 12; i++) {
            submit("record-audio", book());
        }
        for (var i = 0; i < ended * 2; i++) {
            submit(random.nextInt(3) == 0 ? "render-cover" : "translate", book());
            if (random.nextInt(14) == 0) {
                submit("import-manuscript", book());
            }
        }
        await().until(() -> count("finished") >= ended);
    }

    /// Jobs wait for persons.
    void people() {
        for (var book : BOOKS.subList(0, NEEDS - 1)) {
            submit("publish-book", book);
        }
        submit("pay-royalties", BOOKS.getFirst());
        hire("text-03", 1, 200, "translate", "proofread");
        await().until(() ->
                client.api().get("/api/v1/needs?limit=100").array("items").orElseThrow().size()
                        == NEEDS);
    }

    /// A schedule that has run.
    void schedule() {
        client.api()
                .put(
                        "/api/v1/schedules/nightly-report",
                        JsonObject.builder()
                                .put("blueprint", "sales-report")
                                .put("input", JsonObject.of("day", JsonValue.of("${tick.date}")))
                                .put(
                                        "timing",
                                        JsonObject.of(
                                                "cron",
                                                JsonValue.of("30 2 * * *"),
                                                "zone",
                                                JsonValue.of("Europe/Berlin")))
                                .put("overlap", "queue")
                                .build());
        var path = "/api/v1/schedules/nightly-report";
        var now = Instant.now();
        client.api()
                .post(
                        path + "/backfill",
                        JsonObject.of(
                                "from",
                                JsonValue.of(now.minus(Duration.ofDays(6)).toString()),
                                "until",
                                JsonValue.of(now.toString())));
        await().until(() ->
                client.api().list(path + "/runs", 100).stream()
                                .filter(run ->
                                        run.string("status").filter("ended"::equals).isPresent())
                                .count()
                        >= RUNS);
    }

    private long count(String status) {
        return client.api()
                .get("/api/v1/overview")
                .object("jobs")
                .flatMap(jobs -> jobs.number(status))
                .map(JsonNumber::asLong)
                .orElse(0L);
    }

    @Override
    public void close() {
        workers.forEach(Worker::close);
        client.close();
        node.close();
    }
}
