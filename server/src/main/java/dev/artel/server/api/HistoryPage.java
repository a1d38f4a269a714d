package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/// Some events of a job, oldest first.
///
/// @param next the version of the last one, if there may be more; empty at the end
record HistoryPage(JsonArray events, OptionalLong next) {
    /// A page ends with the event that makes it longer.
    static final int MAX_BYTES = 4 << 20;

    private static final int PIECE = 100;

    /// The events after version `after`: at most `limit`, and not many more bytes than [#MAX_BYTES].
    static HistoryPage of(
            JobId job, EventStore store, EventDocument events, long after, int limit) {
        List<JsonValue> page = new ArrayList<>();
        var bytes = 0L;
        var last = after;
        while (true) {
            var wanted = Math.min(PIECE, limit - page.size());
            var appends = store.read(StreamId.of(job), last, wanted);
            var before = last;
            for (var append : appends) {
                var version = append.version();
                for (var event : append.events()) {
                    if (version > last) {
                        var document = events.of(version, event);
                        page.add(document);
                        bytes += JsonText.write(document).length;
                        last = version;
                        if (page.size() == limit || bytes >= MAX_BYTES) {
                            return new HistoryPage(new JsonArray(page), OptionalLong.of(last));
                        }
                    }
                    version++;
                }
            }
            if (last == before) {
                return new HistoryPage(new JsonArray(page), OptionalLong.empty());
            }
        }
    }
}
