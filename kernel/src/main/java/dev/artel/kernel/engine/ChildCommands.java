package dev.artel.kernel.engine;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.kernel.task.Payload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What one job does to another: an effect of the one becomes a command for the other, and what that answers becomes a
/// command for the first.
public final class ChildCommands {
    private ChildCommands() {}

    /// The job to which the command of `effect` goes; empty if the effect needs no command.
    public static Optional<JobId> addressee(Effect.CrossJob effect) {
        return switch (effect) {
            case Effect.StartChild start -> Optional.of(start.job());
            case Effect.StopChild stop -> Optional.of(stop.job());
            case Effect.NotifyParent notification ->
                    Optional.of(notification.parentLink().parent());
            case Effect.AwaitChild _ -> Optional.empty();
        };
    }

    /// The command that begins a child of `parent`.
    ///
    /// @param blueprint of the child
    public static JobCommand.Submit start(
            Job parent, Effect.StartChild start, Blueprint blueprint, Instant at) {
        var options = parent.spec().options();
        var asked = start.spec();
        return new JobCommand.Submit(
                new JobSpec(
                                blueprint.ref(),
                                blueprint.start().name(),
                                parent.spec().client(),
                                asked.initialData(),
                                new JobOptions(
                                        options.priority(),
                                        asked.deadline(),
                                        asked.labels(),
                                        Optional.empty(),
                                        options.cancelGrace(),
                                        List.of(),
                                        options.trace(),
                                        options.requestedBy()),
                                JobSpec.CURRENT_RULES,
                                parent.spec().clientPlan())
                        .withGuards(blueprint.guards())
                        .withCancelState(blueprint.cancelState())
                        .withBudget(Budget.least(blueprint.budget(), asked.budget()))
                        .bornOf(start.parentLink()),
                at);
    }

    /// The command that ends a child early.
    public static JobCommand.Cancel stop(Job parent, Instant at) {
        return new JobCommand.Cancel(
                "its parent, job " + parent.id() + ", no longer waits for it", at);
    }

    /// The command that reports the end of `child` to its parent. A result that is too large is left out: a parent that
    /// hears of the end without it can go on, one that hears nothing waits forever.
    ///
    /// @param values resolves what is kept elsewhere
    /// @param keep puts elsewhere what is too large
    public static JobCommand.EndChild notifyParent(
            Job child,
            Effect.NotifyParent notification,
            Function<Payload, JsonValue> values,
            Function<Payload, Payload> keep,
            Instant at) {
        var head =
                JsonObject.of("outcome", JsonValue.of(notification.outcome()))
                        .with("job_id", JsonValue.of(child.id().value()))
                        .with("final_state", JsonValue.of(child.branches().get(0).state()));
        var parentLink = notification.parentLink();
        return new JobCommand.EndChild(
                parentLink.child(),
                parentLink.start(),
                new ChildReport(
                        notification.outcome(),
                        result(head, child, notification, values, keep),
                        child.steps(),
                        notification.reason(),
                        child.budget().map(BudgetLedger::used).orElse(Spending.NONE)),
                at);
    }

    private static Payload result(
            JsonObject head,
            Job child,
            Effect.NotifyParent notification,
            Function<Payload, JsonValue> values,
            Function<Payload, Payload> keep) {
        var whole = head;
        if (child.phase() instanceof Job.Ended(JobOutcome.Finished(var result), var _)) {
            whole =
                    whole.with(
                            "result",
                            result.equals(Payload.EMPTY)
                                    ? data(child, values)
                                    : values.apply(result));
        }
        if (notification.reason().isPresent()) {
            whole = whole.with("error_message", JsonValue.of(notification.reason().get()));
        }
        try {
            return keep.apply(Payload.of(whole));
        } catch (ValueTooLarge tooLarge) {
            return Payload.of(
                    head.with("result_omitted", JsonValue.of(true))
                            .with(
                                    "error_message",
                                    JsonValue.of(
                                            "its result is left out: " + tooLarge.getMessage())));
        }
    }

    /// A child that ends in a state without a result hands on all that it has gathered.
    private static JsonObject data(Job child, Function<Payload, JsonValue> values) {
        var object = JsonObject.builder();
        child.data().values().forEach((name, value) -> object.put(name, values.apply(value)));
        return object.build();
    }

    /// What the job that asked for `effect` learns from the answer of the other.
    ///
    /// @return empty if the other has to be asked again
    public static Optional<JobCommand> answer(
            Effect.CrossJob effect, CommandReply reply, Instant at) {
        if (reply instanceof CommandReply.TryLater) {
            return Optional.empty();
        }
        return Optional.of(
                switch (effect) {
                    case Effect.StartChild start
                            when reply instanceof CommandReply.Refused(var _, var detail) ->
                            refusal(start, detail, at);
                    case Effect.StartChild start ->
                            new JobCommand.ConfirmChild(start.parentLink().child(), start.id(), at);
                    // Whatever it returns, nothing more is to do: it is over, or was removed since.
                    case Effect.StopChild stop ->
                            new JobCommand.ConfirmStop(stop.child(), stop.id(), at);
                    case Effect.NotifyParent notification ->
                            new JobCommand.ConfirmParentNotified(notification.id(), at);
                    case Effect.AwaitChild _ ->
                            throw new IllegalArgumentException(effect + " has no answer");
                });
    }

    /// What a job learns whose child cannot begin.
    public static JobCommand refusal(Effect.StartChild start, String reason, Instant at) {
        return new JobCommand.RefuseChild(start.parentLink().child(), start.id(), reason, at);
    }
}
