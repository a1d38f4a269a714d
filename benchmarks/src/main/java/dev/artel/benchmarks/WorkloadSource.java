package dev.artel.benchmarks;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Device;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.fleet.WorkerCosts;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.fleet.WorkerResources;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.Strategy;
import dev.artel.kernel.task.TaskSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;

/// Workers of many kinds, and kinds of tasks: 40 types, each with five demands, or with variants of these.
final class WorkloadSource {
    private static final int TYPES = 40;
    private static final int DEMANDS = 5;
    private static final int OFFERED = 8;

    private final SplittableRandom random;
    private final List<TaskSpec> tasks = new ArrayList<>();

    WorkloadSource(int classes, SplittableRandom random) {
        this.random = random;
        for (var i = 0; i < classes; i++) {
            var kind = i / TYPES;
            tasks.add(
                    TaskSpec.of("type-" + i % TYPES, JsonObject.EMPTY)
                            .demanding(demand -> demand(kind, demand)));
        }
    }

    private static Demand demand(int kind, Demand none) {
        var variant = kind / DEMANDS;
        var demand = demandOf(kind % DEMANDS, none);
        // A variant asks for less than each worker has, so it has the candidates of its demand.
        return variant == 0
                ? demand
                : demand.amount(kind % DEMANDS == 4 ? "ram_gb" : "cpu_cores", variant / 10.0);
    }

    private static Demand demandOf(int kind, Demand none) {
        return switch (kind) {
            case 0 -> none;
            case 1 -> none.amount("ram_gb", 32).by(Strategy.CHEAPEST);
            case 2 -> none.gpu("A100", 40).model("llama").by(Strategy.LEAST_CONNECTIONS);
            case 3 -> none.label("zone", "eu").atMost(0.7).by(Strategy.BEST_VALUE);
            default -> none.amount("cpu_cores", 8).inCategory("batch").by(Strategy.ROUND_ROBIN);
        };
    }

    int classes() {
        return tasks.size();
    }

    TaskSpec task(int kind) {
        return tasks.get(kind);
    }

    /// A task that `worker` may have in work.
    TaskSpec taskFor(WorkerProfile worker) {
        return TaskSpec.of(worker.tasks().getFirst(), JsonObject.EMPTY);
    }

    WorkerProfile worker(int number) {
        var types = types();
        var workerResources =
                WorkerResources.NONE
                        .withAmount("ram_gb", 16 << random.nextInt(3))
                        .withAmount("cpu_cores", 4 << random.nextInt(3))
                        .withLabel("zone", random.nextBoolean() ? "eu" : "us");
        if (random.nextInt(3) == 0) {
            workerResources =
                    workerResources
                            .withDevices(List.of(Device.gpu("NVIDIA A100", 80)))
                            .withModels(List.of("llama"));
        }
        var limits = new LinkedHashMap<String, Integer>();
        if (random.nextInt(5) == 0) {
            limits.put("batch", 2);
        }
        var capacity = 1 + random.nextInt(7);
        var worker =
                WorkerProfile.of(new WorkerId("worker-" + number), types, capacity)
                        .with(workerResources)
                        .with(new Slots(capacity, new LinkedHashMap<>(), limits))
                        .with(WorkerCosts.of(random.nextInt(1, 100) / 100.0))
                        .withReputation(random.nextInt(50, 101) / 100.0);
        return warmedUp(worker);
    }

    private List<String> types() {
        var first = random.nextInt(TYPES);
        var types = new ArrayList<String>();
        for (var i = 0; i < OFFERED; i++) {
            types.add("type-" + (first + i * 3) % TYPES);
        }
        return types;
    }

    /// The worker, warm for another type.
    WorkerProfile warmedUp(WorkerProfile worker) {
        var type = worker.tasks().get(random.nextInt(worker.tasks().size()));
        return worker.with(worker.capabilities().withHot(List.of(type)));
    }
}
