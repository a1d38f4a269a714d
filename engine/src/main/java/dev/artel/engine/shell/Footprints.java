package dev.artel.engine.shell;

import dev.artel.engine.core.Footprint;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import java.util.LinkedHashMap;

/// About how many bytes of memory jobs take. A job that is asked for again and again is not measured each time. Safe for use by many threads.
final class Footprints {
    /// The weights of so many jobs are known, of those that were asked for last.
    private static final int MOST_KNOWN = 256;

    /// The one that was asked for last at the end; also the lock.
    private final LinkedHashMap<JobId, Footprint> known = new LinkedHashMap<>();

    long of(Job job) {
        var footprint = known(job.id());
        synchronized (footprint) {
            return footprint.of(job);
        }
    }

    private Footprint known(JobId job) {
        synchronized (known) {
            var before = known.remove(job);
            var footprint = before == null ? new Footprint() : before;
            known.putLast(job, footprint);
            if (known.size() > MOST_KNOWN) {
                known.pollFirstEntry();
            }
            return footprint;
        }
    }
}
