package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.JobPast;
import dev.artel.kernel.blueprint.LateResults;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.store.JsonDataStore;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.kernel.task.TaskResult;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Shows a job to a handler.
final class StepFactory {
    private static final KeyValueStore NOT_PURE =
            new UnavailableKeyValueStore("a pure state may use none; take pure from the state");

    private static final String FAILED = dev.artel.kernel.job.Outcomes.FAILED;
    private static final String CANCELLED = dev.artel.kernel.job.Outcomes.CANCELLED;

    private final LargeValues largeValues;

    private final KeyValueStore dataStores;
    private final DataStoreSeeder dataStoreSeeder;
    private final JobEventReader events;

    StepFactory(LargeValues largeValues, KeyValueStore dataStores) {
        this(largeValues, dataStores, JobEventReader.NONE);
    }

    /// @param events reads what a step wants to know of the past of its job
    StepFactory(LargeValues largeValues, KeyValueStore dataStores, JobEventReader events) {
        this.largeValues = largeValues;
        this.dataStores = dataStores;
        this.events = events;
        dataStoreSeeder = new DataStoreSeeder(dataStores);
    }

    /// @param ahead whether the step runs before what led to it is durable
    Step of(Job job, Effect.RunStep step, Blueprint blueprint, boolean ahead) {
        return new Step(
                job.id(),
                step.state(),
                step.attempt(),
                step.branch(),
                job.spec().client(),
                job.spec().clientPlan(),
                job.spec().options().labels(),
                largeValues.view(job.spec().initialData()),
                largeValues.view(job.dataFor(step.branch(), step.cause())),
                results(job, step.cause()),
                children(job, step.cause()),
                stores(blueprint, step.state()),
                job.spec().blueprint().version(),
                new Past(job, step, ahead));
    }

    /// Versions of a blueprint share its stores.
    private SequencedMap<String, JsonDataStore> stores(Blueprint blueprint, String state) {
        var pure = blueprint.state(state).filter(State::pure).isPresent();
        if (!pure) {
            dataStoreSeeder.set(blueprint);
        }
        var values = pure ? NOT_PURE : dataStores;
        var stores = new LinkedHashMap<String, JsonDataStore>();
        for (var name : blueprint.dataStores()) {
            stores.put(name, JsonDataStore.of(values, blueprint.name() + "/" + name));
        }
        return stores;
    }

    private List<TaskResult> results(Job job, StepCause cause) {
        return switch (cause) {
            case StepCause.TaskEnded(int task, var _) -> results(job, task, 1);
            case StepCause.TasksJoined(int first, int count) -> results(job, first, count);
            case StepCause.Started _,
                    StepCause.Moved _,
                    StepCause.SignalTaken _,
                    StepCause.Decided _,
                    StepCause.Overdue _,
                    StepCause.ChildEnded _,
                    StepCause.ChildrenJoined _,
                    StepCause.Resolved _,
                    StepCause.Cancelled _,
                    StepCause.Compensation _,
                    StepCause.BranchesJoined _ ->
                    List.of();
        };
    }

    private List<TaskResult> results(Job job, int first, int count) {
        return new LateResults<>(count, index -> result(index, job.tasks().get(first + index)));
    }

    private List<ChildResult> children(Job job, StepCause cause) {
        return cause instanceof StepCause.ChildrenJoined(int first, int count)
                ? new LateResults<>(
                        count, index -> result(index, job.children().children().get(first + index)))
                : List.of();
    }

    private ChildResult result(int index, Child child) {
        return switch (child.state()) {
            case Child.Ended(var outcome, int _, var result) ->
                    new ChildResult(
                            index,
                            child.id(),
                            outcome,
                            () ->
                                    largeValues.view(result) instanceof JsonObject object
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

    /// Reads the events of a job up to the commit behind which a step of it runs.
    private final class Past implements JobPast {
        private final Job job;
        private final Effect.RunStep step;
        private final boolean ahead;

        Past(Job job, Effect.RunStep step, boolean ahead) {
            this.job = job;
            this.step = step;
            this.ahead = ahead;
        }

        @Override
        public boolean isAhead() {
            return ahead;
        }

        @Override
        public StepCause cause() {
            return step.cause() instanceof StepCause.Resolved
                    ? causeOf(step.branch()).orElse(step.cause())
                    : step.cause();
        }

        @Override
        public Optional<StepCause> causeOf(int branch) {
            var found = new AtomicReference<@Nullable StepCause>();
            read(event -> {
                if (event instanceof JobEvent.StateEntered entered
                        && entered.branch() == branch
                        && !(entered.cause() instanceof StepCause.Resolved)) {
                    found.set(entered.cause());
                } else if (event instanceof JobEvent.JobRewound
                        || (event instanceof JobEvent.StepDone done && done.branch() == branch)) {
                    found.set(null);
                }
            });
            return Optional.ofNullable(found.get());
        }

        @Override
        public JsonObject dataFor(int branch, StepCause cause) {
            return largeValues.view(job.dataFor(branch, cause));
        }

        @Override
        public Optional<Place> place() {
            var parent = job.branches().get(step.branch()).parent();
            return parent != step.branch()
                            && job.branches().get(parent).doing()
                                    instanceof Branch.AwaitingBranches(var group)
                    ? Optional.of(new Place(parent, step.branch() - group.first()))
                    : Optional.empty();
        }

        @Override
        public void forEach(String name, Consumer<JsonValue> value) {
            read(event -> {
                if (event instanceof JobEvent.StepDone done) {
                    done.changes()
                            .get(name)
                            .ifPresent(kept -> value.accept(largeValues.view(kept)));
                }
            });
        }

        /// Gives the events since the job last began a run.
        private void read(Consumer<JobEvent> consumer) {
            var runs = new int[1];
            events.forEach(
                    job.id(),
                    job.version(),
                    event -> {
                        if (event instanceof JobEvent.JobContinued
                                || event instanceof JobEvent.DefinitionReplaced) {
                            runs[0]++;
                        } else if (runs[0] == job.guardBaseline().run()) {
                            consumer.accept(event);
                        }
                    });
        }

        @Override
        public Optional<Compensating> compensating() {
            return job.compensationLog()
                    .compensating(step.branch())
                    .map(entry ->
                            new Compensating(
                                    entry.by() instanceof Compensation.ByState(var _, var subject)
                                            ? subject
                                            : Optional.empty(),
                                    entry.firstTask(),
                                    entry.firstChild()));
        }

        @Override
        public TaskResult task(int number) {
            return result(number, job.tasks().get(number));
        }

        @Override
        public SequencedSet<Integer> handedOut(int first, int count) {
            var held = new TreeMap<Integer, Integer>();
            read(event -> {
                if (event instanceof JobEvent.LeaseGranted granted) {
                    held.merge(granted.task(), 1, Integer::sum);
                } else if (event instanceof JobEvent.LeaseReturned returned) {
                    held.merge(returned.task(), -1, Integer::sum);
                }
            });
            var handedOut = new LinkedHashSet<Integer>();
            held.subMap(first, first + count)
                    .forEach((task, leases) -> {
                        if (leases > 0) {
                            handedOut.add(task);
                        }
                    });
            return handedOut;
        }

        @Override
        public ChildResult child(int number) {
            return result(number, job.children().children().get(number));
        }
    }
}
