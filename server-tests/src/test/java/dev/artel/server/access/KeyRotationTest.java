package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import dev.artel.webhook.Subscription;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Keys of the orchestrator are replaced, and what was made with the old ones is good until these expire.
final class KeyRotationTest {
    @TempDir private Path data;

    private static Blueprint asking() {
        return Blueprint.named("asking")
                .start("ask", _ -> Action.awaitApproval("ship it?", Outcomes.on("yes", "end")))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private ArtelNode start() {
        var webhooks =
                WebhookSettings.DEFAULTS
                        .withAllowHttp(true)
                        .withAllowPrivate(List.of("127.0.0.0/8"))
                        .withRetries(TestReceiver.PATIENT);
        var config =
                TestNodes.CONFIG
                        .withData(data)
                        .withIngress(TestNodes.CONFIG.ingress().withWebhooks(webhooks));
        return ArtelNode.start(config, Blueprints.of(asking()));
    }

    private static Answer rotate(TestClient client, String keys, long overlap) {
        return client.post(
                "/api/v1/admin/keys/" + keys + "/rotate", "{\"overlap_seconds\":" + overlap + "}");
    }

    private static String token(TestClient client, String job) {
        await().until(() -> client.get("/api/v1/jobs/" + job + "/approvals").items().size() > 0);
        return ((JsonObject) client.get("/api/v1/jobs/" + job + "/approvals").items().get(0))
                .string("token")
                .orElseThrow();
    }

    private static Answer decide(ArtelNode node, String job, String token) {
        return new TestClient(node.uri(), "", "")
                .post(
                        "/_public/webhooks/approval/" + job,
                        "{\"decision\":\"yes\",\"token\":\"" + token + "\"}");
    }

    /// Trap: who waits for an approval has a link that is good for nothing, once the key is another one.
    @Test
    void anApprovalThatIsOpen_isDecidedByALinkOfBefore_orOfTheNewKey() {
        try (var node = start()) {
            var client = TestClient.of(node);
            var one = client.submit("{\"blueprint\":\"asking\"}");
            var other = client.submit("{\"blueprint\":\"asking\"}");
            var before = token(client, one);
            var gone = token(client, other);

            assertThat(rotate(client, "approvals", 3600).status()).isEqualTo(200);

            assertThat(token(client, one)).isNotEqualTo(before);
            assertThat(decide(node, one, before).status()).isEqualTo(200);
            var again = decide(node, one, before);
            assertThat(again.status()).isEqualTo(409);

            assertThat(rotate(client, "approvals", 0).status()).isEqualTo(200);

            assertThat(decide(node, other, gone).status()).isEqualTo(403);
            assertThat(decide(node, other, token(client, other)).status()).isEqualTo(200);
        }
    }

    @Test
    void keysOutliveARestart_andOperatorsSeeTheirGenerations() {
        String job;
        String before;
        try (var node = start()) {
            var client = TestClient.of(node);
            job = client.submit("{\"blueprint\":\"asking\"}");
            before = token(client, job);
            rotate(client, "approvals", 3600);
        }
        try (var node = start()) {
            var keys = TestClient.of(node).get("/api/v1/admin/keys").object();
            var approvals = keys.array("approvals").orElseThrow();
            assertThat(approvals.size()).isEqualTo(2);
            assertThat(((JsonObject) approvals.get(0)).toString())
                    .startsWith("{\"generation\":2,\"signs\":true,\"made_at\":");
            assertThat(((JsonObject) approvals.get(1)).string("expires_at")).isPresent();
            assertThat(keys.array("webhooks").orElseThrow().size()).isEqualTo(1);
            assertThat(keys.toString()).doesNotContain("\"key\"");
            assertThat(decide(node, job, before).status()).isEqualTo(200);
        }
    }

    /// Trap: from one call to the next receivers refuse all of them, until they have the new secret.
    @Test
    void aWebhook_isSignedWithEachKeyThatIsGood_theNewestFirst() throws Exception {
        try (var node = start();
                var receiver = TestReceiver.good()) {
            var client = TestClient.of(node);
            var before = secret(client);

            assertThat(rotate(client, "webhooks", 3600).status()).isEqualTo(200);
            var after = secret(client);
            assertThat(after).isNotEqualTo(before);
            client.submit("{\"blueprint\":\"asking\",\"webhook_url\":\"" + receiver.url() + "\"}");
            await().until(() -> !receiver.heard().isEmpty());
            var heard = receiver.heard().getFirst();
            assertThat(heard.signature())
                    .isEqualTo(signature(heard, after) + " " + signature(heard, before));

            assertThat(rotate(client, "webhooks", 0).status()).isEqualTo(200);
            receiver.heard().clear();
            client.submit("{\"blueprint\":\"asking\",\"webhook_url\":\"" + receiver.url() + "\"}");
            await().until(() -> !receiver.heard().isEmpty());
            var last = receiver.heard().getFirst();
            assertThat(last.signature()).isEqualTo(signature(last, secret(client)));
        }
    }

    private static String subscribed(TestClient client, TestReceiver receiver) {
        var made =
                client.post(
                        "/api/v1/webhooks",
                        "{\"url\":\"" + receiver.url() + "\",\"events\":[\"job_waiting\"]}");
        assertThat(made.status()).isEqualTo(201);
        return made.text();
    }

    private static String of(Answer answer, String member) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object().string(member).orElseThrow();
    }

