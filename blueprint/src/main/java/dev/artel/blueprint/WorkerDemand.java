package dev.artel.blueprint;

import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.placement.Strategy;
import java.time.Duration;
import java.util.List;

/// What a task asks of its worker beside the type: `requiring(it -> it.gpu("A100", 40).label("zone", "eu"))`. Each method asks one thing
/// more. Immutable.
public final class WorkerDemand {
    private final Demand demand;

    WorkerDemand(Demand demand) {
        this.demand = demand;
    }

    Demand kernel() {
        return demand;
    }

    /// How to choose among workers that can take the task.
    public enum Choice {
        /// Warm first, then cheapest, then least loaded.
        DEFAULT,
        /// One after the other.
        ROUND_ROBIN,
        /// The fewest tasks in work.
        LEAST_CONNECTIONS,
        /// The cheapest, then the least loaded.
        CHEAPEST,
        /// The least cost per reputation, then the least loaded.
        BEST_VALUE,
        /// The cheapest of those with few tasks in work, else the one with the fewest.
        OVERFLOW
    }

    /// At least `least` of `name`, such as `ram_gb`.
    public WorkerDemand amount(String name, double least) {
        return new WorkerDemand(demand.amount(name, least));
    }

    /// A graphics processor.
    ///
    /// @param model a part of its name; empty: any
    public WorkerDemand gpu(String model, double vramGb) {
        return new WorkerDemand(demand.gpu(model, vramGb));
    }

    /// An installed model.
    public WorkerDemand model(String name) {
        return new WorkerDemand(demand.model(name));
    }

    /// A label with one of these values.
    public WorkerDemand label(String name, String... values) {
        return new WorkerDemand(demand.label(Selector.in(name, List.of(values))));
    }

    /// No label with one of these values.
    public WorkerDemand labelNot(String name, String... values) {
        return new WorkerDemand(demand.label(Selector.notIn(name, List.of(values))));
    }

    /// A label, whatever its value.
    public WorkerDemand labelled(String name) {
        return new WorkerDemand(demand.label(Selector.exists(name)));
    }

    /// No label of this name.
    public WorkerDemand notLabelled(String name) {
        return new WorkerDemand(demand.label(Selector.absent(name)));
    }

    /// At most this cost.
    public WorkerDemand atMost(double cost) {
        return new WorkerDemand(demand.atMost(cost));
    }

    /// Counts against this category's limit.
    public WorkerDemand inCategory(String name) {
        return new WorkerDemand(demand.inCategory(name));
    }

    /// Chooses so among workers that can take it.
    public WorkerDemand by(Choice choice) {
        return new WorkerDemand(demand.by(Strategy.valueOf(choice.name())));
    }

    /// Only a worker that is warm for the type.
    public WorkerDemand onlyWarm() {
        return new WorkerDemand(demand.onlyWarm());
    }

    /// For so long only a worker that is warm for the type.
    public WorkerDemand preferWarmFor(Duration time) {
        return new WorkerDemand(demand.preferWarmFor(time));
    }

    /// Does not go again to a worker on which it has failed; by default others go first.
    public WorkerDemand neverAgainAfterFailure() {
        return new WorkerDemand(demand.afterFailure(Exclusion.NEVER_AGAIN));
    }

    /// Goes again to a worker on which it has failed as to any other; by default others go first.
    public WorkerDemand sameAfterFailure() {
        return new WorkerDemand(demand.afterFailure(Exclusion.NONE));
    }

    /// If it is free, the worker of an earlier task of the job.
    ///
    /// @param task its number, from 0
    public WorkerDemand near(int task) {
        return new WorkerDemand(demand.near(task));
    }

    /// Only the worker of an earlier task of the job.
    ///
    /// @param task its number, from 0
    public WorkerDemand sameWorkerAs(int task) {
        return new WorkerDemand(demand.sameWorkerAs(task));
    }
}
