package dev.artel.access;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.tokens.TokenGrant;
import java.util.List;
import java.util.Optional;

/// A worker with tokens of its own.
///
/// @param tokens those of the file
/// @param tasks the only task types that it gets; empty: any
/// @param clients the only clients whose tasks it gets; empty: all
/// @param certificate the name in its certificate; empty: that of the worker
record WorkerEntry(
        WorkerId id,
        List<TokenGrant> tokens,
        List<String> tasks,
        List<String> clients,
        Optional<String> certificate) {
    WorkerEntry {
        tokens = List.copyOf(tokens);
        tasks = List.copyOf(tasks);
        clients = List.copyOf(clients);
    }
}
