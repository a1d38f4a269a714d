package dev.artel.server.api.jobs;

import dev.artel.access.Caller;
import dev.artel.engine.shell.UnreadableJob;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.Page;
import io.javalin.http.Context;

/// The open jobs that cannot be read, or were set aside so that all others could be taken up.
public final class UnreadableRoutes {
    private final Lifecycle lifecycle;
    private final EventStore store;

    /// Routes that ask the engine of `lifecycle`.
    public UnreadableRoutes(Lifecycle lifecycle, EventStore store) {
        this.lifecycle = lifecycle;
        this.store = store;
    }

    /// Lists the unreadable jobs that the caller sees.
    public void list(Context request, Caller caller) {
        Page.ofAll(
                request,
                "unreadable",
                lifecycle.engine().unreadable().stream()
                        .filter(job -> isVisible(job.job(), caller)),
                job -> job.job().value(),
                UnreadableRoutes::shown);
    }

    private boolean isVisible(JobId job, Caller caller) {
        return store.find(job).map(row -> caller.sees(row.client())).orElse(caller.mayOperate());
    }

    private static JsonObject shown(UnreadableJob job) {
        return JsonObject.builder()
                .put("job_id", job.job().value())
                .put("reason", job.reason())
                .build();
    }
}
