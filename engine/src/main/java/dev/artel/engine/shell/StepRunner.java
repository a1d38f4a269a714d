package dev.artel.engine.shell;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
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

    private final Blueprints blueprints;
    private final StepCalls calls;
    private final InstantSource clock;
    private final BiConsumer<JobId, JobCommand> commands;
    private final Semaphore slots;
    private final int limit;
    private final Duration ahead;
    private final Map<Running, Boolean> running = new ConcurrentHashMap<>();
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
        this.limit = limit;
        this.ahead = ahead;
        this.slots = new Semaphore(limit);
        this.commands = commands;
    }

    private record Running(JobId job, EffectId step) {}

    /// Starts `step` of `job`; its outcome comes as a command.
    @Override
    public void start(Job job, Effect.RunStep step) {
        var blueprint = blueprints.of(job.spec().blueprint());
        var state = blueprint.flatMap(known -> known.state(step.state()));
        if (blueprint.isEmpty() || state.isEmpty()) {
            commands.accept(job.id(), fail(step, unknown(job, step, blueprint), false));
        } else if (state.get().isEnd()) {
            commands.accept(
                    job.id(),
                    new JobCommand.CompleteStep(
                            step.id(), state.get().finish(JobData.EMPTY), List.of(), now()));
        } else if (!closed && running.putIfAbsent(new Running(job.id(), step.id()), true) == null) {
            Thread.ofVirtual()
                    .name("artel-step")
                    .start(() -> handle(job, step, blueprint.get(), state.get()));
        }
    }

    @Override
    public void startAhead(Job job, Effect.RunStep step, Consumer<Optional<JobCommand>> told) {
        var blueprint = blueprints.of(job.spec().blueprint());
        var state = blueprint.flatMap(known -> known.state(step.state()));
        if (closed || state.isEmpty() || !slots.tryAcquire()) {
            told.accept(Optional.empty());
            return;
        }
        var outcome = new CompletableFuture<Optional<JobCommand>>();
        var _ =
                outcome.completeOnTimeout(Optional.empty(), ahead.toMillis(), TimeUnit.MILLISECONDS)
                        .thenAccept(told);
        Thread.ofVirtual()
                .name("artel-step")
                .start(() -> {
                    try {
                        outcome.complete(
                                Optional.of(outcome(job, step, blueprint.get(), state.get())));
                    } finally {
                        slots.release();
                    }
                });
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
            slots.acquire();
            try {
                commands.accept(job.id(), outcome(job, step, blueprint, state));
            } finally {
                slots.release();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            running.remove(new Running(job.id(), step.id()));
        }
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

    private JobCommand fail(Effect.RunStep step, String message, boolean retryable) {
        var random = ThreadLocalRandom.current().nextDouble();
        return new JobCommand.FailStep(step.id(), message, retryable, random, now());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    /// Starts nothing more and waits for what runs, at most for `patience`.
    void drain(Duration patience) throws InterruptedException {
        closed = true;
        if (slots.tryAcquire(limit, patience.toMillis(), TimeUnit.MILLISECONDS)) {
            slots.release(limit);
        } else {
            LOG.atWarn()
                    .addKeyValue("handlers", limit - slots.availablePermits())
                    .log("handlers still run; they run again after the next start");
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
