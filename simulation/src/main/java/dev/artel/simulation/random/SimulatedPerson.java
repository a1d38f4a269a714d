package dev.artel.simulation.random;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobPatch;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.RecordedResult;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.orchestrator.SimulatedOrchestrator;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// The people for whom jobs wait: they send signals, decide, and look after jobs in quarantine. They are careless
/// until the world is calm, and reliable from then on.
final class SimulatedPerson {
    private static final int MOST_FORKS = 5;

    private final World world;
    private final Ledger ledger;
    private final Supplier<SimulatedOrchestrator> orchestrator;

    /// The last signals and decisions, by job.
    private final Map<JobId, List<JobCommand>> sent = new HashMap<>();

    private int lastSignal;
    private int forks;

    SimulatedPerson(World world, Ledger ledger, Supplier<SimulatedOrchestrator> orchestrator) {
        this.world = world;
        this.ledger = ledger;
        this.orchestrator = orchestrator;
    }

    /// Looks at all jobs, now and again.
    void look() {
        if (orchestrator.get().isAlive()) {
            for (var id : List.copyOf(ledger.open())) {
                ledger.fold(id).ifPresent(this::lookAt);
            }
        }
        if (orchestrator.get().isAlive()
                && world.has(Trait.FORKS)
                && !world.isCalm()
                && forks < MOST_FORKS
                && !ledger.jobs().isEmpty()) {
            ledger.fold(world.pick(List.copyOf(ledger.jobs()))).ifPresent(this::fork);
        }
        world.loop().after(world.between(1_000, 6_000), this::look);
    }

    private void lookAt(Job job) {
        if (job.phase() instanceof Job.Quarantined && doesIt(0.3)) {
            resolve(job);
            return;
        }
        if (world.has(Trait.REWINDS) && !world.isCalm() && world.chance(0.05)) {
            rewind(job);
        }
        if (world.has(Trait.PAUSES)) {
            pauseOrResume(job);
        }
        for (var effect : Jobs.pending(job)) {
            switch (effect) {
                case Effect.AwaitResolution wait when doesIt(0.3) -> resolve(job.id(), wait.task());
                case Effect.AwaitAnswer wait when doesIt(0.3) -> answer(job.id(), wait);
                case Effect.AwaitSignal wait when doesIt(0.3) -> send(job.id(), wait.signal());
                case Effect.AwaitApproval wait when doesIt(0.3) -> decide(job.id(), wait);
                case Effect.AwaitExtension wait when doesIt(0.3) -> extend(job.id(), wait);
                default -> {
                    // is none of theirs, or forgotten this time
                }
            }
        }
        if (!world.isCalm() && world.has(Trait.SIGNALS) && world.chance(0.1)) {
            send(job.id(), world.pick(ScriptedNames.SIGNALS));
        }
        var before = sent.getOrDefault(job.id(), List.of());
        if (!world.isCalm() && !before.isEmpty() && world.chance(0.3)) {
            send(job.id(), world.pick(before));
        }
    }

    private boolean doesIt(double probability) {
        return world.isCalm() || world.chance(probability);
    }

    /// Once it is calm, nothing is tried again that might fail again; of a fan-out some has succeeded for good.
    private void resolve(Job job) {
        if (!world.has(Trait.RESOLUTION) || (world.isCalm() && world.chance(0.5))) {
            orchestrator.get().cancel(job.id(), _ -> {});
            return;
        }
        if (hasPartOfAFanOut(job) && world.chance(0.7)) {
            send(
                    job.id(),
                    new JobCommand.ResolveQuarantine(
                            new QuarantineAction.Release(), "client", world.now()));
            return;
        }
        var how =
                switch ((int) world.between(world.isCalm() ? 3 : 0, 5)) {
                    case 0, 1 -> new QuarantineAction.Release();
                    case 2 ->
                            new QuarantineAction.Retry(
                                    JobData.of(JsonObject.of("resolved", JsonValue.of(1))));
                    case 3, 4 -> new QuarantineAction.Skip("success", Payload.EMPTY);
                    default -> new QuarantineAction.Discard("enough");
                };
        send(job.id(), new JobCommand.ResolveQuarantine(how, "client", world.now()));
    }

    private static boolean hasPartOfAFanOut(Job job) {
        return job.branches().get(0).doing() instanceof Branch.AwaitingTasks(var group)
                && group.succeeded() > 0;
    }

    private void fork(Job of) {
        var events = ledger.eventsOf(of.id());
        var stateVisit =
                StateVisit.last(
                        of.id(), events, world.pick(List.copyOf(StateVisit.states(events))));
        if (stateVisit.isEmpty()) {
            return;
        }
        var spec = of.spec();
        var options =
                new JobOptions(
                        spec.options().priority(),
                        Optional.empty(),
                        spec.options().labels(),
                        Optional.empty(),
                        spec.options().cancelGrace(),
                        List.of(),
                        spec.options().trace());
        var id = new JobId(ScriptedNames.FORK + ++forks);
        orchestrator
                .get()
                .fork(
                        id,
                        new JobCommand.Fork(
                                new JobSpec(
                                                spec.blueprint(),
                                                stateVisit.get().state(),
                                                spec.client(),
                                                spec.initialData(),
                                                options,
                                                JobSpec.CURRENT_RULES)
                                        .withGuards(spec.guards())
                                        .withCancelState(spec.cancelState())
                                        .withBudget(spec.budget()),
                                of.id(),
                                stateVisit.get().data(),
                                RecordedResult.of(of),
                                "client",
                                world.now()),
                        reply -> {
                            if (reply instanceof CommandReply.Done) {
                                ledger.acknowledged().submitted(id);
                            }
                        });
    }

