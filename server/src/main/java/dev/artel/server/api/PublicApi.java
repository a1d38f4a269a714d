package dev.artel.server.api;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;

/// What anybody may ask: whether the orchestrator lives, whether it takes jobs, its figures, and what its API is like.
public final class PublicApi {
    private static final JsonObject OK = JsonObject.of("status", JsonValue.of("ok"));
    private static final JsonObject READY = JsonObject.of("status", JsonValue.of("ready"));

    private final Lifecycle lifecycle;
    private final Metrics metrics;
    private final byte[] description = resource("openapi.json");
    private final byte[] page = resource("docs.html");
    private final byte[] question = resource("approve.html");

    /// The public face of an orchestrator.
    public PublicApi(Lifecycle lifecycle, Metrics metrics) {
        this.lifecycle = lifecycle;
        this.metrics = metrics;
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        routes.get("/_public/status", request -> Answers.json(request, 200, OK));
        routes.get("/healthz", request -> Answers.json(request, 200, OK));
        routes.get("/readyz", this::readiness);
        routes.get("/_public/metrics", this::figures);
        routes.get("/metrics", this::figures);
        routes.get("/_public/openapi.json", request -> Answers.json(request, 200, description));
        routes.get("/_public/docs", request -> page(request, page));
        routes.get("/_public/approve", request -> page(request, question));
    }

    private static void page(Context request, byte[] page) {
        request.header(
                "Content-Security-Policy",
                "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src"
                        + " 'unsafe-inline'");
        request.contentType("text/html; charset=utf-8").result(page);
    }

    private static byte[] resource(String name) {
        try (var in = PublicApi.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + name + " of this program", e);
        }
    }

    private void readiness(Context request) {
        var obstacle = lifecycle.obstacle();
        if (obstacle.isEmpty()) {
            Answers.json(request, 200, READY);
        } else {
            Answers.json(
                    request,
                    503,
                    JsonObject.of(
                            "status",
                            JsonValue.of("not ready"),
                            "reason",
                            JsonValue.of(obstacle.get())));
        }
    }

    private void figures(Context request) {
        request.contentType("text/plain; version=0.0.4; charset=utf-8").result(metrics.text());
    }
}
