package dev.artel.server.api;

import dev.artel.access.AccessControl;
import dev.artel.config.NamedSecret;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.Problem;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.admin.AuditLines;
import dev.artel.server.api.admin.AuditRoutes;
import dev.artel.server.api.admin.KeyRoutes;
import dev.artel.server.api.admin.PauseRoutes;
import dev.artel.server.api.admin.SecretRoutes;
import dev.artel.server.api.blueprints.JarRoutes;
import dev.artel.server.api.cards.CardRoutes;
import dev.artel.server.api.http.Answers;
import dev.artel.server.cards.CardLibrary;
import dev.artel.server.jars.UploadedJars;
import dev.artel.server.reload.ReloadReport;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;

/// What operators do with the orchestrator itself, and what callers ask about themselves.
public final class AdminApi {
    private final AccessControl accessControl;
    private final ApiAuthenticator apiAuthenticator;
    private final KeyRoutes keys;
    private final JarRoutes jars;
    private final CardRoutes cards;
    private final PauseRoutes pauses;
    private final Supplier<ReloadReport> reload;
    private final AuditRoutes audit;
    private final Supplier<JsonObject> system;
    private final SecretRoutes secrets;

    /// What operators have to do with.
    ///
    /// @param uploads whether jars of blueprints and cards may be uploaded
    /// @param jars of blueprints, when the orchestrator is ready; empty: it has no folder of them
    /// @param cards of the orchestrator, when it is ready
    /// @param reload reads again what can be read again
    /// @param audit who has changed what
    /// @param system the orchestrator itself, without secrets
    /// @param secrets those that cards may name
    public record Parts(
            AccessControl accessControl,
            ApiAuthenticator authenticator,
            Lifecycle lifecycle,
            EventStore store,
            InstantSource clock,
            boolean uploads,
            Supplier<Optional<UploadedJars>> jars,
            Supplier<CardLibrary> cards,
            Supplier<ReloadReport> reload,
            AuditLines audit,
            Supplier<JsonObject> system,
            Supplier<Collection<NamedSecret>> secrets) {}

    /// The API of an orchestrator.
    public AdminApi(Parts parts) {
        accessControl = parts.accessControl();
        keys = new KeyRoutes(parts.lifecycle(), parts.clock());
        pauses = new PauseRoutes(parts.lifecycle(), parts.clock());
        apiAuthenticator = parts.authenticator();
        jars = new JarRoutes(parts.lifecycle(), parts.store(), parts.uploads(), parts.jars());
        cards = new CardRoutes(parts.lifecycle(), parts.store(), parts.uploads(), parts.cards());
        reload = parts.reload();
        audit = new AuditRoutes(parts.audit());
        system = parts.system();
        secrets = new SecretRoutes(parts.secrets());
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        var prefix = "/api/v1";
        routes.post(prefix + "/admin/reload", this::reload);
        routes.get(prefix + "/whoami", this::whoami);
        routes.get(prefix + "/admin/audit", apiAuthenticator.operated(audit::list));
        routes.get(
                prefix + "/admin/system",
                apiAuthenticator.operated(
                        (request, _) -> Answers.json(request, 200, system.get())));
        routes.get(prefix + "/admin/secrets", apiAuthenticator.operated(secrets::list));
        routes.get(prefix + "/admin/keys", apiAuthenticator.operated(keys::list));
        routes.post(prefix + "/admin/keys/{name}/rotate", apiAuthenticator.operated(keys::rotate));
        routes.get(prefix + "/admin/jars", apiAuthenticator.operated(jars::list));
        routes.put(prefix + "/admin/jars/{name}", apiAuthenticator.operated(jars::put));
        routes.delete(prefix + "/admin/jars/{name}", apiAuthenticator.operated(jars::delete));
        var card = prefix + "/admin/cards/{name}/versions/{version}";
        routes.get(prefix + "/admin/cards", apiAuthenticator.operated(cards::list));
        routes.post(prefix + "/admin/cards", apiAuthenticator.operated(cards::put));
        routes.post(prefix + "/admin/cards/validate", apiAuthenticator.operated(cards::validate));
        routes.post(prefix + "/admin/cards/plan", apiAuthenticator.operated(cards::plan));
        routes.get(prefix + "/admin/cards/{name}", apiAuthenticator.operated(cards::one));
        routes.get(card, apiAuthenticator.operated(cards::source));
        routes.delete(card, apiAuthenticator.operated(cards::delete));
        var pause = prefix + "/admin/pauses/{scope}/{name}";
        routes.get(prefix + "/admin/pauses", apiAuthenticator.operated(pauses::list));
        routes.put(pause, apiAuthenticator.operated(pauses::set));
        routes.delete(pause, apiAuthenticator.operated(pauses::clear));
        routes.post("/api/admin/reload-workers", this::reloadWorkers);
    }

    private void reload(Context request) {
        apiAuthenticator.admitOperator(request);
        var report = reload.get();
        if (report.problems().isEmpty()) {
            Answers.json(request, 200, report.toJson().with("status", JsonValue.of("reloaded")));
        } else {
            refuse(request, report);
        }
    }

    /// The same, answered as the first generation answers.
    private void reloadWorkers(Context request) {
        apiAuthenticator.admitOperator(request);
        var report = reload.get();
        if (report.problems().isEmpty()) {
            Answers.json(
                    request, 200, JsonObject.of("status", JsonValue.of("worker_configs_reloaded")));
        } else {
            refuse(request, report);
        }
    }

    private static void refuse(Context request, ReloadReport report) {
        var problem =
                Problem.of(
                        ErrorCode.CONFIGURATION_INVALID,
                        "Not all can be used; of what cannot, what was in force stays so",
                        String.join("; ", report.problems()));
        for (var part : report.toJson().members().entrySet()) {
            problem = problem.with(part.getKey(), part.getValue());
        }
        Answers.problem(request, problem);
    }

    private void whoami(Context request) {
        var caller = apiAuthenticator.admit(request);
        var answer =
                JsonObject.builder()
                        .put("client", caller.name())
                        .put("role", caller.role().toString())
                        .put("plan", caller.plan());
        String token = request.attribute(ApiAuthenticator.TOKEN);
        if (token != null) {
            answer.put("token", token);
        }
        Instant end = request.attribute(ApiAuthenticator.EXPIRES);
        if (end != null) {
            answer.put("token_expires_at", end.toString());
        }
        accessControl.left(caller).ifPresent(left -> answer.put("jobs_left_this_month", left));
        Answers.json(request, 200, answer.build());
    }
}
