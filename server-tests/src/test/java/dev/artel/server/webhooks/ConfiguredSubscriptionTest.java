package dev.artel.server.webhooks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.SigningSecret;
import dev.artel.config.SubscriptionSettings;
import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import dev.artel.server.wiring.StartupException;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Subscriptions that the settings name, beside those that the API makes.
final class ConfiguredSubscriptionTest {
    private static final Secret SECRET =
            new Secret("whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=");

    private final Storage storage =
            new Storage(
                    new InMemoryEventStore(),
                    new InMemoryPayloadStore(),
                    new InMemoryFleet(),
                    new InMemoryKeyValueStore());

    private static SubscriptionSettings named(String name, String url) {
        return new SubscriptionSettings(
                name, url, List.of("job_finished"), List.of("quick"), SECRET);
    }

    private static ServerConfig config(SubscriptionSettings... subscriptions) {
        return TestNodes.CONFIG.withIngress(
                TestNodes.CONFIG
                        .ingress()
                        .withWebhooks(
                                WebhookSettings.DEFAULTS
                                        .withAllowHttp(true)
                                        .withAllowPrivate(List.of("127.0.0.1"))
                                        .withRetries(TestReceiver.PATIENT)
                                        .withSubscriptions(Arrays.asList(subscriptions))));
    }

    private ArtelNode node(SubscriptionSettings... subscriptions) {
        return ArtelNode.start(
                config(subscriptions),
                Blueprints.of(
                        Blueprint.named("quick")
                                .start("begin", step -> Action.finish(step.initialData()))
                                .build()),
                storage);
    }

    @Test
    void itIsCalled_andShown_andOnlyTheSettingsEndIt() {
        try (var receiver = TestReceiver.good();
                var node = node(named("on-call", receiver.url()))) {
            var client = TestClient.of(node);
            var job = client.submit("{\"blueprint\":\"quick\"}");
            await().untilAsserted(() -> assertThat(receiver.heard()).hasSize(1));
            assertThat(receiver.heard().getFirst().json().string("job_id")).contains(job);

            var shown = client.get("/api/v1/webhooks").items();
            assertThat(((JsonObject) shown.get(0)).string("id")).contains("on-call");
            assertThat(((JsonObject) shown.get(0)).string("source")).contains("configuration");
            assertThat(shown.toString()).doesNotContain("whsec_", "created_at");
            await().untilAsserted(() ->
                    assertThat(client.get("/api/v1/webhooks/on-call/deliveries").text())
                            .contains(job, "\"state\":\"delivered\""));

            var refused = client.method("DELETE", "/api/v1/webhooks/on-call");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.detail()).contains("webhooks.subscriptions.on-call", "read again");

            var made = client.post("/api/v1/webhooks", "{\"url\":\"https://example.com/\"}");
            assertThat(made.object().string("source")).contains("api");
        }
    }

    /// Trap: from the change of its secret in the file on the receiver refuses all calls, until it has the new one.
    @Test
    void whereItsSecretOfBeforeIsNamed_callsAreSignedWithBoth_untilItEnds() {
        var other = new Secret("whsec_" + "AAECAwQFBgcICQoL".repeat(2));
        try (var receiver = TestReceiver.good()) {
            var subscription = named("on-call", receiver.url());
            var now = Instant.now();
            for (var until : List.of(now.plus(Duration.ofDays(1)), now.minusSeconds(1))) {
                var before = new SigningSecret(other, Optional.of(until));
                try (var node = node(subscription.withSecrets(SECRET, before))) {
                    var client = TestClient.of(node);
                    receiver.heard().clear();
                    var job = client.submit("{\"blueprint\":\"quick\"}");
                    await().untilAsserted(() -> assertThat(receiver.heard()).hasSize(1));
                    assertThat(receiver.heard().getFirst().signature().split(" "))
                            .hasSize(until.isAfter(now) ? 2 : 1);
                    var refused = client.post("/api/v1/webhooks/on-call/rotate", "{}");
                    assertThat(refused.status()).isEqualTo(409);
                    assertThat(refused.detail()).contains("on-call", "previous-secret");
                    assertThat(client.get("/api/v1/webhooks/on-call").text())
                            .doesNotContain("whsec_");
                    // What is not known to be delivered is sent again after the restart.
                    await().untilAsserted(() ->
                            assertThat(client.get("/api/v1/jobs/" + job + "/webhooks").text())
                                    .contains("\"state\":\"delivered\""));
                }
            }
        }
    }

    /// Trap: the name means the same after a restart, or pending calls go to nobody.
    @Test
    void afterARestart_itReceivesWhatItMissed_atItsNewPlace_orIsGivenUpIfItIsGone() {
        String job;
        try (var deaf = new TestReceiver((_, _) -> 500);
                var node = node(named("on-call", deaf.url()), named("audit", deaf.url()))) {
            job = TestClient.of(node).submit("{\"blueprint\":\"quick\"}");
            await().untilAsserted(() -> assertThat(deaf.heard()).hasSizeGreaterThanOrEqualTo(2));
        }

        try (var receiver = TestReceiver.good();
                var node = node(named("on-call", receiver.url()))) {
            await().untilAsserted(() -> assertThat(receiver.heard()).hasSize(1));
            await().untilAsserted(() ->
                    assertThat(TestClient.of(node).get("/api/v1/jobs/" + job + "/webhooks").text())
                            .contains("delivered", "given_up", "subscription audit was removed"));
        }
    }

    @Test
    void aBadOne_preventsTheStart() {
        assertThatThrownBy(() -> node(named("on-call", "https://10.0.0.1/")))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(
                        "webhooks.subscriptions.on-call.url", "webhooks.allow-private");
        assertThatThrownBy(() ->
                        node(
                                named("on-call", "https://example.com/"),
                                named("on-call", "https://example.org/")))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("is there twice");
    }

    /// Trap: the last ones would never be called, silently.
    @Test
    void moreSubscriptionsThanAJobMayHave_withThoseOfTheApi_preventTheStart() {
        try (var node = node()) {
            for (var i = 0; i < 10; i++) {
                var made =
                        TestClient.of(node)
                                .post("/api/v1/webhooks", "{\"url\":\"https://example.com/\"}");
                assertThat(made.status()).isEqualTo(201);
            }
        }
        var ten =
                IntStream.range(0, 10)
                        .mapToObj(i -> named("n" + i, "https://example.com/"))
                        .toArray(SubscriptionSettings[]::new);

        assertThatThrownBy(() -> node(ten))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll("names 10", "has made 10", "at most 19", "DELETE");
    }
}
