package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.task.TaskSpec;
import java.util.Map;

/// What an attempt at a task of a type costs at most, where its blueprint does not set it. Safe for use by many threads.
final class PriceTable {
    private volatile Map<String, Spending> prices = Map.of();

    /// Holds from now on, for tasks that are opened from now on.
    void set(Map<String, Spending> others) {
        prices = Map.copyOf(others);
    }

    /// `action` with the cost of each task whose price is known here alone.
    Action priced(Action action) {
        if (prices.isEmpty()) {
            return action;
        }
        return switch (action) {
            case Action.DispatchTask(var task, var on, var changes) ->
                    new Action.DispatchTask(priced(task), on, changes);
            case Action.DispatchParallel(
                            var tasks,
                            int window,
                            var policy,
                            var join,
                            var otherwise,
                            var changes) ->
                    new Action.DispatchParallel(
                            tasks.stream().map(this::priced).toList(),
                            window,
                            policy,
                            join,
                            otherwise,
                            changes);
            case Action.Compensable(var waiting, Compensation.ByTask(var task)) ->
                    new Action.Compensable(priced(waiting), new Compensation.ByTask(priced(task)));
            case Action.Compensable(var waiting, Compensation.ByState by) ->
                    new Action.Compensable(priced(waiting), by);
            default -> action;
        };
    }

    private TaskSpec priced(TaskSpec task) {
        var price = task.cost().isPresent() ? null : prices.get(task.type());
        return price == null ? task : task.withCost(price);
    }
}
