package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Jobs that run other jobs, as clients see them.
final class ChildrenTest {
    private static final int CHILDREN = 60;
    private static final Outcomes ON = Outcomes.on(Outcomes.FINISHED, "end");

    private final Storage storage =
            new Storage(new InMemoryEventStore(), new InMemoryPayloadStore(), new InMemoryFleet());
    private ArtelNode node;
    private TestClient client;

    private static Blueprint.Builder parentOf(String name, String child) {
        return Blueprint.named(name)
                .start("run", step -> Action.runBlueprint(child, step.initialData(), ON))
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()));
    }

    /// Each of many branches waits for a child of its own.
    private static Blueprint wide() {
        var starts = IntStream.range(0, CHILDREN).mapToObj(i -> "run-" + i).toList();
        var next = new ArrayList<>(starts);
        next.add("end");
        var wide =
                Blueprint.named("wide")
                        .guards(Guards.DEFAULTS.withTreeSteps(1_000_000))
                        .start("begin", _ -> Action.fork(starts, "end"))
                        .leadingTo(next.toArray(String[]::new))
                        .end("end");
        for (var start : starts) {
            wide.state(
                            start,
                            _ ->
                                    Action.runBlueprint("slow", JsonObject.EMPTY, ON)
                                            .as("of-" + start))
                    .leadingTo("end");
        }
        return wide.build();
    }

    private static Blueprints blueprints() {
        var quick =
                Blueprint.named("quick")
                        .start("one", step -> Action.finish(step.initialData()))
                        .build();
        var old =
                Blueprint.named("quick")
                        .version("0.9")
                        .start("one", _ -> Action.transitionTo("old-end"))
                        .leadingTo("old-end")
                        .end("old-end")
                        .build();
        var slow =
                Blueprint.named("slow")
                        .start(
                                "one",
                                _ ->
                                        Action.dispatch(
                                                TaskSpec.of("paint", JsonObject.EMPTY),
                                                Outcomes.on("success", "end")))
                        .leadingTo("end")
                        .end("end")
                        .build();
        var asOld =
                Blueprint.named("as-old")
                        .start(
                                "run",
                                _ ->
                                        Action.runBlueprint("quick", JsonObject.EMPTY, ON)
                                                .withVersion("0.9")
                                                .as("was"))
                        .leadingTo("end")
                        .state("end", step -> Action.finish(step.data()))
                        .build();
        var leaver =
                Blueprint.named("leaver")
                        .start("run", _ -> Action.startBlueprint("slow", JsonObject.EMPTY, "end"))
                        .leadingTo("end")
                        .end("end")
                        .build();
        return Blueprints.of(
                quick,
                old,
                slow,
                wide(),
                asOld,
                leaver,
                parentOf("of-quick", "quick").build(),
                parentOf("of-slow", "slow").build(),
                parentOf("of-parent", "of-slow").build(),
                parentOf("of-itself", "of-itself")
                        .guards(Guards.DEFAULTS.withTreeDepth(3))
                        .build());
    }

    @BeforeEach
    void start() {
        node = ArtelNode.start(TestNodes.CONFIG, blueprints(), storage);
        client = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String submit(String blueprint) {
        return client.submit("{\"blueprint\":\"" + blueprint + "\",\"initial_data\":{\"n\":7}}");
    }

    private JsonObject ended(String job) {
        return client.get("/api/v1/jobs/" + job + "?wait=60").object();
    }

    private JsonObject look(String job) {
        return client.get("/api/v1/jobs/" + job).object();
    }

    private String childOf(String job) {
        await().untilAsserted(() -> {
            assertThat(look(job).string("status")).contains("waiting_for_sub_job");
            assertThat(children(job)).isNotEmpty();
        });
        return look(job).string("child_job_id").orElseThrow();
    }

    private String children(String job) {
        var found = client.get("/api/v1/jobs?parent=" + job).items();
        return found.size() == 0 ? "" : ((JsonObject) found.get(0)).string("id").orElseThrow();
    }

    /// Trap: who asks why a job waits makes the orchestrator read a tree that is as wide as it likes.
    @Test
    void anExplanation_readsFiftyJobs_andNamesTheOthers() {
        var job = submit("wide");
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs?parent=" + job + "&limit=100").items().size())
                        .isEqualTo(CHILDREN));

        var waits =
                client
                        .get("/api/v1/jobs/" + job + "/explain")
                        .object()
                        .array("waits")
                        .orElseThrow()
                        .stream()
                        .map(JsonObject.class::cast)
                        .toList();

        assertThat(waits).hasSize(CHILDREN);
        assertThat(waits.subList(0, 50))
                .allSatisfy(wait ->
                        assertThat(wait.string("text").orElseThrow())
                                .contains("blueprint slow", "because: "));
        assertThat(waits.subList(50, CHILDREN))
                .allSatisfy(wait ->
                        assertThat(wait.toString())
                                .contains("look at the child: GET /api/v1/jobs/")
                                .doesNotContain("because"));
    }

    @Test
    void aChildsResult_isOneObjectInTheDataOfItsParent() {
        var job = submit("of-quick");

        var result = ended(job).object("result").orElseThrow().object("quick").orElseThrow();

        assertThat(result.string("outcome")).contains("finished");
        assertThat(result.object("result").orElseThrow()).hasToString("{\"n\":7}");
        assertThat(result.string("job_id")).contains(children(job));
        var child = ended(children(job));
        assertThat(child.string("parent_job_id")).contains(job);
        assertThat(child.object("client_config"))
                .as("it belongs to its parent's client")
                .isPresent()
                .isEqualTo(ended(job).object("client_config"));
    }

    @Test
    void aChildOfAnOldVersion_runsInThatVersion() {
        var job = submit("as-old");

        var was = ended(job).object("result").orElseThrow().object("was").orElseThrow();

        assertThat(was.string("final_state")).contains("old-end");
        assertThat(ended(children(job)).string("blueprint_version")).contains("0.9");
    }

    @Test
    void aBlueprintThatRunsItselfForever_isFailed_andTheCycleNamed() {
        var job = ended(submit("of-itself"));

        assertThat(job.string("status")).contains("failed");
        assertThat(job.string("error_message").orElseThrow())
                .contains("end the cycle of-itself > of-itself");
    }

    @Test
    void explain_saysWhatTheChildOfAChildWaitsFor() {
        var job = submit("of-parent");
        var child = childOf(job);
        childOf(child);

        await().untilAsserted(() ->
                assertThat(
                                client.get("/api/v1/jobs/" + job + "/explain")
                                        .object()
                                        .string("text")
                                        .orElseThrow())
                        .contains(
                                "it waits for child 0, job "
                                        + child
                                        + " of blueprint of-slow, which is")
                        .contains(
                                "of blueprint slow, which is waiting_for_worker, because: a task of type"));
    }

    @Test
    void cancel_endsTheWholeLine() {
        var job = submit("of-parent");
        var child = childOf(job);
        var grandchild = childOf(child);

        client.post("/api/v1/jobs/" + job + "/cancel", "");

        for (var each : java.util.List.of(job, child, grandchild)) {
            assertThat(ended(each).string("status")).contains("cancelled");
        }
    }

    @Test
    void aDetachedChild_outlivesItsParent_untilItsTreeIsCancelled() {
        var job = submit("leaver");
        assertThat(ended(job).string("status")).contains("finished");
        var child = await("a child").until(() -> children(job), it -> !it.isEmpty());
        await().until(
                        () -> look(child).string("status").orElseThrow(),
                        "waiting_for_worker"::equals);

        var answer = client.post("/api/v1/jobs/" + job + "/cancel?tree=true", "");

        assertThat(answer.text())
                .isEqualTo(
                        "{\"matched\":2,\"over\":1,\"done\":1,\"unchanged\":0,\"failed\":0,"
                                + "\"dry_run\":false,\"failures\":[]}");
        assertThat(ended(child).string("status")).contains("cancelled");
        assertThat(client.post("/api/v1/jobs/" + job + "/cancel?tree=maybe", "").status())
                .isEqualTo(400);
    }

    @Test
    void aChildThatEndsAfterARestart_isStillReportedToItsParent() {
        var job = submit("of-slow");
        var child = childOf(job);
        node.close();
        node = ArtelNode.start(TestNodes.CONFIG, blueprints(), storage);
        client = TestClient.of(node);

        client.post("/api/v1/jobs/" + child + "/cancel", "");

        assertThat(ended(job).string("error_message").orElseThrow()).contains("cancelled: ");
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + child + "/history").text())
                        .contains("parent.notified"));
    }

    private void rewind(String job, String state) {
        assertThat(
                        client.post(
                                        "/api/v1/jobs/" + job + "/rewind",
                                        "{\"state\":\"" + state + "\"}")
                                .text())
                .isEqualTo("{\"status\":\"rewound\"}");
    }

    /// Trap: a child that is taken back ends twice for its parent, or never.
    @Test
    void aChildThatIsRewound_isWaitedForAsBefore() {
        var job = submit("of-slow");
        var child = childOf(job);
        var worker = new TestWorker(node, "w1", "paint");
        var before = worker.next();

        rewind(child, "one");

        worker.report(before, JsonObject.EMPTY);
        await().until(
                        () -> look(child).string("status").orElseThrow(),
                        "waiting_for_worker"::equals);
        worker.report(worker.next(), JsonObject.EMPTY);
        assertThat(ended(job).string("status")).contains("finished");
        assertThat(client.get("/api/v1/jobs/" + job + "/history").text())
                .containsOnlyOnce("\"type\":\"child.ended\"");
    }

    /// Trap: the former child goes on beside the new one.
    @Test
    void aParentThatIsRewound_stopsItsChild_andStartsAnother() {
        var job = submit("of-slow");
        var child = childOf(job);

        rewind(job, "run");

        assertThat(ended(child).string("status")).contains("cancelled");
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs?parent=" + job).items().size()).isEqualTo(2));
        var worker = new TestWorker(node, "w1", "paint");
        worker.report(worker.next(), JsonObject.EMPTY);
        assertThat(ended(job).string("status")).contains("finished");
    }
}
