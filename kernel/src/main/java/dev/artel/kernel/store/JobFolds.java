package dev.artel.kernel.store;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import java.util.Optional;

/// Folded jobs, kept so that a long history need not be folded again from its beginning. A cache: what is missing, or was
/// written by other rules, is folded from the events. Safe for use by many threads.
public interface JobFolds {
    /// Keeps nothing.
    JobFolds NONE =
            new JobFolds() {
                @Override
                public Optional<Job> find(JobId job) {
                    return Optional.empty();
                }

                @Override
                public long keep(Job job) {
                    return 0;
                }
            };

    /// The last fold of a job that was kept and can be read.
    ///
    /// @throws StoreException if the store cannot be read
    Optional<Job> find(JobId job);

    /// Keeps a fold, whose events must be durable, in place of an older one.
    ///
    /// @return how many bytes it takes
    /// @throws StoreException if it was not kept
    long keep(Job job);
}
