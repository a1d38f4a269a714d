package dev.artel.worker.process;

import dev.artel.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A task that a process does, and what the process may ask of the worker for it. Called by the thread that waits for the process.
public interface PooledTask {
    /// Unique among the tasks of the pool.
    String id();

    /// What the process gets.
    JsonObject message();

    /// As `TaskContext.progress`.
    void progress(double fraction, String message);

    /// As `TaskContext.log`.
    void log(String level, String line);

    /// As `TaskContext.spent`.
    void spent(String usd, long tokens);

    /// As `TaskContext.ask`.
    String ask(String question, List<String> choices, Optional<Duration> within)
            throws InterruptedException;
}
