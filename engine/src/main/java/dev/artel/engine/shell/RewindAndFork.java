package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.engine.Submitter;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobHistory;
import dev.artel.kernel.store.StreamFold;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Sends a job back into a state that it was in, or begins another one there. Safe for use by many threads.
final class RewindAndFork {
    private final EventStore store;
    private final Blueprints blueprints;
    private final LargeValues largeValues;
    private final WebhookRelay webhooks;
    private final CommandRouter post;
    private final KeyedIds keyedIds;
    private final InstantSource clock;

    /// @param clock in whole milliseconds
    RewindAndFork(
            EventStore store,
            Blueprints blueprints,
            LargeValues largeValues,
            WebhookRelay webhooks,
            CommandRouter post,
            KeyedIds keyedIds,
            InstantSource clock) {
        this.store = store;
        this.blueprints = blueprints;
        this.largeValues = largeValues;
        this.webhooks = webhooks;
        this.post = post;
        this.keyedIds = keyedIds;
        this.clock = clock;
    }

    /// See [dev.artel.kernel.engine.Engine#rewind].
    CommandReply rewind(JobId job, String state, JobData changes, String by) {
        var events = new JobHistory(store, job);
        var stateVisit = StateVisit.last(job, events, state);
        if (stateVisit.isEmpty() && events.iterator().hasNext()) {
            return new CommandReply.Refused(
                    Decision.Reason.NOT_AWAITED,
                    "job "
                            + job
                            + " cannot be rewound: it was never in state '"
                            + state
                            + "', but in "
                            + StateVisit.states(events));
        }
        if (!changes.isEmpty()) {
            var asking = Approved.before(events, state);
            if (asking.isPresent()) {
                return new CommandReply.Refused(
                        Decision.Reason.NOT_AWAITED,
                        Approved.refusal(
                                "job "
                                        + job
                                        + " cannot be rewound to state '"
                                        + state
                                        + "' with other data",
                                asking.get()));
            }
        }
        var to =
                stateVisit
                        .map(seen -> seen.withData(seen.data().merge(largeValues.keep(changes))))
                        .orElse(new StateVisit(state, changes, 0, 0));
        var command = new JobCommand.Rewind(to, by, clock.instant());
        return post.ask(job, command);
    }

    /// Why `how` is not to be done about a quarantined job; empty if nothing is against it.
    Optional<CommandReply> refusal(JobId job, QuarantineAction how) {
        var events = new JobHistory(store, job);
        var asking =
                switch (how) {
                    case QuarantineAction.Retry(var changes) when !changes.isEmpty() ->
                            last(events).flatMap(state -> Approved.before(events, state));
                    case QuarantineAction.Skip(var _, var result)
                            when !result.equals(Payload.EMPTY) ->
                            Approved.any(events);
                    case QuarantineAction.Retry _,
                            QuarantineAction.Skip _,
                            QuarantineAction.Release _,
                            QuarantineAction.Discard _ ->
                            Optional.<String>empty();
                };
        return asking.map(state ->
                new CommandReply.Refused(
                        Decision.Reason.NOT_AWAITED,
                        Approved.refusal("quarantined job " + job + " gets no other data", state)));
    }

    /// The state in which branch 0 is.
    private static Optional<String> last(Iterable<JobEvent> events) {
        var last = Optional.<String>empty();
        for (var event : events) {
            if (event instanceof JobEvent.StateEntered entered && entered.branch() == 0) {
                last = Optional.of(entered.state());
            }
        }
        return last;
    }

    /// See [dev.artel.kernel.engine.Engine#fork].
    SubmitReply fork(
            JobId other, String state, JobData changes, Submitter by, Optional<String> key) {
        var events = new JobHistory(store, other);
        var stateVisit = StateVisit.last(other, events, state);
        if (stateVisit.isEmpty() || !(StreamFold.of(store, other).state() instanceof Job origin)) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.INVALID_DATA,
                    "job "
                            + other
                            + " cannot be forked: it was never in state '"
                            + state
                            + "', but in "
                            + StateVisit.states(events));
        }
        var asking = Approved.before(events, state);
        if (asking.isPresent()) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.INVALID_DATA,
                    Approved.refusal(
                            "job " + other + " cannot be forked in state '" + state + "'",
                            asking.get()));
        }
        var ref = origin.spec().blueprint();
        var blueprint = blueprints.of(ref).filter(known -> known.state(state).isPresent());
        if (blueprint.isEmpty()) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.UNKNOWN_BLUEPRINT,
                    "job "
                            + other
                            + " cannot be forked in state '"
                            + state
                            + "' of version "
                            + ref.version()
                            + " of blueprint '"
                            + ref.name()
                            + "', which is not registered any more; register it");
        }
        var command =
                new JobCommand.Fork(
                        subscribed(
                                forkedSpec(
                                        other,
                                        origin.spec(),
                                        blueprint.get(),
                                        stateVisit.get(),
                                        changes,
                                        by,
                                        key)),
                        other,
                        stateVisit.get().data().merge(largeValues.keep(changes)),
                        RecordedResult.of(origin),
                        "client " + by.client(),
                        clock.instant());
        var job =
                key.map(text -> keyedIds.of(by.client(), text))
                        .orElseGet(() -> JobIds.fresh(command.at(), ThreadLocalRandom.current()));
        return SubmitReply.of(job, post.ask(job, command));
    }

    private JobSpec subscribed(JobSpec spec) {
        return spec.withOptions(webhooks.subscribed(spec.options(), spec.blueprint().group()));
    }

    /// Its deadline is not that of the other job, which may be over; its terms are those that its client has now. It goes on with data of those
    /// who submitted the other job.
    private static JobSpec forkedSpec(
            JobId other,
            JobSpec of,
            Blueprint blueprint,
            StateVisit stateVisit,
            JobData changes,
            Submitter by,
            Optional<String> key) {
        var options = of.options();
        return new JobSpec(
                        blueprint.ref(),
                        stateVisit.state(),
                        by.client(),
                        of.initialData(),
                        new JobOptions(
                                Math.min(options.priority(), by.maxPriority()),
                                Optional.empty(),
                                options.labels(),
                                key.map(_ ->
                                        JobIds.digest(
                                                other + ", " + stateVisit + " with " + changes)),
                                options.cancelGrace(),
                                List.of(),
                                options.trace(),
                                of.client().equals(by.client())
                                        ? options.requestedBy()
                                        : options.requestedAlsoBy(List.of("client " + of.client()))
                                                .requestedBy()),
                        JobSpec.CURRENT_RULES,
                        by.clientPlan())
                .withGuards(blueprint.guards())
                .withCancelState(blueprint.cancelState())
                .withBudget(Budget.least(of.budget(), blueprint.budget()));
    }
}
