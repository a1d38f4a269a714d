package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.DefinitionHolds;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Runs handlers in virtual time, of which some fail, are slow, or run twice.
final class SimulatedSteps {
    private final World world;
    private final Ledger ledger;
    private final OrchestratorHost orchestratorHost;
    private final DefinitionHolds holds;
    private final Handling handling;
    private final SimulatedHandlers handlers;
    private final BiConsumer<JobId, JobCommand> commands;
    private final Set<Running> running = new HashSet<>();
    private final Set<Running> ended = new HashSet<>();

    /// The jobs that are being read to repeat what they have pending.
    private final Set<JobId> read = new HashSet<>();

    private record Running(JobId job, EffectId step) {}

    SimulatedSteps(
            OrchestratorHost orchestratorHost,
            DefinitionHolds holds,
            SimulatedHandlers handlers,
            BiConsumer<JobId, JobCommand> commands) {
        world = orchestratorHost.world();
        ledger = orchestratorHost.ledger();
        handling = orchestratorHost.handling();
        this.orchestratorHost = orchestratorHost;
        this.holds = holds;
        this.handlers = handlers;
        this.commands = commands;
    }

    /// Whether a step runs, or is held until its definition is there.
    boolean has(JobId job, Effect.RunStep step) {
        return running.contains(new Running(job, step.id())) || holds.holds(job, step.id());
    }

    void start(Job job, Effect.RunStep step) {
        var ref = job.spec().blueprint();
        if (orchestratorHost.definitions().state(ref, step.state()).isEmpty()) {
            if (world.has(Mutant.MISSING_DEFINITION_FAILS)) {
                var message = "there is no blueprint " + ref;
                commands.accept(
                        job.id(),
                        new JobCommand.FailStep(step.id(), message, false, 0, world.now()));
            } else {
                holds.hold(
                        job.id(),
                        step.id(),
                        new DefinitionHolds.Wanted(
                                ref.name(),
                                Optional.of(ref.version()),
                                Optional.of(step.state()),
                                Optional.empty()));
            }
            return;
        }
        holds.release(job.id(), step.id());
        var blueprint = blueprintOf(job);
        var state = blueprint.state(step.state()).orElseThrow();
        var key = new Running(job.id(), step.id());
        if (state.isEnd()) {
            ledger.ran(job, step);
            commands.accept(
                    job.id(),
                    new JobCommand.CompleteStep(
                            step.id(), state.finish(JobData.EMPTY), List.of(), world.now()));
        } else if (running.add(key)) {
            requireFirstRun(job, step, key);
            handlers.submit(
                    blueprint.name(),
                    job.spec().client(),
                    "state " + step.state() + " of job " + job.id(),
                    run -> begin(job, step, blueprint, state, run));
        }
    }

    private void begin(
            Job job,
            Effect.RunStep step,
            Blueprint blueprint,
            State state,
            SimulatedHandlers.Run run) {
        var key = new Running(job.id(), step.id());
        var duration = duration();
        var most = state.handlerTime().orElse(job.spec().guards().handlerTime()).toMillis();
        if (world.strikes(Trait.HANDLERS_HANG, 0.05)) {
            hang(job, step, state, run, most);
            return;
        }
        world.loop()
                .after(
                        Math.min(duration, most),
                        () -> {
                            commands.accept(
                                    job.id(),
                                    duration > most
                                            ? tooLong(job, step, state)
                                            : handling.outcome(job, step, blueprint, state));
                            over(key);
                            if (duration <= most) {
                                run.end();
                            }
                        });
        if (duration > most) {
            // A handler that ignores its interrupt.
            run.interruptedAfter(most, duration);
            world.loop().after(duration, run::end);
            commandsAfter(duration, job, () -> handling.outcome(job, step, blueprint, state));
        }
        if (world.strikes(Trait.STEPS_TWICE, 0.1)) {
            commandsAfter(duration(), job, () -> handling.outcome(job, step, blueprint, state));
        }
    }

    private void over(Running key) {
        running.remove(key);
        if (!read.contains(key.job())) {
            ended.add(key);
        }
    }

    /// A handler that ends when it is interrupted, or long after, or never, computes or waits meanwhile.
    private void hang(
            Job job, Effect.RunStep step, State state, SimulatedHandlers.Run run, long most) {
        if (world.chance(0.5)) {
            run.waits();
        }
        var ends =
                world.chance(0.3)
                        ? most + world.between(0, 500)
                        : world.chance(0.5) ? most + world.between(2_000, 120_000) : Long.MAX_VALUE;
        world.loop()
                .after(
                        most,
                        () -> {
                            if (!world.has(Mutant.HUNG_HANDLER_UNHEARD)) {
                                commands.accept(job.id(), tooLong(job, step, state));
                            }
                            over(new Running(job.id(), step.id()));
                        });
        run.interruptedAfter(most, ends);
        if (ends < Long.MAX_VALUE) {
            world.loop().after(ends, run::end);
        }
    }

    /// What `job` has pending is sent again: a handler whose outcome is still under way may run once more, and one of its
    /// outcomes counts.
    void repeated(JobId job) {
        ended.removeIf(run -> run.job().equals(job));
    }

    /// `job` is read to repeat what it has pending: what a handler of it returns behind that comes too late for it.
    void beginReading(JobId job) {
        read.add(job);
    }

    void endReading(JobId job) {
        read.remove(job);
    }

    /// What a handler has returned is kept until it is durable: it is not asked again, unless its job had to be read again.
    private void requireFirstRun(Job job, Effect.RunStep step, Running key) {
        var isReadAgain =
                world.has(Trait.APPENDS_FAIL)
                        || world.has(Trait.APPENDS_UNKNOWN)
                        || world.has(Trait.BATCHES_TORN);
        if (!isReadAgain && ended.contains(key)) {
            throw world.failure(
                    "a handler that has ended is run again in job " + job.id() + ": " + step);
        }
    }

    private void commandsAfter(long millis, Job job, Supplier<JobCommand> outcome) {
        world.loop().after(millis, () -> commands.accept(job.id(), outcome.get()));
    }

    private JobCommand tooLong(Job job, Effect.RunStep step, State state) {
        ledger.ran(job, step);
        return Handling.failure(world, step, state, Handling.TOO_LONG, true);
    }

    /// Runs a pure step before its cause is durable; nobody may wait long for that.
    void startAhead(Job job, Effect.RunStep step, Consumer<Optional<JobCommand>> onResult) {
        var blueprint = blueprintOf(job);
        var state = blueprint.state(step.state()).orElseThrow();
        if (!state.pure()) {
            throw world.failure("a step runs ahead that is not pure: " + step);
        }
        var isLate = world.chance(0.1);
        world.loop()
                .after(
                        world.between(0, 20),
                        () ->
                                onResult.accept(
                                        isLate
                                                ? Optional.empty()
                                                : handling.outcomeAhead(
                                                        job, step, blueprint, state)));
    }

    private Blueprint blueprintOf(Job job) {
        var blueprint = orchestratorHost.blueprints().get(job.spec().blueprint().name());
        if (blueprint == null) {
            throw new IllegalStateException("there is no blueprint " + job.spec().blueprint());
        }
        return blueprint;
    }

    private long duration() {
        return world.strikes(Trait.HANDLERS_SLOW, 0.1)
                ? world.between(0, 30_000)
                : world.between(0, 3);
    }
}
