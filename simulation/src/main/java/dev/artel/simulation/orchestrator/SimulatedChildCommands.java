package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.DefinitionHolds;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.RoutedEffects;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.engine.ChildCommands;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Carries in virtual time what jobs want of each other.
final class SimulatedChildCommands {
    private static final long AGAIN = 1_000;

    private final World world;
    private final Ledger ledger;
    private final OrchestratorHost orchestratorHost;
    private final DefinitionHolds holds;
    private final Handling handling;
    private final SimulatedOrchestrator orchestrator;
    private final Set<InFlight> underWay = new HashSet<>();

    private record InFlight(JobId job, EffectId effect) {}

    SimulatedChildCommands(
            OrchestratorHost orchestratorHost,
            DefinitionHolds holds,
            SimulatedOrchestrator orchestrator) {
        world = orchestratorHost.world();
        ledger = orchestratorHost.ledger();
        handling = orchestratorHost.handling();
        this.orchestratorHost = orchestratorHost;
        this.holds = holds;
        this.orchestrator = orchestrator;
    }

    boolean isUnderWay(JobId job, Effect.CrossJob effect) {
        return underWay.contains(new InFlight(job, effect.id())) || holds.holds(job, effect.id());
    }

    /// A child whose start is held may be wanted no longer.
    void review(Job job) {
        if (holds.holdsAny(job.id())) {
            perform(
                    job,
                    RoutedEffects.of(Jobs.pending(job)).crossJob().stream()
                            .filter(effect ->
                                    effect instanceof Effect.StartChild start
                                            && isUnwanted(job, start))
                            .toList());
        }
    }

    private static boolean isUnwanted(Job job, Effect.StartChild start) {
        return job.children().children().get(start.parentLink().child()).state()
                instanceof Child.Unwanted;
    }

    void perform(Job job, List<Effect.CrossJob> effects) {
        for (var one : effects) {
            if (ChildCommands.addressee(one).isPresent()
                    && underWay.add(new InFlight(job.id(), one.id()))) {
                orchestrator.later(world.between(0, 3), () -> carry(job, one));
            }
        }
    }

    void withdraw(JobId job, List<Effect.CrossJob> effects) {
        effects.forEach(effect -> underWay.remove(new InFlight(job, effect.id())));
    }

    private void carry(Job job, Effect.CrossJob effect) {
        if (!underWay.contains(new InFlight(job.id(), effect.id()))) {
            return;
        }
        if (isForgotten(effect)) {
            answered(job, effect, new CommandReply.Done(true));
            return;
        }
        switch (effect) {
            case Effect.StartChild start -> {
                var blueprint = orchestratorHost.blueprints().get(start.spec().blueprint());
                if (blueprint == null || !orchestratorHost.isThere(start.spec().blueprint())) {
                    hold(job, start);
                } else {
                    holds.release(job.id(), start.id());
                    send(
                            job,
                            effect,
                            granted(
                                    blueprint,
                                    traced(
                                            ChildCommands.start(
                                                    job,
                                                    mixedUp(job, start),
                                                    blueprint,
                                                    world.now()))));
                }
            }
            case Effect.StopChild _ -> send(job, effect, ChildCommands.stop(job, world.now()));
            case Effect.NotifyParent notification -> {
                var end =
                        ChildCommands.notifyParent(
                                job, notification, handling::resolve, handling::keep, world.now());
                send(job, effect, end);
                endAnother(job, end);
            }
            case Effect.AwaitChild _ -> {}
        }
    }

    private JobCommand.Submit granted(Blueprint blueprint, JobCommand.Submit command) {
        return world.has(Mutant.GRANTED_BUDGET_FORGOTTEN)
                ? new JobCommand.Submit(command.spec().withBudget(blueprint.budget()), command.at())
                : command;
    }

    private void hold(Job job, Effect.StartChild start) {
        if (ledger.fold(start.job()).isPresent()) {
            holds.release(job.id(), start.id());
            answered(job, start, new CommandReply.Done(false));
        } else if (isUnwanted(job, start)) {
            holds.release(job.id(), start.id());
            give(job, start, ChildCommands.refusal(start, "no such blueprint", world.now()));
        } else {
            var isNew = !holds.holds(job.id(), start.id());
            holds.hold(
                    job.id(),
                    start.id(),
                    new DefinitionHolds.Wanted(
                            start.spec().blueprint(),
                            start.spec().version(),
                            Optional.empty(),
                            Optional.empty()));
            underWay.remove(new InFlight(job.id(), start.id()));
            if (isNew) {
                orchestrator.put(new JobsInput.Repeat(job.id()));
            }
        }
    }

    private JobCommand.Submit traced(JobCommand.Submit child) {
        return world.has(Mutant.TRACE_BROKEN)
                ? new JobCommand.Submit(
                        child.spec()
                                .withOptions(child.spec().options().withTrace(Optional.empty())),
                        child.at())
                : child;
    }

    private Effect.StartChild mixedUp(Job job, Effect.StartChild start) {
        if (!world.has(Mutant.CHILDREN_MIXED_UP)) {
            return start;
        }
        var others = job.children().children();
        var next = (start.parentLink().child() + 1) % others.size();
        return new Effect.StartChild(
                start.id(), start.job(), others.get(next).spec(), start.parentLink());
    }

    private boolean isForgotten(Effect.CrossJob effect) {
        return switch (effect) {
            case Effect.NotifyParent _ ->
                    world.has(Mutant.PARENT_NOT_NOTIFIED) && world.chance(0.3);
            case Effect.StopChild _ -> world.has(Mutant.CHILD_NOT_STOPPED);
            case Effect.StartChild _, Effect.AwaitChild _ -> false;
        };
    }

    /// The next child of the same parent, if it lives.
    private void endAnother(Job job, JobCommand.EndChild end) {
        if (!world.has(Mutant.PARENT_RESUMED_TWICE)) {
            return;
        }
        var parent = job.spec().parentLink().orElseThrow().parent();
        ledger.fold(parent)
                .ifPresent(it ->
                        it.children().children().stream()
                                .filter(child -> child.state() instanceof Child.Running)
                                .filter(child -> child.number() != end.child())
                                .findFirst()
                                .ifPresent(other ->
                                        orchestrator.command(
                                                parent,
                                                new JobCommand.EndChild(
                                                        other.number(),
                                                        other.start(),
                                                        end.report(),
                                                        end.at()))));
    }

    private void send(Job job, Effect.CrossJob effect, JobCommand command) {
        var to = ChildCommands.addressee(effect).orElseThrow();
        var doubled = effect instanceof Effect.StartChild && world.has(Mutant.CHILD_STARTED_TWICE);
        orchestrator.ask(
                doubled ? new JobId("child-" + ledger.freshNumber()) : to,
                command,
                reply -> answered(job, effect, reply));
    }

    private void answered(Job job, Effect.CrossJob effect, CommandReply reply) {
        var answer = ChildCommands.answer(effect, reply, world.now());
        if (answer.isPresent()) {
            give(job, effect, answer.get());
        } else {
            orchestrator.later(AGAIN, () -> carry(job, effect));
        }
    }

    private void give(Job job, Effect effect, JobCommand answer) {
        if (underWay.remove(new InFlight(job.id(), effect.id()))) {
            orchestrator.command(job.id(), answer);
        }
    }
}
