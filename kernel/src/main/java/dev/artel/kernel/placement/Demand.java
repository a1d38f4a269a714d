package dev.artel.kernel.placement;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What a task asks of the worker that gets it, beside its type.
///
/// @param needs what the worker must have
/// @param maxCost the most that the task may cost there; a worker that does not say what it costs is too expensive
/// @param category against which of the worker's limits it counts, where the worker does not say so itself
/// @param choice whom it prefers, and whom it waits for
public record Demand(
        Needs needs, Optional<Double> maxCost, Optional<String> category, Choice choice) {
    /// Any worker that offers the type will do.
    public static final Demand NONE =
            new Demand(Needs.NOTHING, Optional.empty(), Optional.empty(), Choice.USUAL);

    /// Refuses a cost that is none.
    public Demand {
        if (maxCost.filter(most -> !Double.isFinite(most)).isPresent()) {
            throw new IllegalArgumentException(
                    "the most that a task may cost is finite, was " + maxCost.get());
        }
        if (category.filter(it -> it.isBlank() || it.length() > Needs.LONGEST_NAME).isPresent()) {
            throw new IllegalArgumentException(
                    "a category has 1 to " + Needs.LONGEST_NAME + " characters");
        }
    }

    /// At least `least` of `name`, such as `ram_gb`.
    public Demand amount(String name, double least) {
        return with(needs.amount(name, least));
    }

    /// A graphics processor.
    ///
    /// @param model a part of its name; empty: any
    public Demand gpu(String model, double vramGb) {
        return with(needs.device(DeviceNeed.gpu(model, vramGb)));
    }

    /// An installed model.
    public Demand model(String name) {
        return with(needs.model(name));
    }

    /// A label with this value.
    public Demand label(String name, String value) {
        return with(needs.label(Selector.in(name, List.of(value))));
    }

    /// A label.
    public Demand label(Selector selector) {
        return with(needs.label(selector));
    }

    /// Other needs.
    public Demand with(Needs others) {
        return new Demand(others, maxCost, category, choice);
    }

    /// At most this cost.
    public Demand atMost(double cost) {
        return new Demand(needs, Optional.of(cost), category, choice);
    }

    /// Counts against this category's limit.
    public Demand inCategory(String name) {
        return new Demand(needs, maxCost, Optional.of(name), choice);
    }

    /// Another strategy.
    public Demand by(Strategy strategy) {
        return with(choice.with(strategy));
    }

    /// Only a worker that is warm for the type.
    public Demand onlyWarm() {
        return with(choice.with(Warmth.REQUIRED));
    }

    /// For so long only a worker that is warm for the type.
    public Demand preferWarmFor(Duration time) {
        return with(choice.with(new Warmth.PreferredFor(time)));
    }

    /// If it is free, the worker of an earlier task of the job.
    public Demand near(int task) {
        return with(choice.with(new Affinity(task, false, Optional.empty())));
    }

    /// Only the worker of an earlier task of the job.
    public Demand sameWorkerAs(int task) {
        return with(choice.with(new Affinity(task, true, Optional.empty())));
    }

    /// What becomes of workers on which the task has failed.
    public Demand afterFailure(Exclusion exclusion) {
        return with(choice.with(exclusion));
    }

    /// With its affinity settled.
    public Demand with(Affinity settled) {
        return with(choice.with(settled));
    }

    private Demand with(Choice other) {
        return new Demand(needs, maxCost, category, other);
    }
}
