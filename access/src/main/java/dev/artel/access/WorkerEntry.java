package dev.artel.access;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.tokens.TokenGrant;
import java.util.List;

/// A worker with tokens of its own.
///
/// @param tokens those of the file
/// @param tasks the only task types that it gets; empty: any
/// @param clients the only clients whose tasks it gets; empty: all
record WorkerEntry(WorkerId id, List<TokenGrant> tokens, List<String> tasks, List<String> clients) {
    WorkerEntry {
        tokens = List.copyOf(tokens);
        tasks = List.copyOf(tasks);
        clients = List.copyOf(clients);
    }
}
