package dev.artel.engine.shell;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.Definitions;
import dev.artel.engine.core.JobsCore;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.JobsOutput;
import dev.artel.engine.core.PendingAppend;
import dev.artel.engine.core.RoutedEffects;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StreamFold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a [JobsCore] in a mailbox.
final class Partition {
    private static final Logger LOG = LoggerFactory.getLogger(Partition.class);
    private static final Duration LOAD_PAUSE = Duration.ofMillis(500);

    private static final int RECOVERING_AT_ONCE = 4096;

    /// One that is recovered takes more than one place of so many where it takes more than as large a part of the room for jobs.
    private final Semaphore recovering = new Semaphore(RECOVERING_AT_ONCE);

    /// How many places each has that is not taken up yet, in their order.
    private final Queue<Integer> placesOfRecovering = new ConcurrentLinkedQueue<>();

    private final long bytesOfPlace;
    private final Vitals vitals;
    private final Unreadable unreadable;
    private final JobsCore core;
    private final Mailbox<JobsInput> mailbox;
    private final EventStore store;
    private final StoreWriter writer;
    private final PendingReplies<CommandReply> pendingReplies;
    private final Consumer<CoordinatorInput> coordinator;
    private final StepStarter steps;
    private final PendingReplies<Optional<JobsOutput.Seen>> looks = new PendingReplies<>();
    private final ChildRelay children;
    private final WebhookRelay webhooks;
    private final MissingDefinitions missing;
    private final Consumer<JobsOutput.Happened> observer;
    private final ObjLongConsumer<Job> folds;
    private final Map<JobId, Job> live = new ConcurrentHashMap<>();
    private final List<JobsOutput> outputs = new ArrayList<>();

    Partition(
            String name,
            long room,
            EventStore store,
            StoreWriter writer,
            PendingReplies<CommandReply> pendingReplies,
            Receivers receivers) {
        core = new JobsCore(room, receivers.definitions());
        bytesOfPlace = Math.max(1, room / RECOVERING_AT_ONCE);
        this.store = store;
        this.writer = writer;
        this.pendingReplies = pendingReplies;
        coordinator = receivers.coordinator();
        steps = receivers.steps();
        children = receivers.children();
        webhooks = receivers.webhooks();
        missing = receivers.missing();
        observer = receivers.observer();
        vitals = receivers.vitals();
        unreadable = receivers.unreadable();
        folds = receivers.folds();
        mailbox = new Mailbox<>(name, this::receive, vitals, Partition::jobs);
    }

    /// Where a partition sends what it wants done.
    record Receivers(
            Consumer<CoordinatorInput> coordinator,
            StepStarter steps,
            ChildRelay children,
            WebhookRelay webhooks,
            MissingDefinitions missing,
            Definitions definitions,
            Consumer<JobsOutput.Happened> observer,
            Vitals vitals,
            Unreadable unreadable,
            ObjLongConsumer<Job> folds) {}

    /// Starts steps of jobs.
    interface StepStarter {
        void start(Job job, Effect.RunStep step);

        /// Starts a step before what asks for it is durable.
        ///
        /// @param onResult receives the result once, and soon; nothing: it is to be started like any other
        void startAhead(Job job, Effect.RunStep step, Consumer<Optional<JobCommand>> onResult);
    }

    void put(JobsInput input) {
        mailbox.putAndRun(input);
    }

    /// As [#put], and nothing is done in the calling thread.
    void leave(JobsInput input) {
        mailbox.put(input);
    }

    /// Takes up a job; waits while many others, or large ones, have not been taken up yet, so that memory stays bounded. For one thread.
    ///
    /// @param bytes about how much memory it takes
    void recover(JobsInput.Recovered input, long bytes) {
        var places = Math.clamp(bytes / bytesOfPlace, 1, RECOVERING_AT_ONCE);
        recovering.acquireUninterruptibly(places);
        placesOfRecovering.add(places);
        put(input);
    }

    /// Waits until all that was given to [#recover] is taken up: what it asks for has been passed on.
    ///
    /// @return whether it is, within `most`
    boolean awaitRecovered(Duration most) {
        try {
            if (!recovering.tryAcquire(RECOVERING_AT_ONCE, most.toNanos(), TimeUnit.NANOSECONDS)) {
                return false;
            }
            recovering.release(RECOVERING_AT_ONCE);
            return true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while taking up jobs", interrupted);
        }
    }

    /// How many places jobs have that were given to [#recover] and are not taken up.
    int recovering() {
        return RECOVERING_AT_ONCE - recovering.availablePermits();
    }

    /// Whether a job waits in [#recover].
    boolean hasRecoveringThatWait() {
        return recovering.hasQueuedThreads();
    }

    private static List<JobId> jobs(JobsInput input) {
        return input instanceof JobsInput.OfJob ofJob ? List.of(ofJob.job()) : List.of();
    }

    private void receive(JobsInput input) {
        try {
            core.on(input, outputs::add);
        } finally {
            // What it has put out so far is as true as if nothing had failed.
            try {
                EachOutput.of(outputs, this::perform);
            } finally {
                outputs.clear();
                if (input instanceof JobsInput.Recovered) {
                    recovering.release(placesOfRecovering.remove());
                }
            }
        }
    }

