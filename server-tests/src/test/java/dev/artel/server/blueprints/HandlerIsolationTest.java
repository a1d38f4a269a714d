package dev.artel.server.blueprints;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.HandlerPlaces;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What the handlers of one blueprint do is of no consequence for anything else.
final class HandlerIsolationTest {
    private final AtomicBoolean goOn = new AtomicBoolean();
    private final Storage storage = TestNodes.storage();

    private ArtelNode node() {
        var spin = Blueprint.named("spin").start("think", _ -> spin()).build();
        var pure = Blueprint.named("pure-spin").start("think", _ -> spin()).pure().build();
        var quick =
                Blueprint.named("quick")
                        .start("first", _ -> Action.transitionTo("second"))
                        .leadingTo("second")
                        .state("second", _ -> Action.finish(JsonObject.EMPTY))
                        .build();
        var places = new HandlerPlaces(64, 8, 4, 4);
        var config = TestNodes.CONFIG.withEngine(TestNodes.CONFIG.engine().withHandlers(places));
        return ArtelNode.start(config, Blueprints.of(spin, pure, quick, endless()), storage);
    }

    private Blueprint endless() {
        return Blueprint.named("endless")
                .initialData(Endless.class)
                .start("only", _ -> Action.finish(JsonObject.EMPTY))
                .build();
    }

    /// Reading one from `never` does not end before the test ends.
    record Endless(String how) {
        Endless {
            while (how.equals("never") && !END.get()) {
                Thread.onSpinWait();
            }
        }
    }

    private static final AtomicBoolean END = new AtomicBoolean();

    /// Trap: a client sends data whose record computes forever, and has the threads of all requests.
    @Test
    void initialDataThatNeverEnd_takeNoThreadOfARequest() {
        try (var node = node()) {
            var client = TestClient.of(node);

            var answers =
                    IntStream.range(0, 8)
                            .parallel()
                            .mapToObj(_ ->
                                    client.post(
                                            "/api/v1/jobs",
                                            "{\"blueprint\":\"endless\",\"initial_data\":{\"how\":\"never\"}}"))
                            .toList();

            assertThat(answers)
                    .allSatisfy(answer -> {
                        assertThat(answer.status()).isEqualTo(503);
                        assertThat(answer.text()).contains("blueprint 'endless'");
                    });
            assertAllElseGoesOn(node, client);
            END.set(true);
            assertThat(
                            client.submit(
                                    "{\"blueprint\":\"endless\",\"initial_data\":{\"how\":\"soon\"}}"))
                    .isNotEmpty();
        } finally {
            END.set(true);
        }
    }

    private Action spin() {
        while (!goOn.get()) {
            Thread.onSpinWait();
        }
        return Action.finish(JsonObject.EMPTY);
    }

    /// Trap: handlers that compute forever take the threads that requests and jobs need, and again after a restart.
    @Test
    void handlersThatComputeForever_leaveRequestsAndOtherJobsAlone_alsoAfterARestart() {
        try {
            var spinning = new ArrayList<String>();
            try (var node = node()) {
                var client = TestClient.of(node);
                for (var i = 0; i < 20; i++) {
                    spinning.add(client.submit("{\"blueprint\":\"spin\"}"));
                    spinning.add(client.submit("{\"blueprint\":\"pure-spin\"}"));
                }
                assertAllElseGoesOn(node, client);
                await().untilAsserted(() ->
                        assertThat(client.get("/metrics").text())
                                .containsPattern(
                                        "artel_blueprint_handlers\\{blueprint=\"spin\",state=\"computing\"\\}"
                                                + " [1-9]"));
                assertThat(client.get("/api/v1/jobs/" + spinning.get(38) + "/explain").text())
                        .contains("has not begun")
                        .contains("handlers of blueprint 'spin'");
            }
            try (var again = node()) {
                assertAllElseGoesOn(again, TestClient.of(again));
                goOn.set(true);
            }
        } finally {
            goOn.set(true);
        }
    }

    private static void assertAllElseGoesOn(ArtelNode node, TestClient client) {
        for (var i = 0; i < 10; i++) {
            assertThat(client.get("/healthz").status()).isEqualTo(200);
            var quick = client.submit("{\"blueprint\":\"quick\"}");
            await().untilAsserted(() ->
                    assertThat(client.get("/api/v1/jobs/" + quick).text())
                            .contains("\"status\":\"finished\""));
        }
        assertThat(node.engine().handlers()).isNotEmpty();
    }
}
