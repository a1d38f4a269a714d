package dev.artel.kernel.placement;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing that must be true of a worker's profile for a task. Two tasks that ask the same share it.
public sealed interface Criterion {
    /// Why a worker is refused of which it is not true.
    Refusal refusal();

    /// Whether it is true.
    boolean admits(WorkerProfile worker);

    /// How far the worker is from it, of which it is not true.
    UnmetRequirement miss(WorkerProfile worker);

    /// All that a task asks of a profile, in the order of [Refusal].
    ///
    /// @param client whose job it belongs to
    /// @param failedOn the workers on which the task has failed
    /// @param warmOnly whether it waits for a warm worker now
    static List<Criterion> of(
            String type, Demand demand, String client, List<WorkerId> failedOn, boolean warmOnly) {
        var requirements = demand.requirements();
        var criteria = new ArrayList<Criterion>();
        criteria.add(new OffersType(type));
        criteria.add(new ServesClient(client));
        requirements.labels().forEach(selector -> criteria.add(new HasLabel(selector)));
        requirements.amounts().forEach((name, least) -> criteria.add(new HasAmount(name, least)));
        requirements.devices().forEach(need -> criteria.add(new HasDevices(need)));
        requirements.models().forEach(model -> criteria.add(new HasModel(model)));
        demand.maxCost().ifPresent(most -> criteria.add(new CostsAtMost(type, most)));
        demand.preferences()
                .affinity()
                .filter(Affinity::required)
                .flatMap(Affinity::worker)
                .ifPresent(worker -> criteria.add(new IsWorker(worker)));
        if (demand.preferences().exclusion() == Exclusion.NEVER_AGAIN) {
            failedOn.forEach(worker -> criteria.add(new IsNotWorker(worker)));
        }
        if (warmOnly) {
            criteria.add(new IsWarm(type));
        }
        return criteria;
    }

    /// The worker offers the type, if perhaps not now.
    record OffersType(String type) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.TYPE;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            return worker.capabilities().known().contains(type);
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            var offered = worker.capabilities().known();
            var some = offered.subList(0, Math.min(5, offered.size()));
            return UnmetRequirement.of(
                    worker, refusal(), "type", JsonArray.ofStrings(some), JsonValue.of(type));
        }
    }

    /// The worker gets tasks of the client.
    record ServesClient(String client) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.CLIENT;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            return worker.clients().isEmpty() || worker.clients().contains(client);
        }

        /// Names no other client: the owner of the job reads it.
        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            return UnmetRequirement.of(
                    worker, refusal(), "client", JsonValue.of("others"), JsonValue.of(client));
        }
    }

    /// A label is as the task asks.
    record HasLabel(Selector selector) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.LABEL;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            return selector.admits(value(worker));
        }

        private @Nullable String value(WorkerProfile worker) {
            return worker.workerResources().labels().get(selector.label());
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            var value = value(worker);
            return UnmetRequirement.of(
                    worker,
                    refusal(),
                    selector.label(),
                    value == null ? JsonNull.NULL : JsonValue.of(value),
                    selector.wanted());
        }
    }

    /// There is enough of something.
    record HasAmount(String name, double least) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.RESOURCE;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            var has = worker.workerResources().amounts().get(name);
            return has != null && has >= least;
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            var has = worker.workerResources().amounts().get(name);
            return UnmetRequirement.of(
                    worker,
                    refusal(),
                    name,
                    has == null ? JsonNull.NULL : UnmetRequirement.json(has),
                    UnmetRequirement.json(least));
        }
    }

    /// There are enough of such devices.
    record HasDevices(DeviceRequirement need) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.RESOURCE;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            var found = 0;
            for (var device : worker.workerResources().devices()) {
                found += need.admits(device) ? 1 : 0;
            }
            return found >= need.count();
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            var devices = worker.workerResources().devices();
            var onlyOne = need.count() == 1 && devices.size() == 1 && need.amounts().size() == 1;
            if (onlyOne && devices.getFirst().model().contains(need.model())) {
                var amount = need.amounts().firstEntry();
                var has = devices.getFirst().amounts().get(amount.getKey());
                return UnmetRequirement.of(
                        worker,
                        refusal(),
                        amount.getKey(),
                        has == null ? JsonNull.NULL : UnmetRequirement.json(has),
                        UnmetRequirement.json(amount.getValue()));
            }
            var found = devices.stream().filter(need::admits).count();
            return UnmetRequirement.of(
                    worker,
                    refusal(),
                    need.toString(),
                    JsonValue.of(found),
                    JsonValue.of(need.count()));
        }
    }

    /// A model is installed.
    record HasModel(String model) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.MODEL;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            return worker.workerResources().models().contains(model);
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            return UnmetRequirement.of(
                    worker, refusal(), "model", JsonNull.NULL, JsonValue.of(model));
        }
    }

    /// The task costs no more than it may.
    record CostsAtMost(String type, double most) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.TOO_EXPENSIVE;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            return worker.costOf(type) <= most;
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            var cost = worker.costOf(type);
            return UnmetRequirement.of(
                    worker,
                    refusal(),
                    "cost",
                    Double.isFinite(cost) ? UnmetRequirement.json(cost) : JsonNull.NULL,
                    UnmetRequirement.json(most));
        }
    }

    /// It is the worker of an earlier task.
    record IsWorker(WorkerId id) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.AFFINITY;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            return worker.id().equals(id);
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            return UnmetRequirement.of(
                    worker,
                    refusal(),
                    "worker",
                    JsonValue.of(worker.id().value()),
                    JsonValue.of(id.value()));
        }
    }

    /// It is not a worker on which the task has failed.
    record IsNotWorker(WorkerId id) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.EXCLUDED;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            return !worker.id().equals(id);
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            return UnmetRequirement.of(
                    worker,
                    refusal(),
                    "worker",
                    JsonValue.of(id.value()),
                    JsonValue.of("another one"));
        }
    }

    /// It is warm for the type.
    record IsWarm(String type) implements Criterion {
        @Override
        public Refusal refusal() {
            return Refusal.COLD;
        }

        @Override
        public boolean admits(WorkerProfile worker) {
            return worker.capabilities().isWarmFor(type);
        }

        @Override
        public UnmetRequirement miss(WorkerProfile worker) {
            return UnmetRequirement.of(
                    worker, refusal(), "warm", JsonValue.of(false), JsonValue.of(true));
        }
    }
}
