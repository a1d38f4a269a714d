package dev.artel.engine.shell;

import dev.artel.engine.core.DeskCore;
import dev.artel.engine.core.DeskInput;
import dev.artel.engine.core.DeskOutput;
import dev.artel.engine.core.DeskTime;
import dev.artel.engine.core.DeskView;
import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.Deliveries;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Verdict;
import dev.artel.kernel.placement.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Runs a [DeskCore] in a mailbox, with a clock that wakes it when something is due.
final class DeskShell implements AutoCloseable {
    /// How long there is no tick at most; see [DeskCore#on].
    private static final Duration LONGEST_NAP = Duration.ofSeconds(1);

    private static final long NAP_NANOS = 1_000_000;

    private final Vitals vitals;
    private final DeskCore core;
    private final Mailbox<DeskInput> mailbox;
    private final InstantSource clock;
    private final InstantSource steady;
    private final BiConsumer<JobId, JobCommand> commands;
    private final Consumer<JobsInput.Reserved> reserved;
    private final Tickets<Optional<List<LeaseToken>>> renewals = new Tickets<>();
    private final Tickets<Optional<WaitReason>> questions = new Tickets<>();
    private final Tickets<List<Verdict>> judgements = new Tickets<>();
    private final AtomicReference<Deliveries.Listener> listener;
    private final Tickets<Optional<DeskView>> looks = new Tickets<>();
    private final Tickets<Optional<List<Effect.Indexed>>> misses = new Tickets<>();
    private final List<DeskOutput> outputs = new ArrayList<>();
    private final Thread ticker;
    private volatile Instant nextWake = Instant.MAX;

    /// When the ticker wakes by itself: it is woken only for what is due before.
    private volatile Instant napEnd = Instant.MAX;

    private volatile int queued;
    private volatile boolean hopeful;
    private volatile boolean closed;

    DeskShell(
            Duration freshTerm,
            RandomGenerator random,
            InstantSource clock,
            InstantSource steady,
            BiConsumer<JobId, JobCommand> commands,
            Consumer<JobsInput.Reserved> reserved,
            AtomicReference<Deliveries.Listener> listener,
            Vitals vitals) {
        this.vitals = vitals;
        core = new DeskCore(freshTerm, random);
        this.clock = clock;
        this.steady = steady;
        this.commands = commands;
        this.reserved = reserved;
        this.listener = listener;
        mailbox = new Mailbox<>("artel-desk", this::receive, vitals, _ -> List.of());
        ticker = Thread.ofPlatform().daemon().name("artel-clock").start(this::tickSafely);
    }

    void put(DeskInput input) {
        mailbox.putAndRun(input);
    }

    /// The leases that the worker does not hold; empty if the desk did not say in time.
    Optional<List<LeaseToken>> renewOnly(DeskInput.RenewedOnly question, Duration limit) {
        return renewals.ask(
                ticket ->
                        put(
                                new DeskInput.RenewedOnly(
                                        ticket,
                                        question.worker(),
                                        question.tokens(),
                                        question.term())),
                limit,
                Optional.empty());
    }

    Optional<WaitReason> whyNotYet(JobId job, int task, Duration limit) {
        return questions.ask(
                ticket -> put(new DeskInput.WhyNotYet(ticket, job, task)), limit, Optional.empty());
    }

    List<Verdict> verdicts(JobId job, int task, Optional<WorkerId> only, int most, Duration limit) {
        return judgements.ask(
                ticket -> put(new DeskInput.Judge(ticket, job, task, only, most)),
                limit,
                List.of());
    }

    /// What is on the desk; empty if it did not say in time.
    Optional<DeskView> look(Duration limit) {
        return looks.ask(ticket -> put(new DeskInput.Look(ticket)), limit, Optional.empty());
    }

    /// Those of `effects` that are not held; empty if it did not say in time.
    Optional<List<Effect.Indexed>> missing(
            JobId job, List<Effect.Indexed> effects, Duration limit) {
        return misses.ask(
                ticket -> put(new DeskInput.Miss(ticket, job, effects)), limit, Optional.empty());
    }

    int queued() {
        return queued;
    }

    /// Whether a worker that is here may get a task when it asks.
    boolean isHopeful() {
        return hopeful;
    }

    private void receive(DeskInput input) {
        var wall = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        core.on(input, new DeskTime(wall, steady.instant()), outputs::add);
        try {
            outputs.forEach(this::perform);
        } finally {
            outputs.clear();
        }
        queued = core.queued();
        hopeful = core.isHopeful();
        var wake = core.nextWake().orElse(Instant.MAX);
        nextWake = wake;
        if (wake.isBefore(napEnd)) {
            LockSupport.unpark(ticker);
        }
    }

    private void perform(DeskOutput output) {
        switch (output) {
            case DeskOutput.Command(var job, var command) -> commands.accept(job, command);
            case DeskOutput.Reserved(var job, var grants) ->
                    reserved.accept(new JobsInput.Reserved(job, grants));
            case DeskOutput.HandOuts(long ask, var worker, var tasks) ->
                    listener.get().handOut(ask, worker, tasks);
            case DeskOutput.Held(var task) -> listener.get().held(task);
            case DeskOutput.Revoked(var worker, var token) -> listener.get().revoke(worker, token);
            case DeskOutput.Lost(var worker, var token) -> listener.get().lost(worker, token);
            case DeskOutput.NotHeld(long ticket, var tokens) ->
                    renewals.answer(ticket, Optional.of(tokens));
            case DeskOutput.Seen(long ticket, var view) -> looks.answer(ticket, Optional.of(view));
            case DeskOutput.Missing(long ticket, var effects) ->
                    misses.answer(ticket, Optional.of(effects));
            case DeskOutput.Why(long ticket, var reason) -> questions.answer(ticket, reason);
            case DeskOutput.Judged(long ticket, var verdicts) ->
                    judgements.answer(ticket, verdicts);
        }
    }

    private void tickSafely() {
        try {
            tick();
        } catch (RuntimeException | Error end) {
            // Without it no lease and no alarm would ever be due again.
            vitals.fatal("artel-clock", end, List.of());
        }
    }

    /// Ticks when something is due, and at least once in [#LONGEST_NAP]: the clock may have been set meanwhile.
    private void tick() {
        var ticked = steady.instant().minus(LONGEST_NAP);
        while (!closed) {
            var at = steady.instant();
            var now = clock.instant();
            var wake = nextWake;
            var rest = LONGEST_NAP.minus(Duration.between(ticked, at));
            if (rest.isPositive() && wake.isAfter(now)) {
                var end = now.plus(rest);
                end = wake.isBefore(end) ? wake : end;
                napEnd = end;
                // What came due meanwhile saw an older end, and may have woken nobody.
                if (!nextWake.isBefore(end)) {
                    LockSupport.parkNanos(
                            Math.max(Duration.between(now, end).toNanos(), NAP_NANOS));
                }
            } else {
                ticked = at;
                nextWake = now.plus(LONGEST_NAP);
                put(new DeskInput.Tick(at));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(ticker);
    }
}
