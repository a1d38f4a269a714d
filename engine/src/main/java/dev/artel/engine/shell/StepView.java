package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.LateResults;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Child;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.StepCause;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.DataStore;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.NoKeyValueStore;
import dev.artel.kernel.task.TaskResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Shows a job to a handler.
final class StepView {
    private static final KeyValueStore NOT_PURE =
            new NoKeyValueStore("a pure state may use none; take pure from the state");

    private static final String FAILED = dev.artel.kernel.job.Outcomes.FAILED;
    private static final String CANCELLED = dev.artel.kernel.job.Outcomes.CANCELLED;

    private final LargeValues largeValues;

    private final KeyValueStore dataStores;
    private final InitialValues initialValues;

    StepView(LargeValues largeValues, KeyValueStore dataStores) {
        this.largeValues = largeValues;
        this.dataStores = dataStores;
        initialValues = new InitialValues(dataStores);
    }

    Step of(Job job, Effect.RunStep step, Blueprint blueprint) {
        return new Step(
                job.id(),
                step.state(),
                step.attempt(),
                step.strand(),
                job.spec().client(),
                job.spec().terms(),
                job.spec().options().labels(),
                largeValues.view(job.spec().initialData()),
                largeValues.view(job.dataFor(step.strand(), step.cause())),
                results(job, step.cause()),
                children(job, step.cause()),
                stores(blueprint, step.state()),
                job.spec().blueprint().version());
    }

    /// Versions of a blueprint share its stores.
    private SequencedMap<String, DataStore> stores(Blueprint blueprint, String state) {
        var pure = blueprint.state(state).filter(State::pure).isPresent();
        if (!pure) {
            initialValues.set(blueprint);
        }
        var values = pure ? NOT_PURE : dataStores;
        var stores = new LinkedHashMap<String, DataStore>();
        for (var name : blueprint.dataStores()) {
            stores.put(name, DataStore.of(values, blueprint.name() + "/" + name));
        }
        return stores;
    }

    private List<TaskResult> results(Job job, StepCause cause) {
        return switch (cause) {
            case StepCause.TaskEnded(int task, var _) -> results(job, task, 1);
            case StepCause.TasksGathered(int first, int count) -> results(job, first, count);
            case StepCause.Started _,
                    StepCause.Moved _,
                    StepCause.SignalTaken _,
                    StepCause.Decided _,
                    StepCause.Overdue _,
                    StepCause.ChildEnded _,
                    StepCause.ChildrenGathered _,
                    StepCause.Mended _,
                    StepCause.Undoing _,
                    StepCause.BranchesGathered _ ->
                    List.of();
        };
    }

    private List<TaskResult> results(Job job, int first, int count) {
        return new LateResults<>(count, index -> result(index, job.tasks().get(first + index)));
    }

    private List<ChildResult> children(Job job, StepCause cause) {
        return cause instanceof StepCause.ChildrenGathered(int first, int count)
                ? new LateResults<>(
                        count, index -> result(index, job.family().children().get(first + index)))
                : List.of();
    }

    private ChildResult result(int index, Child child) {
        return switch (child.state()) {
            case Child.Ended(var outcome, int _, var said) ->
                    new ChildResult(
                            index,
                            child.id(),
                            outcome,
                            () ->
                                    largeValues.view(said) instanceof JsonObject object
                                            ? object
                                            : JsonObject.EMPTY);
            case Child.Refused(var reason) ->
                    new ChildResult(
                            index,
                            child.id(),
                            FAILED,
                            () ->
                                    JsonObject.of(
                                            "error_message",
                                            JsonValue.of("could not be started: " + reason)));
            case Child.Planned _,
                    Child.Withdrawn _,
                    Child.Asked _,
                    Child.Unwanted _,
                    Child.Running _,
                    Child.Free _,
                    Child.Stopping _,
                    Child.Stopped _ ->
                    new ChildResult(index, child.id(), CANCELLED, () -> JsonObject.EMPTY);
        };
    }

    private TaskResult result(int index, Task task) {
        return switch (task.state()) {
            case Task.Succeeded(var _, var worker, int attempt, var status, var data) ->
                    new TaskResult.Succeeded(
                            index, status, largeValues.view(data), worker.value(), attempt);
            case Task.Failed(var error) -> new TaskResult.Failed(index, error);
            case Task.Cancelled _, Task.Planned _, Task.Open _, Task.Doubtful _ ->
                    new TaskResult.Cancelled(index);
        };
    }
}
