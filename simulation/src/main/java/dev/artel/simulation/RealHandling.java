package dev.artel.simulation;

import dev.artel.engine.shell.HandlerInvoker;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.StepHandler;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.orchestrator.Handling;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.Optional;

/// Calls handlers as an engine does, and reports to the ledger what they want.
final class RealHandling implements Handling {
    private final World world;
    private final Ledger ledger;
    private final HandlerInvoker calls;

    RealHandling(World world, Ledger ledger, HandlerInvoker calls) {
        this.world = world;
        this.ledger = ledger;
        this.calls = calls;
    }

    @Override
    public JobCommand outcome(Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        ledger.ran(job, step);
        return calls.outcome(
                job,
                step,
                blueprint,
                state,
                handler(job, step, state),
                world.random().nextDouble(),
                world::now);
    }

    @Override
    public Optional<JobCommand> outcomeAhead(
            Job job, Effect.RunStep step, Blueprint blueprint, State state) {
        ledger.ran(job, step);
        return calls.outcomeAhead(
                job,
                step,
                blueprint,
                state,
                handler(job, step, state),
                world.random().nextDouble(),
                world::now);
    }

    private StepHandler handler(Job job, Effect.RunStep step, State state) {
        return view -> {
            if (world.strikes(Trait.HANDLERS_FAIL, 0.15)) {
                throw new IllegalStateException("a fault of the simulation");
            }
            Action action = state.handler().orElseThrow().handle(view);
            if (action != null) {
                ledger.wants(job, step, action);
            }
            return action;
        };
    }

    @Override
    public JsonValue resolve(Payload payload) {
        return calls.resolve(payload);
    }

    @Override
    public Payload keep(Payload payload) {
        return calls.keep(payload);
    }

    JobData keep(JobData data) {
        return calls.keep(data);
    }

    @Override
    public TaskReport keep(TaskReport report) {
        return calls.keep(report);
    }
}
