package dev.artel.blueprint.function;

import dev.artel.json.JsonObject;
import dev.artel.kernel.approval.Approvers;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Action.RunBlueprint;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Something that takes time, for which a function has asked.
sealed interface Operation {
    /// By which it is known in the history.
    Item item();

    /// What the branch does that does it, and then goes to `next`.
    ///
    /// @param number of the operation
    Action action(int number, String next);

    /// What it is, for people.
    String text();

    /// What compensates it, if anything does.
    default Optional<CallCompensation> compensation() {
        return Optional.empty();
    }

    /// Tasks, of which all end before it is done.
    ///
    /// @param isOne whether it is a call of one task, and not a map that has one item
    record Tasks(
            List<TaskSpec> specs,
            int window,
            Optional<CallCompensation> compensation,
            boolean isOne)
            implements Operation {
        /// Copies `specs`.
        public Tasks {
            specs = List.copyOf(specs);
        }

        @Override
        public Item item() {
            var type = specs.isEmpty() ? "" : specs.getFirst().type();
            return Item.operation(
                    isOne ? "call" : "map",
                    type,
                    specs.size(),
                    specs.stream().map(spec -> spec.type() + " " + params(spec)));
        }

        private static String params(TaskSpec spec) {
            return spec.params() instanceof Payload.Inline(var value)
                    ? value.toString()
                    : spec.params().toString();
        }

        @Override
        public Action action(int number, String next) {
            var action =
                    Action.dispatchParallel(specs, next)
                            .withWindow(window)
                            .withPolicy(JoinPolicy.SETTLED);
            return compensated(action, number, compensation);
        }

        /// The tasks of `all`, done as one.
        static Tasks together(List<Tasks> all) {
            var specs = new ArrayList<TaskSpec>();
            all.forEach(one -> specs.addAll(one.specs));
            return new Tasks(specs, specs.size(), Optional.empty(), false);
        }

        @Override
        public String text() {
            return "task " + (specs.isEmpty() ? "" : specs.getFirst().type());
        }
    }

    /// Children, of which all end before it is done.
    record Children(
            RunBlueprint each,
            List<JsonObject> inputs,
            int window,
            Optional<CallCompensation> compensation,
            boolean isOne)
            implements Operation {
        /// Copies `inputs`.
        public Children {
            inputs = List.copyOf(inputs);
        }

        @Override
        public Item item() {
            return Item.operation(
                    isOne ? "child" : "children",
                    each.blueprint(),
                    inputs.size(),
                    inputs.stream().map(JsonObject::toString));
        }

        @Override
        public Action action(int number, String next) {
            var action =
                    Action.runBlueprints(each.blueprint(), inputs, next)
                            .each(_ -> each)
                            .withWindow(window)
                            .withPolicy(JoinPolicy.SETTLED)
                            .otherwise(next);
            return compensated(action, number, compensation);
        }

        @Override
        public String text() {
            return "child " + each.blueprint();
        }
    }

    /// A child that lives by itself, until it has begun.
    record Start(RunBlueprint detached) implements Operation {
        @Override
        public Item item() {
            return Item.operation(
                    "start", detached.blueprint(), detached.initialData().values().toString());
        }

        @Override
        public Action action(int number, String next) {
            return new RunBlueprint(
                    detached.blueprint(),
                    detached.version(),
                    detached.initialData(),
                    detached.labels(),
                    detached.within(),
                    detached.steps(),
                    detached.as(),
                    detached.mode(),
                    Outcomes.on(Outcomes.STARTED, next).and(Outcomes.FAILED, next),
                    detached.budget(),
                    detached.changes());
        }

        @Override
        public String text() {
            return "child " + detached.blueprint();
        }
    }

    /// Time that passes.
    record Sleep(Duration time) implements Operation {
        @Override
        public Item item() {
            return Item.operation("sleep", "", "");
        }

        @Override
        public Action action(int number, String next) {
            return Action.waitFor(time, next);
        }

        @Override
        public String text() {
            return "sleep of " + time;
        }
    }

    /// A signal.
    record Signal(String name, Optional<Duration> within) implements Operation {
        @Override
        public Item item() {
            return Item.operation("signal", name, "");
        }

        @Override
        public Action action(int number, String next) {
            var wait = Action.awaitSignal(name, next);
            return within.map(time -> wait.within(time, next)).orElse(wait);
        }

        @Override
        public String text() {
            return "signal " + name;
        }
    }

    /// A decision of a person.
    record Approval(
            String message, Approvers approvers, List<String> choices, Optional<Duration> within)
            implements Operation {
        @Override
        public Item item() {
            return Item.operation("approval", "", message + "\n" + choices);
        }

        @Override
        public Action action(int number, String next) {
            var words = Outcomes.on(choices.getFirst(), next);
            for (var choice : choices.subList(1, choices.size())) {
                words = words.and(choice, next);
            }
            var wait = Action.awaitApproval(message, words).by(approvers);
            return within.map(time -> wait.within(time, next)).orElse(wait);
        }

        @Override
        public String text() {
            return "approval";
        }
    }

    private static Action compensated(
            Action action, int number, Optional<CallCompensation> compensation) {
        return switch (compensation.orElse(null)) {
            case null -> action;
            case CallCompensation.ByTask(var task) -> action.compensatedBy(task);
            case CallCompensation.ByResult _, CallCompensation.EachByResult _ ->
                    action.compensatedBy(FunctionBlueprint.COMPENSATE, Integer.toString(number));
        };
    }
}
