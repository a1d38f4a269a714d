package dev.artel.kernel.fleet;

import dev.artel.kernel.delivery.WorkerId;
import java.util.LinkedHashMap;
import java.util.List;

/// What placement looks at: what a worker says about itself, and what the orchestrator knows of it.
///
/// @param id its name
/// @param skills what it can do, takes now, and is warm for
/// @param slots how many tasks it takes at once
/// @param equipment what its machine has
/// @param prices what its work costs
/// @param condition whether it is to get tasks at all
/// @param clients the clients whose tasks alone it gets; empty: all. Never said by the worker
/// @param reputation how often its attempts succeeded: 0 (never) to 1 (always, or not known). Never said by the worker
public record WorkerProfile(
        WorkerId id,
        Skills skills,
        Slots slots,
        Equipment equipment,
        Prices prices,
        Condition condition,
        List<String> clients,
        double reputation) {
    /// A worker that gets tasks of all clients.
    public WorkerProfile(
            WorkerId id,
            Skills skills,
            Slots slots,
            Equipment equipment,
            Prices prices,
            Condition condition,
            double reputation) {
        this(id, skills, slots, equipment, prices, condition, List.of(), reputation);
    }

    /// Refuses a reputation that is none.
    public WorkerProfile {
        clients = List.copyOf(clients);
        if (!(reputation >= 0 && reputation <= 1)) {
            throw new IllegalArgumentException(
                    "worker " + id + ": reputation must be from 0 to 1, was " + reputation);
        }
    }

    /// A worker that takes `tasks`, of which nothing else is known.
    public static WorkerProfile of(WorkerId id, List<String> tasks, int capacity) {
        return new WorkerProfile(
                id,
                Skills.of(tasks),
                new Slots(capacity, new LinkedHashMap<>(), new LinkedHashMap<>()),
                Equipment.NONE,
                Prices.UNKNOWN,
                Condition.READY,
                1);
    }

    /// This worker with other skills.
    public WorkerProfile with(Skills other) {
        return new WorkerProfile(
                id, other, slots, equipment, prices, condition, clients, reputation);
    }

    /// This worker with other slots.
    public WorkerProfile with(Slots other) {
        return new WorkerProfile(
                id, skills, other, equipment, prices, condition, clients, reputation);
    }

    /// This worker with other equipment.
    public WorkerProfile with(Equipment other) {
        return new WorkerProfile(id, skills, slots, other, prices, condition, clients, reputation);
    }

    /// This worker with other prices.
    public WorkerProfile with(Prices other) {
        return new WorkerProfile(
                id, skills, slots, equipment, other, condition, clients, reputation);
    }

    /// This worker in another condition.
    public WorkerProfile with(Condition other) {
        return new WorkerProfile(id, skills, slots, equipment, prices, other, clients, reputation);
    }

    /// This worker, which gets tasks of `others` alone; of all clients if that is empty.
    public WorkerProfile forClients(List<String> others) {
        return new WorkerProfile(
                id, skills, slots, equipment, prices, condition, others, reputation);
    }

    /// This worker with another reputation.
    public WorkerProfile withReputation(double other) {
        return new WorkerProfile(id, skills, slots, equipment, prices, condition, clients, other);
    }

    /// The task types that it takes now, in its order.
    public List<String> tasks() {
        return skills.tasks();
    }

    /// How many tasks it takes at once; at least 1.
    public int capacity() {
        return slots.total();
    }

    /// Whether it takes nothing new.
    public boolean draining() {
        return condition == Condition.DRAINING;
    }

    /// What a task of `type` costs on this worker; infinite where unknown.
    public double costOf(String type) {
        return prices.of(type);
    }
}
