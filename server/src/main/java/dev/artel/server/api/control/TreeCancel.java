package dev.artel.server.api.control;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.server.api.http.PageRequest;
import io.javalin.http.Context;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;

/// Cancels a job and all that descend from it, also those that live by themselves. A parent comes before its children, so that
/// it starts no others meanwhile.
///
/// One request looks at a bounded number of jobs, whether they are over or not. Where the tree has more, the answer has a
/// cursor: it names the last job that was looked at, and the next request goes on behind that one. The children of a job are
/// read page by page; what is held in memory is a page for each generation on the path.
final class TreeCancel {
    /// So many jobs one request looks at, unless it asks for fewer.
    static final int MOST = PageRequest.MOST;

    private static final int PAGE = 100;

    private final Engine engine;
    private final EventStore store;
    private final String reason;
    private final PageRequest asked;
    private final BulkTally tally = new BulkTally(false);

    /// @param asked how many jobs to look at, and the job behind which to begin
    TreeCancel(Engine engine, EventStore store, String reason, PageRequest asked) {
        this.engine = engine;
        this.store = store;
        this.reason = reason;
        this.asked = asked;
    }

    /// Which part of the tree of `root` a request asks for.
    ///
    /// @throws HttpRefusal if its parameters make no sense
    static PageRequest asked(Context request, JobId root) {
        return PageRequest.of(request, "tree of " + root, MOST);
    }

    /// What the walk has to know of a job.
    private record Visit(JobId job, boolean isFinal) {}

    /// The children of a job, newest first.
    private final class Siblings {
        private final Queue<Visit> page = new ArrayDeque<>();
        private JobQuery query;
        private boolean isAtEnd;

        Siblings(JobId parent) {
            query = JobQuery.of(JobFilter.ALL.withParent(parent), PAGE);
        }

        Siblings(JobId parent, JobId behind) {
            this(parent);
            query = query.behindJob(behind.value());
        }

        Optional<Visit> next() {
            while (page.isEmpty() && !isAtEnd) {
                var read = store.list(query);
                for (var row : read.rows()) {
                    page.add(new Visit(row.id(), row.isFinal()));
                }
                query = read.next().isPresent() ? below(read.next()) : query;
                isAtEnd = read.next().isEmpty();
            }
            return Optional.ofNullable(page.poll());
        }

        private JobQuery below(OptionalLong place) {
            return JobQuery.of(query.filter(), PAGE).belowPlace(place.getAsLong());
        }
    }

    /// Looks at the part of the tree that the request asks for.
    ///
    /// @return the cursor with which the next request goes on; empty: that was all
    /// @throws HttpRefusal if the cursor names no job of the tree
    Optional<String> cancel(JobRow root) {
        var path = new ArrayDeque<Siblings>();
        var visited = 0;
        var last = root.id();
        if (asked.behind().isEmpty()) {
            cancelOne(new Visit(root.id(), root.isFinal()));
            visited++;
        } else {
            last = new JobId(asked.behind().get());
            pushPathTo(last, root.id(), path);
        }
        path.push(new Siblings(last));
        while (!path.isEmpty() && visited < asked.limit()) {
            var next = path.peek().next();
            if (next.isEmpty()) {
                path.pop();
            } else {
                last = next.get().job();
                cancelOne(next.get());
                visited++;
                path.push(new Siblings(last));
            }
        }
        return path.isEmpty() ? Optional.empty() : Optional.of(asked.cursor(last.value()));
    }

    /// The siblings behind `last` and behind each of its ancestors below `root`, the youngest generation on top.
    private void pushPathTo(JobId last, JobId root, Deque<Siblings> path) {
        var job = last;
        while (!job.equals(root)) {
            var parent = store.find(job).flatMap(JobRow::parent);
            if (parent.isEmpty()) {
                throw new HttpRefusal(
                        ErrorCode.INVALID_CURSOR,
                        "Invalid cursor parameter",
                        "job "
                                + last
                                + ", behind which it goes on, does not descend from job "
                                + root
                                + " or was deleted; send the request without cursor");
            }
            path.addLast(new Siblings(parent.get(), job));
            job = parent.get();
        }
    }

    /// What became of the jobs that were looked at.
    BulkTally tally() {
        return tally;
    }

    private void cancelOne(Visit visit) {
        tally.matched(1, visit.isFinal() ? 1 : 0);
        if (!visit.isFinal()) {
            tally.add(visit.job(), BulkTally.outcome(() -> engine.cancel(visit.job(), reason)));
        }
    }
}
