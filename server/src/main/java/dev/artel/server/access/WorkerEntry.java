package dev.artel.server.access;

import dev.artel.kernel.delivery.WorkerId;
import java.util.List;

/// A worker with a token of its own.
///
/// @param tasks the only task types that it gets; empty: any
/// @param clients the only clients whose tasks it gets; empty: all
record WorkerEntry(WorkerId id, TokenDigest token, List<String> tasks, List<String> clients) {
    WorkerEntry {
        tasks = List.copyOf(tasks);
        clients = List.copyOf(clients);
    }
}
