package dev.artel.server.api.tasks;

import dev.artel.access.Caller;
import dev.artel.gateway.http.BodyRoom;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.api.access.JobReading;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.http.Numbers;
import dev.artel.server.api.http.Selection;
import io.javalin.http.Context;
import java.util.Optional;

/// One task of a job: what it is, and why it is where it is.
public final class TaskRoutes {
    private final Lifecycle lifecycle;
    private final EventStore store;
    private final VisibleJobs visible;
    private final TaskDocument tasks;

    /// Routes that read tasks of the jobs that `visible` shows.
    public TaskRoutes(
            Lifecycle lifecycle,
            EventStore store,
            VisibleJobs visible,
            ApiJson apiJson,
            ProgressBoard progress) {
        this.lifecycle = lifecycle;
        this.store = store;
        this.visible = visible;
        tasks = new TaskDocument(apiJson, progress);
    }

    /// Answers with one task.
    public void task(Context request, Caller caller) {
        var wanted = Selection.of(request, TaskDocument.FIELDS);
        var row = visible.of(request, caller);
        var reading =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound);
        var task = reading.job().tasks().get(number(request, reading));
        BodyRoom.takeAnswer(request, "client " + caller.name(), TaskDocument.weight(task, wanted));
        Answers.json(
                request, 200, tasks.detail(reading, task, lifecycle.engine()::whyNotYet, wanted));
    }

    /// Answers with why one task is where it is.
    public void why(Context request, Caller caller) {
        var row = visible.of(request, caller);
        var reading =
                JobReading.of(row.id(), lifecycle.engine(), store)
                        .orElseThrow(VisibleJobs::notFound);
        var task = reading.job().tasks().get(number(request, reading));
        var limit = (int) Numbers.of(request, "eligibility", 20, 0, 1000);
        Answers.json(
                request,
                200,
                TaskExplanation.of(reading, task, lifecycle.engine(), workerOf(request), limit));
    }

    private static Optional<WorkerId> workerOf(Context request) {
        try {
            return Optional.ofNullable(request.queryParam("worker")).map(WorkerId::new);
        } catch (IllegalArgumentException invalid) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Invalid worker parameter",
                    String.valueOf(invalid.getMessage()));
        }
    }

    /// The number of the task that the path names.
    ///
    /// @throws HttpRefusal if the job has none of that number
    public static int number(Context request, JobReading reading) {
        var number = Numbers.among(request.pathParam("task"), reading.job().tasks().size());
        if (number < 0) {
            throw new HttpRefusal(
                    ErrorCode.TASK_NOT_FOUND,
                    "Task not found",
                    "job "
                            + reading.job().id()
                            + " has "
                            + reading.job().tasks().size()
                            + " tasks");
        }
        return number;
    }
}
