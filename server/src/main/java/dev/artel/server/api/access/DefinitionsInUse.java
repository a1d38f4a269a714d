package dev.artel.server.api.access;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.server.jars.UploadedJars;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

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
        return !definitions.isEmpty() && definitions.stream().anyMatch(look());
    }

    /// Whether a job that is not over needs a definition at this moment: reads the list of open jobs once, however many definitions are asked about then.
    public Predicate<UploadedJars.Definition> look() {
        var exact = new HashSet<UploadedJars.Definition>();
        var names = new HashSet<String>();
        var after = 0L;
        while (true) {
            var page = store.open(after, PAGE);
            page.jobs().forEach(job -> note(job, exact, names));
            if (page.next().isEmpty()) {
                return each -> exact.contains(each) || names.contains(each.name());
            }
            after = page.next().getAsLong();
        }
    }

    /// The row of one that is not in memory does not name the version: any counts.
    private void note(JobId id, Set<UploadedJars.Definition> exact, Set<String> names) {
        var live = lifecycle.engine().live(id);
        if (live.isPresent()) {
            var blueprint = live.get().spec().blueprint();
            exact.add(new UploadedJars.Definition(blueprint.name(), blueprint.version()));
        } else {
            store.find(id).ifPresent(row -> names.add(row.blueprint()));
        }
    }
}
