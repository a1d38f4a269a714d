package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.HeavyRequests;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Flags;
import io.javalin.http.Context;

/// Ending jobs before they end by themselves.
public final class CancelRoutes {
    private final Lifecycle lifecycle;
    private final EventStore store;
    private final VisibleJobs visible;
    private final ApiAuthenticator apiAuthenticator;
    private final HeavyRequests heavy;

    /// Routes that cancel the jobs that `visible` shows.
    ///
    /// @param heavy whose turns those take that cancel a tree
    public CancelRoutes(
            Lifecycle lifecycle,
            EventStore store,
            VisibleJobs visible,
            ApiAuthenticator apiAuthenticator,
            HeavyRequests heavy) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.visible = visible;
        this.apiAuthenticator = apiAuthenticator;
        this.heavy = heavy;
    }

    /// Cancels a job, or with the parameter `tree` also all that descend from it.
    public void cancel(Context request, Caller caller) {
        if (Flags.of(request, "tree")) {
            heavy.run(HeavyRequests.Kind.BULK, caller, () -> cancelTree(request, caller));
        } else {
            cancelOne(request, caller);
        }
    }

    /// As far as the rate of the client allows.
    private void cancelTree(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var wanted = TreeCancel.asked(request, row.id());
        var taken = apiAuthenticator.takeForJobs(caller, wanted.limit());
        var reason = "cancelled by client " + caller.name();
        var tree = new TreeCancel(engine, store, reason, wanted.withLimit(taken));
        try {
            var next = tree.cancel(row);
            tree.tally().answer(request, next);
        } finally {
            apiAuthenticator.giveBackForJobs(caller, taken - tree.tally().reached());
        }
    }

    private void cancelOne(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var reason = "cancelled by client " + caller.name();
        var _ = Refusals.changed(request, engine.cancel(row.id(), reason));
        Answers.json(
                request,
                200,
                JsonObject.of("status", JsonValue.of("cancellation_request_accepted")));
    }
}
