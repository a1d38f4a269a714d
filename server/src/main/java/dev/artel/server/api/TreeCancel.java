package dev.artel.server.api;

import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import java.util.ArrayDeque;
import java.util.Optional;

/// Cancels a job and all that descend from it, also those that live by themselves. A parent comes before its children, so that
/// it starts no others meanwhile. What it holds in memory grows with the depth of the tree, and not with its size.
///
/// Jobs that are over, or that somebody has cancelled before, do not count against the bound of one request. So each request
/// that is repeated cancels others, until the tree is complete.
final class TreeCancel {
    /// So many jobs one request cancels.
    static final int MOST = 10_000;

    private final Engine engine;
    private final EventStore store;
    private final String reason;
    private final int most;
    private int cancelled;
    private int cancelledBefore;
    private int over;

    /// @param most so many jobs are cancelled, at least 1
    TreeCancel(Engine engine, EventStore store, String reason, int most) {
        this.engine = engine;
        this.store = store;
        this.reason = reason;
        this.most = most;
    }

    /// The children of a job, newest first, read one at a time.
    private final class Siblings {
        private JobQuery query;
        private boolean isAtEnd;

        Siblings(JobId parent) {
            query = JobQuery.of(JobFilter.ALL.withParent(parent), 1);
        }

        Optional<JobRow> next() {
            while (!isAtEnd) {
                var page = store.list(query);
                if (page.next().isPresent()) {
                    query = query.belowPlace(page.next().getAsLong());
                } else {
                    isAtEnd = true;
                }
                if (!page.rows().isEmpty()) {
                    return Optional.of(page.rows().getFirst());
                }
            }
            return Optional.empty();
        }
    }

    JsonObject cancel(JobRow root) {
        var path = new ArrayDeque<Siblings>();
        cancelOne(root);
        path.push(new Siblings(root.id()));
        while (!path.isEmpty() && cancelled < most) {
            var next = path.peek().next();
            if (next.isEmpty()) {
                path.pop();
            } else {
                cancelOne(next.get());
                path.push(new Siblings(next.get().id()));
            }
        }
        return JsonObject.builder()
                .put("status", "cancellation_request_accepted")
                .put("cancelled", cancelled + cancelledBefore)
                .put("already_over", over)
                .put("complete", path.isEmpty())
                .build();
    }

    private void cancelOne(JobRow row) {
        if (row.isFinal()) {
            over++;
            return;
        }
        switch (engine.cancel(row.id(), reason)) {
            case CommandReply.Done(boolean changed) -> {
                if (changed) {
                    cancelled++;
                } else {
                    cancelledBefore++;
                }
            }
            case CommandReply.Refused _ -> over++;
            case CommandReply.TryLater(var after, var detail) ->
                    throw HttpRefusal.later(after, detail);
        }
    }
}
