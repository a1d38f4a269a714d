package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.ConditionFailed;
import dev.artel.kernel.blueprint.HistoryMismatch;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.NotAhead;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls handlers in the caller's thread and makes commands of their outcomes; also what a shell of other threads and
/// another clock needs of that. Safe for use by many threads as far as its stores are.
public final class HandlerInvoker {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerInvoker.class);

    private final LargeValues largeValues;
    private final StepFactory view;
    private final ActionKeeping keeping;
    private final ParameterRoom room;

    /// @param room for what handlers make
    HandlerInvoker(
            LargeValues largeValues, StepFactory view, ActionKeeping keeping, ParameterRoom room) {
        this.largeValues = largeValues;
        this.view = view;
        this.keeping = keeping;
        this.room = room;
    }

    /// Calls for blueprints whose values are kept there.
    ///
    /// @param payloads keeps large values
    /// @param dataStores keeps what blueprints remember, and the key of approvals
    public static HandlerInvoker with(PayloadStore payloads, KeyValueStore dataStores) {
        return with(payloads, dataStores, JobEventReader.NONE);
    }

    /// The same, for handlers that read the past of their jobs.
    ///
    /// @param events reads it
    public static HandlerInvoker with(
            PayloadStore payloads, KeyValueStore dataStores, JobEventReader events) {
        return with(payloads, dataStores, events, DefinitionKeeper.NONE);
    }

    /// The same, for handlers that also bring definitions along.
    ///
    /// @param definitions keeps them
    public static HandlerInvoker with(
            PayloadStore payloads,
            KeyValueStore dataStores,
            JobEventReader events,
            DefinitionKeeper definitions) {
        var values = new LargeValues(payloads);
        return new HandlerInvoker(
                values,
                new StepFactory(values, dataStores, events),
                new ActionKeeping(
                        values,
                        new ApprovalTokens(dataStores),
                        new PriceTable(),
                        definitions,
                        new JobRoom(Long.MAX_VALUE)),
                ParameterRoom.UNLIMITED);
    }

    /// What comes of `step`: its outcome, or that it failed.
    ///
    /// @param handler of `state`
    /// @param random from 0 to 1, for the time after which a failure is tried again
    public JobCommand outcome(
            Job job,
            Effect.RunStep step,
            Blueprint blueprint,
            State state,
            StepHandler handler,
            double random,
            Now now) {
        return outcome(job, step, blueprint, state, handler, false, random, now);
    }

    /// What comes of `step`, which runs before what led to it is durable; empty if its handler has to wait for that.
    public Optional<JobCommand> outcomeAhead(
            Job job,
            Effect.RunStep step,
            Blueprint blueprint,
            State state,
            StepHandler handler,
            double random,
            Now now) {
        try {
            return Optional.of(outcome(job, step, blueprint, state, handler, true, random, now));
        } catch (NotAhead later) {
            return Optional.empty();
        }
    }

    @SuppressWarnings(
            "IllegalCatch") // a handler is the author's code: whatever it throws is its failure,
    // also
    // an error of the library of another language, or of the machine; its job waits for an answer
    private JobCommand outcome(
            Job job,
            Effect.RunStep step,
            Blueprint blueprint,
            State state,
            StepHandler handler,
            boolean ahead,
            double random,
            Now now) {
        var isAuthors = false;
        var full = keeping.problem(job);
        if (full.isPresent()) {
            return fail(step, state, full.get(), false, random, now);
        }
        try (var made = room.open()) {
            var shown = view.of(job, step, blueprint, ahead);
            isAuthors = true;
            var action = made.call(() -> handler.handle(shown));
            isAuthors = false;
            if (action == null) {
                return fail(
                        step,
                        state,
                        "the handler of state '"
                                + state.name()
                                + "' returned no action; return one",
                        false,
                        random,
                        now);
            }
            made.returned(action);
            var problem = Transitions.problem(state, action);
            return problem.isPresent()
                    ? fail(step, state, problem.get(), false, random, now)
                    : complete(step, blueprint, keeping.keep(job, step.id(), action), now);
        } catch (NotAhead later) {
            if (ahead) {
                throw later;
            }
            return fail(step, state, message(later), true, random, now);
        } catch (ConditionFailed
                | HistoryMismatch
                | MissingValue
                | RejectedDefinition
                | ValueTooLarge
                | ParametersTooLarge
                | MemoryTaken hopeless) {
            return fail(step, state, String.valueOf(hopeless.getMessage()), false, random, now);
        } catch (Throwable failure) {
            LOG.atDebug()
                    .addKeyValue("job", job.id())
                    .addKeyValue("state", state.name())
                    .setCause(failure)
                    .log("a handler failed");
            return failure instanceof OutOfMemoryError && !isAuthors
                    ? fail(step, state, noMemory(state), false, random, now)
                    : fail(step, state, message(failure), true, random, now);
        }
    }

    /// The author is not to blame for what is read for a handler or kept of its answer.
    private static String noMemory(State state) {
        return "what the handler of state '"
                + state.name()
                + "' is given or has returned does not fit into the memory of the orchestrator (a heap of "
                + (Runtime.getRuntime().maxMemory() >> 20)
                + " MB); give it more (JAVA_TOOL_OPTIONS=-Xmx...), or let the handler take and return less at once, in"
                + " pages or by children, and release the job";
    }

    /// The message of an author's exception comes from the author's code, too.
    @SuppressWarnings("IllegalCatch")
    private static String message(Throwable failure) {
        try {
            return String.valueOf(failure);
        } catch (Throwable mute) {
            return failure.getClass().getName() + ", which has no readable message";
        }
    }

    /// The wall clock, in whole milliseconds.
    @FunctionalInterface
    public interface Now {
        /// What it shows.
        Instant get();
    }

    /// A way that leads to an end without a handler is gone at once, which saves an append.
    private static JobCommand complete(
            Effect.RunStep step, Blueprint blueprint, Action action, Now now) {
        if (action instanceof Action.TransitionTo(var next, var changes)) {
            var end = blueprint.state(next).filter(State::isEnd);
            if (end.isPresent()) {
                return new JobCommand.CompleteStep(
                        step.id(), end.get().finish(changes), List.of(next), now.get());
            }
        }
        return new JobCommand.CompleteStep(step.id(), action, List.of(), now.get());
    }

    private static JobCommand fail(
            Effect.RunStep step,
            State state,
            String message,
            boolean retryable,
            double random,
            Now now) {
        return new JobCommand.FailStep(
                step.id(), message, retryable, random, state.retry(), now.get());
    }

    /// A value, wherever it is kept.
    public JsonValue resolve(Payload payload) {
        return largeValues.resolve(payload);
    }

    /// Values, wherever they are kept.
    public JsonObject resolve(JobData data) {
        return largeValues.resolve(data);
    }

    /// What events can keep of a value.
    public Payload keep(Payload payload) {
        return largeValues.keep(payload);
    }

    /// What events can keep of values.
    public JobData keep(JobData data) {
        return largeValues.keep(data);
    }

    /// What events can keep of a report of a task that is alone.
    public TaskReport keep(TaskReport report) {
        return largeValues.keep(report, JobRoom.Share.ALONE);
    }
}
