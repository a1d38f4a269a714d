package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.DefinitionHolds;
import dev.artel.engine.core.JobsCore;
import dev.artel.engine.core.JobsInput;
import dev.artel.engine.core.JobsOutput;
import dev.artel.engine.core.RoutedEffects;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.StoreException;
import dev.artel.simulation.disk.SimulatedStore;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.judges.ReuseInvariants;
import dev.artel.simulation.mutants.MutantInjector;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The mailbox of all jobs, and what they want done.
final class SimulatedPartition {
    private final World world;
    private final SimulatedStore store;
    private final Ledger ledger;
    private final MutantInjector mutantInjector;
    private final SimulatedOrchestrator orchestrator;
    private final JobsCore core;
    private final DefinitionHolds holds = new DefinitionHolds();
    private final SimulatedSteps simulatedSteps;
    private final SimulatedChildCommands simulatedChildCommands;
    private final SimulatedWebhooks simulatedWebhooks;
    private final Inbox<JobsInput.OfJob> inbox;
    private final Map<JobId, Append> lastAppends = new HashMap<>();

    /// How many jobs that were open at the start are still to be taken up.
    private int recovering;

    SimulatedPartition(
            OrchestratorHost orchestratorHost,
            MutantInjector mutantInjector,
            SimulatedOrchestrator orchestrator) {
        world = orchestratorHost.world();
        store = orchestratorHost.store();
        ledger = orchestratorHost.ledger();
        this.mutantInjector = mutantInjector;
        this.orchestrator = orchestrator;
        core =
                new JobsCore(
                        world.has(Trait.SMALL_ROOM) ? 1 : 1L << 30,
                        orchestratorHost.definitions(),
                        world.has(Trait.KEPT_FOLDS) ? 3 : Integer.MAX_VALUE);
        simulatedSteps =
                new SimulatedSteps(
                        orchestratorHost,
                        holds,
                        new SimulatedHandlers(world, orchestrator, orchestratorHost::crash),
                        orchestrator::command);
        simulatedChildCommands = new SimulatedChildCommands(orchestratorHost, holds, orchestrator);
        simulatedWebhooks = new SimulatedWebhooks(world, ledger, orchestrator);
        inbox = new Inbox<>(world, orchestrator, this::take);
    }

    JobsCore core() {
        return core;
    }

    SimulatedSteps steps() {
        return simulatedSteps;
    }

    SimulatedChildCommands crossJob() {
        return simulatedChildCommands;
    }

    SimulatedWebhooks webhooks() {
        return simulatedWebhooks;
    }

    void put(JobsInput.OfJob input) {
        orchestrator.audit().begin(input.job());
        recovering += input instanceof JobsInput.Recovered ? 1 : 0;
        inbox.put(input);
    }

    boolean isRecovering() {
        return recovering > 0;
    }

    /// What was held for a definition goes on; a job that is busy at that moment is asked again.
    void release(Predicate<String> isThere) {
        var ready = holds.ready(wanted -> isThere.test(wanted.blueprint()));
        if (!ready.isEmpty() && !world.has(Mutant.HELD_FOREVER)) {
            ready.forEach(job -> put(new JobsInput.Repeat(job)));
            orchestrator.later(1_000, () -> release(isThere));
        }
    }

    /// Writes a report of a worker again, behind what was written last.
    void writeAgain(JobId job, JobCommand.Report report) {
        var last = lastAppends.get(job);
        if (last != null) {
            var again = mutantInjector.again(report, last);
            if (!again.isEmpty()) {
                store.force(job, again, last);
            }
        }
    }

    private void take(JobsInput.OfJob input) {
        world.note("jobs", input);
        if (input instanceof JobsInput.Repeat) {
            simulatedSteps.repeated(input.job());
        }
        var outputs = new ArrayList<JobsOutput>();
        core.on(input, outputs::add);
        outputs.removeIf(output -> mutantInjector.isUnheard(output, input));
        if (input instanceof JobsInput.Repeat
                && outputs.contains(new JobsOutput.Load(input.job()))) {
            simulatedSteps.beginReading(input.job());
        }
        for (var output : outputs) {
            if (orchestrator.diesNow()) {
                return;
            }
            perform(output, input instanceof JobsInput.Recovered);
        }
        if (input instanceof JobsInput.Loaded) {
            simulatedSteps.endReading(input.job());
        }
        recovering -= input instanceof JobsInput.Recovered ? 1 : 0;
        orchestrator.audit().end(input.job());
    }

