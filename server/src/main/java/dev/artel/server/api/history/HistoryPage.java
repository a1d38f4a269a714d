package dev.artel.server.api.history;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StreamId;
import dev.artel.server.api.http.Page;
import java.util.OptionalLong;

/// Reads the events of a job, oldest first.
final class HistoryPage {
    private static final int PIECE = 100;
    private static final long PIECE_BYTES = 1 << 20;

    private HistoryPage() {}

    /// Adds the events after version `after` to `page`, until there are no more or it is full.
    ///
    /// @return the version of the last one, if there may be more; empty at the end
    static OptionalLong fill(
            Page page, JobId job, EventStore store, EventDocument events, long after) {
        var last = after;
        while (true) {
            var wanted = Math.min(PIECE, page.room());
            var appends = store.page(StreamId.of(job), last, wanted, PIECE_BYTES).appends();
            var before = last;
            for (var append : appends) {
                var version = append.version();
                for (var event : append.events()) {
                    if (version > last) {
                        page.add(events.of(version, event));
                        last = version;
                        if (page.isFull()) {
                            return OptionalLong.of(last);
                        }
                    }
                    version++;
                }
            }
            if (last == before) {
                return OptionalLong.empty();
            }
        }
    }
}
