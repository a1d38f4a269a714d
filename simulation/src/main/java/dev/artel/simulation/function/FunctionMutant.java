package dev.artel.simulation.function;

import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.blueprint.function.FunctionBlueprint.Setting;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.JobPast;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.TaskResult;
import dev.artel.simulation.world.Mutant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.Consumer;
import java.util.function.Function;

/// Bugs that are planted in durable functions, to see that the simulation finds them.
enum FunctionMutant {
    /// Entries have one id: a function in memory seems to be where its job is.
    ENTRIES_WITHOUT_IDS,
    /// The last entry of the history is not read.
    LAST_ENTRY_UNREAD,
    /// Results of tasks are taken for those of their neighbours.
    RESULTS_SWAPPED,
    /// What is compensated with a result gets that of its neighbour.
    OTHERS_COMPENSATED,
    /// The branches of a job run their function at once.
    NOT_SERIAL,
    /// Results of children are taken for those of their neighbours.
    CHILDREN_SWAPPED,
    /// What was recorded is not what it was when the code runs again.
    RECORDED_AGAIN,
    /// A job that runs again goes the way of the newest version.
    VERSION_MOVED,
    /// A decision becomes another one when the code runs again.
    DECISION_INVERTED,
    /// What a signal brought is not what it was when the code runs again.
    SIGNAL_CHANGED,
    /// A new run of a job begins with what the job was submitted with.
    NEW_RUN_WITH_OLD_INPUT,
    /// A call is done twice.
    CALL_DOUBLED;

    /// Where the input of a new run is among the data of its job.
    private static final String INPUT = "_function_input";

    /// The one that scenarios call `mutant`; empty if it is not a bug of functions.
    static Optional<FunctionMutant> of(Mutant mutant) {
        return Arrays.stream(values()).filter(own -> own.name().equals(mutant.name())).findFirst();
    }

    /// `setting` with the bug.
    Setting setting(Setting setting) {
        return this == ENTRIES_WITHOUT_IDS
                ? new Setting(
                        setting.clock(),
                        setting.random(),
                        () -> "same",
                        setting.room(),
                        setting.keep())
                : setting;
    }

    /// `function` with the bug.
    Blueprint planted(Blueprint function) {
        var run = function.state(FunctionBlueprint.RUN).orElseThrow().handler().orElseThrow();
        var operation =
                function.state(FunctionBlueprint.OPERATION).orElseThrow().handler().orElseThrow();
        var compensation =
                function.state(FunctionBlueprint.COMPENSATE).orElseThrow().handler().orElseThrow();
        var planted =
                Blueprint.named(function.name())
                        .guards(function.guards())
                        .onCancel(FunctionBlueprint.RUN)
                        .start(FunctionBlueprint.RUN, bugged(run))
                        .pure();
        if (this != NOT_SERIAL) {
            planted.serial();
        }
        return planted.leadingTo(
                        FunctionBlueprint.RUN,
                        FunctionBlueprint.OPERATION,
                        FunctionBlueprint.COMPENSATE)
                .state(FunctionBlueprint.OPERATION, bugged(operation))
                .leadingTo(FunctionBlueprint.RUN, FunctionBlueprint.COMPENSATE)
                .state(FunctionBlueprint.COMPENSATE, bugged(compensation))
                .build();
    }

    private StepHandler bugged(StepHandler handler) {
        return step -> twice(handler.handle(input(step).withPast(new Bugged(step.past()))));
    }

    private Action twice(Action action) {
        return this == CALL_DOUBLED
                        && action
                                instanceof
                                Action.DispatchParallel(
                                        var tasks,
                                        int window,
                                        var policy,
                                        var join,
                                        var otherwise,
                                        var changes)
                        && tasks.size() == 1
                ? new Action.DispatchParallel(
                        List.of(tasks.getFirst(), tasks.getFirst()),
                        window,
                        policy,
                        join,
                        otherwise,
                        changes)
                : action;
    }

    /// `step` with the data that the bug leaves it.
    private Step input(Step step) {
        if (this != NEW_RUN_WITH_OLD_INPUT) {
            return step;
        }
        var data = JsonObject.builder();
        for (var name : step.data().names()) {
            if (!name.equals(INPUT)) {
                data.put(name, step.data().get(name).orElseThrow());
            }
        }
        return new Step(
                step.job(),
                step.state(),
                step.attempt(),
                step.branch(),
                step.client(),
                step.clientPlan(),
                step.labels(),
                step.initialData(),
                data.build(),
                step.results(),
                step.children(),
                step.stores(),
                step.version());
    }

