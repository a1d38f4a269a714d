package dev.artel.simulation.random;

import dev.artel.engine.shell.HandlerInvoker;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.simulation.card.ScenarioCards;
import dev.artel.simulation.function.ScenarioFunctions;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.orchestrator.Handling;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.util.List;
import java.util.Optional;

/// Calls the handlers of [RandomBlueprints], of [ScenarioFunctions] and of [ScenarioCards], some of which fail; no value is large. Functions and cards are
/// called as an engine does, since they read the past of their jobs.
final class RandomHandling implements Handling {
    private static final String NO_LUCK = "no luck";

    private final World world;
    private final Ledger ledger;
    private final ScenarioFunctions functions;
    private final ScenarioCards cards;
    private final HandlerInvoker calls;

    RandomHandling(World world, Ledger ledger, ScenarioFunctions functions, ScenarioCards cards) {
        this.world = world;
        this.ledger = ledger;
        this.functions = functions;
        this.cards = cards;
        calls =
                HandlerInvoker.with(
                        new InMemoryPayloadStore(), new InMemoryKeyValueStore(), ledger::forEach);
        if (!functions.blueprints().isEmpty()) {
            ledger.judgedBy(functions.judge(List.of(NO_LUCK, TOO_LONG), calls::resolve));
        }
        if (!cards.blueprints().isEmpty()) {
            cards.judges(List.of(NO_LUCK, TOO_LONG), calls::resolve).forEach(ledger::judgedBy);
        }
    }

    @Override
    public JobCommand outcome(Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        ledger.ran(job, step);
        if (world.strikes(Trait.HANDLERS_FAIL, 0.15)) {
            return Handling.failure(world, step, state, NO_LUCK, world.chance(0.9));
        }
        if (isCalledAsByAnEngine(blueprint)) {
            return named(
                    job,
                    step,
                    calls.outcome(
                            job,
                            step,
                            blueprint,
                            state,
                            reported(job, step, state),
                            world.random().nextDouble(),
                            world::now));
        }
        var action = action(job, step, state);
        ledger.wants(job, step, action);
        if (action instanceof Action.Compensable(var waiting, var _)
                && world.has(Mutant.COMPENSATION_FORGOTTEN)) {
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

    @Override
    public Optional<JobCommand> outcomeAhead(
            Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        if (!isCalledAsByAnEngine(blueprint)) {
            return Optional.of(outcome(job, step, blueprint, state));
        }
        ledger.ran(job, step);
        if (world.strikes(Trait.HANDLERS_FAIL, 0.15)) {
            return Optional.of(Handling.failure(world, step, state, NO_LUCK, world.chance(0.9)));
        }
        return calls.outcomeAhead(
                        job,
                        step,
                        blueprint,
                        state,
                        reported(job, step, state),
                        world.random().nextDouble(),
                        world::now)
                .map(command -> named(job, step, command));
    }

    private boolean isCalledAsByAnEngine(Blueprint blueprint) {
        return functions.has(blueprint.name()) || cards.has(blueprint.name());
    }

    private StepHandler reported(Job job, Effect.RunStep step, State state) {
        return view -> {
            var action = state.handler().orElseThrow().handle(view);
            ledger.wants(job, step, action);
            return action;
        };
    }

    /// The token of an approval is the same whenever the scenario is played.
    private static JobCommand named(Job job, Effect.RunStep step, JobCommand command) {
        return command
                        instanceof
                        JobCommand.CompleteStep(
                                var done,
                                Action.AwaitApproval approval,
                                var passed,
                                var at)
                ? new JobCommand.CompleteStep(
                        done, approval.withTokenDigest(job.id() + " " + step.id()), passed, at)
                : command;
    }

    @Override
    public void forget() {
        functions.forget();
    }

    private static Action action(Job job, Effect.RunStep step, State state) {
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
                step.branch(),
                job.spec().client(),
                job.spec().options().labels(),
                resolved(job.spec().initialData()),
                resolved(job.dataFor(step.branch(), step.cause())),
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

    @Override
    public JsonValue resolve(Payload payload) {
        return payload instanceof Payload.Inline(var value) ? value : JsonNull.NULL;
    }

    @Override
    public Payload keep(Payload payload) {
        return payload;
    }

    @Override
    public TaskReport keep(TaskReport report) {
        return report;
    }
}
