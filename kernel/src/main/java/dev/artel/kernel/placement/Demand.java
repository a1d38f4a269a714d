package dev.artel.kernel.placement;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What a task asks of the worker that gets it, beside its type.
///
/// @param requirements what the worker must have
/// @param maxCost the most that the task may cost there; a worker that does not declare its costs is too expensive
/// @param category against which of the worker's limits it counts, where the worker does not declare it itself
/// @param preferences whom it prefers, and whom it waits for
/// @param secrets where its parameters name secrets, which the worker of the orchestrator puts there; decides nothing about where it runs
public record Demand(
        Requirements requirements,
        Optional<Double> maxCost,
        Optional<String> category,
        Preferences preferences,
        List<SecretUse> secrets) {
    /// Any worker that offers the type will do.
    public static final Demand NONE =
            new Demand(
                    Requirements.NOTHING,
                    Optional.empty(),
                    Optional.empty(),
                    Preferences.DEFAULT,
                    List.of());

    /// Refuses a cost that is none; copies `secrets`.
    public Demand {
        secrets = List.copyOf(secrets);
        if (maxCost.filter(most -> !Double.isFinite(most)).isPresent()) {
            throw new IllegalArgumentException(
                    "the most that a task may cost is finite, was " + maxCost.get());
        }
        if (category.filter(it -> it.isBlank() || it.length() > Requirements.LONGEST_NAME)
                .isPresent()) {
            throw new IllegalArgumentException(
                    "a category has 1 to " + Requirements.LONGEST_NAME + " characters");
        }
    }

    /// At least `least` of `name`, such as `ram_gb`.
    public Demand amount(String name, double least) {
        return with(requirements.amount(name, least));
    }

    /// A graphics processor.
    ///
    /// @param model a part of its name; empty: any
    public Demand gpu(String model, double vramGb) {
        return with(requirements.device(DeviceRequirement.gpu(model, vramGb)));
    }

    /// An installed model.
    public Demand model(String name) {
        return with(requirements.model(name));
    }

    /// A label with this value.
    public Demand label(String name, String value) {
        return with(requirements.label(Selector.in(name, List.of(value))));
    }

    /// A label.
    public Demand label(Selector selector) {
        return with(requirements.label(selector));
    }

    /// Other needs.
    public Demand with(Requirements others) {
        return new Demand(others, maxCost, category, preferences, secrets);
    }

    /// At most this cost.
    public Demand atMost(double cost) {
        return new Demand(requirements, Optional.of(cost), category, preferences, secrets);
    }

    /// Counts against this category's limit.
    public Demand inCategory(String name) {
        return new Demand(requirements, maxCost, Optional.of(name), preferences, secrets);
    }

    /// Another strategy.
    public Demand by(Strategy strategy) {
        return with(preferences.with(strategy));
    }

    /// Only a worker that is warm for the type.
    public Demand onlyWarm() {
        return with(preferences.with(WarmPolicy.REQUIRED));
    }

    /// For so long only a worker that is warm for the type.
    public Demand preferWarmFor(Duration time) {
        return with(preferences.with(new WarmPolicy.PreferredFor(time)));
    }

    /// If it is free, the worker of an earlier task of the job.
    public Demand near(int task) {
        return with(preferences.with(new Affinity(task, false, Optional.empty())));
    }

    /// Only the worker of an earlier task of the job.
    public Demand sameWorkerAs(int task) {
        return with(preferences.with(new Affinity(task, true, Optional.empty())));
    }

    /// What becomes of workers on which the task has failed.
    public Demand afterFailure(Exclusion exclusion) {
        return with(preferences.with(exclusion));
    }

    /// With its affinity settled.
    public Demand with(Affinity settled) {
        return with(preferences.with(settled));
    }

    private Demand with(Preferences other) {
        return new Demand(requirements, maxCost, category, other, secrets);
    }

    /// The same for a task whose parameters name these secrets.
    public Demand withSecrets(List<SecretUse> others) {
        return new Demand(requirements, maxCost, category, preferences, others);
    }

    /// What decides where it runs.
    public Demand withoutSecrets() {
        return secrets.isEmpty() ? this : withSecrets(List.of());
    }
}
