package dev.artel.engine.shell;

import dev.artel.kernel.job.JobId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The open jobs that cannot be read, or were set aside. Safe for use by many threads.
final class Unreadable {
    private static final Logger LOG = LoggerFactory.getLogger(Unreadable.class);

    private final ConcurrentNavigableMap<String, String> reasons = new ConcurrentSkipListMap<>();

    /// `job` cannot be read; it is logged once.
    void add(JobId job, String reason) {
        if (!reason.equals(reasons.put(job.value(), reason))) {
            LOG.atError()
                    .addKeyValue("job", job)
                    .addKeyValue("reason", reason)
                    .log("a job was set aside; the others continue");
        }
    }

    /// Reading `job` ended with `error`. One that concerns this job alone sets it aside; one of the whole process is also
    /// reported to `supervision`, which may end the process.
    ///
    /// @param part that was reading, as its thread is named
    /// @return the reason, for people
    String add(JobId job, Error error, String part, Supervision supervision) {
        var reason =
                switch (error) {
                    case StackOverflowError _ ->
                            "its events are nested too deeply for the stack of a thread";
                    case OutOfMemoryError _ ->
                            "it does not fit into the memory of the orchestrator";
                    case LinkageError missing ->
                            "a class that is needed to read it cannot be loaded: " + missing;
                    default -> "reading it failed with " + error;
                };
        if (error instanceof VirtualMachineError && !(error instanceof StackOverflowError)) {
            supervision.fatal(part, error, List.of(job));
        }
        add(job, reason);
        return reason;
    }

    /// `job` was read.
    void remove(JobId job) {
        if (!reasons.isEmpty()) {
            reasons.remove(job.value());
        }
    }

    /// Why `job` cannot be read; empty if it can be.
    Optional<String> of(JobId job) {
        return Optional.ofNullable(reasons.get(job.value()));
    }

    /// All, in the order of their ids.
    List<UnreadableJob> all() {
        return reasons.entrySet().stream()
                .map(entry -> new UnreadableJob(new JobId(entry.getKey()), entry.getValue()))
                .toList();
    }
}