    private static TestReceiver.Heard heard(TestClient client, TestReceiver receiver) {
        receiver.heard().clear();
        client.submit("{\"blueprint\":\"asking\"}");
        await().until(() -> !receiver.heard().isEmpty());
        return receiver.heard().getFirst();
    }

    /// Trap: the secret of a subscription has leaked, and it can be changed only by a new subscription, which receives
    /// no calls about running jobs.
    @Test
    void callsToASubscription_areSignedWithBothSecrets_asLongAsTheyOverlap() throws Exception {
        try (var receiver = TestReceiver.good()) {
            String path;
            String before;
            String after;
            try (var node = start()) {
                var client = TestClient.of(node);
                var made = (JsonObject) JsonText.read(subscribed(client, receiver));
                path = "/api/v1/webhooks/" + made.string("id").orElseThrow();
                before = made.string("secret").orElseThrow();
                after = of(client.post(path + "/rotate", "{\"overlap_seconds\":3600}"), "secret");
                assertThat(after).isNotEqualTo(before);
                assertThat(client.get(path).text())
                        .contains("\"previous_secrets\":[{\"expires_at\":")
                        .doesNotContain("whsec_");
                assertThat(client.get("/api/v1/webhooks").text()).doesNotContain("whsec_");
            }
            // Also after a restart.
            try (var node = start()) {
                var client = TestClient.of(node);
                var call = heard(client, receiver);
                assertThat(call.signature())
                        .isEqualTo(signature(call, after) + " " + signature(call, before));

                var given = "whsec_" + Base64.getEncoder().encodeToString(new byte[32]);
                var body = "{\"overlap_seconds\":0,\"secret\":\"" + given + "\"}";
                assertThat(of(client.post(path + "/rotate", body), "secret")).isEqualTo(given);

                var last = heard(client, receiver);
                assertThat(last.signature()).isEqualTo(signature(last, given));
                assertThat(client.get(path).text()).doesNotContain("previous_secrets");
            }
        }
    }

    @Test
    void aSubscription_hasAtMostEightSecretsAtOnce_andOddRotationsAreRefused() throws Exception {
        try (var node = start();
                var receiver = TestReceiver.good()) {
            var client = TestClient.of(node);
            var made = (JsonObject) JsonText.read(subscribed(client, receiver));
            var path = "/api/v1/webhooks/" + made.string("id").orElseThrow() + "/rotate";
            for (var i = 1; i < Subscription.MOST_SECRETS; i++) {
                assertThat(client.post(path, "{}").status()).isEqualTo(200);
            }
            var refused = client.post(path, "{}");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.detail()).contains("8 secrets that are still good", "no overlap");
            assertThat(client.post(path, "{\"overlap_seconds\":0}").status()).isEqualTo(200);
            assertThat(client.post(path, "{\"overlap_seconds\":-1}").status()).isEqualTo(400);
            assertThat(client.post(path, "{\"secret\":\"short\"}").status()).isEqualTo(400);
            assertThat(client.post("/api/v1/webhooks/wh-none/rotate", "{}").status())
                    .isEqualTo(404);
        }
    }

    private static String secret(TestClient client) {
        return client.get("/api/v1/webhook-secret").object().string("secret").orElseThrow();
    }

    private static String signature(TestReceiver.Heard heard, String secret) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        var key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        var text = heard.id() + "." + heard.timestamp() + "." + heard.body();
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(UTF_8)));
    }

    @Test
    void whoIsNoOperator_orAsksForOddThings_isRefused() {
        try (var node = start()) {
            var client = TestClient.of(node);
            assertThat(rotate(client, "tokens", 0).status()).isEqualTo(404);
            assertThat(rotate(client, "tokens", 0).detail())
                    .isEqualTo("there are keys of approvals, webhooks");
            assertThat(rotate(client, "webhooks", -1).status()).isEqualTo(400);
            assertThat(new TestClient(node.uri(), "", "").get("/api/v1/admin/keys").status())
                    .isEqualTo(401);
        }
    }
}
