package dev.artel.server.api;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobPatch;
import dev.artel.server.access.Caller;
import io.javalin.http.Context;
import java.util.List;

/// What clients do with jobs that live, beside ending them.
final class ControlRoutes {
    private final Lifecycle lifecycle;
    private final VisibleJobs visible;
    private final Bodies bodies;

    ControlRoutes(Lifecycle lifecycle, VisibleJobs visible, int maxBodyBytes) {
        this.lifecycle = lifecycle;
        this.visible = visible;
        bodies = new Bodies(maxBodyBytes);
    }

    /// Another priority, other labels.
    void change(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var id = visible.idOf(request, caller, engine);
        var body = bodies.object(request, List.of("priority", "labels"));
        var patch = JobRequest.readPatch(body, caller);
        // One that is not in memory is checked when it is changed.
        engine.live(id).ifPresent(job -> requireRoom(job, patch));
        var changed = Refusals.changed(engine.change(id, patch, nameOf(caller)));
        var answer = JsonObject.builder().put("status", changed ? "changed" : "unchanged");
        engine.live(id).or(() -> engine.find(id)).ifPresent(job -> putOptions(job, answer));
        Answers.json(request, 200, answer.build());
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

    private static String nameOf(Caller caller) {
        return "client " + caller.name();
    }
}
