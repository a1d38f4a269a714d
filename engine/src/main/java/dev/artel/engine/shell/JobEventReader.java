package dev.artel.engine.shell;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StreamId;
import java.util.function.Consumer;

/// Reads the events of a job for a step of it. Implementations are safe for use by many threads.
@FunctionalInterface
public interface JobEventReader {
    /// Reads none.
    JobEventReader NONE = (_, _, _) -> {};

    /// Gives the first `count` events of `job`, oldest first.
    ///
    /// @throws dev.artel.kernel.store.StoreException if they cannot be read
    void forEach(JobId job, long count, Consumer<JobEvent> event);

    /// Reads them from `store`, page by page, so that a long history never is in memory as a whole.
    static JobEventReader of(EventStore store) {
        return (job, count, event) -> {
            var read = 0L;
            while (read < count) {
                var page = store.page(StreamId.of(job), read, PAGE, EventStore.EventPage.BYTES);
                for (var append : page.appends()) {
                    var known = read + 1 - append.version();
                    var events = append.events();
                    for (var i = (int) Math.max(0, known); i < events.size() && read < count; i++) {
                        event.accept(events.get(i));
                        read++;
                    }
                }
                if (page.isLast()) {
                    return;
                }
            }
        };
    }

    /// How many appends are read at once.
    int PAGE = 500;
}
