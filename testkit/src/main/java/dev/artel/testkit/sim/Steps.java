package dev.artel.testkit.sim;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
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
    private final BiConsumer<JobId, JobCommand> commands;
    private final Set<Running> running = new HashSet<>();

    private record Running(JobId job, EffectId step) {}

    Steps(
            World world,
            Ledger ledger,
            Map<String, Blueprint> blueprints,
            BiConsumer<JobId, JobCommand> commands) {
        this.world = world;
        this.ledger = ledger;
        this.blueprints = blueprints;
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
            commands.accept(job.id(), complete(step, state.finish(JobData.EMPTY), List.of()));
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
                                                ? fail(step, state, "it takes too long", true)
                                                : outcome(job, step, blueprint, state));
                                running.remove(key);
                            });
            if (duration > most) {
                // A handler that pays no heed to its interrupt.
                commandsAfter(duration, job, () -> outcome(job, step, blueprint, state));
            }
            if (world.strikes(Trait.STEPS_TWICE, 0.1)) {
                commandsAfter(duration(), job, () -> outcome(job, step, blueprint, state));
            }
        }
    }

    private void commandsAfter(long millis, Job job, Supplier<JobCommand> outcome) {
        world.loop().after(millis, () -> commands.accept(job.id(), outcome.get()));
    }

    private JobCommand fail(Effect.RunStep step, State state, String message, boolean retryable) {
        return new JobCommand.FailStep(
                step.id(),
                message,
                retryable,
                world.random().nextDouble(),
                world.has(Mutant.RETRIES_FORGOTTEN) ? Optional.empty() : state.retry(),
                world.now());
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
                                                        outcome(job, step, blueprint, state))));
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

    private JobCommand outcome(Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        ledger.ran(job, step);
        if (world.strikes(Trait.HANDLERS_FAIL, 0.15)) {
            return fail(step, state, "no luck", world.chance(0.9));
        }
        var action = action(job, step, state);
        ledger.wants(job, step, action);
        if (action instanceof Action.Undoable(var waiting, var _)
                && world.has(Mutant.UNDO_FORGOTTEN)) {
            return complete(step, waiting, List.of());
        }
        if (action instanceof Action.TransitionTo(var next, var changes)) {
            var end = blueprint.state(next).filter(State::isEnd);
            if (end.isPresent()) {
                return complete(step, end.get().finish(changes), List.of(next));
            }
        }
        return complete(
                step,
                action instanceof Action.AwaitApproval approval
                        ? approval.withTokenDigest(job.id() + " " + step.id())
                        : action,
                List.of());
    }

    private Action action(Job job, Effect.RunStep step, State state) {
        try {
            return state.handler().orElseThrow().handle(view(job, step));
        } catch (Exception impossible) {
            throw new IllegalStateException("no handler here throws", impossible);
        }
    }

    private static Step view(Job job, Effect.RunStep step) {
        return new Step(
                job.id(),
                step.state(),
                step.attempt(),
                step.strand(),
                job.spec().client(),
                job.spec().options().labels(),
                resolved(job.spec().initialData()),
                resolved(job.dataFor(step.strand(), step.cause())),
                List.of());
    }

    private static JsonObject resolved(JobData data) {
        var object = JsonObject.builder();
        data.values()
                .forEach((name, payload) -> {
                    if (payload instanceof Payload.Inline(var value)) {
                        object.put(name, value);
                    }
                });
        return object.build();
    }

    private JobCommand complete(Effect.RunStep step, Action action, List<String> passed) {
        return new JobCommand.CompleteStep(step.id(), action, passed, world.now());
    }
}
