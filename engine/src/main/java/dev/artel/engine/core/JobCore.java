package dev.artel.engine.core;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StreamId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One job in memory: decides commands on its head, has one append in flight, and lets answers and effects go only
/// after their own commit.
final class JobCore {
    private static final Duration RETRY_LATER = Duration.ofSeconds(1);

    /// How many steps at most are run before an append, so that it is written soon.
    private static final int MOST_AHEAD = 16;

    private final JobId id;
    private final Definitions definitions;
    private final int keepEvery;
    private final Footprint footprint = new Footprint();
    private final Queue<JobsInput.Given> waiting = new ArrayDeque<>();
    private @Nullable JobState head;
    private @Nullable Batch inFlight;
    private Batch next = new Batch();
    private boolean reserving;

    /// The step that is being run before its cause is durable.
    private @Nullable EffectId ahead;

    private boolean mayRunAhead = true;

    /// Whether what is pending must be sent again with the next load, because some of it may have been dropped.
    private boolean repeatPending;

    /// Up to which version a fold is kept.
    private long kept;

    /// @param keepEvery after how many events at least a fold is kept
    JobCore(JobId id, Definitions definitions, int keepEvery) {
        this.id = id;
        this.keepEvery = keepEvery;
        this.definitions = definitions;
    }

    /// What was decided between two appends.
    private static final class Batch {
        final List<JobEvent> events = new ArrayList<>();
        final List<Effect> asked = new ArrayList<>();
        final List<Effect> ended = new ArrayList<>();
        final List<JobsOutput> answers = new ArrayList<>();
        final List<LeaseToken> grants = new ArrayList<>();

        /// Those of `grants` for which there is no room in the budget of the job.
        List<LeaseToken> withheld = List.of();

        final List<Long> requestIds = new ArrayList<>();

        /// The steps that were run before their cause was durable.
        final Set<EffectId> ranAhead = new LinkedHashSet<>();

        /// The commands on which it rests.
        final List<JobsInput.Given> given = new ArrayList<>();

        boolean isEmpty() {
            return events.isEmpty();
        }
    }

    /// Whether nothing is under way and the job can be forgotten.
    boolean isIdle() {
        return inFlight == null
                && !reserving
                && ahead == null
                && next.isEmpty()
                && waiting.isEmpty()
                && !isToBeLoaded();
    }

    /// One that could not be loaded, and that no caller asks for any more, is not.
    private boolean isToBeLoaded() {
        return head == null && repeatPending;
    }

    boolean isClosed() {
        return head instanceof Job job && job.isClosed();
    }

    void on(JobsInput.OfJob input, Consumer<JobsOutput> out) {
        switch (input) {
            case JobsInput.Given given -> given(given, out);
            case JobsInput.Begun(var job, var command, long requestId) -> {
                if (head == null && waiting.isEmpty()) {
                    head = new JobState.Unsubmitted(job);
                }
                given(new JobsInput.Given(job, command, requestId), out);
            }
            case JobsInput.Loaded(var state, long version) -> loaded(state, version, out);
            case JobsInput.Recovered(var state, long version) -> recovered(state, version, out);
            case JobsInput.LoadFailed(var _, var detail) -> loadFailed(detail, out);
            case JobsInput.Look _ -> {}
            case JobsInput.Repeat _ -> repeat(out);
            case JobsInput.Reserved(var _, var grants) -> reserved(grants, out);
            case JobsInput.RanAhead(var _, var outcome) -> ranAhead(outcome, out);
            case JobsInput.Committed _ -> committed(out);
            case JobsInput.AppendFailed(var _, var detail) -> failed(detail, out);
            case JobsInput.AppendRefused(var _, var detail) -> refused(detail, out);
        }
    }

    private void given(JobsInput.Given given, Consumer<JobsOutput> out) {
        if (head == null) {
            if (waiting.isEmpty() && !repeatPending) {
                out.accept(new JobsOutput.Load(id));
            }
            waiting.add(given);
            return;
        }
        next.given.add(given);
        decide(head, given, out);
        flush(out);
    }

