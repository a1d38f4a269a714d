package dev.artel.kernel.blueprint;

import java.util.List;
import java.util.Optional;

/// One state of a blueprint.
///
/// @param name unique in its blueprint
/// @param start whether jobs begin here
/// @param next the states to which its handler may lead, in order; empty for an end
/// @param handler what happens in it; empty: the job ends
/// @param failed whether a job that ends here without a handler has failed
public record State(
        String name,
        boolean start,
        List<String> next,
        Optional<StepHandler> handler,
        boolean failed) {
    /// Copies `next`.
    public State {
        next = List.copyOf(next);
    }

    /// Whether a job that enters it has ended.
    public boolean isEnd() {
        return handler.isEmpty();
    }
}
