package dev.artel.worker.server.hub;

/// Which workers serve a model that a request names.
@FunctionalInterface
public interface ModelMatch {
    /// The worker offers the id itself, an alias of it, or a prefix that is written `prefix*`. The default.
    ModelMatch EXACT = WorkerCapabilities::offers;

    /// One of the two ids contains the other, in this case of letters. `gpt-4` is then served by workers of `gpt-4o-mini`
    /// too, and the other way round: for programs that relied on that.
    ModelMatch SUBSTRING =
            (capabilities, requested) ->
                    capabilities.models().stream()
                            .map(WorkerCapabilities.Model::id)
                            .anyMatch(id -> id.contains(requested) || requested.contains(id));

    /// Whether a worker with `capabilities` serves `requested`. Quick, since it is called under the hub's lock.
    boolean matches(WorkerCapabilities capabilities, String requested);
}
