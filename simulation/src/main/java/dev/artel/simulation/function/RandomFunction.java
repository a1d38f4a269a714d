package dev.artel.simulation.function;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.DurableFunction;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunCancelled;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.ValueType;
import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.blueprint.function.FunctionBlueprint.Setting;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.ScriptedEvent;
import dev.artel.simulation.SimulatedJob;
import dev.artel.simulation.world.SimulationFailure;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// A durable function that its seed draws: it gives what its code gives where nothing fails, whatever crashes, and whether it stays in memory
/// or not. One in six is cancelled, tidies up, and ends as cancelled, unless it was over before. One in six fails when it is done, and each
/// of its calls is compensated with its result. Of the others a person takes some back, forks some, and some continue as new.
public final class RandomFunction {
    private static final BlueprintType<JsonObject, Long> RANDOM =
            new BlueprintType<>("random", ValueType.of(JsonObject.class), ValueType.of(Long.class));
    private static final String TIDY = "tidy";
    private static final Duration CALM = Duration.ofHours(6);

    /// A function that asks less often has its answers by then.
    private static final int DECISIONS = 60;

    /// A bug that lets a function go round shows soon.
    private static final Guards GUARDS =
            FunctionBlueprint.GUARDS.withTransitions(400).withHistory(4_000);

    private static final String ALL_DONE = "all is done, to no avail";
    private static final int ROUNDS = 3;

    private final long seed;
    private final Fate fate;
    private final Optional<FunctionMutant> mutant;

    /// The results that were compensated.
    private final Set<Long> compensated = ConcurrentHashMap.newKeySet();

    /// Each run of the code is one of a newer version.
    private final AtomicInteger releases = new AtomicInteger(1);

    /// What becomes of a function beside what its code does.
    private enum Fate {
        PLAIN,
        TAKEN_BACK,
        FORKED,
        CONTINUED,
        FAILING,
        CANCELLED;

        static Fate of(long seed) {
            return values()[(int) (seed % values().length)];
        }
    }

    /// @param mutant the bug that is planted, if any
    public RandomFunction(long seed, Optional<FunctionMutant> mutant) {
        this.seed = seed;
        this.mutant = mutant;
        fate = Fate.of(seed);
    }

    /// Plays it.
    ///
    /// @return what was wrong, for people; empty if nothing was
    public Optional<String> failure() {
        try {
            return played();
        } catch (SimulationFailure | IllegalStateException found) {
            return Optional.of("seed " + seed + ": " + found.getMessage());
        }
    }

    private Optional<String> played() {
        var direct = new DirectWorld(seed);
        var value = seed;
        for (var round = 0; round < rounds(); round++) {
            value = new RandomProgram(seed, round, direct).run(value);
        }
        JobOutcome expected =
                fate == Fate.FAILING
                        ? new JobOutcome.Failed(ALL_DONE)
                        : new JobOutcome.Finished(Payload.of(JsonNumber.of(value)));
        var called = fate == Fate.FAILING ? Set.copyOf(direct.called()) : Set.<Long>of();
        var job = scripted(simulation(), direct).run(seed);
        var outcome = job.outcome();
        var isRight =
                (outcome.filter(expected::equals).isPresent() && compensated.equals(called))
                        || (fate == Fate.CANCELLED
                                && outcome.filter(JobOutcome.Cancelled.class::isInstance)
                                        .isPresent());
        return isRight
                ? wrongFork(job, direct, expected)
                : Optional.of(
                        finding(
                                "the function is to end with "
                                        + expected
                                        + " and have "
                                        + called
                                        + " compensated, and its job has "
                                        + outcome
                                        + " and "
                                        + compensated,
                                job));
    }

    /// What is wrong with a job that was forked off; nobody sends it signals or decides what it asks.
    private Optional<String> wrongFork(SimulatedJob job, DirectWorld direct, JobOutcome expected) {
        if (!direct.signals().isEmpty() || direct.approvals() > 0) {
            return Optional.empty();
        }
        return job.forks().stream()
                .filter(fork -> fork.filter(expected::equals).isEmpty())
                .findFirst()
                .map(fork ->
                        finding(
                                "the function is to end with "
                                        + expected
                                        + ", and the job that was forked off it has "
                                        + fork,
                                job));
    }

    private String finding(String what, SimulatedJob job) {
        return "seed " + seed + ": " + what + "\n" + job.story();
    }

    private ArtelSimulation simulation() {
        var function = function(RANDOM, Blueprint.named(RANDOM.name()), this::result, setting());
        return ArtelSimulation.of(mutant.map(it -> it.planted(function)).orElse(function))
                .child(child(setting()))
                .workers(worker().doing("compensate", ScriptedAnswer.computed(this::compensate)))
                .faults(
                        Trait.ORCHESTRATOR_CRASHES,
                        Trait.MESSAGES_LOST,
                        Trait.MESSAGES_DOUBLED,
                        Trait.STEPS_TWICE,
                        Trait.APPENDS_FAIL,
                        Trait.APPENDS_UNKNOWN)
                .within(CALM);
    }

