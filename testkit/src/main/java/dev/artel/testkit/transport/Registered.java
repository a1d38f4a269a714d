package dev.artel.testkit.transport;

import dev.artel.json.JsonString;
import dev.artel.protocol.TaskAssignment;
import dev.artel.testkit.transport.WireAnswer.Kind;

/// A worker for tasks of type `echo`.
record Registered(WorkerWire.Peer peer, String id) {
    static Registered on(WorkerWire wire, String id, int capacity) {
        return register(wire, id, WorkerBodies.registration(id, capacity, "echo"));
    }

    static Registered on(WorkerWire wire, String id, int capacity, String instance) {
        return register(
                wire,
                id,
                WorkerBodies.registration(id, capacity, "echo")
                        .with("instance", new JsonString(instance)));
    }

    private static Registered register(
            WorkerWire wire, String id, dev.artel.json.JsonObject registration) {
        var peer = wire.peer(id);
        var answer = peer.register(registration);
        if (answer.kind() != Kind.TAKEN) {
            throw new AssertionError("worker " + id + " was not registered: " + answer);
        }
        return new Registered(peer, id);
    }

    TaskAssignment take() {
        return peer.poll(0).answer().task();
    }

    WireAnswer succeed(TaskAssignment task) {
        return peer.result(WorkerBodies.success(id, task));
    }

    WireAnswer beat(int load) {
        return peer.heartbeat(WorkerBodies.heartbeat(load, "echo"));
    }
}
