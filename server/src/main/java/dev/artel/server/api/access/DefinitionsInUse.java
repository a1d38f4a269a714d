package dev.artel.server.api.access;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.jars.UploadedJars;
import java.util.List;

/// Which definitions jobs that are not over need.
public final class DefinitionsInUse {
    private static final int PAGE = 1_000;

    private final Lifecycle lifecycle;
    private final EventStore store;

    /// Those of the jobs of one orchestrator.
    public DefinitionsInUse(Lifecycle lifecycle, EventStore store) {
        this.lifecycle = lifecycle;
        this.store = store;
    }

    /// Whether a job that is not over needs one of `definitions`.
    public boolean any(List<UploadedJars.Definition> definitions) {
        if (definitions.isEmpty()) {
            return false;
        }
        var after = 0L;
        while (true) {
            var page = store.open(after, PAGE);
            if (page.jobs().stream().anyMatch(job -> needs(job, definitions))) {
                return true;
            }
            if (page.next().isEmpty()) {
                return false;
            }
            after = page.next().getAsLong();
        }
    }

    /// The row of one that is not in memory does not name the version: any counts.
    private boolean needs(JobId id, List<UploadedJars.Definition> definitions) {
        var live = lifecycle.engine().live(id);
        if (live.isPresent()) {
            var blueprint = live.get().spec().blueprint();
            return definitions.contains(
                    new UploadedJars.Definition(blueprint.name(), blueprint.version()));
        }
        return store.find(id)
                .filter(row ->
                        definitions.stream().anyMatch(each -> each.name().equals(row.blueprint())))
                .isPresent();
    }
}
