package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Numbers;
import io.javalin.http.Context;
import java.util.List;

/// Setting the outcome of tasks whose outcome is unknown.
public final class ResolutionRoutes {
    private static final List<String> FIELDS = List.of("outcome", "status", "result", "reason");
    private static final String TITLE = "Invalid resolution";

    private final Lifecycle lifecycle;
    private final VisibleJobs visible;
    private final Bodies bodies;

    /// Routes that resolve tasks of the jobs that `visible` shows.
    ///
    /// @param maxBodyBytes larger bodies are refused
    public ResolutionRoutes(Lifecycle lifecycle, VisibleJobs visible, int maxBodyBytes) {
        this.lifecycle = lifecycle;
        this.visible = visible;
        bodies = new Bodies(maxBodyBytes);
    }

    /// Records what became of a task whose outcome is unknown.
    public void resolve(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var resolution = resolution(bodies.object(request, FIELDS));
        var task = Numbers.among(request.pathParam("task"), Integer.MAX_VALUE);
        var by = "client " + caller.name();
        var _ = Refusals.changed(request, engine.resolve(row.id(), task, resolution, by));
        Answers.json(request, 200, JsonObject.of("status", JsonValue.of("task_resolved")));
    }

    private static Resolution resolution(JsonObject body) {
        var outcome = body.string("outcome").orElse("");
        var allowed =
                switch (outcome) {
                    case "happened" -> List.of("outcome", "status", "result");
                    case "did_not_happen" -> List.of("outcome");
                    case "failed" -> List.of("outcome", "reason");
                    default -> throw invalid("outcome must be happened, did_not_happen or failed");
                };
        body.names().stream()
                .filter(name -> !allowed.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw invalid(name + " has no meaning where the outcome is " + outcome);
                });
        return switch (outcome) {
            case "happened" ->
                    new Resolution.Happened(
                            Bodies.text(body, "status", TaskReport.Succeeded.SUCCESS, TITLE),
                            Payload.of(body.get("result").orElse(JsonObject.EMPTY)));
            case "failed" ->
                    new Resolution.Failed(Bodies.text(body, "reason", "it has failed", TITLE));
            default -> new Resolution.DidNotHappen();
        };
    }

    private static HttpRefusal invalid(String detail) {
        return new HttpRefusal(ErrorCode.INVALID_BODY, TITLE, detail);
    }
}
