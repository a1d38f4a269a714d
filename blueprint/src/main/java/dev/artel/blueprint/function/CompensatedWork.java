package dev.artel.blueprint.function;

import dev.artel.blueprint.KernelBridge;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.JobPast;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskResult;
import dev.artel.kernel.task.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// What a state did that another state compensates: tasks or children, which have consecutive numbers. The subject of the compensation
/// counts them. For the styles in which blueprints are written, not for authors.
///
/// @param first the number of the first
public record CompensatedWork(boolean isTasks, int first, int count) {
    private static final String TASKS = "tasks:";
    private static final String CHILDREN = "children:";

    /// The code of a task that must not be done twice, and may have been done.
    private static final String OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN";

    /// `action`, which `state` compensates.
    public static Action compensated(Action action, String state) {
        var subject =
                switch (action) {
                    case Action.DispatchTask _ -> TASKS + 1;
                    case Action.DispatchParallel all -> TASKS + all.tasks().size();
                    case Action.RunBlueprint _ -> CHILDREN + 1;
                    case Action.RunBlueprints all -> CHILDREN + all.initialData().size();
                    default ->
                            throw new IllegalArgumentException(
                                    "only tasks and children can be compensated, not " + action);
                };
        return new Action.Compensable(
                action, new Compensation.ByState(state, Optional.of(subject)));
    }

    /// What the branch of `step` compensates; empty if it compensates nothing.
    public static Optional<CompensatedWork> of(Step step) {
        return step.past()
                .compensating()
                .flatMap(it -> it.subject().map(subject -> of(subject, it)));
    }

    private static CompensatedWork of(String subject, JobPast.Compensating what) {
        return subject.startsWith(TASKS)
                ? new CompensatedWork(true, what.firstTask(), count(subject, TASKS))
                : new CompensatedWork(false, what.firstChild(), count(subject, CHILDREN));
    }

    private static int count(String subject, String kind) {
        return Integer.parseInt(subject.substring(kind.length()));
    }

    /// How the tasks ended for which the state of `step` waited; in the state in which a compensation begins, those that it compensates.
    public static List<TaskResult> tasks(Step step) {
        return begun(step)
                .filter(CompensatedWork::isTasks)
                .map(work -> work.tasks(step.past()))
                .orElseGet(step::results);
    }

    /// How the children ended that the state of `step` joins; in the state in which a compensation begins, those that it compensates.
    public static List<ChildResult> children(Step step) {
        return begun(step)
                .filter(work -> !work.isTasks())
                .map(work -> work.children(step.past()))
                .orElseGet(step::children);
    }

    private static Optional<CompensatedWork> begun(Step step) {
        return step.past().cause() instanceof StepCause.Compensation ? of(step) : Optional.empty();
    }

    private List<TaskResult> tasks(JobPast past) {
        return IntStream.range(0, count).mapToObj(i -> at(i, past.task(first + i))).toList();
    }

    private static TaskResult at(int index, TaskResult result) {
        return switch (result) {
            case TaskResult.Succeeded(var _, var status, var data, var worker, var attempt) ->
                    new TaskResult.Succeeded(index, status, data, worker, attempt);
            case TaskResult.Failed(var _, var error) -> new TaskResult.Failed(index, error);
            case TaskResult.Cancelled _ -> new TaskResult.Cancelled(index);
        };
    }

    private List<ChildResult> children(JobPast past) {
        return IntStream.range(0, count).mapToObj(i -> past.child(first + i).at(i)).toList();
    }

    /// The results of those that succeeded, in their order, each read when it is asked for.
    public Iterable<JsonValue> results(JobPast past) {
        return () ->
                IntStream.range(first, first + count)
                        .mapToObj(number -> resultOf(past, number))
                        .flatMap(Optional::stream)
                        .iterator();
    }

    /// The result of one of them, if it succeeded.
    ///
    /// @param index its place, from 0
    Optional<JsonValue> result(JobPast past, int index) {
        return resultOf(past, first + index);
    }

    private Optional<JsonValue> resultOf(JobPast past, int number) {
        if (isTasks) {
            return past.task(number) instanceof TaskResult.Succeeded succeeded
                    ? Optional.of(succeeded.data())
                    : Optional.empty();
        }
        var child = past.child(number);
        return child.hasFinished()
                ? Optional.of(child.result().orElse(JsonNull.NULL))
                : Optional.empty();
    }

    /// Has `specs` done, of which each compensates one of these, then goes to `next`.
    public static Action begin(List<TaskSpec> specs, String next) {
        return switch (specs.size()) {
            case 0 -> Action.transitionTo(next);
            case 1 -> Action.dispatch(specs.getFirst(), Outcomes.on("success", next));
            default -> Action.dispatchParallel(specs, next).withPolicy(JoinPolicy.SETTLED);
        };
    }

    /// Ends the branch of `step`, in which the tasks of [#begin] are over; in a failure if something could not be compensated.
    public Action end(Step step) {
        var failures = KernelBridge.failures(step);
        var left = withoutResult(step.past());
        if (failures.isEmpty() && left == 0) {
            return Action.endBranch();
        }
        var reasons = new ArrayList<String>();
        if (!failures.isEmpty()) {
            reasons.add(
                    failures.size()
                            + " of "
                            + step.results().size()
                            + " tasks that compensate failed, the first with: "
                            + failures.getFirst().message());
        }
        if (left > 0) {
            reasons.add(
                    left
                            + " of "
                            + count
                            + " tasks may have been done, and have no result with which they could be compensated;"
                            + " compensate them by hand");
        }
        return Action.failBranch(String.join("; ", reasons));
    }

    /// How many tasks may have been done, and have no result. A child that did not finish compensates what it did itself.
    private int withoutResult(JobPast past) {
        if (!isTasks) {
            return 0;
        }
        var handedOut = past.handedOut(first, count);
        return (int)
                IntStream.range(first, first + count)
                        .filter(number ->
                                switch (past.task(number)) {
                                    case TaskResult.Succeeded _ -> false;
                                    case TaskResult.Cancelled _ -> handedOut.contains(number);
                                    case TaskResult.Failed(var _, var error) ->
                                            switch (error.kind()) {
                                                case LOST, EXECUTION_TIMEOUT -> true;
                                                case TRANSIENT, PERMANENT ->
                                                        error.code().equals(OUTCOME_UNKNOWN);
                                                case INVALID_INPUT, DISPATCH_TIMEOUT -> false;
                                            };
                                })
                        .count();
    }
}