    private JobState decide(JobState state, JobsInput.Given given, Consumer<JobsOutput> out) {
        Decision decision;
        try {
            decision = Jobs.decide(state, given.command());
        } catch (RuntimeException bug) {
            broken(given, bug, out);
            return state;
        }
        return switch (decision) {
            case Decision.Accepted(var events, var after, var asked, var ended) -> {
                head = after;
                next.events.addAll(events);
                next.asked.addAll(asked);
                next.ended.addAll(ended);
                if (given.command() instanceof JobCommand.Grant grant) {
                    next.grants.add(grant.token());
                    if (!(events.getFirst() instanceof JobEvent.LeaseGranted)) {
                        var more = new ArrayList<>(next.withheld);
                        more.add(grant.token());
                        next.withheld = more;
                    }
                }
                later(given.requestId(), new CommandReply.Done(!events.isEmpty()), out);
                yield after;
            }
            case Decision.Rejected(var reason, var detail) -> {
                if (given.command() instanceof JobCommand.Grant grant) {
                    out.accept(new JobsOutput.GrantLapsed(grant.token()));
                }
                later(given.requestId(), new CommandReply.Refused(reason, detail), out);
                yield state;
            }
        };
    }

    /// A rule has a bug: nothing comes of the command, and what else the job has to do is done.
    private void broken(JobsInput.Given given, RuntimeException bug, Consumer<JobsOutput> out) {
        out.accept(new JobsOutput.Broken(id, given.command(), bug));
        if (given.command() instanceof JobCommand.Grant grant) {
            out.accept(new JobsOutput.GrantLapsed(grant.token()));
        }
        answer(
                given.requestId(),
                new CommandReply.TryLater(
                        RETRY_LATER, "deciding about job " + id + " failed: " + bug),
                out);
    }

    /// Answers when all on which the answer rests is durable.
    private void later(long requestId, CommandReply reply, Consumer<JobsOutput> out) {
        if (requestId == JobsInput.Given.NO_REPLY) {
            return;
        }
        if (!next.isEmpty()) {
            next.requestIds.add(requestId);
            next.answers.add(new JobsOutput.Answer(requestId, reply));
        } else if (inFlight != null) {
            inFlight.requestIds.add(requestId);
            inFlight.answers.add(new JobsOutput.Answer(requestId, reply));
        } else {
            out.accept(new JobsOutput.Answer(requestId, reply));
        }
    }

    private void flush(Consumer<JobsOutput> out) {
        if (inFlight != null || reserving || ahead != null || next.isEmpty()) {
            return;
        }
        passEnds(out);
        var pure = pureStep();
        if (pure.isPresent() && head instanceof Job job) {
            ahead = pure.get().id();
            next.ranAhead.add(ahead);
            out.accept(new JobsOutput.RunAhead(job, pure.get()));
            return;
        }
        var offers = newOffers();
        if (offers.isEmpty() && head instanceof Job job) {
            write(job, out);
        } else {
            reserving = true;
            out.accept(new JobsOutput.Reserve(id, offers));
        }
    }

    /// No handler has to be called for a state without a handler: its outcome goes into the same append.
    private void passEnds(Consumer<JobsOutput> out) {
        var known = next.asked.size();
        // An outcome adds to the list.
        for (var i = 0; i < known; i++) {
            if (next.asked.get(i) instanceof Effect.RunStep step && head instanceof Job job) {
                var at = next.events.getLast().at();
                definitions
                        .outcomeIn(job.spec().blueprint(), step.state())
                        .map(action ->
                                new JobCommand.CompleteStep(step.id(), action, List.of(), at))
                        .map(command -> new JobsInput.Given(id, command, JobsInput.Given.NO_REPLY))
                        .ifPresent(given -> decide(job, given, out));
            }
        }
    }

    /// A step that only computes: its outcome goes into the same append.
    private Optional<Effect.RunStep> pureStep() {
        if (!mayRunAhead || next.ranAhead.size() >= MOST_AHEAD || !(head instanceof Job job)) {
            return Optional.empty();
        }
        var gone = new EffectIds(next.ended);
        for (var effect : next.asked) {
            if (effect instanceof Effect.RunStep step
                    && !gone.contains(step.id())
                    && !next.ranAhead.contains(step.id())
                    && definitions.isPure(job.spec().blueprint(), step.state())
                    && !SerialSteps.holds(job, step, definitions)) {
                return Optional.of(step);
            }
        }
        return Optional.empty();
    }

