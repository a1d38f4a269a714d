package dev.artel.browser;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobRef;
import dev.artel.client.JobSubmission;
import dev.artel.config.BlueprintSettings;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.TaskContext;
import dev.artel.worker.Worker;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;

/// An orchestrator with a worker and jobs that wait for each of the things that people do.
final class Scenery implements AutoCloseable {
    static final String VIEWER = "viewer-token-of-the-tests";

    private static final Duration LONGEST = Await.longest();

    final ArtelNode node;
    final ArtelClient client;
    private final Worker worker;

    Scenery(Path folder) throws Exception {
        var data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(
                data.resolve("clients.toml"),
                "[visitor]\ntoken = \"" + VIEWER + "\"\nrole = \"viewer\"\n");
        node =
                ArtelNode.start(
                        ServerConfig.DEFAULTS
                                .withPort(0)
                                .withData(data)
                                .withBlueprints(BlueprintSettings.DEFAULTS.withUpload(true)),
                        blueprints());
        client = ArtelClient.of(node.uri(), node.clientToken());
        worker =
                Worker.named("painter-1")
                        .orchestrator(node.uri(), node.workerToken())
                        .maxConcurrentTasks(4)
                        .withoutShutdownHook()
                        .handle("paint", JsonObject.class, (params, _) -> Result.success(params))
                        .handle(
                                "spill",
                                JsonObject.class,
                                (_, _) -> {
                                    throw new IllegalStateException("no cloth");
                                })
                        .handle("ask", JsonObject.class, (_, task) -> colour(task))
                        .handle("pay", JsonObject.class, (_, _) -> never())
                        .build();
        worker.start();
    }

    /// Ends with the interruption that comes when the orchestrator has given the attempt up.
    private static Result never() throws InterruptedException {
        new CountDownLatch(1).await();
        return Result.success(JsonObject.EMPTY);
    }

    private static Result colour(TaskContext task) throws InterruptedException {
        var answer = task.ask("Which colour?", "red", "blue");
        return Result.success(JsonObject.of("colour", JsonValue.of(answer)));
    }

    private static Blueprints blueprints() {
        return Blueprints.of(
                task("paint", "paint", it -> it),
                task("ask", "ask", it -> it),
                spill(),
                task("sculpt", "sculpt", it -> it),
                task(
                        "pay",
                        "pay",
                        it -> it.notIdempotent().withExecutionTimeout(Duration.ofMillis(200))),
                Blueprint.named("costly")
                        .budget(Budget.ofUsd("0.5").requestingExtension())
                        .start(
                                "one",
                                step ->
                                        Action.dispatch(
                                                TaskSpec.of("paint", step.initialData())
                                                        .withCost("1"),
                                                Outcomes.on("success", "end")))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("approval")
                        .start(
                                "one",
                                _ ->
                                        Action.awaitApproval(
                                                "Release the picture?",
                                                Outcomes.on("approve", "end").and("reject", "no")))
                        .leadingTo("end", "no")
                        .end("end")
                        .end("no")
                        .build(),
                Blueprint.named("signal")
                        .version("0.9")
                        .start("before", _ -> Action.awaitSignal("paid", "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("signal")
                        .start("one", _ -> Action.awaitSignal("paid", "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("broken")
                        .start(
                                "one",
                                _ -> {
                                    throw new IllegalStateException("the disk is full");
                                })
                        .retry(RetryPolicy.NEVER)
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("failing").start("one", _ -> Action.fail("no luck")).build());
    }

    /// The attempt at its task fails, and the job goes on.
    private static Blueprint spill() {
        var task = TaskSpec.of("spill", JsonObject.EMPTY).withRetry(RetryPolicy.NEVER);
        return Blueprint.named("spill")
                .start("one", _ -> Action.dispatch(task, Outcomes.on(Outcomes.FAILED, "end")))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private static Blueprint task(String name, String type, UnaryOperator<TaskSpec> more) {
        return Blueprint.named(name)
                .start(
                        "one",
                        step ->
                                Action.dispatch(
                                        more.apply(TaskSpec.of(type, step.initialData())),
                                        Outcomes.on("success", "end")))
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()))
                .build();
    }

    URI uri() {
        return node.uri();
    }

    String submit(String blueprint) {
        return submit(blueprint, JsonObject.EMPTY);
    }

    String submit(String blueprint, JsonObject input) {
        return client.submit(JobSubmission.of(blueprint, input)).id();
    }

    String submitOfVersion(String blueprint, String version) {
        return client.submit(JobSubmission.of(blueprint, JsonObject.EMPTY).withVersion(version))
                .id();
    }

    String awaiting(String blueprint, String status) {
        var job = submit(blueprint);
        awaitStatus(job, status);
        return job;
    }

    String status(String job) {
        return client.api().get("/api/v1/jobs/" + job).string("status").orElse("");
    }

    void awaitStatus(String job, String status) {
        await().until(() -> status(job).equals(status));
    }

    String explanation(String job) {
        return client.api().get("/api/v1/jobs/" + job + "/explain").string("text").orElse("");
    }

    void awaitFinished(String job) {
        assertThat(client.awaitFinal(new JobRef(job), LONGEST).isFinal())
                .as("job %s has ended", job)
                .isTrue();
    }

    @Override
    public void close() {
        worker.close();
        client.close();
        node.close();
    }
}
