package dev.artel.examples.chat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.worker.server.HttpCall;
import dev.artel.worker.server.WorkerServer;
import dev.artel.worker.server.WorkerServerOptions;
import dev.artel.worker.server.hub.DispatchRequest;
import dev.artel.worker.server.hub.MessageEvent;
import dev.artel.worker.server.hub.OrphanedRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Sends chat completions to workers that serve the wanted model, each worker no more of a category than it takes.
///
/// `POST /v1/chat/completions` with `model`, `prompt` and, if it is not `interactive`, `category`; `GET /v1/models`.
public final class ChatRouter implements AutoCloseable {
    private static final int LARGEST = 1 << 20;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private final WorkerServer server;
    private final Map<String, CompletableFuture<JsonObject>> waiting = new ConcurrentHashMap<>();

    /// A router that is not started yet, for workers that present `token`.
    public ChatRouter(int port, String token) {
        server = new WorkerServer(WorkerServerOptions.onPort(port).withToken(token));
        server.hub().onMessage("work_complete", this::completed);
        server.hub().onMessage("work_failed", this::failed);
        server.hub().onOrphaned(this::orphaned);
        server.addHttpHandler(this::serve);
    }

    /// Listens.
    public void start() {
        server.start();
    }

    /// Where it listens.
    public int port() {
        return server.port();
    }

    /// The server with the workers.
    public WorkerServer server() {
        return server;
    }

    private void completed(MessageEvent event) {
        if (event.complete()) {
            end(event.requestId().orElse(""), event.message());
        }
    }

    private void failed(MessageEvent event) {
        if (event.fail()) {
            end(event.requestId().orElse(""), event.message());
        }
    }

    /// The hub has asked other workers before, as often as it may.
    private void orphaned(OrphanedRequest request) {
        end(
                request.requestId(),
                JsonObject.of(
                        "error", new JsonString("no worker has done it: " + request.reason())));
    }

    private void end(String requestId, JsonObject answer) {
        var caller = waiting.remove(requestId);
        if (caller != null) {
            caller.complete(answer);
        }
    }

    private boolean serve(HttpCall call) throws InterruptedException {
        switch (call.method() + " " + call.path()) {
            case "POST /v1/chat/completions" -> complete(call);
            case "GET /v1/models" -> call.respond(200, models());
            default -> {
                return false;
            }
        }
        return true;
    }

    private JsonObject models() {
        var ids =
                server.hub().workers().stream()
                        .flatMap(worker -> worker.capabilities().models().stream())
                        .map(model -> model.id())
                        .distinct()
                        .toList();
        return JsonObject.of("models", JsonArray.ofStrings(ids));
    }

    private void complete(HttpCall call) throws InterruptedException {
        var asked = body(call);
        var model = asked.flatMap(it -> it.string("model")).orElse("");
        var prompt = asked.flatMap(it -> it.string("prompt")).orElse("");
        if (model.isBlank() || prompt.isBlank()) {
            call.respond(400, error("send a JSON object with \"model\" and \"prompt\""));
            return;
        }
        var category = asked.flatMap(it -> it.string("category")).orElse("interactive");
        var requestId = UUID.randomUUID().toString();
        var answer = new CompletableFuture<JsonObject>();
        waiting.put(requestId, answer);
        try {
            var message =
                    JsonObject.builder()
                            .put("type", "work_request")
                            .put("requestId", requestId)
                            .put("model", model)
                            .put("prompt", prompt)
                            .build();
            var request =
                    DispatchRequest.of(model, message).withCategory(category).withDeadline(LONGEST);
            if (server.hub().dispatch(request).isEmpty()) {
                call.respond(
                        503,
                        error(
                                "no worker for model %s has room for category %s now"
                                        .formatted(model, category)));
                return;
            }
            var done = answer.get(LONGEST.toSeconds() + 1, TimeUnit.SECONDS);
            call.respond(done.has("error") ? 502 : 200, done);
        } catch (ExecutionException | TimeoutException late) {
            call.respond(504, error("no answer within " + LONGEST));
        } finally {
            waiting.remove(requestId);
        }
    }

    private static Optional<JsonObject> body(HttpCall call) {
        try {
            return JsonText.read(call.body(LARGEST)) instanceof JsonObject object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (MalformedJson | IllegalArgumentException wrong) {
            return Optional.empty();
        }
    }

    private static JsonObject error(String message) {
        return JsonObject.of("error", new JsonString(message));
    }

    @Override
    public void close() {
        server.close();
    }
}
