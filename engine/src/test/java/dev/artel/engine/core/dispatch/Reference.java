package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.placement.DeviceRequirement;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Refusal;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.task.TaskSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Placement as one would explain it to somebody: worker by worker, question by question, nothing kept.
final class Reference {
    final Map<WorkerId, Worker> workers = new LinkedHashMap<>();

    static final class Worker {
        WorkerProfile profile;
        final List<TaskSpec> inWork = new ArrayList<>();
        int asks;

        Worker(WorkerProfile profile) {
            this.profile = profile;
        }
    }

    Map<Refusal, Integer> refused(
            TaskSpec task, String client, List<WorkerId> failedOn, boolean warmOnly) {
        var refused = new TreeMap<Refusal, Integer>();
        for (var worker : workers.values()) {
            var refusal = refusal(worker, task, client, failedOn, warmOnly);
            if (refusal != null) {
                refused.merge(refusal, 1, Integer::sum);
            }
        }
        return refused;
    }

    List<Worker> takers(TaskSpec task, String client, List<WorkerId> failedOn, boolean warmOnly) {
        return workers.values().stream()
                .filter(worker -> refusal(worker, task, client, failedOn, warmOnly) == null)
                .toList();
    }

    static @Nullable Refusal refusal(
            Worker worker,
            TaskSpec task,
            String client,
            List<WorkerId> failedOn,
            boolean warmOnly) {
        var profile = worker.profile;
        var demand = task.demand();
        if (!profile.capabilities().known().contains(task.type())) {
            return Refusal.TYPE;
        }
        if (!profile.clients().isEmpty() && !profile.clients().contains(client)) {
            return Refusal.CLIENT;
        }
        for (var selector : demand.requirements().labels()) {
            if (!isMet(selector, profile.workerResources().labels().get(selector.label()))) {
                return Refusal.LABEL;
            }
        }
        for (var need : demand.requirements().amounts().entrySet()) {
            if (profile.workerResources().amounts().getOrDefault(need.getKey(), Double.NaN)
                    >= need.getValue()) {
                continue;
            }
            return Refusal.RESOURCE;
        }
        for (var need : demand.requirements().devices()) {
            if (devices(profile, need) < need.count()) {
                return Refusal.RESOURCE;
            }
        }
        if (!profile.workerResources().models().containsAll(demand.requirements().models())) {
            return Refusal.MODEL;
        }
        if (demand.maxCost().isPresent() && cost(profile, task) > demand.maxCost().get()) {
            return Refusal.TOO_EXPENSIVE;
        }
        var affinity = demand.preferences().affinity();
        if (affinity.isPresent()
                && affinity.get().required()
                && affinity.get().worker().isPresent()
                && !affinity.get().worker().get().equals(profile.id())) {
            return Refusal.AFFINITY;
        }
        if (demand.preferences().exclusion() == Exclusion.NEVER_AGAIN
                && failedOn.contains(profile.id())) {
            return Refusal.EXCLUDED;
        }
        if (warmOnly && !isWarm(profile, task)) {
            return Refusal.COLD;
        }
        if (profile.availability() == Availability.UNHEALTHY) {
            return Refusal.UNHEALTHY;
        }
        if (profile.availability() == Availability.SUSPENDED) {
            return Refusal.SUSPENDED;
        }
        if (profile.availability() == Availability.DRAINING) {
            return Refusal.DRAINING;
        }
        if (profile.availability() == Availability.BUSY
                || profile.capabilities().tasks().isEmpty()
                || worker.inWork.size() >= profile.slots().total()) {
            return Refusal.BUSY;
        }
        if (!profile.capabilities().tasks().contains(task.type()) || isCategoryFull(worker, task)) {
            return Refusal.CATEGORY_FULL;
        }
        return worker.asks == 0 ? Refusal.NOT_ASKING : null;
    }

    private static boolean isMet(Selector selector, @Nullable String value) {
        return switch (selector.test()) {
            case IN -> selector.values().stream().anyMatch(it -> it.equals(value));
            case NOT_IN -> selector.values().stream().noneMatch(it -> it.equals(value));
            case EXISTS -> value != null;
            case ABSENT -> value == null;
        };
    }

    private static long devices(WorkerProfile profile, DeviceRequirement need) {
        return profile.workerResources().devices().stream()
                .filter(device -> device.model().contains(need.model()))
                .filter(device ->
                        need.amounts().entrySet().stream()
                                .allMatch(it ->
                                        device.amounts().getOrDefault(it.getKey(), -1e9)
                                                >= it.getValue()))
                .count();
    }

    private static boolean isCategoryFull(Worker worker, TaskSpec task) {
        var category = category(worker, task);
        if (category.isEmpty()) {
            return false;
        }
        var limit = worker.profile.slots().limits().get(category.get());
        var taken = worker.inWork.stream().filter(it -> category(worker, it).equals(category));
        return limit != null && taken.count() >= limit;
    }

    private static Optional<String> category(Worker worker, TaskSpec task) {
        var own = worker.profile.slots().categories().get(task.type());
        return own == null ? task.demand().category() : Optional.of(own);
    }

    static boolean isWarm(WorkerProfile profile, TaskSpec task) {
        return profile.capabilities().hot().contains(task.type())
                || profile.capabilities().loaded().contains(task.type());
    }

    static double cost(WorkerProfile profile, TaskSpec task) {
        var own = profile.workerCosts().perSkill().get(task.type());
        return own == null ? profile.workerCosts().defaultCost() : own;
    }

    /// What the strategy compares workers by, worst digit last; null where it is not a matter of the worker alone.
    static double @Nullable [] score(Worker worker, TaskSpec task, List<WorkerId> failedOn) {
        var preferences = task.demand().preferences();
        var profile = worker.profile;
        var hasFailed = failedOn.contains(profile.id());
        var failed = preferences.exclusion() == Exclusion.OTHERS_FIRST && hasFailed ? 1 : 0;
        var isAway =
                preferences
                        .affinity()
                        .filter(it -> !it.required())
                        .flatMap(it -> it.worker())
                        .filter(it -> !it.equals(profile.id()))
                        .isPresent();
        var away = isAway ? 1 : 0;
        var cost = cost(profile, task);
        var used = worker.inWork.size();
        var load = (double) used / profile.slots().total();
        return switch (preferences.strategy()) {
            case DEFAULT -> new double[] {failed, away, isWarm(profile, task) ? 0 : 1, cost, load};
            case ROUND_ROBIN -> null;
            case LEAST_CONNECTIONS -> new double[] {failed, away, used, load};
            case CHEAPEST -> new double[] {failed, away, cost, load};
            case BEST_VALUE ->
                    new double[] {
                        failed,
                        away,
                        profile.reputation() == 0
                                ? Double.POSITIVE_INFINITY
                                : cost / profile.reputation(),
                        load
                    };
            case OVERFLOW -> new double[] {failed, away, used < 3 ? 0 : used, cost, load};
        };
    }
}
