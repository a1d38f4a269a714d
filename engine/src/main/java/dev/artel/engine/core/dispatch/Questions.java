package dev.artel.engine.core.dispatch;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Verdict;
import dev.artel.kernel.placement.WaitReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Why tasks wait, and what is true of single workers. Single-threaded; changes nothing.
public final class Questions {
    private final Floor floor;
    private final ClassBook classes;
    private final Backlog backlog;
    private final Grants grants;
    private final Reasons reasons;

    Questions(Floor floor, ClassBook classes, Backlog backlog, Grants grants, Reasons reasons) {
        this.floor = floor;
        this.classes = classes;
        this.backlog = backlog;
        this.grants = grants;
        this.reasons = reasons;
    }

    /// Why a task has no worker yet; empty if it is not queued.
    public Optional<WaitReason> whyNotYet(JobId job, int number, Instant now) {
        var task = find(job, number);
        return task == null ? Optional.empty() : Optional.of(why(task, now));
    }

    private WaitReason why(QueuedTask task, Instant now) {
        if (grants.isUnderWay(task.key())) {
            return WaitReason.placing();
        }
        var demand = task.in;
        if (demand == null) {
            var until = task.alarm == null ? now : task.alarm;
            return WaitReason.backoff(task.offer().attempt() - 1, until);
        }
        var reason = reasons.why(demand, now);
        return task.alarm == null
                ? reason
                : reason.until(task.alarm, "a cold worker will do from then on,");
    }

    /// What is true of single workers for a queued task, in the order in which they came; empty if it is not queued.
    ///
    /// @param only of this one alone
    /// @param limit of so many at most
    public List<Verdict> verdicts(
            JobId job, int number, Optional<WorkerId> only, int limit, Instant now) {
        var task = find(job, number);
        if (task == null) {
            return List.of();
        }
        var demand = task.in == null ? classes.of(ClassOf.offer(task.offer(), now)) : task.in;
        var verdicts = new ArrayList<Verdict>();
        for (var desk : floor.desks().values()) {
            var profile = desk.profile();
            if (profile != null
                    && verdicts.size() < limit
                    && only.filter(id -> !id.equals(desk.id)).isEmpty()) {
                verdicts.add(reasons.verdict(demand, desk, profile, now));
            }
        }
        return List.copyOf(verdicts);
    }

    private @Nullable QueuedTask find(JobId job, int number) {
        for (var task : backlog.of(job)) {
            if (task.offer().task() == number) {
                return task;
            }
        }
        return null;
    }
}