    /// `entry` with other values of `member` in those of its `list` that have one.
    private static JsonObject changed(
            JsonObject entry, String list, String member, Function<JsonObject, JsonValue> change) {
        return entry.array(list)
                .map(all ->
                        entry.with(
                                list,
                                new JsonArray(
                                        all.stream()
                                                .map(one -> (JsonObject) one)
                                                .<JsonValue>map(one ->
                                                        one.has(member)
                                                                ? one.with(
                                                                        member, change.apply(one))
                                                                : one)
                                                .toList())))
                .orElse(entry);
    }

    private static JsonValue other(JsonValue value) {
        return value instanceof JsonNumber number
                ? number.isLong()
                        ? JsonNumber.of(number.asLong() - 1)
                        : JsonNumber.of(number.asDouble() / 2)
                : new JsonString("2031-01-01T00:00:00Z");
    }

    private static JsonValue inverted(JsonObject answer) {
        var value = answer.get("value").orElseThrow();
        return value instanceof JsonObject decided
                ? decided.string("decision")
                        .<JsonValue>map(word ->
                                decided.with(
                                        "decision",
                                        new JsonString(
                                                word.equals("approve") ? "reject" : "approve")))
                        .orElse(decided)
                : value;
    }

    private final class Bugged implements JobPast {
        private final JobPast past;

        Bugged(JobPast past) {
            this.past = past;
        }

        @Override
        public boolean isAhead() {
            return past.isAhead();
        }

        @Override
        public StepCause cause() {
            return past.cause();
        }

        @Override
        public Optional<StepCause> causeOf(int branch) {
            return past.causeOf(branch);
        }

        @Override
        public JsonObject dataFor(int branch, StepCause cause) {
            return past.dataFor(branch, cause);
        }

        @Override
        public Optional<Place> place() {
            return past.place();
        }

        @Override
        public void forEach(String name, Consumer<JsonValue> value) {
            var all = new ArrayList<JsonValue>();
            past.forEach(name, all::add);
            if (FunctionMutant.this == LAST_ENTRY_UNREAD && !all.isEmpty()) {
                all.removeLast();
            }
            all.stream().map(entry -> misread((JsonObject) entry)).forEach(value);
        }

        private JsonObject misread(JsonObject entry) {
            return switch (FunctionMutant.this) {
                case RECORDED_AGAIN ->
                        changed(
                                entry,
                                "asked",
                                "v",
                                item ->
                                        item.string("k").equals(Optional.of("version"))
                                                ? item.get("v").orElseThrow()
                                                : other(item.get("v").orElseThrow()));
                case VERSION_MOVED ->
                        changed(
                                entry,
                                "asked",
                                "v",
                                item ->
                                        item.string("k").equals(Optional.of("version"))
                                                ? other(item.get("v").orElseThrow())
                                                : item.get("v").orElseThrow());
                case DECISION_INVERTED ->
                        changed(entry, "heard", "value", FunctionMutant::inverted);
                case SIGNAL_CHANGED ->
                        changed(
                                entry,
                                "heard",
                                "value",
                                answer -> {
                                    var value = answer.get("value").orElseThrow();
                                    return value instanceof JsonNumber ? other(value) : value;
                                });
                default -> entry;
            };
        }

        @Override
        public Optional<Compensating> compensating() {
            return past.compensating().map(this::swapped);
        }

        private Compensating swapped(Compensating what) {
            return FunctionMutant.this == OTHERS_COMPENSATED && what.firstTask() > 0
                    ? new Compensating(what.subject(), what.firstTask() - 1, what.firstChild())
                    : what;
        }

        @Override
        public TaskResult task(int number) {
            if (FunctionMutant.this != RESULTS_SWAPPED || number == 0) {
                return past.task(number);
            }
            return past.task(number - 1);
        }

        @Override
        public SequencedSet<Integer> handedOut(int first, int count) {
            return past.handedOut(first, count);
        }

        @Override
        public ChildResult child(int number) {
            return past.child(
                    FunctionMutant.this == CHILDREN_SWAPPED && number > 0 ? number - 1 : number);
        }
    }
}
