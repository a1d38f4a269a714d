package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Blueprint;
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
import dev.artel.kernel.job.Recorded;
import dev.artel.kernel.job.Visit;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.Replay;
import dev.artel.kernel.store.StreamId;
import dev.artel.kernel.task.JobData;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Sends a job back into a state that it was in, or begins another one there. Safe for use by many threads.
final class PastStates {
    private final EventStore store;
    private final Blueprints blueprints;
    private final LargeValues largeValues;
    private final NoticeRelay notices;
    private final JobPost post;
    private final KeyedIds keyedIds;
    private final InstantSource clock;

    /// @param clock in whole milliseconds
    PastStates(
            EventStore store,
            Blueprints blueprints,
            LargeValues largeValues,
            NoticeRelay notices,
            JobPost post,
            KeyedIds keyedIds,
            InstantSource clock) {
        this.store = store;
        this.blueprints = blueprints;
        this.largeValues = largeValues;
        this.notices = notices;
        this.post = post;
        this.keyedIds = keyedIds;
        this.clock = clock;
    }

    /// See [dev.artel.kernel.engine.Engine#rewind].
    CommandReply rewind(JobId job, String state, JobData changes, String by) {
        var events = history(job);
        var visit = Visit.last(job, events, state);
        if (visit.isEmpty() && !events.isEmpty()) {
            return new CommandReply.Refused(
                    Decision.Reason.NOT_AWAITED,
                    "job "
                            + job
                            + " cannot be rewound: it was never in state '"
                            + state
                            + "', but in "
                            + Visit.states(events));
        }
        var to =
                visit.map(seen -> seen.withData(seen.data().merge(largeValues.keep(changes))))
                        .orElse(new Visit(state, changes, 0, 0));
        var command = new JobCommand.Rewind(to, by, clock.instant());
        return post.ask(job, command);
    }

    /// See [dev.artel.kernel.engine.Engine#fork].
    SubmitReply fork(
            JobId other, String state, JobData changes, Submitter by, Optional<String> key) {
        var events = history(other);
        var visit = Visit.last(other, events, state);
        if (visit.isEmpty() || !(Replay.of(store, other).state() instanceof Job origin)) {
            return new SubmitReply.Refused(
                    SubmitReply.Why.INVALID_DATA,
                    "job "
                            + other
                            + " cannot be forked: it was never in state '"
                            + state
                            + "', but in "
                            + Visit.states(events));
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
                                        visit.get(),
                                        changes,
                                        by,
                                        key)),
                        other,
                        visit.get().data().merge(largeValues.keep(changes)),
                        Recorded.of(origin),
                        "client " + by.client(),
                        clock.instant());
        var job =
                key.map(text -> keyedIds.of(by.client(), text))
                        .orElseGet(() -> JobIds.fresh(command.at(), ThreadLocalRandom.current()));
        return SubmitReply.of(job, post.ask(job, command));
    }

    private JobSpec subscribed(JobSpec spec) {
        return spec.withOptions(notices.subscribed(spec.options(), spec.blueprint().name()));
    }

    /// Its deadline is not that of the other job, which may be over; its terms are those that its client has now.
    private static JobSpec forkedSpec(
            JobId other,
            JobSpec of,
            Blueprint blueprint,
            Visit visit,
            JobData changes,
            Submitter by,
            Optional<String> key) {
        var options = of.options();
        return new JobSpec(
                        blueprint.ref(),
                        visit.state(),
                        by.client(),
                        of.initialData(),
                        new JobOptions(
                                Math.min(options.priority(), by.maxPriority()),
                                Optional.empty(),
                                options.labels(),
                                key.map(_ ->
                                        JobIds.digest(other + ", " + visit + " with " + changes)),
                                options.cancelGrace(),
                                List.of(),
                                options.trace()),
                        JobSpec.CURRENT_RULES,
                        by.terms())
                .withGuards(blueprint.guards());
    }

    private List<JobEvent> history(JobId job) {
        return store.read(StreamId.of(job), 0).stream()
                .flatMap(append -> append.events().stream())
                .toList();
    }
}
