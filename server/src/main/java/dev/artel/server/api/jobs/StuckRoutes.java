package dev.artel.server.api.jobs;

import dev.artel.access.Caller;
import dev.artel.engine.core.watch.Stall;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.Page;
import io.javalin.http.Context;
import java.util.function.Predicate;

/// The jobs that are stuck.
public final class StuckRoutes {
    private final Lifecycle lifecycle;
    private final EventStore store;

    /// Routes that ask the engine of `lifecycle`.
    public StuckRoutes(Lifecycle lifecycle, EventStore store) {
        this.lifecycle = lifecycle;
        this.store = store;
    }

    /// Lists the stuck jobs that the caller sees.
    public void list(Context request, Caller caller) {
        Page.ofAll(
                request,
                "stuck",
                lifecycle.engine().stalls().stream()
                        .filter(stall -> isVisible(stall.job(), caller)),
                stall -> stall.job() + " " + stall.key(),
                StuckRoutes::shown);
    }

    /// A slot that is taken up for a job that was removed concerns the operators.
    private boolean isVisible(JobId job, Caller caller) {
        return store.find(job).map(row -> caller.sees(row.client())).orElse(caller.mayOperate());
    }

    /// What is known to be stuck, of that which is `wanted`.
    static JsonArray of(Lifecycle lifecycle, Predicate<Stall> wanted) {
        return new JsonArray(
                lifecycle.engine().stalls().stream()
                        .filter(wanted)
                        .<JsonValue>map(StuckRoutes::shown)
                        .toList());
    }

    private static JsonObject shown(Stall stall) {
        return JsonObject.builder()
                .put("job_id", stall.job().value())
                .put("about", stall.key())
                .put("expected", stall.expected())
                .put("found", stall.found())
                .put("advice", stall.advice())
                .put("since", stall.since().toString())
                .build();
    }
}
