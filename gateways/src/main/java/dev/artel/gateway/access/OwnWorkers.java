package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;

/// The workers that an orchestrator has itself. They speak to it inside its process, so that nobody who comes over a wire may be one
/// of them, with whatever token.
public final class OwnWorkers {
    /// The one that does the built-in actions.
    public static final WorkerId ACTIONS = new WorkerId("artel-actions");

    private OwnWorkers() {}

    /// Whether `worker` is one of them.
    public static boolean include(WorkerId worker) {
        return worker.equals(ACTIONS);
    }

    /// Why nobody else may be `worker`.
    public static String refusal(WorkerId worker) {
        return "the worker "
                + worker
                + " is the orchestrator's own; give yours another name, and drain this one through the API for clients";
    }
}