    private void pauseOrResume(Job job) {
        if (job.pause().isPresent()) {
            if (doesIt(0.5)) {
                send(job.id(), new JobCommand.ResumeJob("client", world.now()));
            }
        } else if (!world.isCalm() && world.chance(0.1)) {
            send(
                    job.id(),
                    new JobCommand.PauseJob(Optional.of("it may be wrong"), "client", world.now()));
        }
        if (!world.isCalm() && world.chance(0.1)) {
            var patch =
                    new JobPatch(
                            Optional.of((double) world.between(-2, 2)),
                            new LinkedHashMap<>(Map.of("seen", world.now().toString())),
                            List.of());
            send(job.id(), new JobCommand.ChangeJob(patch, "client", world.now()));
        }
    }

    private void rewind(Job job) {
        var events = ledger.eventsOf(job.id());
        var states = List.copyOf(StateVisit.states(events));
        StateVisit.last(job.id(), events, world.pick(states))
                .ifPresent(stateVisit -> {
                    ledger.wantsBack(job.id(), stateVisit);
                    send(job.id(), new JobCommand.Rewind(stateVisit, "client", world.now()));
                });
    }

    private void resolve(JobId job, int task) {
        var resolution =
                switch ((int) world.between(0, 2)) {
                    case 0 ->
                            new Resolution.Happened(
                                    "success", Payload.of(JsonValue.of("as " + task + " says")));
                    case 1 -> new Resolution.DidNotHappen();
                    default -> new Resolution.Failed("it is all wrong");
                };
        send(job, new JobCommand.ResolveTask(task, resolution, "client", world.now()));
    }

    private void answer(JobId job, Effect.AwaitAnswer wait) {
        var answer = doesIt(0.8) ? world.pick(ScriptedNames.ANSWERS) : "straight on";
        send(job, new JobCommand.AnswerQuestion(wait.number(), answer, "client", world.now()));
    }

    private void send(JobId job, String signal) {
        var id = "s" + ++lastSignal;
        var payload = Payload.of(JsonValue.of(lastSignal));
        send(job, new JobCommand.Signal(signal, id, payload, "somebody", world.now()));
    }

    private void decide(JobId job, Effect.AwaitApproval wait) {
        if (world.chance(0.5)) {
            // Somebody finds the mail of an earlier question.
            sent.getOrDefault(job, List.of()).stream()
                    .filter(JobCommand.DecideApproval.class::isInstance)
                    .findFirst()
                    .ifPresent(old -> send(job, old));
        }
        var digest = wait.approval().tokenDigest();
        var by =
                digest.isPresent() && world.chance(0.7)
                        ? new Approver.TokenHolder(digest.get())
                        : new Approver.OfClient("client", List.of("people"), wait.number());
        var choices = wait.approval().choices().states();
        var known =
                choices.containsKey(ScriptedNames.YES)
                        ? List.of(ScriptedNames.YES, ScriptedNames.NO)
                        : List.copyOf(choices.sequencedKeySet());
        var choice = doesIt(0.8) ? world.pick(known) : "perhaps";
        send(job, new JobCommand.DecideApproval(by, choice, Optional.empty(), world.now()));
    }

    /// Grants what is missing, or gives the job up.
    private void extend(JobId job, Effect.AwaitExtension wait) {
        if (world.random(Trait.CARDS).nextBoolean()) {
            orchestrator.get().cancel(job, _ -> {});
        } else {
            send(job, new JobCommand.ExtendBudget(wait.needed(), "client", world.now()));
        }
    }

    private void send(JobId job, JobCommand command) {
        sent.computeIfAbsent(job, _ -> new ArrayList<>()).add(command);
        switch (command) {
            case JobCommand.Signal signal -> {
                ledger.sends(job, signal.id());
                orchestrator
                        .get()
                        .signal(
                                job,
                                signal,
                                reply -> ledger.acknowledged().signalled(job, signal.id(), reply));
            }
            case JobCommand.DecideApproval decision ->
                    orchestrator
                            .get()
                            .decide(
                                    job,
                                    decision,
                                    reply ->
                                            ledger.acknowledged()
                                                    .decided(
                                                            job,
                                                            decision.by(),
                                                            decision.choice(),
                                                            reply));
            case JobCommand.ResolveTask resolve ->
                    orchestrator
                            .get()
                            .resolve(
                                    job,
                                    resolve,
                                    reply -> ledger.acknowledged().resolved(job, resolve, reply));
            case JobCommand.AnswerQuestion answer -> {
                ledger.answers(job, answer.number(), answer.answer());
                orchestrator
                        .get()
                        .answer(
                                job,
                                answer,
                                reply -> ledger.acknowledged().answered(job, answer, reply));
            }
            case JobCommand.ResolveQuarantine resolveQuarantine ->
                    orchestrator
                            .get()
                            .resolve(
                                    job,
                                    resolveQuarantine,
                                    reply ->
                                            ledger.acknowledged()
                                                    .resolved(job, resolveQuarantine, reply));
            case JobCommand.Rewind rewind ->
                    orchestrator
                            .get()
                            .rewind(
                                    job,
                                    rewind,
                                    reply -> ledger.acknowledged().rewound(job, rewind, reply));
            case JobCommand.PauseJob _,
                    JobCommand.ResumeJob _,
                    JobCommand.ChangeJob _,
                    JobCommand.ExtendBudget _ ->
                    orchestrator.get().ask(job, command, _ -> {});
            default -> throw new IllegalStateException("no person sends " + command);
        }
    }
}
