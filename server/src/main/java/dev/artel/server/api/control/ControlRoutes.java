package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobPatch;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.submit.BudgetMember;
import dev.artel.server.api.submit.JobRequest;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What clients do with jobs that live, beside ending them.
public final class ControlRoutes {
    private final Lifecycle lifecycle;
    private final VisibleJobs visible;
    private final Bodies bodies;

    /// Routes that change the jobs that `visible` shows.
    ///
    /// @param maxBodyBytes larger bodies are refused
    public ControlRoutes(Lifecycle lifecycle, VisibleJobs visible, int maxBodyBytes) {
        this.lifecycle = lifecycle;
        this.visible = visible;
        bodies = new Bodies(maxBodyBytes);
    }

    /// Another priority, other labels.
    public void change(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var id = visible.idOf(request, caller, engine);
        var body = bodies.object(request, List.of("priority", "labels"));
        var patch = JobRequest.readPatch(body, caller);
        // One that is not in memory is checked when it is changed.
        engine.live(id).ifPresent(job -> requireRoom(job, patch));
        var changed = Refusals.changed(request, engine.change(id, patch, nameOf(caller)));
        var answer = JsonObject.builder().put("status", changed ? "changed" : "unchanged");
        engine.live(id).or(() -> engine.find(id)).ifPresent(job -> putOptions(job, answer));
        Answers.json(request, 200, answer.build());
    }

    /// Lets a job stand still; a body is not needed.
    public void pause(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var id = visible.idOf(request, caller, engine);
        var reason = reason(request, bodies);
        var changed = Refusals.changed(request, engine.pause(id, reason, nameOf(caller)));
        Answers.json(request, 200, status(changed ? "paused" : "already_paused"));
    }

    /// Lets a paused job go on.
    public void resume(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var id = visible.idOf(request, caller, engine);
        var _ = bodies.objectIfAny(request, List.of());
        var changed = Refusals.changed(request, engine.resume(id, nameOf(caller)));
        Answers.json(request, 200, status(changed ? "resumed" : "not_paused"));
    }

    /// Lets a job spend more than it was granted so far.
    public void extendBudget(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var id = visible.idOf(request, caller, engine);
        var problems = new ArrayList<String>();
        var more = BudgetMember.amounts(bodies.object(request, BudgetMember.AMOUNTS), problems);
        if (problems.isEmpty() && more.equals(Spending.NONE)) {
            problems.add("nothing is granted; name one of " + BudgetMember.AMOUNTS);
        }
        if (!problems.isEmpty()) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY, "Invalid extension", String.join("; ", problems));
        }
        var _ = Refusals.changed(request, engine.extendBudget(id, more, nameOf(caller)));
        Answers.json(request, 200, status("extended"));
    }

    private static JsonObject status(String status) {
        return JsonObject.of("status", JsonValue.of(status));
    }

    /// A job that is over keeps its labels, and is refused for that reason.
    private static void requireRoom(Job job, JobPatch patch) {
        var after = patch.labelsAfter(job.spec().options().labels()).size();
        if (!job.isFinal() && after > JobOptions.MOST_LABELS) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    "Invalid change",
                    "job "
                            + job.id()
                            + " would have "
                            + after
                            + " labels, and takes at most "
                            + JobOptions.MOST_LABELS
                            + "; remove some, with null for their value");
        }
    }

    private static void putOptions(Job job, JsonObject.Builder answer) {
        var options = job.spec().options();
        answer.put("priority", JsonNumber.of(options.priority()))
                .put("labels", ApiJson.of(options.labels()));
    }

    /// Why something is paused, in a body that is not needed.
    public static Optional<String> reason(Context request, Bodies bodies) {
        var body = bodies.objectIfAny(request, List.of("reason"));
        return body.has("reason")
                ? Optional.of(Bodies.text(body, "reason", "", "Invalid body"))
                : Optional.empty();
    }

    /// How events name who did something.
    public static String nameOf(Caller caller) {
        return "client " + caller.name();
    }
}
