package dev.artel.engine.shell;

import dev.artel.engine.core.CoordinatorCore;
import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.engine.core.CoordinatorTime;
import dev.artel.engine.core.CoordinatorView;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.dispatch.DispatchSurvey;
import dev.artel.engine.core.dispatch.Forecast;
import dev.artel.engine.core.dispatch.ForecastQuestion;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Eligibility;
import dev.artel.kernel.placement.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Runs a [CoordinatorCore] in a mailbox, with a clock that wakes it when something is due.
final class CoordinatorShell implements AutoCloseable {
    /// How many bytes of the heap there are for a place in the queues, several times as much as a task that waits takes, or what is kept of its job.
    private static final int BYTES_PER_QUEUED = 1_400;

    /// How many places tasks that wait for workers have in memory, which they fill with a quarter of the heap.
    static final int MOST_QUEUED =
            Math.clamp(
                    Runtime.getRuntime().maxMemory() / BYTES_PER_QUEUED, 10_000, Integer.MAX_VALUE);

    /// How long there is no tick at most; see [CoordinatorCore#on].
    private static final Duration LONGEST_NAP = Duration.ofSeconds(1);

    private static final long NAP_NANOS = 1_000_000;

    private final Vitals vitals;
    private final CoordinatorCore core;
    private final Mailbox<CoordinatorInput> mailbox;
    private final InstantSource clock;
    private final InstantSource steady;
    private final BiConsumer<JobId, JobCommand> commands;
    private final Consumer<JobsInput.Reserved> reserved;
    private final Consumer<JobId> again;
    private final PendingReplies<Optional<List<LeaseToken>>> renewals = new PendingReplies<>();
    private final PendingReplies<Map<Integer, WaitReason>> questions = new PendingReplies<>();
    private final PendingReplies<List<Eligibility>> judgements = new PendingReplies<>();
    private final PendingReplies<Optional<Forecast>> forecasts = new PendingReplies<>();
    private final PendingReplies<Optional<DispatchSurvey>> surveys = new PendingReplies<>();
    private final AtomicReference<WorkerPort.Listener> listener;
    private final PendingReplies<Optional<CoordinatorView>> looks = new PendingReplies<>();
    private final PendingReplies<Optional<List<Effect.Indexed>>> misses = new PendingReplies<>();
    private final List<CoordinatorOutput> outputs = new ArrayList<>();
    private final Thread ticker;

    /// What is being passed on, also after an error at it; null: the input at hand is being taken in.
    private @Nullable CoordinatorOutput performed;

    private volatile Instant nextWake = Instant.MAX;

    /// When the ticker wakes by itself: it is woken only for what is due before.
    private volatile Instant napEnd = Instant.MAX;

    private volatile DispatchObserver observer = (_, _) -> {};
    private volatile int queued;
    private volatile boolean hopeful;
    private volatile boolean closed;

    CoordinatorShell(
            Duration freshTerm,
            RandomGenerator random,
            InstantSource clock,
            InstantSource steady,
            BiConsumer<JobId, JobCommand> commands,
            Consumer<JobsInput.Reserved> reserved,
            Consumer<JobId> again,
            AtomicReference<WorkerPort.Listener> listener,
            Vitals vitals) {
        this.vitals = vitals;
        core = new CoordinatorCore(freshTerm, random, MOST_QUEUED);
        this.again = again;
        this.clock = clock;
        this.steady = steady;
        this.commands = commands;
        this.reserved = reserved;
        this.listener = listener;
        mailbox = new Mailbox<>("artel-coordinator", this::receive, vitals, this::jobsAtWork);
        ticker = Thread.ofPlatform().daemon().name("artel-clock").start(this::tickSafely);
    }

    void put(CoordinatorInput input) {
        mailbox.putAndRun(input);
    }

    /// The leases that the worker does not hold; empty if the coordinator did not answer in time.
    Optional<List<LeaseToken>> renewOnly(CoordinatorInput.RenewedOnly question, Duration limit) {
        return renewals.ask(
                requestId ->
                        put(
                                new CoordinatorInput.RenewedOnly(
                                        requestId,
                                        question.worker(),
                                        question.tokens(),
                                        question.term())),
                limit,
                Optional::empty);
    }

    Map<Integer, WaitReason> whyNotYet(JobId job, List<Integer> tasks, Duration limit) {
        return questions.ask(
                requestId -> put(new CoordinatorInput.WhyNotYet(requestId, job, tasks)),
                limit,
                Map::of);
    }

    List<Eligibility> eligibilities(
            JobId job, int task, Optional<WorkerId> only, int most, Duration limit) {
        return judgements.ask(
                requestId -> put(new CoordinatorInput.Judge(requestId, job, task, only, most)),
                limit,
                List::of);
    }

    /// Whether a task would be placed now; empty if it did not answer in time.
    Optional<Forecast> forecast(ForecastQuestion question, int most, Duration limit) {
        return forecasts.ask(
                requestId -> put(new CoordinatorInput.Foresee(requestId, question, most)),
                limit,
                Optional::empty);
    }

    /// What waits for workers, and what they have; empty if it did not answer in time.
    Optional<DispatchSurvey> survey(Duration limit) {
        return surveys.ask(
                requestId -> put(new CoordinatorInput.Survey(requestId)), limit, Optional::empty);
    }

    /// What is on the coordinator; empty if it did not answer in time.
    Optional<CoordinatorView> look(Duration limit) {
        return looks.ask(
                requestId -> put(new CoordinatorInput.Look(requestId)), limit, Optional::empty);
    }

