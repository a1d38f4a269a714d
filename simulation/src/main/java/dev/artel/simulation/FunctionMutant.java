package dev.artel.simulation;

import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.blueprint.function.FunctionBlueprint.Setting;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.JobPast;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.TaskResult;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Consumer;

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
    NOT_SERIAL;

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
        return step -> handler.handle(step.withPast(new Bugged(step.past())));
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
            all.forEach(value);
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
        public ChildResult child(int number) {
            return past.child(number);
        }
    }
}
