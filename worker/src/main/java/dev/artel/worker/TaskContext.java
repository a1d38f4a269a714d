package dev.artel.worker;

import dev.artel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a handler can find out and report about its task. Safe for use by many threads.
public interface TaskContext {
    /// The job that the task is part of.
    String jobId();

    /// The id of this hand-out; another attempt has another one.
    String taskId();

    /// The task type.
    String type();

    /// From 1. It is 1 for every attempt if the orchestrator does not count them.
    int attempt();

    /// Higher is sooner.
    double priority();

    /// When the outcome is of no more use; empty for never.
    Optional<Instant> deadline();

    /// Trace headers to pass on.
    JsonObject tracingContext();

    /// Reports the progress of the task, for people to read. Cheap: of many calls only the latest may be sent.
    ///
    /// @param fraction from 0 to 1
    void progress(double fraction, String message);

    /// Logs a line about the task, at level `info`; see [#log(String, String)].
    default void log(String message) {
        log("info", message);
    }

    /// Logs a line about the task, for people: a line that is kept with the job. Does not wait; lines are sent soon, at
    /// the latest before the outcome. Of very many lines the oldest are lost, and a long one is cut.
    ///
    /// @param level such as `info`, `warn` or `error`
    void log(String level, String message);

    /// Says what a call of a model or of another service has cost; the calls of an attempt add up, and count against the budget of its job,
    /// also if the attempt fails.
    ///
    /// @param usd US dollars, such as `0.0125`
    /// @param tokens of models
    void spent(String usd, long tokens);

    /// Asks people something and waits for their answer, however long that takes. Meanwhile the task takes up no slot and its
    /// execution timeout does not run. The question outlives this process: another attempt that asks the same has the answer at
    /// once.
    ///
    /// @param choices what may be answered; none: anything
    /// @throws IllegalStateException if the orchestrator does not take it: it is too long, or one of too many
    /// @throws UnsupportedOperationException if it takes no questions
    /// @throws InterruptedException if the task is not wanted any more
    default String ask(String question, String... choices) throws InterruptedException {
        return ask(question, List.of(choices), Optional.empty());
    }

    /// Like [#ask(String, String...)], with a limit.
    ///
    /// @param within after this time without an answer the attempt fails, as one that took too long
    String ask(String question, List<String> choices, Optional<Duration> within)
            throws InterruptedException;

    /// What earlier attempts asked and were answered, by question, in order.
    SequencedMap<String, String> answers();

    /// Whether the outcome is not wanted any more. The thread is interrupted as well.
    boolean isCancelled();

    /// What this worker has loaded.
    HotCache hotCache();
}
