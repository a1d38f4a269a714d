package dev.artel.engine.shell;

import dev.artel.engine.core.Definitions;
import dev.artel.engine.core.SerialSteps;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs handlers on threads of their own, a limited number at once, and turns their outcomes into commands. A step that waits for its turn keeps no job in
/// memory, and large jobs have a bound together while their handlers run.
///
/// The same step is not run twice at the same time, unless it is pure; after a crash it may run again.
final class StepRunner implements Partition.StepStarter, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);

    /// How long an interrupted handler may take to end.
    private static final Duration HEED = Duration.ofSeconds(1);

    private final Vitals vitals;
    private final Blueprints blueprints;
    private final HandlerInvoker calls;
    private final InstantSource clock;
    private final BiConsumer<JobId, JobCommand> commands;
    private final HandlerPool pool;
    private final InitialDataChecks checks;
    private final Duration ahead;
    private final Map<Running, Attempt> running = new ConcurrentHashMap<>();
    private final RunningJobs<Attempt> jobsOfRunning = new RunningJobs<>();
    private final Footprints footprints = new Footprints();
    private final Optional<Jobs> jobs;

    private volatile boolean closed;

    /// Where the jobs are whose steps begin.
    interface Jobs {
        /// The job as it is durable; empty: there is none any more.
        ///
        /// @throws dev.artel.kernel.store.StoreException if it cannot be read
        Optional<Job> find(JobId job);

        /// Asks `job` again for all that it asks for, soon.
        void again(JobId job);
    }

    /// @param places how many handlers run at once
    /// @param ahead how long an append waits for a step that only computes
    /// @param jobs empty: steps that wait keep theirs
    StepRunner(
            Blueprints blueprints,
            HandlerInvoker calls,
            InstantSource clock,
            HandlerPlaces places,
            Duration ahead,
            BiConsumer<JobId, JobCommand> commands,
            Optional<Jobs> jobs,
            Vitals vitals) {
        this.vitals = vitals;
        this.jobs = jobs;
        this.blueprints = blueprints;
        this.calls = calls;
        this.clock = clock;
        this.ahead = ahead;
        pool = new HandlerPool(places, HEED, vitals);
        checks = new InitialDataChecks(blueprints, pool);
        this.commands = commands;
    }

    private record Running(JobId job, EffectId step) {}

    /// Starts `step` of `job`, whose definition is there; its outcome comes as a command.
    @Override
    public void start(Job job, Effect.RunStep step) {
        var blueprint = blueprints.of(job.spec().blueprint()).orElseThrow();
        var state = blueprint.state(step.state()).orElseThrow();
        if (state.isEnd()) {
            commands.accept(
                    job.id(),
                    new JobCommand.CompleteStep(
                            step.id(), state.finish(JobData.EMPTY), List.of(), now()));
        } else if (!closed) {
            var attempt = new WaitingAttempt(job, step, blueprint, state);
            if (running.putIfAbsent(attempt.key(), attempt) == null) {
                pool.submit(attempt.bulkhead, attempt);
                attempt.letGo();
            }
        }
    }

    @Override
    public void startAhead(Job job, Effect.RunStep step, Consumer<Optional<JobCommand>> onResult) {
        var blueprint = blueprints.of(job.spec().blueprint());
        var state = blueprint.flatMap(known -> known.state(step.state()));
        if (closed
                || state.isEmpty()
                || !pool.tryBegin(
                        bulkhead(job, blueprint.get()),
                        new AheadAttempt(job, step, blueprint.get(), state.get(), onResult))) {
            onResult.accept(Optional.empty());
        }
    }

    /// How a run has ended.
    private enum End {
        REPORTED,
        UNREPORTED,
        /// It is not run any more, since its job goes on without it.
        NEEDLESS,
        /// Its job could not be read.
        UNREAD,
        /// It comes again when there is room for its job.
        WITHOUT_ROOM
    }

    /// A run of a handler.
    private class Attempt implements HandlerPool.Task {
        final JobId id;
        final String client;
        final String bulkhead;
        final Duration most;
        final Effect.RunStep step;
        final Blueprint blueprint;
        final State state;
        volatile boolean begun;

        /// Null while it waits for its turn: it may be long.
        volatile @Nullable Job job;

        Attempt(Job job, Effect.RunStep step, Blueprint blueprint, State state) {
            id = job.id();
            client = job.spec().client();
            bulkhead = bulkhead(job, blueprint);
            most = state.handlerTime().orElse(job.spec().guards().handlerTime());
            this.job = job;
            this.step = step;
            this.blueprint = blueprint;
            this.state = state;
        }

        final Running key() {
            return new Running(id, step.id());
        }

        @Override
        public final String what() {
            return id + ", state " + state.name() + " of " + blueprint;
        }

        @Override
        public final String client() {
            return client;
        }

        @Override
        public final Optional<JobId> job() {
            return Optional.of(id);
        }

        @Override
        public final Duration most() {
            return most;
        }

        @Override
        public final void run(HandlerPool.Run run) {
            begun = true;
            var end = End.UNREPORTED;
            try {
                end = begin(run);
            } catch (Error error) {
                vitals.fatal(Thread.currentThread().getName(), error, List.of(id));
            } catch (RuntimeException bug) {
                LOG.atError()
                        .addKeyValue("job", id)
                        .setCause(bug)
                        .log("cannot report the outcome of a handler; it runs again");
            } finally {
                if (end == End.UNREPORTED) {
                    notReported();
                }
                if (end != End.WITHOUT_ROOM) {
                    job = null;
                    over();
                }
            }
            if (end == End.UNREAD) {
                jobs.ifPresent(all -> all.again(id));
            }
        }

        End begin(HandlerPool.Run run) {
            var own = job;
            return own == null ? End.UNREPORTED : begin(run, own);
        }

        final End begin(HandlerPool.Run run, Job own) {
            var outcome = outcome(run, own);
            if (run.ended()) {
                report(run, outcome);
            }
            return End.REPORTED;
        }

        /// A thread that makes way for all others must not keep a job waiting that is the engine's.
        private void report(HandlerPool.Run run, Optional<JobCommand> outcome) {
            if (run.isLowered()) {
                Thread.ofVirtual().name("artel-step-done").start(() -> report(outcome));
            } else {
                report(outcome);
            }
        }

        /// What came of it; empty: it is to be run again.
        Optional<JobCommand> outcome(HandlerPool.Run run, Job job) {
            var handler = state.handler().orElseThrow();
            return Optional.of(
                    calls.outcome(
                            job,
                            step,
                            blueprint,
                            state,
                            shown -> handled(run, handler, shown),
                            ThreadLocalRandom.current().nextDouble(),
                            StepRunner.this::now));
        }

        void report(Optional<JobCommand> outcome) {
            outcome.ifPresent(command -> commands.accept(id, command));
        }

        /// It ended, and its outcome could not be reported.
        void notReported() {
            // the step is pending still, and is run again
        }

        void over() {
            running.remove(key(), this);
        }

        @Override
        public void late() {
            over();
            commands.accept(id, fail(step, state.retry(), overran(state, most()), true));
        }
    }

    /// A run that may have to wait for its turn: its job is read when it comes.
    private final class WaitingAttempt extends Attempt {
        WaitingAttempt(Job job, Effect.RunStep step, Blueprint blueprint, State state) {
            super(job, step, blueprint, state);
        }

        /// What waits may wait for long.
        void letGo() {
            if (jobs.isPresent()) {
                job = null;
            }
        }

        @Override
        End begin(HandlerPool.Run run) {
            Optional<Job> own;
            try {
                own = Optional.ofNullable(job).or(() -> jobs.flatMap(all -> all.find(id)));
            } catch (StoreException unreadable) {
                LOG.atWarn()
                        .addKeyValue("job", id)
                        .setCause(unreadable)
                        .log("a job cannot be read for its handler; it is read again");
                return ended(run, End.UNREAD);
            }
            return own.filter(this::isWanted).isPresent()
                    ? beginInRoom(run, own.get())
                    : ended(run, End.NEEDLESS);
        }

        private End beginInRoom(HandlerPool.Run run, Job own) {
            letGo();
            begun = false;
            var place = jobsOfRunning.begin(client, footprints.of(own), this);
            if (place.isEmpty()) {
                return ended(run, End.WITHOUT_ROOM);
            }
            begun = true;
            try {
                return begin(run, own);
            } finally {
                place.get().run();
                jobsOfRunning.next().forEach(next -> pool.submit(next.bulkhead, next));
            }
        }

        private static End ended(HandlerPool.Run run, End end) {
            var _ = run.ended();
            return end;
        }

        /// Whether its job still asks for the step.
        private boolean isWanted(Job own) {
            return step.branch() < own.branches().size()
                    && own.branches().get(step.branch()).doing()
                            instanceof Branch.Stepping(var run, var _, int _)
                    && run.equals(step.id());
        }
    }

    /// A run before what asks for it is durable, which is not waited for long.
    private final class AheadAttempt extends Attempt {
        private final AtomicReference<@Nullable Consumer<Optional<JobCommand>>> onResult;

        AheadAttempt(
                Job job,
                Effect.RunStep step,
                Blueprint blueprint,
                State state,
                Consumer<Optional<JobCommand>> onResult) {
            super(job, step, blueprint, state);
            this.onResult = new AtomicReference<>(onResult);
        }

        @Override
        public Duration softLimit() {
            return ahead;
        }

        @Override
        Optional<JobCommand> outcome(HandlerPool.Run run, Job job) {
            var handler = state.handler().orElseThrow();
            return calls.outcomeAhead(
                    job,
                    step,
                    blueprint,
                    state,
                    shown -> handled(run, handler, shown),
                    ThreadLocalRandom.current().nextDouble(),
                    StepRunner.this::now);
        }

        @Override
        void report(Optional<JobCommand> outcome) {
            reportOnce(outcome);
        }

        /// Its job does nothing else before it has an answer.
        @Override
        void notReported() {
            reportOnce(Optional.empty());
        }

        @Override
        void over() {
            // it is not among those that run
        }

        @Override
        public void softLimitReached() {
            reportOnce(Optional.empty());
        }

        @Override
        public void late() {
            reportOnce(Optional.empty());
        }

        private void reportOnce(Optional<JobCommand> outcome) {
            var receiver = onResult.getAndSet(null);
            if (receiver != null) {
                receiver.accept(outcome);
            }
        }
    }

    /// Whether the initial data of `submission` fit what its blueprint wants.
    InitialDataChecks.Finding check(Submission submission) {
        return checks.check(submission);
    }

    /// Whether a step runs or waits for its turn.
    boolean isRunning(JobId job, EffectId step) {
        return running.containsKey(new Running(job, step));
    }

    /// Whether `step` of `job` waits for another branch, since its state is serial.
    boolean holds(Job job, Effect.RunStep step) {
        return SerialSteps.holds(job, step, Definitions.of(blueprints::of));
    }

    /// Why a step that is to be run has not begun; empty if it has.
    Optional<String> whyNotBegun(JobId job, EffectId step) {
        return Optional.ofNullable(running.get(new Running(job, step)))
                .filter(attempt -> !attempt.begun)
                .map(attempt -> pool.obstacle(attempt.bulkhead, attempt.client()));
    }

    /// A definition that a job has brought along shares that of all others of its client, whatever its name is.
    private static String bulkhead(Job job, Blueprint blueprint) {
        return blueprint.ref().isPlanned()
                ? BlueprintRef.PLANNED + " " + job.spec().client()
                : blueprint.name();
    }

    private static String overran(State state, Duration most) {
        return "the handler of state '"
                + state.name()
                + "' took longer than "
                + most
                + " and was interrupted; let a worker do what takes long, or give it more time";
    }

    /// A handler that has used up all memory itself does so again at the next attempt, and all others suffer from it.
    private static Action handled(HandlerPool.Run run, StepHandler handler, Step shown)
            throws Exception {
        try {
            return handler.handle(shown);
        } catch (OutOfMemoryError full) {
            if (run.ranOutOfMemory()) {
                throw new MemoryTaken(run.allocated(), full);
            }
            throw full;
        }
    }

    private JobCommand fail(
            Effect.RunStep step, Optional<RetryPolicy> retry, String message, boolean retryable) {
        var random = ThreadLocalRandom.current().nextDouble();
        return new JobCommand.FailStep(step.id(), message, retryable, random, retry, now());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /// Starts nothing more and waits for what runs, at most for `timeout`.
    void drain(Duration timeout) throws InterruptedException {
        closed = true;
        try {
            if (!pool.drain(timeout)) {
                LOG.atWarn()
                        .addKeyValue("handlers", pool.taken())
                        .log("handlers still run; they run again after the next start");
            }
        } finally {
            pool.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        pool.close();
    }

    /// How many runs of handlers took too long.
    long overran() {
        return pool.overran();
    }

    /// How many handlers go on although their time is over and they were interrupted.
    int abandoned() {
        return pool.abandoned();
    }

    /// The handlers that run.
    Supervision.Handlers handlers() {
        return pool;
    }

    /// The handlers of each blueprint.
    List<HandlerLoad> loads() {
        return pool.loads();
    }
}
