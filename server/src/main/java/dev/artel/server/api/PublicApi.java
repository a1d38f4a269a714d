package dev.artel.server.api;

import dev.artel.card.Cards;
import dev.artel.config.OperationsSettings;
import dev.artel.config.Secret;
import dev.artel.files.Instance;
import dev.artel.gateway.http.BearerToken;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.Problem;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.figures.Metrics;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.FixedAnswer;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Objects;

/// What every sender may ask: whether the orchestrator lives, whether it takes jobs, its figures, and what its API is like.
public final class PublicApi {
    private static final JsonObject OK = JsonObject.of("status", JsonValue.of("ok"));

    private static final String HTML = "text/html; charset=utf-8";

    private final Lifecycle lifecycle;
    private final Metrics metrics;
    private final Instance instance;
    private final OperationsSettings operations;
    private final FixedAnswer description = new FixedAnswer(Answers.JSON, resource("openapi.json"));
    private final FixedAnswer page = new FixedAnswer(HTML, resource("docs.html"));
    private final FixedAnswer cardSchema =
            new FixedAnswer(Answers.JSON, Cards.schema().getBytes(StandardCharsets.UTF_8));
    private final FixedAnswer question = new FixedAnswer(HTML, resource("approve.html"));

    /// The public face of an orchestrator.
    public PublicApi(
            Lifecycle lifecycle,
            Metrics metrics,
            Instance instance,
            OperationsSettings operations) {
        this.lifecycle = lifecycle;
        this.metrics = metrics;
        this.instance = instance;
        this.operations = operations;
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        get(routes, "/_public/status", request -> Answers.json(request, 200, OK));
        get(routes, "/healthz", this::health);
        get(routes, "/readyz", this::readiness);
        if (operations.listen().isEmpty()) {
            get(routes, "/_public/metrics", this::figuresForAToken);
            get(routes, "/metrics", this::figuresForAToken);
        }
        get(routes, "/_public/openapi.json", description::answer);
        get(routes, "/_public/docs", request -> page(request, page));
        get(routes, "/_public/card.schema.json", cardSchema::answer);
        get(routes, "/_public/approve", request -> page(request, question));
    }

    /// Adds what programs that watch the orchestrator ask for, at an address that others do not reach.
    public void mountOperations(RoutesConfig routes) {
        routes.get("/healthz", this::health);
        routes.get("/readyz", this::readiness);
        routes.get("/metrics", this::figures);
    }

    private static void get(RoutesConfig routes, String path, Handler handler) {
        routes.get(
                path,
                request -> {
                    ApiAuthenticator.checkParameters(request);
                    handler.handle(request);
                });
    }

    private static void page(Context request, FixedAnswer page) {
        request.header(
                "Content-Security-Policy",
                "default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src"
                        + " 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action"
                        + " 'none'");
        request.header("X-Frame-Options", "DENY");
        request.header("X-Content-Type-Options", "nosniff");
        request.header("Referrer-Policy", "no-referrer");
        request.header("Cache-Control", "no-store");
        page.answer(request);
    }

    private static byte[] resource(String name) {
        try (var in = PublicApi.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + name + " of this program", e);
        }
    }

    private void health(Context request) {
        var death = lifecycle.death();
        if (death.isEmpty()) {
            Answers.json(request, 200, OK);
        } else {
            Answers.json(
                    request,
                    503,
                    JsonObject.of(
                            "status", JsonValue.of("stuck"), "reason", JsonValue.of(death.get())));
        }
    }

    private void readiness(Context request) {
        request.header(Instance.HEADER, instance.id());
        var obstacle = lifecycle.obstacle();
        if (obstacle.isEmpty()) {
            var ready = JsonObject.builder().put("status", "ready");
            var missing = lifecycle.missingDefinitions();
            if (missing != 0) {
                ready.put("missing_definitions", JsonValue.of(missing));
            }
            var problems = lifecycle.problems();
            if (!problems.isEmpty()) {
                ready.put(
                        "problems",
                        new JsonArray(problems.stream().<JsonValue>map(JsonValue::of).toList()));
            }
            Answers.json(request, 200, ready.build());
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

    private void figuresForAToken(Context request) {
        var wanted = operations.metricsToken();
        if (wanted.isPresent() && !isBearer(request, wanted.get())) {
            request.header("WWW-Authenticate", BearerToken.challenge(request, 401));
            Answers.problem(
                    request,
                    Problem.of(
                            ErrorCode.UNAUTHENTICATED,
                            "Figures need a token",
                            "send operations.metrics-token as Authorization: Bearer"));
            return;
        }
        figures(request);
    }

    private static boolean isBearer(Context request, Secret wanted) {
        var given = String.valueOf(request.header("Authorization"));
        return MessageDigest.isEqual(
                given.getBytes(StandardCharsets.UTF_8),
                ("Bearer " + wanted.value()).getBytes(StandardCharsets.UTF_8));
    }

    private void figures(Context request) {
        metrics.answer().answerInRoom(request);
    }
}
