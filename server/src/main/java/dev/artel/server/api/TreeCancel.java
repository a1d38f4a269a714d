package dev.artel.server.api;

import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobQuery;
import java.util.ArrayDeque;

/// Cancels a job and all that descend from it, also those that live by themselves. From the top, so that nothing new
/// is begun meanwhile; done again, it does what is left.
final class TreeCancel {
    /// A tree has at most as many steps, unless its blueprint says otherwise.
    private static final int MOST = 10_000;

    private static final int PAGE = 500;

    private final Engine engine;
    private final EventStore store;
    private int cancelled;
    private int over;

    TreeCancel(Engine engine, EventStore store) {
        this.engine = engine;
        this.store = store;
    }

    JsonObject cancel(JobId root, String reason) {
        var left = new ArrayDeque<JobId>();
        left.add(root);
        while (!left.isEmpty() && cancelled + over < MOST) {
            var job = left.remove();
            switch (engine.cancel(job, reason)) {
                case CommandReply.Done _ -> cancelled++;
                case CommandReply.Refused _ -> over++;
                case CommandReply.TryLater(var after, var detail) ->
                        throw HttpRefusal.later(after, detail);
            }
            addChildren(job, left);
        }
        return JsonObject.builder()
                .put("status", "cancellation_request_accepted")
                .put("cancelled", cancelled)
                .put("already_over", over)
                .put("complete", left.isEmpty())
                .build();
    }

    private void addChildren(JobId job, ArrayDeque<JobId> left) {
        var query = JobQuery.of(JobFilter.ALL.withParent(job), PAGE);
        while (true) {
            var page = store.list(query);
            page.rows().forEach(row -> left.add(row.id()));
            if (page.next().isEmpty() || left.size() > MOST) {
                return;
            }
            query = query.belowPlace(page.next().getAsLong());
        }
    }
}
