package dev.artel.simulation;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.TaskOutcome;
import dev.artel.simulation.orchestrator.OrchestratorHost;
import dev.artel.simulation.workers.Script;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// What a [FakeWorker] makes of its tasks, unless a fault strikes.
final class FakeScript implements Script {
    private static final Duration TOO_LONG = Duration.ofMinutes(6);

    private final FakeWorker worker;
    private final OrchestratorHost orchestratorHost;

    /// What it was given, by what there was to do.
    private final Map<Work, List<LeaseToken>> given = new HashMap<>();

    private record Work(String type, Payload params) {}

    FakeScript(FakeWorker worker, OrchestratorHost orchestratorHost) {
        this.worker = worker;
        this.orchestratorHost = orchestratorHost;
    }

    @Override
    public Plan on(HandOut task) {
        var world = orchestratorHost.world();
        if (world.strikes(Trait.TASKS_HANG, 0.1)) {
            return plan(TOO_LONG, Ending.Silence::new);
        }
        if (world.strikes(Trait.TASKS_FAIL, 0.3)) {
            return plan(
                    ScriptedAnswer.DEFAULT,
                    () ->
                            new Ending.Report(
                                    new TaskOutcome.Failed(
                                            TaskOutcome.TRANSIENT_ERROR,
                                            "a fault of the simulation")));
        }
        return plan(ScriptedAnswer.DEFAULT, task, worker.answer(task.spec().type(), number(task)));
    }

    /// Seldom, since such worlds may go on for days.
    @Override
    public long beat() {
        return 10_000;
    }

    /// How often it was given the same to do, this time included; a hand-out that comes twice counts once.
    private int number(HandOut task) {
        var tokens =
                given.computeIfAbsent(
                        new Work(task.spec().type(), task.spec().params()), _ -> new ArrayList<>());
        var token = task.lease().token();
        if (!tokens.contains(token)) {
            tokens.add(token);
        }
        return tokens.indexOf(token) + 1;
    }

    private Plan plan(Duration time, HandOut task, ScriptedAnswer scriptedAnswer) {
        return switch (scriptedAnswer) {
            case ScriptedAnswer.Says(var outcome) -> plan(time, () -> new Ending.Report(outcome));
            case ScriptedAnswer.Computed(var data) ->
                    plan(
                            time,
                            () ->
                                    new Ending.Report(
                                            TaskOutcome.success(
                                                    data.apply(
                                                            orchestratorHost
                                                                    .handling()
                                                                    .resolve(
                                                                            task.spec()
                                                                                    .params())))));
            case ScriptedAnswer.Asks(var question, var choices, var then) ->
                    plan(
                            time,
                            () ->
                                    new Ending.Ask(
                                            question,
                                            question,
                                            choices,
                                            Optional.empty(),
                                            heard ->
                                                    plan(
                                                            ScriptedAnswer.DEFAULT,
                                                            task,
                                                            then.apply(heard))));
            case ScriptedAnswer.Silent _ -> plan(time, Ending.Silence::new);
            case ScriptedAnswer.Crashes(var pause) ->
                    plan(time, () -> new Ending.Crash(pause.toMillis()));
            case ScriptedAnswer.Sometimes(double probability, var one, var other) ->
                    plan(time, task, orchestratorHost.world().chance(probability) ? one : other);
            case ScriptedAnswer.Later(var longer, var later) -> plan(longer, task, later);
        };
    }

    private static Plan plan(Duration time, Supplier<Ending> ending) {
        return new Plan(time.toMillis(), ending);
    }
}
