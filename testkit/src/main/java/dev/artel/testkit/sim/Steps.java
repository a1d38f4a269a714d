package dev.artel.testkit.sim;

import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Runs handlers in virtual time, of which some fail, are slow, or run twice.
final class Steps {
    private final World world;
    private final Ledger ledger;
    private final Map<String, Blueprint> blueprints;
    private final Handling handling;
    private final BiConsumer<JobId, JobCommand> commands;
    private final Set<Running> running = new HashSet<>();

    private record Running(JobId job, EffectId step) {}

    Steps(
            World world,
            Ledger ledger,
            Map<String, Blueprint> blueprints,
            Handling handling,
            BiConsumer<JobId, JobCommand> commands) {
        this.world = world;
        this.ledger = ledger;
        this.blueprints = blueprints;
        this.handling = handling;
        this.commands = commands;
    }

    boolean isRunning(JobId job, Effect.RunStep step) {
        return running.contains(new Running(job, step.id()));
    }

    void start(Job job, Effect.RunStep step) {
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
            var duration = duration();
            var most = state.handlerTime().orElse(job.spec().guards().handlerTime()).toMillis();
            world.loop()
                    .after(
                            Math.min(duration, most),
                            () -> {
                                commands.accept(
                                        job.id(),
                                        duration > most
                                                ? tooLong(step, state)
                                                : handling.outcome(job, step, blueprint, state));
                                running.remove(key);
                            });
            if (duration > most) {
                // A handler that pays no heed to its interrupt.
                commandsAfter(duration, job, () -> handling.outcome(job, step, blueprint, state));
            }
            if (world.strikes(Trait.STEPS_TWICE, 0.1)) {
                commandsAfter(duration(), job, () -> handling.outcome(job, step, blueprint, state));
            }
        }
    }

    private void commandsAfter(long millis, Job job, Supplier<JobCommand> outcome) {
        world.loop().after(millis, () -> commands.accept(job.id(), outcome.get()));
    }

    private JobCommand tooLong(Effect.RunStep step, State state) {
        return RandomHandling.failure(world, step, state, "it takes too long", true);
    }

    /// Runs a pure step before its cause is durable; nobody may wait long for that.
    void startAhead(Job job, Effect.RunStep step, Consumer<Optional<JobCommand>> told) {
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
                                told.accept(
                                        isLate
                                                ? Optional.empty()
                                                : Optional.of(
                                                        handling.outcome(
                                                                job, step, blueprint, state))));
    }

    private Blueprint blueprintOf(Job job) {
        var blueprint = blueprints.get(job.spec().blueprint().name());
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
