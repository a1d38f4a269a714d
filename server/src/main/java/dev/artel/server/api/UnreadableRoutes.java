package dev.artel.server.api;

import dev.artel.access.Caller;
import dev.artel.engine.shell.UnreadableJob;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import io.javalin.http.Context;

/// The open jobs that cannot be read, or were set aside so that all others could be taken up.
final class UnreadableRoutes {
    private final Lifecycle lifecycle;
    private final EventStore store;

    UnreadableRoutes(Lifecycle lifecycle, EventStore store) {
        this.lifecycle = lifecycle;
        this.store = store;
    }

    void list(Context request, Caller caller) {
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
