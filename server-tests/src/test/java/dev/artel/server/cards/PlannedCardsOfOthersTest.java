package dev.artel.server.cards;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.card.Cards;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.server.AliceAndBob;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the card that a job of Bob has brought along is for Alice: nothing, whatever name it has.
final class PlannedCardsOfOthersTest {
    private static final String PLANNER =
            """
            metadata: {name: planner, version: 1.0.0}
            spec:
              steps:
                - {id: go, type: replan, card: "${input.card}"}
            """;

    /// Takes the name that others wait for, and the highest version.
    private static final String PAYMENT =
            """
            metadata: {name: payment, version: 99.0.0}
            spec:
              steps:
                - {id: nested, subprocess: {steps: [{id: end, type: complete, result: {deep: true}}]}, output: nested}
                - {id: hold, type: wait, event: go}
                - {id: end, type: complete, result: {by: bob, nested: "${nested}"}}
            """;

    @TempDir private Path folder;
    private Blueprints known = new Blueprints();

    @BeforeEach
    void writeClients() throws IOException {
        AliceAndBob.writeTo(folder.resolve("data"));
    }

    private ArtelNode start() {
        known = Blueprints.of(Cards.read(PLANNER).orElseThrow(), order());
        return ArtelNode.start(TestNodes.CONFIG.withData(folder.resolve("data")), known);
    }

    /// Runs a blueprint that is not there.
    private static Blueprint order() {
        return Blueprint.named("order")
                .start(
                        "pay",
                        _ ->
                                Action.runBlueprint(
                                        "payment",
                                        JsonObject.of("iban", JsonValue.of("of alice")),
                                        Outcomes.on(Outcomes.FINISHED, "paid")))
                .leadingTo("paid")
                .state("paid", step -> Action.finish(step.data()))
                .build();
    }

    private static String plan(TestClient client, String card) {
        var submission =
                JsonObject.of("blueprint", JsonValue.of("planner"))
                        .with("initial_data", JsonObject.of("card", JsonValue.of(card)));
        var job = client.submit(submission.toString());
        await().until(() -> member(client, job, "blueprint_name").equals("payment"));
        return job;
    }

    private static String member(TestClient client, String job, String name) {
        return client.get("/api/v1/jobs/" + job).object().string(name).orElse("");
    }

    private static List<String> names(TestClient client) {
        return client
                .get("/api/v1/blueprints?limit=100")
                .object()
                .array("items")
                .orElseThrow()
                .stream()
                .map(each -> ((JsonObject) each).string("name").orElseThrow())
                .toList();
    }

    /// Trap: a child without a version starts with whatever definition comes first, gets the input of its parent, and its result is believed.
    @Test
    void aChildThatWaitsForItsBlueprint_doesNotGetThePlanOfAnotherClient_norItsOwn() {
        try (var node = start()) {
            var alice = AliceAndBob.alice(node);
            var order = alice.submit("{\"blueprint\":\"order\"}");
            var explain = "/api/v1/jobs/" + order + "/explain";
            await().until(() ->
                    alice.get(explain).text().contains("there is no blueprint 'payment'"));

            plan(AliceAndBob.bob(node), PAYMENT);
            plan(alice, PAYMENT);

            assertThat(alice.get(explain).text()).contains("there is no blueprint 'payment'");
            known.register(
                    Blueprint.named("payment")
                            .version("1.0.0")
                            .start(
                                    "begin",
                                    _ ->
                                            Action.finish(
                                                    JsonObject.of(
                                                            "by", JsonValue.of("the author"))))
                            .build());
            assertThat(alice.get("/api/v1/jobs/" + order + "?wait=60").text())
                    .contains("the author");
        }
    }

    @Test
    void theNameOfAPlan_isNotListed_notSubmitted_andShownToThoseAloneWhoSeeItsJob() {
        try (var node = start()) {
            var alice = AliceAndBob.alice(node);
            var bob = AliceAndBob.bob(node);
            var operator = TestClient.of(node);
            var version = member(bob, plan(bob, PAYMENT), "blueprint_version");
            assertThat(version).startsWith("0.0.0-sha256.");

            for (var each : List.of(alice, bob, operator)) {
                assertThat(names(each)).containsExactly("order", "planner");
                assertThat(each.get("/api/v1/blueprints/payment").status()).isEqualTo(404);
                assertThat(each.get("/api/v1/blueprints/payment/graph").status()).isEqualTo(404);
                for (var submission :
                        List.of(
                                "{\"blueprint\":\"payment\"}",
                                "{\"blueprint\":\"payment\",\"version\":\"" + version + "\"}")) {
                    var answer = each.post("/api/v1/jobs", submission);
                    assertThat(answer.status()).as(answer.text()).isEqualTo(404);
                    assertThat(answer.text()).contains("there is no blueprint 'payment'");
                }
            }
            var graph = "/api/v1/blueprints/payment/graph?format=json&version=" + version;
            assertThat(alice.get(graph).status()).isEqualTo(404);
            assertThat(bob.get(graph).object().string("version")).contains(version);
            assertThat(operator.get(graph).object().string("version")).contains(version);
        }
    }

    @Test
    void aPlan_runsTheCardsInsideIt_andGoesOn_alsoAfterARestart() {
        String job;
        String version;
        try (var node = start()) {
            var bob = AliceAndBob.bob(node);
            job = plan(bob, PAYMENT);
            version = member(bob, job, "blueprint_version");
        }
        try (var node = start()) {
            var bob = AliceAndBob.bob(node);

            assertThat(
                            AliceAndBob.alice(node)
                                    .get("/api/v1/blueprints/payment/graph?version=" + version)
                                    .status())
                    .isEqualTo(404);
            assertThat(bob.get("/api/v1/blueprints/payment/graph?version=" + version).status())
                    .isEqualTo(200);
            bob.post("/api/v1/jobs/" + job + "/signals/go", "{\"id\":\"s\"}");
            assertThat(bob.get("/api/v1/jobs/" + job + "?wait=60").object().object("result"))
                    .hasValueSatisfying(result ->
                            assertThat(result.toString()).contains("bob").contains("deep"));
        }
    }

    /// Trap: a card names itself like a blueprint of others, or each time anew, and their figures show its jobs, or there are series without end.
    @Test
    void theJobsOfAPlan_areCountedAsThoseOfAllPlans_whateverNameItHas() {
        try (var node = start()) {
            var bob = AliceAndBob.bob(node);
            var job = plan(bob, PAYMENT);
            bob.post("/api/v1/jobs/" + job + "/signals/go", "{\"id\":\"s\"}");
            assertThat(bob.get("/api/v1/jobs/" + job + "?wait=60").text()).contains("finished");

            await().untilAsserted(() ->
                    assertThat(TestClient.of(node).get("/metrics").text())
                            .contains("blueprint=\"planner\"")
                            .contains("blueprint=\"(planned)\"")
                            .contains("blueprint=\"(planned) bob\""));
            assertThat(TestClient.of(node).get("/metrics").text())
                    .doesNotContain("blueprint=\"payment");
        }
    }
}
