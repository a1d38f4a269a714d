package dev.artel.engine.shell;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Task;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// How many questions of each worker wait for their answers, also those of workers that have left: a task whose worker waits takes no slot and
/// has no timeout, so that nothing else bounds how many tasks a worker keeps from the others. What happens to jobs keeps it up to date. Safe for
/// use by many threads.
final class OpenQuestions implements JobObserver {
    /// So many of one worker wait at most.
    static final int MOST_OF_A_WORKER = 1_000;

    /// So many are known, of all workers; further ones count as soon as something happens to their tasks and there is room.
    static final int MOST = 100_000;

    /// By job and task, the worker that has asked. Entries are changed under the lock of this.
    private final Map<JobId, Map<Integer, WorkerId>> byJob = new ConcurrentHashMap<>();

    private final Map<WorkerId, Integer> counts = new HashMap<>();
    private int known;

    @Override
    public synchronized void openBefore(Job job) {
        updateAll(job);
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        if (byJob.containsKey(job.id()) || asks(events)) {
            update(job, events);
        }
    }

    private static boolean asks(List<JobEvent> events) {
        for (var event : events) {
            if (event instanceof JobEvent.QuestionAsked) {
                return true;
            }
        }
        return false;
    }

    /// Looks at what the events concern, and no more: a job of many tasks has many.
    private synchronized void update(Job job, List<JobEvent> events) {
        if (job.isFinal()) {
            forgetAll(job.id());
            return;
        }
        for (var event : events) {
            switch (event) {
                case JobEvent.AttemptEvent attempt -> update(job, attempt.task());
                case JobEvent.TasksWithdrawn _,
                        JobEvent.BranchesStopped _,
                        JobEvent.CompensationStarted _,
                        JobEvent.CompensationCompleted _,
                        JobEvent.CancelRequested _,
                        JobEvent.CancelHandled _,
                        JobEvent.QuarantineResolved _,
                        JobEvent.JobRewound _,
                        JobEvent.JobContinued _,
                        JobEvent.DefinitionReplaced _ -> {
                    forgetAll(job.id());
                    updateAll(job);
                    return;
                }
                case JobEvent _ -> {}
            }
        }
    }

    private void updateAll(Job job) {
        for (var task : job.tasks()) {
            update(job, task.id());
        }
    }

    private void update(Job job, int number) {
        var asking = number < job.tasks().size() ? asking(job.tasks().get(number)) : null;
        var ofJob = byJob.get(job.id());
        var before = ofJob == null ? null : ofJob.get(number);
        if (ofJob != null && before != null && !before.equals(asking)) {
            ofJob.remove(number);
            forget(before);
            if (ofJob.isEmpty()) {
                byJob.remove(job.id());
            }
        }
        if (asking != null && !asking.equals(before) && known < MOST) {
            byJob.computeIfAbsent(job.id(), _ -> new HashMap<>()).put(number, asking);
            counts.merge(asking, 1, Integer::sum);
            known++;
        }
    }

    /// The worker whose question the task waits for; null if there is none.
    private static @Nullable WorkerId asking(Task task) {
        return switch (task.state()) {
            case Task.Open(Attempt.Parked(var _, var lease, var _, var _), int _, var _) ->
                    lease.worker();
            case Task.Open(Attempt.Unanswered(var last, var _), int _, var _) -> last.worker();
            case Task.State _ -> null;
        };
    }

    private void forgetAll(JobId job) {
        var ofJob = byJob.remove(job);
        if (ofJob != null) {
            ofJob.values().forEach(this::forget);
        }
    }

    private void forget(WorkerId worker) {
        counts.computeIfPresent(worker, (_, count) -> count == 1 ? null : (Integer) (count - 1));
        known--;
    }

    /// How many questions of `worker` wait.
    synchronized int of(WorkerId worker) {
        return counts.getOrDefault(worker, 0);
    }

    /// Why `worker` may not ask one more in `task`; empty if it may, or has asked there already.
    synchronized Optional<String> refusal(WorkerId worker, JobId job, int task) {
        var own = of(worker);
        if (own < MOST_OF_A_WORKER || worker.equals(byJob.getOrDefault(job, Map.of()).get(task))) {
            return Optional.empty();
        }
        return Optional.of(
                own
                        + " questions of worker "
                        + worker
                        + " wait for an answer, and it may ask no more until some have one; report a result");
    }
}