    private void perform(JobsOutput output) {
        switch (output) {
            case JobsOutput.Load(var job) ->
                    Thread.ofVirtual().name("artel-load").start(() -> load(job));
            case JobsOutput.Reserve(var job, var offers) ->
                    coordinator.accept(new CoordinatorInput.Reserve(job, offers));
            case JobsOutput.RunAhead(var job, var step) ->
                    steps.startAhead(
                            job, step, outcome -> leave(new JobsInput.RanAhead(job.id(), outcome)));
            case JobsOutput.Write(var job, var append) ->
                    writer.write(append, outcome -> completed(job, outcome));
            case JobsOutput.Answer(long requestId, var reply) ->
                    pendingReplies.answer(requestId, reply);
            case JobsOutput.Effects(var job, var asked, var ended) -> {
                var begun = RoutedEffects.of(asked);
                var over = RoutedEffects.of(ended);
                run(job, begun.steps());
                missing.withdraw(job.id(), ended);
                children.withdraw(job.id(), over.crossJob());
                children.perform(job, begun.crossJob());
                children.review(job);
                webhooks.perform(job.id(), job.spec().client(), begun.calls());
                if (!begun.indexed().isEmpty() || !over.indexed().isEmpty()) {
                    coordinator.accept(
                            new CoordinatorInput.Effects(
                                    job.id(), begun.indexed(), over.indexed()));
                }
            }
            case JobsOutput.AllPending(var state, var pending) -> {
                var all = RoutedEffects.of(pending);
                if (state instanceof Job job) {
                    missing.keep(job.id(), pending);
                    run(job, all.steps());
                    children.perform(job, all.crossJob());
                    webhooks.perform(job.id(), job.spec().client(), all.calls());
                }
                coordinator.accept(new CoordinatorInput.AllPending(state.id(), all.indexed()));
            }
            case JobsOutput.Current(var job) -> live.put(job.id(), job);
            case JobsOutput.Forgotten(var job) -> live.remove(job);
            case JobsOutput.Keep(var job, long bytes) -> folds.accept(job, bytes);
            case JobsOutput.Seen seen -> looks.answer(seen.requestId(), Optional.of(seen));
            case JobsOutput.Happened happened -> observer.accept(happened);
            case JobsOutput.GrantLapsed(var token) ->
                    coordinator.accept(new CoordinatorInput.GrantLapsed(token));
            case JobsOutput.Unreadable(var job) ->
                    coordinator.accept(new CoordinatorInput.Unreadable(job));
            case JobsOutput.Broken(var job, var command, var bug) ->
                    LOG.atError()
                            .addKeyValue("job", job)
                            .addKeyValue("command", command.getClass().getSimpleName())
                            .setCause(bug)
                            .log("a rule failed on a command; the job is unchanged");
        }
    }

    private void run(Job job, List<Effect.RunStep> wanted) {
        for (var step : wanted) {
            if (missing.admits(job, step)) {
                steps.start(job, step);
            }
        }
    }

    private void completed(JobId job, PendingAppend.Outcome outcome) {
        var input =
                switch (outcome) {
                    case PendingAppend.Outcome.Durable _ -> new JobsInput.Committed(job);
                    case PendingAppend.Outcome.Failed(var detail) ->
                            new JobsInput.AppendFailed(job, detail);
                    case PendingAppend.Outcome.Refused(var detail) ->
                            new JobsInput.AppendRefused(job, detail);
                };
        if (writer.isIdle()) {
            mailbox.putAndRun(input);
        } else {
            mailbox.put(input);
        }
    }

    /// A job that is in memory, as it is durable; for any thread.
    Optional<Job> find(JobId job) {
        return Optional.ofNullable(live.get(job));
    }

    /// How a job is; empty if it did not answer in time.
    Optional<JobsOutput.Seen> look(JobId job, Duration limit) {
        return looks.ask(
                requestId -> put(new JobsInput.Look(job, requestId)), limit, Optional::empty);
    }

    private void load(JobId job) {
        var aside = vitals.supervision().setAside(job);
        if (aside.isPresent()) {
            unreadable.add(job, aside.get());
            pause();
            put(new JobsInput.LoadFailed(job, "job " + job + " is set aside: " + aside.get()));
            return;
        }
        try {
            var replay = StreamFold.of(store, job);
            unreadable.remove(job);
            put(new JobsInput.Loaded(replay.state(), replay.state().version() - replay.folded()));
        } catch (Error error) {
            var reason = unreadable.add(job, error, "artel-load", vitals.supervision());
            pause();
            put(new JobsInput.LoadFailed(job, "job " + job + " cannot be read: " + reason));
        } catch (StoreException failed) {
            if (failed instanceof StoreException.StoreCorrupt) {
                unreadable.add(job, String.valueOf(failed.getMessage()));
            }
            pause();
            put(
                    new JobsInput.LoadFailed(
                            job, "job " + job + " cannot be read: " + failed.getMessage()));
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("job", job)
                    .setCause(bug)
                    .log("the events of a job are inconsistent; its commands are refused");
            unreadable.add(job, "its events are inconsistent: " + bug);
            pause();
            put(
                    new JobsInput.LoadFailed(
                            job, "job " + job + " cannot be read: its events are inconsistent"));
        }
    }

    /// So that a store that is down is not asked without pause.
    private static void pause() {
        try {
            Thread.sleep(LOAD_PAUSE);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
