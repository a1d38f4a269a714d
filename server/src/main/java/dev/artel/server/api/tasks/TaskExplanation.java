package dev.artel.server.api.tasks;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.people.QuestionDocument;
import java.util.Optional;

/// Why a task is where it is: why here, or why not yet.
public final class TaskExplanation {
    private TaskExplanation() {}

    /// Why `task` is where it is, with the workers that may take it.
    ///
    /// @param only the worker for which to find out whether it may take the task; empty: for `limit` workers
    static JsonObject of(
            JobReading reading, Task task, Engine engine, Optional<WorkerId> only, int limit) {
        var job = reading.job();
        var json =
                JsonObject.builder()
                        .put("job_id", job.id().value())
                        .put("task", task.id())
                        .put("type", task.spec().type())
                        .put("status", TaskDocument.status(task));
        var reason =
                task.state() instanceof Task.Open(Attempt.Queued _, int _, var _)
                        ? engine.whyNotYet(job.id(), task.id())
                        : Optional.<WaitReason>empty();
        json.put("text", reason.map(it -> it.text()).orElseGet(() -> text(reading, task)));
        json.put("demand", DemandDocument.of(task.spec().demand()));
        if (task.state() instanceof Task.Open(Attempt.Queued queued, int _, var _)) {
            json.put("attempt", queued.attempt());
            queued.deadline()
                    .filter(_ -> job.pause().isEmpty())
                    .ifPresent(timer -> json.put("dispatch_deadline", ApiJson.of(timer.at())));
        }
        if (!task.failedOn().isEmpty()) {
            json.put("failed_on", ApiJson.workers(task.failedOn()));
        }
        if (reason.isPresent()) {
            json.put("waits_because", PlacementDocument.of(reason.get()));
            var eligibilities = engine.eligibilities(job.id(), task.id(), only, limit);
            json.put("eligibility", PlacementDocument.of(eligibilities));
        }
        var grant = reading.grants().get(task.id());
        if (grant != null) {
            json.put("last_placement", PlacementDocument.of(grant.placement()));
        }
        return json.build();
    }

    /// What keeps a task from its end, in one sentence.
    public static String text(JobReading reading, Task task) {
        var grant = reading.grants().get(task.id());
        var because = grant == null ? "" : ": " + grant.placement().because();
        return switch (task.state()) {
            case Task.Planned _ -> window(reading.job(), task);
            case Task.Open(Attempt.Queued queued, int _, var _)
                    when reading.job().pause().isPresent() ->
                    "attempt "
                            + queued.attempt()
                            + " is not handed out to any worker, since the job "
                            + reading.job().pause().get().text()
                            + "; let it go on: POST /api/v1/jobs/"
                            + reading.job().id()
                            + "/resume";
            case Task.Open(Attempt.Queued queued, int _, var _) ->
                    "attempt "
                            + queued.attempt()
                            + " is queued, and the dispatcher has not heard of it yet";
            case Task.Open(Attempt.Leased(var _, var lease, var _, double _), int _, var _) ->
                    lease.worker()
                            + " has attempt "
                            + lease.attempt()
                            + " until "
                            + lease.timeout()
                            + " at the latest"
                            + because
                            + hedge(task);
            case Task.Open(Attempt.Parked parked, int _, var _) ->
                    parked.lease().worker()
                            + " waits in attempt "
                            + parked.attempt()
                            + " for the answer to question "
                            + QuestionDocument.words(parked.question())
                            + "; it takes up no slot meanwhile";
            case Task.Open(Attempt.Unanswered(var last, var question), int _, var _) ->
                    last.worker()
                            + " asked question "
                            + QuestionDocument.words(question)
                            + ", and is gone since; another worker begins when there is an answer";
            case Task.Succeeded done ->
                    done.worker() + " did it in attempt " + done.attempt() + because;
            case Task.Doubtful doubt ->
                    "attempt "
                            + doubt.lease().attempt()
                            + " may have had its effect, and it must not be done twice: "
                            + doubt.reason();
            case Task.Failed(var error) -> "it has failed: " + error.message();
            case Task.Cancelled _ -> "it was no longer wanted";
        };
    }

    private static String hedge(Task task) {
        return task.hedge()
                .map(hedge ->
                        switch (hedge) {
                            case Hedge.Due(var timer) ->
                                    "; if it is not done by then, a second worker gets it at "
                                            + timer.at();
                            case Hedge.Second(Attempt.Queued queued) ->
                                    "; it has taken so long that attempt "
                                            + queued.attempt()
                                            + " waits for another worker";
                            case Hedge.Second(Attempt.Unanswered _) ->
                                    throw new IllegalStateException(
                                            "a second attempt asks nothing: " + task);
                            case Hedge.Second(Attempt.Held held) ->
                                    "; it has taken so long that "
                                            + held.lease().worker()
                                            + " has attempt "
                                            + held.attempt()
                                            + " as well, and the first result counts";
                        })
                .orElse("");
    }

    private static String window(Job job, Task task) {
        return job.branches().get(task.branch()).doing()
                        instanceof Branch.AwaitingTasks(var joinState)
                ? "it waits for its place in the window of its fan-out, of whose "
                        + joinState.count()
                        + " tasks "
                        + joinState.started()
                        + " were opened so far; it is opened when earlier ones end"
                : "it waits for its place in the window of its fan-out";
    }
}