    private void perform(JobsOutput output, boolean recovering) {
        switch (output) {
            case JobsOutput.Load(var job) -> {
                orchestrator.audit().begin(job);
                orchestrator.later(world.between(0, 5), () -> load(job));
            }
            case JobsOutput.Reserve(var job, var offers) ->
                    orchestrator.put(new CoordinatorInput.Reserve(job, offers));
            case JobsOutput.RunAhead(var job, var step) -> {
                orchestrator.audit().begin(job.id());
                simulatedSteps.startAhead(job, step, outcome -> ranAhead(job.id(), outcome));
            }
            case JobsOutput.Write(var job, var append) -> write(job, append);
            case JobsOutput.Answer(long requestId, var reply) ->
                    orchestrator.answer(requestId, reply);
            case JobsOutput.Effects(var job, var asked, var ended) -> {
                var left = mutantInjector.asked(job, asked, ended, recovering);
                var begun = RoutedEffects.of(left);
                run(job, begun.steps());
                ended.forEach(effect -> holds.release(job.id(), effect.id()));
                simulatedChildCommands.withdraw(job.id(), RoutedEffects.of(ended).crossJob());
                simulatedChildCommands.perform(job, begun.crossJob());
                simulatedChildCommands.review(job);
                simulatedWebhooks.perform(job.id(), begun.calls());
                var released = RoutedEffects.of(mutantInjector.ended(ended, left)).indexed();
                if (!begun.indexed().isEmpty() || !released.isEmpty()) {
                    orchestrator.put(
                            new CoordinatorInput.Effects(job.id(), begun.indexed(), released));
                }
            }
            case JobsOutput.AllPending(var state, var pending) -> {
                if (!world.has(Mutant.PENDING_NOT_REPEATED)) {
                    var all = RoutedEffects.of(pending);
                    if (state instanceof Job job) {
                        holds.keep(job.id(), pending);
                        run(job, all.steps());
                        simulatedChildCommands.perform(job, all.crossJob());
                        simulatedWebhooks.perform(job.id(), all.calls());
                    }
                    orchestrator.put(new CoordinatorInput.AllPending(state.id(), all.indexed()));
                }
            }
            case JobsOutput.Happened(var job, var _) -> ledger.committed(job);
            case JobsOutput.Keep(var job, long _) -> store.keep(job);
            case JobsOutput.Seen _, JobsOutput.Current _, JobsOutput.Forgotten _ -> {}
            case JobsOutput.GrantLapsed(var token) ->
                    orchestrator.put(new CoordinatorInput.GrantLapsed(token));
            case JobsOutput.Unreadable(var job) ->
                    orchestrator.put(new CoordinatorInput.Unreadable(job));
            case JobsOutput.Broken(var _, var _, var bug) -> throw bug;
        }
    }

    private void ranAhead(JobId job, Optional<JobCommand> outcome) {
        if (orchestrator.isAlive()) {
            put(new JobsInput.RanAhead(job, outcome));
            orchestrator.audit().end(job);
        }
    }

    private void write(JobId job, Append append) {
        orchestrator.audit().begin(job);
        lastAppends.put(job, append);
        if (world.has(Mutant.ANSWER_BEFORE_DURABLE) && append.expected() == 0) {
            orchestrator.answerLast(new CommandReply.Done(true));
        }
        store.write(
                job,
                world.has(Mutant.DONE_AGAIN) ? ReuseInvariants.doneAgain(append) : append,
                trouble -> {
                    if (!orchestrator.isAlive()) {
                        return;
                    }
                    put(
                            trouble.isEmpty() || world.has(Mutant.FAILURE_TAKEN_FOR_SUCCESS)
                                    ? new JobsInput.Committed(job)
                                    : new JobsInput.AppendFailed(job, trouble.get()));
                    orchestrator.audit().end(job);
                });
        if (world.has(Mutant.STEP_BEFORE_COMMIT)) {
            var before =
                    ledger.fold(job)
                            .<JobState>map(fold -> fold)
                            .orElse(new JobState.Unsubmitted(job));
            var evolution = Jobs.evolve(before, append.events());
            if (evolution.after() instanceof Job after && before.version() == append.expected()) {
                run(after, RoutedEffects.of(evolution.asked()).steps());
            }
        }
        if (world.has(Mutant.WEBHOOK_BEFORE_DURABLE)) {
            ledger.fold(job)
                    .filter(before -> before.version() == append.expected())
                    .ifPresent(before ->
                            simulatedWebhooks.perform(
                                    job,
                                    RoutedEffects.of(Jobs.evolve(before, append.events()).asked())
                                            .calls()));
        }
        if (world.has(Mutant.PARENT_NOTIFIED_BEFORE_DURABLE)) {
            ledger.fold(job)
                    .filter(before -> before.version() == append.expected())
                    .ifPresent(before -> {
                        var evolution = Jobs.evolve(before, append.events());
                        simulatedChildCommands.perform(
                                (Job) evolution.after(),
                                RoutedEffects.of(evolution.asked()).crossJob());
                    });
        }
    }

    private void run(Job job, List<Effect.RunStep> wanted) {
        for (var step : wanted) {
            ledger.starts(job, step);
            simulatedSteps.start(job, step);
            mutantInjector
                    .outcomeAgain(job, step)
                    .ifPresent(again -> orchestrator.command(job.id(), again));
        }
    }

    private void load(JobId job) {
        try {
            put(new JobsInput.Loaded(store.read(job), store.kept(job)));
        } catch (StoreException unreadable) {
            orchestrator.audit().begin(job);
            orchestrator.later(
                    500,
                    () -> {
                        put(new JobsInput.LoadFailed(job, String.valueOf(unreadable.getMessage())));
                        orchestrator.audit().end(job);
                    });
        }
        orchestrator.audit().end(job);
    }
}