    private void ranAhead(Optional<JobCommand> outcome, Consumer<JobsOutput> out) {
        var state = head;
        if (ahead == null || state == null) {
            return;
        }
        ahead = null;
        if (outcome.isPresent()) {
            decide(state, new JobsInput.Given(id, outcome.get(), JobsInput.Given.NO_REPLY), out);
        }
        flush(out);
    }

    private List<Effect.Offer> newOffers() {
        var gone = new EffectIds(next.ended);
        var at = next.events.getLast().at();
        var offers = new ArrayList<Effect.Offer>();
        for (var effect : next.asked) {
            if (effect instanceof Effect.Offer offer
                    && !offer.notBefore().isAfter(at)
                    && !gone.contains(offer.id())) {
                offers.add(offer);
            }
        }
        return offers;
    }

    private void reserved(List<JobCommand.Grant> grants, Consumer<JobsOutput> out) {
        var state = head;
        if (!reserving || state == null) {
            grants.forEach(grant -> out.accept(new JobsOutput.GrantLapsed(grant.token())));
            return;
        }
        reserving = false;
        for (var grant : grants) {
            state = decide(state, new JobsInput.Given(id, grant, JobsInput.Given.NO_REPLY), out);
        }
        write((Job) state, out);
    }

    private void write(Job job, Consumer<JobsOutput> out) {
        var batch = next;
        next = new Batch();
        inFlight = batch;
        var expected = job.version() - batch.events.size();
        var row = JobRow.of(job, batch.events.getLast().at());
        out.accept(
                new JobsOutput.Write(id, new Append(StreamId.of(id), expected, batch.events, row)));
        committing = job;
    }

    private @Nullable Job committing;

    /// Grants whose append has an unknown outcome: they keep their places until the job has been read again.
    private final List<LeaseToken> inDoubt = new ArrayList<>(0);

    private void committed(Consumer<JobsOutput> out) {
        var batch = inFlight;
        var job = committing;
        if (batch == null || job == null) {
            return;
        }
        inFlight = null;
        committing = null;
        out.accept(new JobsOutput.Current(job));
        keepSometimes(job, out);
        batch.answers.forEach(out);
        out.accept(new JobsOutput.Happened(job, batch.events));
        var ended = new EffectIds(batch.asked).absentFrom(batch.ended);
        var asked =
                SerialSteps.admitted(
                        job,
                        new EffectIds(batch.ended).absentFrom(batch.asked),
                        ended,
                        definitions);
        if (!asked.isEmpty() || !ended.isEmpty()) {
            out.accept(new JobsOutput.Effects(job, asked, ended));
        }
        batch.withheld.forEach(token -> out.accept(new JobsOutput.GrantLapsed(token)));
        flush(out);
    }

    /// A step whose outcome cannot be written has failed; to run it again would end the same way. If it ran ahead,
    /// what led to it is written alone first.
    private void refused(String detail, Consumer<JobsOutput> out) {
        if (inFlight != null && !inFlight.ranAhead.isEmpty()) {
            mayRunAhead = false;
            waiting.addAll(inFlight.given);
            inFlight.requestIds.clear();
        } else if (inFlight != null) {
            for (var event : inFlight.events) {
                if (event instanceof JobEvent.StepDone done) {
                    waiting.add(
                            new JobsInput.Given(
                                    id,
                                    new JobCommand.FailStep(
                                            done.step(), detail, false, 0, done.at()),
                                    JobsInput.Given.NO_REPLY));
                }
            }
        }
        failed(detail, out);
    }

    /// What is durable is unknown: forget the head, read again, and send again what is pending.
    private void failed(String detail, Consumer<JobsOutput> out) {
        if (inFlight != null) {
            inDoubt.addAll(inFlight.grants);
        }
        next.grants.forEach(token -> out.accept(new JobsOutput.GrantLapsed(token)));
        for (var batch : inFlight == null ? List.of(next) : List.of(inFlight, next)) {
            for (var requestId : batch.requestIds) {
                answer(requestId, new CommandReply.TryLater(RETRY_LATER, detail), out);
            }
        }
        inFlight = null;
        committing = null;
        next = new Batch();
        reserving = false;
        ahead = null;
        head = null;
        repeatPending = true;
        out.accept(new JobsOutput.Forgotten(id));
        out.accept(new JobsOutput.Load(id));
    }

