package dev.artel.server.api.admin;

import dev.artel.access.Caller;
import dev.artel.engine.shell.StandingPauses;
import dev.artel.engine.shell.StandingPauses.Scope;
import dev.artel.engine.shell.StandingPauses.Standing;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.control.ControlRoutes;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Page;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.Map;

/// The pauses of blueprints and clients, for operators: their new jobs begin paused. `BulkRoutes` pauses and resumes jobs that
/// live.
public final class PauseRoutes {
    private static final Map<String, Scope> SCOPES =
            Map.of("blueprints", Scope.BLUEPRINT, "clients", Scope.CLIENT);
    private static final int MOST_NAME = 200;

    private final Lifecycle lifecycle;
    private final InstantSource clock;
    private final Bodies bodies = new Bodies(16 << 10);

    /// Routes for the pauses of the engine of `lifecycle`.
    public PauseRoutes(Lifecycle lifecycle, InstantSource clock) {
        this.lifecycle = lifecycle;
        this.clock = clock;
    }

    /// Lists the pauses.
    public void list(Context request, Caller operator) {
        Page.ofAll(
                request,
                "pauses",
                pauses().all().stream(),
                pause -> pause.scope() + "/" + pause.name(),
                PauseRoutes::shown);
    }

    /// Neither the blueprint nor the client must be known: both may come later.
    public void set(Context request, Caller operator) {
        var pauses = pauses();
        var wanted =
                new Standing(
                        scope(request),
                        name(request),
                        ControlRoutes.nameOf(operator),
                        ControlRoutes.reason(request, bodies),
                        clock.instant());
        try {
            var inForce = pauses.set(wanted);
            if (!inForce.equals(wanted)) {
                ApiAuthenticator.changesNothing(request);
            }
            Answers.json(request, 200, shown(inForce));
        } catch (IllegalStateException tooMany) {
            throw new HttpRefusal(
                    ErrorCode.TOO_MANY_PAUSES,
                    "Too many pauses",
                    String.valueOf(tooMany.getMessage()));
        }
    }

    /// Ends a pause: new jobs begin at once again.
    public void clear(Context request, Caller operator) {
        var pauses = pauses();
        var scope = scope(request);
        var name = name(request);
        if (!pauses.clear(scope, name)) {
            throw new HttpRefusal(
                    ErrorCode.PAUSE_NOT_FOUND,
                    "Pause not found",
                    scope
                            + " '"
                            + name
                            + "' is not paused; GET /api/v1/admin/pauses lists those that are");
        }
        Answers.json(request, 200, JsonObject.of("status", JsonValue.of("removed")));
    }

    private StandingPauses pauses() {
        return lifecycle.engine().pauses();
    }

    private static Scope scope(Context request) {
        var scope = SCOPES.get(request.pathParam("scope"));
        if (scope == null) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Invalid scope",
                    "'"
                            + request.pathParam("scope")
                            + "' cannot be paused; blueprints and clients can");
        }
        return scope;
    }

    private static String name(Context request) {
        var name = request.pathParam("name");
        if (name.isBlank() || name.length() > MOST_NAME) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Invalid name",
                    "the name of a blueprint or a client has 1 to " + MOST_NAME + " characters");
        }
        return name;
    }

    private static JsonObject shown(Standing pause) {
        var json =
                JsonObject.builder()
                        .put("scope", pause.scope().toString())
                        .put("name", pause.name())
                        .put("by", pause.by())
                        .put("at", ApiJson.of(pause.at()));
        pause.reason().ifPresent(reason -> json.put("reason", reason));
        return json.build();
    }
}
