package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Flags;
import io.javalin.http.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Removes jobs that are closed, before their time.
public final class DeleteRoutes {
    /// A larger tree is removed child by child.
    private static final int MOST = 10_000;

    private static final int PAGE = 500;

    private final Lifecycle lifecycle;
    private final EventStore store;
    private final VisibleJobs visible;

    /// Routes that delete the jobs that `visible` shows.
    public DeleteRoutes(Lifecycle lifecycle, EventStore store, VisibleJobs visible) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.visible = visible;
    }

    /// Removes a closed job, or with the parameter `tree` also all that descend from it.
    public void delete(Context request, Caller caller) {
        var withTree = Flags.of(request, "tree");
        var root = visible.of(request, caller);
        var jobs = withTree ? tree(root) : List.of(root);
        for (var job : jobs) {
            if (!job.closed()) {
                throw open(job);
            }
        }
        // From the leaves up: as long as the root is there, the same can be done again.
        var deleted = 0;
        for (var job : jobs.reversed()) {
            switch (lifecycle.engine().remove(job.id())) {
                case REMOVED -> deleted++;
                case UNKNOWN -> {
                    // another request was faster
                }
                case OPEN -> throw open(job);
                case PARENT_OPEN -> throw parentOpen(job);
            }
        }
        if (deleted == 0) {
            ApiAuthenticator.changesNothing(request);
        }
        Answers.json(
                request,
                200,
                JsonObject.builder().put("status", "deleted").put("deleted", deleted).build());
    }

    /// The root first, and each job before those that it has started.
    private List<JobRow> tree(JobRow root) {
        var all = new ArrayList<JobRow>();
        var left = new ArrayDeque<>(List.of(root));
        while (!left.isEmpty()) {
            var job = left.remove();
            all.add(job);
            addChildren(job, left);
            if (all.size() + left.size() > MOST) {
                throw new HttpRefusal(
                        ErrorCode.JOB_IN_WRONG_STATE,
                        "Too many jobs",
                        "more than "
                                + MOST
                                + " jobs descend from job "
                                + root.id()
                                + "; delete the trees of its children first, which GET"
                                + " /api/v1/jobs?parent="
                                + root.id()
                                + " lists");
            }
        }
        return all;
    }

    private void addChildren(JobRow job, ArrayDeque<JobRow> left) {
        var query = JobQuery.of(JobFilter.ALL.withParent(job.id()), PAGE);
        while (true) {
            var page = store.list(query);
            page.rows().forEach(row -> left.add(row.withoutTexts()));
            if (page.next().isEmpty() || left.size() > MOST) {
                return;
            }
            query = query.belowPlace(page.next().getAsLong());
        }
    }

    private static HttpRefusal open(JobRow job) {
        return new HttpRefusal(
                ErrorCode.JOB_NOT_OVER,
                "Job is not over",
                job.isFinal()
                        ? "job "
                                + job.id()
                                + " is "
                                + job.status()
                                + ", and something of it is still under way, such as a call of a"
                                + " webhook; GET /api/v1/jobs/"
                                + job.id()
                                + "/explain shows what. Delete it when that has ended"
                        : "job "
                                + job.id()
                                + " is "
                                + job.status()
                                + "; cancel it with POST /api/v1/jobs/"
                                + job.id()
                                + "/cancel, and delete it when it has ended");
    }

    private static HttpRefusal parentOpen(JobRow job) {
        return new HttpRefusal(
                ErrorCode.PARENT_NOT_OVER,
                "Parent is not over",
                "job "
                        + job.id()
                        + " was started by job "
                        + job.parent().map(parent -> parent.value()).orElse("?")
                        + ", which is not over; delete it when that one has ended");
    }
}