    /// Those of `effects` that are not held; empty if it did not answer in time.
    Optional<List<Effect.Indexed>> missing(
            JobId job, List<Effect.Indexed> effects, Duration limit) {
        return misses.ask(
                requestId -> put(new CoordinatorInput.Miss(requestId, job, effects)),
                limit,
                Optional::empty);
    }

    void observedBy(DispatchObserver other) {
        observer = other;
    }

    int queued() {
        return queued;
    }

    /// Whether a worker that is here may get a task when it asks.
    boolean isHopeful() {
        return hopeful;
    }

    /// The job to which an error at `input` is due, as far as it is one.
    private List<JobId> jobsAtWork(CoordinatorInput input) {
        var output = performed;
        return (output == null ? input.about() : output.about()).stream().toList();
    }

    private void receive(CoordinatorInput input) {
        performed = null;
        var wall = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        try {
            core.on(input, new CoordinatorTime(wall, steady.instant()), outputs::add);
        } catch (RuntimeException | Error bug) {
            outputs.clear();
            if (input instanceof CoordinatorInput.Reserve(var job, var _)) {
                // The job waits for the answer with all that it does.
                reserved.accept(new JobsInput.Reserved(job, List.of()));
            }
            throw bug;
        }
        try {
            performAll();
        } finally {
            outputs.clear();
            follow();
        }
        performed = null;
    }

    private void performAll() {
        var begun = new ArrayList<CoordinatorOutput>();
        try {
            EachOutput.of(
                    outputs,
                    output -> {
                        begun.add(output);
                        performed = output;
                        perform(output);
                    });
        } catch (Error error) {
            for (var left : outputs.subList(begun.size(), outputs.size())) {
                answer(left, error);
            }
            throw error;
        }
    }

    /// A job waits for its reservation with all that it does, also after an error.
    private void answer(CoordinatorOutput left, Error error) {
        if (left instanceof CoordinatorOutput.Reserved(var job, var grants)) {
            try {
                reserved.accept(new JobsInput.Reserved(job, grants));
            } catch (RuntimeException | Error another) {
                error.addSuppressed(another);
            }
        }
    }

    /// Shows to others how the core is now.
    private void follow() {
        queued = core.queued();
        hopeful = core.isHopeful();
        var wake = core.nextWake().orElse(Instant.MAX);
        nextWake = wake;
        if (wake.isBefore(napEnd)) {
            LockSupport.unpark(ticker);
        }
    }

    private void perform(CoordinatorOutput output) {
        switch (output) {
            case CoordinatorOutput.Command(var job, var command) -> commands.accept(job, command);
            case CoordinatorOutput.Again(var job) -> again.accept(job);
            case CoordinatorOutput.Reserved(var job, var grants) ->
                    reserved.accept(new JobsInput.Reserved(job, grants));
            case CoordinatorOutput.HandOuts(long ask, var worker, var tasks) ->
                    listener.get().handOut(ask, worker, tasks);
            case CoordinatorOutput.Held(var task) -> listener.get().held(task);
            case CoordinatorOutput.Revoked(var worker, var token) ->
                    listener.get().revoke(worker, token);
            case CoordinatorOutput.Lost(var worker, var token) ->
                    listener.get().lost(worker, token);
            case CoordinatorOutput.NotHeld(long requestId, var tokens) ->
                    renewals.answer(requestId, Optional.of(tokens));
            case CoordinatorOutput.Seen(long requestId, var view) ->
                    looks.answer(requestId, Optional.of(view));
            case CoordinatorOutput.Missing(long requestId, var effects) ->
                    misses.answer(requestId, Optional.of(effects));
            case CoordinatorOutput.Why(long requestId, var reasons) ->
                    questions.answer(requestId, reasons);
            case CoordinatorOutput.Judged(long requestId, var eligibilities) ->
                    judgements.answer(requestId, eligibilities);
            case CoordinatorOutput.Foreseen(long requestId, var forecast) ->
                    forecasts.answer(requestId, Optional.of(forecast));
            case CoordinatorOutput.Surveyed(long requestId, var survey) ->
                    surveys.answer(requestId, Optional.of(survey));
            case CoordinatorOutput.Placed(var type, var waited) -> observer.placed(type, waited);
        }
    }

    private void tickSafely() {
        try {
            tick();
        } catch (RuntimeException | Error end) {
            // Without it no lease and no timer would ever be due again.
            vitals.fatal("artel-clock", end, List.of());
        }
    }

    /// Ticks when something is due, and at least once in [#LONGEST_NAP]: the clock may have been set meanwhile.
    private void tick() {
        var heart = vitals.heart("artel-clock");
        var ticked = steady.instant().minus(LONGEST_NAP);
        while (!closed) {
            // It comes here at least once in each nap, so that it does not rest in between.
            heart.begin();
            var at = steady.instant();
            var now = clock.instant();
            var wake = nextWake;
            var rest = LONGEST_NAP.minus(Duration.between(ticked, at));
            if (rest.isPositive() && wake.isAfter(now)) {
                var end = now.plus(rest);
                end = wake.isBefore(end) ? wake : end;
                napEnd = end;
                // What came due meanwhile saw an older end, and may have woken no thread.
                if (!nextWake.isBefore(end)) {
                    LockSupport.parkNanos(
                            Math.max(Duration.between(now, end).toNanos(), NAP_NANOS));
                }
            } else {
                ticked = at;
                nextWake = now.plus(LONGEST_NAP);
                put(new CoordinatorInput.Tick(at));
            }
        }
        heart.rest();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(ticker);
    }
}
