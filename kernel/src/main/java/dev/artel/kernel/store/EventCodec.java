package dev.artel.kernel.store;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import java.util.List;
import java.util.Optional;

/// Turns events and commands into bytes and back. Safe for use by many threads; reads every version ever written.
public interface EventCodec {
    /// The bytes of `events`.
    byte[] encode(List<JobEvent> events);

    /// The events of `bytes`.
    ///
    /// @throws StoreException.StoreCorrupt if they are no events
    List<JobEvent> decode(byte[] bytes);

    /// The bytes of a folded job, for a cache: another build may not read them.
    byte[] encode(Job fold);

    /// The folded job of `bytes`; empty if another build wrote them, or they are damaged.
    Optional<Job> decodeFold(byte[] bytes);

    /// The bytes of `command`.
    byte[] encode(JobCommand command);

    /// The command of `bytes`.
    ///
    /// @throws StoreException.StoreCorrupt if they are no command
    JobCommand decodeCommand(byte[] bytes);
}