    private Setting setting() {
        var setting = Setting.ofProcess().withRoom(new int[] {0, 1, 100}[(int) (seed % 3)]);
        return mutant.map(it -> it.setting(setting)).orElse(setting);
    }

    /// Does all that a [DurableWorld] has done.
    static FakeWorker worker() {
        var next = ScriptedAnswer.computed(RandomFunction::next);
        return FakeWorker.named("worker")
                .slots(3)
                .doing("quick", next)
                .doing("slow", next.after(Duration.ofSeconds(7)))
                .doing("marked", next)
                .doing("flaky", ScriptedAnswer.failure("no luck"), next)
                .doing("refused", ScriptedAnswer.permanentFailure("it cannot be"))
                .doing(TIDY, ScriptedAnswer.success());
    }

    /// The children of a [DurableWorld].
    static Blueprint child(Setting setting) {
        return function(
                DurableWorld.CHILD,
                Blueprint.named(DurableWorld.CHILD.name()),
                RandomFunction::resultOfChild,
                setting);
    }

    /// The function `code` with guards that end it if it loops forever.
    static Blueprint function(
            BlueprintType<JsonObject, Long> type,
            Blueprint.Builder builder,
            DurableFunction<JsonObject, Long> code,
            Setting setting) {
        return FunctionBlueprint.of(builder.guards(GUARDS), type, code, setting).blueprint();
    }

    /// What comes from outside: as many signals and decisions as the function is to wait for, and its fate.
    private ArtelSimulation scripted(ArtelSimulation simulation, DirectWorld direct) {
        var scripted = simulation;
        var early = Duration.ofSeconds(seed % 40);
        scripted =
                switch (fate) {
                    case PLAIN, CONTINUED, FAILING -> scripted;
                    case TAKEN_BACK ->
                            scripted.at(
                                    early,
                                    ScriptedEvent.rewind(
                                            FunctionBlueprint.RUN, FunctionBlueprint.RUN));
                    case FORKED ->
                            scripted.at(
                                    early,
                                    ScriptedEvent.fork(
                                            FunctionBlueprint.RUN, FunctionBlueprint.RUN));
                    case CANCELLED -> scripted.at(early, ScriptedEvent.cancel("not wanted"));
                };
        var at = Duration.ofSeconds(2);
        for (var name : direct.signals()) {
            var signal =
                    ScriptedEvent.signal(name, JsonNumber.of(RandomProgram.payload(seed, name)));
            scripted = scripted.at(at, signal);
            if (fate == Fate.TAKEN_BACK) {
                // What was taken before it was taken back is gone.
                scripted = scripted.at(at.plusMinutes(5), signal);
            }
            at = at.plusSeconds(9);
        }
        for (var minute = 1; minute <= DECISIONS && direct.approvals() > 0; minute++) {
            scripted =
                    scripted.at(
                            Duration.ofMinutes(minute),
                            ScriptedEvent.decision(
                                    RandomProgram.isApproved(seed) ? "approve" : "reject"));
        }
        return scripted;
    }

    private int rounds() {
        return fate == Fate.CONTINUED ? ROUNDS : 1;
    }

    private long result(Run<JsonObject> run, JsonObject input) {
        var _ = releases.incrementAndGet();
        try {
            var round = input.number("round").map(JsonNumber::asLong).orElse(0L).intValue();
            var world = new DurableWorld(run, fate == Fate.FAILING, releases);
            var value =
                    new RandomProgram(seed, round, world)
                            .run(input.number("n").map(JsonNumber::asLong).orElse(seed));
            if (fate == Fate.FAILING) {
                throw new RunFailed(ALL_DONE);
            }
            if (round + 1 < rounds()) {
                world.awaitTimers();
                throw run.continueAsNew(
                        JsonObject.of(
                                "n", JsonNumber.of(value), "round", JsonNumber.of(round + 1L)));
            }
            return value;
        } catch (RunCancelled cancelled) {
            var _ = run.call(DurableWorld.patient(TaskCall.of(TIDY, JsonObject.EMPTY)));
            throw cancelled;
        }
    }

    private static long resultOfChild(Run<JsonObject> run, JsonObject input) {
        if (input.has(DurableWorld.FAILS)) {
            throw new RunFailed("the child gives up");
        }
        return run.call(DurableWorld.task("quick", input.number("n").orElseThrow().asLong())) + 1;
    }

    private JsonValue compensate(JsonValue params) {
        compensated.add(((JsonObject) params).number("n").orElseThrow().asLong());
        return JsonObject.EMPTY;
    }

    private static JsonValue next(JsonValue params) {
        return JsonNumber.of(
                RandomProgram.next(((JsonObject) params).number("n").orElseThrow().asLong()));
    }
}
