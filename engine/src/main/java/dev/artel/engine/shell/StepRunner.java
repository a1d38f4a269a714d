package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs handlers on virtual threads, a limited number at once, and turns what they say into commands.
///
/// The same step is not run twice at the same time, unless it is pure; after a crash it may run again.
final class StepRunner implements Partition.StepStarter, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);

    /// How long an interrupted handler may take to end.
    private static final Duration HEED = Duration.ofSeconds(1);

    private final Blueprints blueprints;
    private final StepCalls calls;
    private final InstantSource clock;
    private final BiConsumer<JobId, JobCommand> commands;
    private final HandlerWatch watch;
    private final Duration ahead;
    private final Map<Running, Boolean> running = new ConcurrentHashMap<>();

    /// The states whose handlers took too long before. One that computes instead of waiting keeps a virtual thread's
    /// processor, of which there are few, from all others.
    private final Set<Slow> slow = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /// @param limit how many handlers run at once
    /// @param ahead how long an append waits for a step that only computes
    StepRunner(
            Blueprints blueprints,
            StepCalls calls,
            InstantSource clock,
            int limit,
            Duration ahead,
            BiConsumer<JobId, JobCommand> commands) {
        this.blueprints = blueprints;
        this.calls = calls;
        this.clock = clock;
        this.ahead = ahead;
        watch = new HandlerWatch(limit, HEED);
        this.commands = commands;
    }

    private record Running(JobId job, EffectId step) {}

    private record Slow(BlueprintRef blueprint, String state) {}

    /// Starts `step` of `job`; its outcome comes as a command.
    @Override
    public void start(Job job, Effect.RunStep step) {
        var blueprint = blueprints.of(job.spec().blueprint());
        var state = blueprint.flatMap(known -> known.state(step.state()));
        if (blueprint.isEmpty() || state.isEmpty()) {
            commands.accept(
                    job.id(), fail(step, Optional.empty(), unknown(job, step, blueprint), false));
        } else if (state.get().isEnd()) {
            commands.accept(
                    job.id(),
                    new JobCommand.CompleteStep(
                            step.id(), state.get().finish(JobData.EMPTY), List.of(), now()));
        } else if (!closed && running.putIfAbsent(new Running(job.id(), step.id()), true) == null) {
            thread(job, state.get()).start(() -> handle(job, step, blueprint.get(), state.get()));
        }
    }

    private Thread.Builder thread(Job job, State state) {
        var kind =
                slow.contains(new Slow(job.spec().blueprint(), state.name()))
                        ? Thread.ofPlatform().daemon()
                        : Thread.ofVirtual();
        return kind.name("artel-step");
    }

    @Override
    public void startAhead(Job job, Effect.RunStep step, Consumer<Optional<JobCommand>> told) {
        var blueprint = blueprints.of(job.spec().blueprint());
        var state = blueprint.flatMap(known -> known.state(step.state()));
        if (closed || state.isEmpty() || !watch.tryEnter()) {
            told.accept(Optional.empty());
            return;
        }
        var outcome = new CompletableFuture<Optional<JobCommand>>();
        var _ =
                outcome.completeOnTimeout(Optional.empty(), ahead.toMillis(), TimeUnit.MILLISECONDS)
                        .thenAccept(told);
        thread(job, state.get())
                .start(() ->
                        run(
                                job,
                                step,
                                blueprint.get(),
                                state.get(),
                                said -> outcome.complete(Optional.of(said)),
                                _ -> outcome.complete(Optional.empty())));
    }

    /// Whether a step runs or waits for its turn.
    boolean isRunning(JobId job, EffectId step) {
        return running.containsKey(new Running(job, step));
    }

    private String unknown(Job job, Effect.RunStep step, Optional<Blueprint> blueprint) {
        return blueprint.isEmpty()
                ? blueprints.missing(
                                job.spec().blueprint().name(),
                                Optional.of(job.spec().blueprint().version()))
                        + "; register it before you start the orchestrator, and submit the job again"
                : "state '"
                        + step.state()
                        + "' is not in version "
                        + blueprint.get().version()
                        + " of blueprint '"
                        + blueprint.get().name()
                        + "'";
    }

    private void handle(Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        try {
            watch.await();
            run(
                    job,
                    step,
                    blueprint,
                    state,
                    said -> commands.accept(job.id(), said),
                    tooLong -> {
                        running.remove(new Running(job.id(), step.id()));
                        commands.accept(job.id(), tooLong);
                    });
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            running.remove(new Running(job.id(), step.id()));
        }
    }

    /// Runs a handler in this thread, which has a place for it.
    ///
    /// @param said is told what came of it, unless it took too long
    /// @param late is told as soon as it has taken too long
    private void run(
            Job job,
            Effect.RunStep step,
            Blueprint blueprint,
            State state,
            Consumer<JobCommand> said,
            Consumer<JobCommand> late) {
        var most = state.handlerTime().orElse(job.spec().guards().handlerTime());
        Runnable tooLong =
                () -> {
                    slow.add(new Slow(job.spec().blueprint(), state.name()));
                    late.accept(fail(step, state.retry(), overran(state, most), true));
                };
        var what = job.id() + ", state " + state.name() + " of " + blueprint;
        try (var run = watch.begin(what, most, tooLong)) {
            var outcome = outcome(job, step, blueprint, state);
            if (run.ended()) {
                said.accept(outcome);
            }
        }
    }

    private static String overran(State state, Duration most) {
        return "the handler of state '"
                + state.name()
                + "' took longer than "
                + most
                + " and was interrupted; let a worker do what takes long, or give it more time";
    }

    private JobCommand outcome(Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        return calls.outcome(
                job,
                step,
                blueprint,
                state,
                state.handler().orElseThrow(),
                ThreadLocalRandom.current().nextDouble(),
                this::now);
    }

    private JobCommand fail(
            Effect.RunStep step, Optional<RetryPolicy> retry, String message, boolean retryable) {
        var random = ThreadLocalRandom.current().nextDouble();
        return new JobCommand.FailStep(step.id(), message, retryable, random, retry, now());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /// Starts nothing more and waits for what runs, at most for `patience`.
    void drain(Duration patience) throws InterruptedException {
        closed = true;
        try {
            if (!watch.drain(patience)) {
                LOG.atWarn()
                        .addKeyValue("handlers", watch.running())
                        .log("handlers still run; they run again after the next start");
            }
        } finally {
            watch.close();
        }
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
    }

    /// How many runs of handlers took too long.
    long overran() {
        return watch.overran();
    }

    /// How many handlers go on although their time is over and they were interrupted.
    int abandoned() {
        return watch.abandoned();
    }
}
