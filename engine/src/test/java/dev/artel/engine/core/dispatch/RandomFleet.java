package dev.artel.engine.core.dispatch;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.Capabilities;
import dev.artel.kernel.fleet.Device;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.fleet.WorkerCosts;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.fleet.WorkerResources;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.DeviceRequirement;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.placement.Strategy;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// Random workers and tasks of few kinds, so that they often fit and often just do not.
final class RandomFleet {
    private static final List<String> TYPES = List.of("a", "b", "c");
    private static final List<String> ZONES = List.of("eu", "us");
    private static final List<String> CATEGORIES = List.of("gpu", "io");

    private static final List<String> WIRES = List.of("http", "websocket", "zeromq");

    private static final List<String> CLIENTS = List.of("acme", "globex");

    private final SplittableRandom random;

    RandomFleet(SplittableRandom random) {
        this.random = random;
    }

    static WorkerId worker(int number) {
        return new WorkerId("w" + number);
    }

    WorkerProfile profile(WorkerId id) {
        var known = some(TYPES, 2);
        var tasks = chance(5) ? some(known, 2) : known;
        var categories = new LinkedHashMap<String, String>();
        var limits = new LinkedHashMap<String, Integer>();
        if (chance(2)) {
            some(TYPES, 2).forEach(type -> categories.put(type, one(CATEGORIES)));
            some(CATEGORIES, 2).forEach(it -> limits.put(it, random.nextInt(0, 3)));
        }
        var costs = new LinkedHashMap<String, Double>();
        some(TYPES, 3).forEach(type -> costs.put(type, (double) random.nextInt(0, 3)));
        return new WorkerProfile(
                id,
                new Capabilities(tasks, known, some(TYPES, 3), some(TYPES, 6)),
                new Slots(random.nextInt(1, 5), categories, limits),
                equipment(),
                new WorkerCosts(costs, chance(3) ? Double.POSITIVE_INFINITY : random.nextInt(0, 3)),
                chance(5) ? one(List.of(Availability.values())) : Availability.READY,
                chance(4) ? some(CLIENTS, 2) : List.of(),
                random.nextInt(0, 5) / 4.0,
                WorkerInstance.UNKNOWN,
                "",
                one(WIRES));
    }

    private WorkerResources equipment() {
        var workerResources = WorkerResources.NONE;
        for (var name : some(List.of("ram_gb", "disk_tb"), 2)) {
            workerResources = workerResources.withAmount(name, random.nextInt(1, 4));
        }
        if (chance(2)) {
            workerResources =
                    workerResources.withDevices(
                            List.of(
                                    Device.gpu(one(List.of("A100", "T4")), random.nextInt(1, 4)),
                                    Device.gpu("T4", random.nextInt(1, 4))));
        }
        for (var label : some(List.of("zone", "rack"), 2)) {
            workerResources = workerResources.withLabel(label, one(ZONES));
        }
        return workerResources.withModels(some(List.of("m1", "m2"), 2));
    }

    TaskSpec task(int workers) {
        return TaskSpec.of(one(TYPES), JsonObject.EMPTY).demanding(it -> demand(it, workers));
    }

    private Demand demand(Demand none, int workers) {
        var demand = none.by(one(List.of(Strategy.values())));
        demand = chance(6) ? demand.amount("ram_gb", random.nextInt(1, 4)) : demand;
        demand = chance(12) ? demand.amount("disk_tb", random.nextInt(1, 4)) : demand;
        demand = chance(8) ? demand.model(one(List.of("m1", "m2"))) : demand;
        demand = chance(6) ? demand.atMost(random.nextInt(0, 3)) : demand;
        demand = chance(4) ? demand.inCategory(one(CATEGORIES)) : demand;
        demand = chance(8) ? demand.onlyWarm() : demand;
        demand = chance(12) ? demand.preferWarmFor(Duration.ofSeconds(1)) : demand;
        demand = chance(8) ? demand.label(selector()) : demand;
        demand = chance(3) ? demand.afterFailure(one(List.of(Exclusion.values()))) : demand;
        if (chance(8)) {
            var need = DeviceRequirement.gpu(one(List.of("", "T", "A100")), random.nextInt(0, 4));
            demand = demand.with(demand.requirements().device(need.times(random.nextInt(1, 3))));
        }
        if (chance(6)) {
            var place = Optional.of(worker(random.nextInt(workers)));
            demand = demand.with(new Affinity(0, chance(2), place));
        }
        return demand;
    }

    private Selector selector() {
        return switch (random.nextInt(4)) {
            case 0 -> Selector.in("zone", some(ZONES, 1));
            case 1 -> Selector.notIn("zone", some(ZONES, 1));
            case 2 -> Selector.exists("rack");
            default -> Selector.absent("rack");
        };
    }

    String client() {
        return one(CLIENTS);
    }

    boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    <T> T one(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /// Each with a chance of one in `oneIn`; all if `oneIn` is 1.
    private <T> List<T> some(List<T> choices, int oneIn) {
        return choices.stream().filter(_ -> chance(oneIn)).toList();
    }
}
