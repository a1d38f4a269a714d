package dev.artel.engine.shell;

import dev.artel.kernel.job.JobId;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Decides what becomes of the process when a part of the engine fails in a way that it cannot answer for, and
/// records which jobs ran meanwhile. Safe for use by many threads.
public interface Supervision {
    /// Writes what happened to the log and lets the engine go on as far as it can: for an engine inside another program, which
    /// decides itself when to end.
    Supervision LOG_ONLY =
            new Supervision() {
                private static final Logger LOG = LoggerFactory.getLogger(Supervision.class);

                @Override
                public void fatal(String part, Throwable error, List<JobId> workedOn) {
                    LOG.atError()
                            .addKeyValue("part", part)
                            .addKeyValue("jobs", workedOn)
                            .setCause(error)
                            .log("a part of the engine failed; end the process and start it again");
                }

                @Override
                public Optional<String> setAside(JobId job) {
                    return Optional.empty();
                }

                @Override
                public boolean setsAsideAny() {
                    return false;
                }
            };

    /// A thread of the engine met an error after which it is unknown what it has done. What was acknowledged is durable, so that the
    /// process may end on the spot. An implementation may return; the engine then goes on without what the thread was at.
    ///
    /// @param part which one, as its thread is named
    /// @param workedOn the jobs that the part was at; none if it was at none, or does not know
    void fatal(String part, Throwable error, List<JobId> workedOn);

    /// Called once, before any handler runs.
    ///
    /// @param handlers returns which handlers run when an error is met, and when the process is ending
    default void watchHandlers(Handlers handlers) {}

    /// What authors' code is at. Safe for use by many threads.
    interface Handlers {
        /// The one that has allocated most, of those that run and of those that have just run out of memory. Asked when
        /// memory has run out: it needs next to none.
        Optional<RunningHandler> greediest();

        /// Those that run at this moment, the one that has allocated most first.
        List<RunningHandler> running();

        /// The jobs whose handlers are just ending the process.
        List<JobId> exiting();
    }

    /// A handler that runs.
    ///
    /// @param job that it is for
    /// @param allocated how many bytes its thread has allocated since it began, whether or not it still has them
    record RunningHandler(JobId job, long allocated) {
        /// Whether it has allocated so much that it may be the one that has used up the memory of all: more than a quarter.
        public boolean isGreedy() {
            return allocated > Runtime.getRuntime().maxMemory() / 4;
        }
    }

    /// Why `job` must not be taken up; empty if it may.
    Optional<String> setAside(JobId job);

    /// Whether there is any job that must not be taken up.
    boolean setsAsideAny();

    /// What shows that the process has ended by errors again and again before this start; empty: nothing. What would begin new work by
    /// itself waits then, so that a person may come to it.
    default Optional<String> crashLoop() {
        return Optional.empty();
    }
}
