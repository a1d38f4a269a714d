package dev.artel.kernel.fleet;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import java.util.LinkedHashMap;
import java.util.List;

/// What placement looks at: what a worker declares about itself, and what the orchestrator knows of it.
///
/// @param id its name
/// @param capabilities what it can do, takes now, and is warm for
/// @param slots how many tasks it takes at once
/// @param workerResources what its machine has
/// @param workerCosts what its work costs
/// @param availability whether it is to get tasks at all
/// @param clients the clients whose tasks alone it gets; empty: all. Never set by the worker
/// @param reputation how often its attempts succeeded: 0 (never) to 1 (always, or not known). Never set by the worker
/// @param instance its process
/// @param holder whose token it has: its own name, or the pattern of names for which its token is good; empty: the token of all workers. Never set
///     by the worker
/// @param wire over which wire it gets tasks, such as [#HTTP] or `websocket`. Never set by the worker
public record WorkerProfile(
        WorkerId id,
        Capabilities capabilities,
        Slots slots,
        WorkerResources workerResources,
        WorkerCosts workerCosts,
        Availability availability,
        List<String> clients,
        double reputation,
        WorkerInstance instance,
        String holder,
        String wire) {
    /// The wire of workers that poll over HTTP.
    public static final String HTTP = "http";

    /// A worker that gets tasks of all clients, over HTTP.
    public WorkerProfile(
            WorkerId id,
            Capabilities capabilities,
            Slots slots,
            WorkerResources workerResources,
            WorkerCosts workerCosts,
            Availability availability,
            double reputation) {
        this(
                id,
                capabilities,
                slots,
                workerResources,
                workerCosts,
                availability,
                List.of(),
                reputation,
                WorkerInstance.UNKNOWN,
                "",
                HTTP);
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
                Capabilities.of(tasks),
                new Slots(capacity, new LinkedHashMap<>(), new LinkedHashMap<>()),
                WorkerResources.NONE,
                WorkerCosts.UNKNOWN,
                Availability.READY,
                1);
    }

    /// This worker with other skills.
    public WorkerProfile with(Capabilities other) {
        return new WorkerProfile(
                id,
                other,
                slots,
                workerResources,
                workerCosts,
                availability,
                clients,
                reputation,
                instance,
                holder,
                wire);
    }

    /// This worker with other slots.
    public WorkerProfile with(Slots other) {
        return new WorkerProfile(
                id,
                capabilities,
                other,
                workerResources,
                workerCosts,
                availability,
                clients,
                reputation,
                instance,
                holder,
                wire);
    }

    /// This worker with other equipment.
    public WorkerProfile with(WorkerResources other) {
        return new WorkerProfile(
                id,
                capabilities,
                slots,
                other,
                workerCosts,
                availability,
                clients,
                reputation,
                instance,
                holder,
                wire);
    }

    /// This worker with other prices.
    public WorkerProfile with(WorkerCosts other) {
        return new WorkerProfile(
                id,
                capabilities,
                slots,
                workerResources,
                other,
                availability,
                clients,
                reputation,
                instance,
                holder,
                wire);
    }

    /// This worker in another condition.
    public WorkerProfile with(Availability other) {
        return new WorkerProfile(
                id,
                capabilities,
                slots,
                workerResources,
                workerCosts,
                other,
                clients,
                reputation,
                instance,
                holder,
                wire);
    }

    /// This worker, which gets tasks of `others` alone; of all clients if that is empty.
    public WorkerProfile forClients(List<String> others) {
        return new WorkerProfile(
                id,
                capabilities,
                slots,
                workerResources,
                workerCosts,
                availability,
                others,
                reputation,
                instance,
                holder,
                wire);
    }

    /// This worker with another reputation.
    public WorkerProfile withReputation(double other) {
        return new WorkerProfile(
                id,
                capabilities,
                slots,
                workerResources,
                workerCosts,
                availability,
                clients,
                other,
                instance,
                holder,
                wire);
    }

    /// This worker over another wire.
    public WorkerProfile over(String other) {
        return new WorkerProfile(
                id,
                capabilities,
                slots,
                workerResources,
                workerCosts,
                availability,
                clients,
                reputation,
                instance,
                holder,
                other);
    }

    /// This worker in another process.
    public WorkerProfile as(WorkerInstance other) {
        return new WorkerProfile(
                id,
                capabilities,
                slots,
                workerResources,
                workerCosts,
                availability,
                clients,
                reputation,
                other,
                holder,
                wire);
    }

    /// This worker, which has the token of `other`; see [#holder].
    public WorkerProfile heldBy(String other) {
        return new WorkerProfile(
                id,
                capabilities,
                slots,
                workerResources,
                workerCosts,
                availability,
                clients,
                reputation,
                instance,
                other,
                wire);
    }

    /// The task types that it takes now, in its order.
    public List<String> tasks() {
        return capabilities.tasks();
    }

    /// How many tasks it takes at once; at least 1.
    public int capacity() {
        return slots.total();
    }

    /// Whether it takes nothing new.
    public boolean draining() {
        return availability == Availability.DRAINING;
    }

    /// What a task of `type` costs on this worker; infinite where unknown.
    public double costOf(String type) {
        return workerCosts.of(type);
    }
}
