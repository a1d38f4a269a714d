package dev.artel.server.api;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.Problem;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.access.Access;
import dev.artel.server.reload.ReloadReport;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/// What operators do with the orchestrator itself, and what callers ask about themselves.
public final class AdminApi {
    private final Access access;
    private final Doorkeeper doorkeeper;
    private final KeyRoutes keys;
    private final Supplier<ReloadReport> reload;

    /// An API to `access`.
    ///
    /// @param reload reads again what can be read again
    public AdminApi(
            Access access,
            Lifecycle lifecycle,
            InstantSource clock,
            Supplier<ReloadReport> reload) {
        this.access = access;
        this.keys = new KeyRoutes(lifecycle, clock);
        this.doorkeeper = new Doorkeeper(access);
        this.reload = reload;
    }

    /// Adds the routes.
    public void mount(RoutesConfig routes) {
        var prefix = "/api/v1";
        routes.post(prefix + "/admin/reload", this::reload);
        routes.get(prefix + "/whoami", this::whoami);
        routes.get(prefix + "/admin/keys", doorkeeper.operated(keys::list));
        routes.post(prefix + "/admin/keys/{name}/rotate", doorkeeper.operated(keys::rotate));
        routes.post("/api/admin/reload-workers", this::reloadWorkers);
    }

    private void reload(Context request) {
        doorkeeper.admitOperator(request);
        var report = reload.get();
        if (report.problems().isEmpty()) {
            Answers.json(request, 200, report.toJson().with("status", JsonValue.of("reloaded")));
        } else {
            refuse(request, report);
        }
    }

    /// The same, answered as the first generation answers.
    private void reloadWorkers(Context request) {
        doorkeeper.admitOperator(request);
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
        var caller = doorkeeper.admit(request);
        var answer =
                JsonObject.builder()
                        .put("client", caller.name())
                        .put("role", caller.role().toString())
                        .put("plan", caller.plan());
        String token = request.attribute(Doorkeeper.TOKEN);
        if (token != null) {
            answer.put("token", token);
        }
        Instant end = request.attribute(Doorkeeper.EXPIRES);
        if (end != null) {
            answer.put("token_expires_at", end.toString());
        }
        access.left(caller).ifPresent(left -> answer.put("jobs_left_this_month", left));
        Answers.json(request, 200, answer.build());
    }
}
