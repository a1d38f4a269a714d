package dev.artel.e2e.payloads;

import dev.artel.config.PayloadSettings;
import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelNode;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.waits.Await;
import dev.artel.worker.Worker;
import dev.artel.worker.WorkerBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An orchestrator in this process with the sample blueprints, and a client of it.
final class PayloadNode implements AutoCloseable {
    static final String CLIENT = "client-token-of-the-payload-tests";
    static final String WORKER = "worker-token-of-the-payload-tests";

    private final HttpClient http = HttpClient.newHttpClient();
    private final ArtelNode node;

    PayloadNode(Path data, PayloadSettings payloads) {
        this(data, payloads, SampleBlueprints.all());
    }

    PayloadNode(Path data, PayloadSettings payloads, Blueprints blueprints) {
        var config =
                ServerConfig.DEFAULTS
                        .withPort(0)
                        .withData(data)
                        .withPayloads(payloads)
                        .withTokens(
                                new TokenSettings.Given(new Secret(CLIENT), new Secret(WORKER)));
        node = ArtelNode.start(config, blueprints);
    }

    URI uri() {
        return node.uri();
    }

    WorkerBuilder worker(String name) {
        return Worker.named(name).orchestrator(uri(), WORKER);
    }

    String submit(String blueprint, JsonObject data) throws IOException, InterruptedException {
        var body = JsonObject.of("blueprint", JsonValue.of(blueprint)).with("initial_data", data);
        return send("POST", "/api/v1/jobs", body).string("job_id").orElseThrow();
    }

    JsonObject job(String id) throws IOException, InterruptedException {
        return send("GET", "/api/v1/jobs/" + id, null);
    }

    JsonObject await(String id, String status) {
        return Await.await("job " + id + " is " + status)
                .until(
                        () -> send("GET", "/api/v1/jobs/" + id + "?wait=1", null),
                        found -> found.string("status").equals(Optional.of(status)));
    }

    /// The job once it has the status, asked for rarely: what it has is large.
    JsonObject awaitLong(String id, String status) {
        return Await.await("job " + id + " is " + status)
                .pollInterval(Duration.ofSeconds(1))
                .until(
                        () -> send("GET", "/api/v1/jobs/" + id + "?wait=30", null),
                        found -> found.string("status").equals(Optional.of(status)));
    }

    private JsonObject send(String method, String path, @Nullable JsonObject body)
            throws IOException, InterruptedException {
        var publisher =
                body == null
                        ? BodyPublishers.noBody()
                        : BodyPublishers.ofByteArray(JsonText.write(body));
        var request =
                HttpRequest.newBuilder(uri().resolve(path))
                        .timeout(Await.longest())
                        .header("Authorization", "Bearer " + CLIENT)
                        .method(method, publisher)
                        .build();
        var answer = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        return JsonText.read(answer.body()) instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    @Override
    public void close() {
        http.close();
        node.close();
    }
}
