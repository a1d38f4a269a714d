package dev.artel.simulation.random;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.orchestrator.Handling;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.List;

/// Calls the handlers of [RandomBlueprints], some of which fail; no value is large.
final class RandomHandling implements Handling {
    private final World world;
    private final Ledger ledger;

    RandomHandling(World world, Ledger ledger) {
        this.world = world;
        this.ledger = ledger;
    }

    @Override
    public JobCommand outcome(Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        ledger.ran(job, step);
        if (world.strikes(Trait.HANDLERS_FAIL, 0.15)) {
            return Handling.failure(world, step, state, "no luck", world.chance(0.9));
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