    /// Not more often than it has parts, so that what is written for it grows with its events and no faster.
    private void keepSometimes(Job job, Consumer<JobsOutput> out) {
        var since = job.version() - kept;
        if (since >= Math.max(keepEvery, Footprint.parts(job))
                || (job.isClosed() && since >= keepEvery)) {
            kept = job.version();
            out.accept(new JobsOutput.Keep(job, footprint.of(job)));
        }
    }

    private void recovered(JobState state, long version, Consumer<JobsOutput> out) {
        if (head == null && state instanceof Job job) {
            out.accept(
                    new JobsOutput.Effects(
                            job,
                            SerialSteps.admitted(job, Jobs.pending(job), definitions),
                            List.of()));
            loaded(state, version, out);
        }
    }

    private void loaded(JobState state, long version, Consumer<JobsOutput> out) {
        if (head != null) {
            return;
        }
        head = state;
        kept = version;
        if (state instanceof Job job) {
            out.accept(new JobsOutput.Current(job));
            keepSometimes(job, out);
        }
        if (repeatPending) {
            repeatPending = false;
            out.accept(new JobsOutput.AllPending(state, withoutAnswered(admitted(state))));
            // Those that are durable after all are held by now.
            inDoubt.forEach(token -> out.accept(new JobsOutput.GrantLapsed(token)));
            inDoubt.clear();
            if (state instanceof Job job) {
                // The append is durable after all, and no output has reported it yet.
                out.accept(new JobsOutput.Happened(job, List.of()));
            }
        }
        var current = state;
        while (!waiting.isEmpty()) {
            var given = waiting.remove();
            next.given.add(given);
            current = decide(current, given, out);
        }
        flush(out);
    }

    private List<Effect> admitted(JobState state) {
        var pending = Jobs.pending(state);
        return state instanceof Job job ? SerialSteps.admitted(job, pending, definitions) : pending;
    }

    /// A handler that ended while its job was read is not run again: its outcome waits to be decided.
    private List<Effect> withoutAnswered(List<Effect> pending) {
        var answered = new LinkedHashSet<EffectId>();
        for (var given : waiting) {
            if (given.command() instanceof JobCommand.CompleteStep done) {
                answered.add(done.step());
            } else if (given.command() instanceof JobCommand.FailStep failed) {
                answered.add(failed.step());
            }
        }
        return answered.isEmpty()
                ? pending
                : pending.stream().filter(effect -> !answered.contains(effect.id())).toList();
    }

    /// Answers the callers that wait; keeps the commands that no sender would repeat. Grants lapse: other tasks of the same
    /// ask wait for them, and so does the slot of a worker.
    private void loadFailed(String detail, Consumer<JobsOutput> out) {
        var kept = new ArrayList<JobsInput.Given>();
        var isOffered = false;
        for (var given : waiting) {
            if (given.command() instanceof JobCommand.Grant grant) {
                out.accept(new JobsOutput.GrantLapsed(grant.token()));
                isOffered = true;
            } else if (given.requestId() == JobsInput.Given.NO_REPLY) {
                kept.add(given);
            } else {
                answer(given.requestId(), new CommandReply.TryLater(RETRY_LATER, detail), out);
            }
        }
        waiting.clear();
        waiting.addAll(kept);
        if (isOffered) {
            out.accept(new JobsOutput.Unreadable(id));
            repeatPending = true;
        }
        if (repeatPending || !waiting.isEmpty()) {
            out.accept(new JobsOutput.Load(id));
        }
    }

    private static void answer(long requestId, CommandReply reply, Consumer<JobsOutput> out) {
        if (requestId != JobsInput.Given.NO_REPLY) {
            out.accept(new JobsOutput.Answer(requestId, reply));
        }
    }

    /// In the order of all other outputs of the job, so that nothing newer is compensated by it.
    private void repeat(Consumer<JobsOutput> out) {
        if (head == null && waiting.isEmpty() && !repeatPending) {
            repeatPending = true;
            out.accept(new JobsOutput.Load(id));
        } else if (isIdle() && head instanceof Job job) {
            out.accept(new JobsOutput.AllPending(job, admitted(job)));
        }
    }

    OptionalLong version() {
        return head == null ? OptionalLong.empty() : OptionalLong.of(head.version());
    }

    /// About how many bytes of memory it takes up.
    long weight() {
        return head == null ? Footprint.EMPTY : footprint.of(head);
    }
}
