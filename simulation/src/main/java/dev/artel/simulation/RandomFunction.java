package dev.artel.simulation;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.Promise;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunCancelled;
import dev.artel.blueprint.RunFailed;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
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
import dev.artel.kernel.task.TaskLimits;
import dev.artel.testkit.sim.ArtelSimulation;
import dev.artel.testkit.sim.FakeWorker;
import dev.artel.testkit.sim.ScriptedAnswer;
import dev.artel.testkit.sim.ScriptedEvent;
import dev.artel.testkit.sim.SimulationFailure;
import dev.artel.testkit.sim.Trait;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/// A durable function that its seed draws: it gives what its code gives where nothing fails, whatever crashes, and whether it stays in memory
/// or not. One in six is cancelled, tidies up, and ends as cancelled, unless it was over before. One in six fails when it is done, and each
/// of its calls is compensated with its result.
final class RandomFunction {
    private static final BlueprintType<JsonObject, Long> RANDOM =
            new BlueprintType<>("random", ValueType.of(JsonObject.class), ValueType.of(Long.class));
    private static final String TIDY = "tidy";
    private static final Duration CALM = Duration.ofHours(6);

    /// A bug that lets a function go round shows soon.
    private static final Guards GUARDS =
            FunctionBlueprint.GUARDS.withTransitions(400).withHistory(4_000);

    private static final String ALL_DONE = "all is done, to no avail";
    private static final TaskType<JsonObject, Nothing> COMPENSATE =
            TaskType.of("compensate", JsonObject.class);

    /// However often a worker is lost.
    private static final TaskLimits PATIENT =
            new TaskLimits(
                    TaskLimits.DEFAULTS.retry(),
                    1_000,
                    Optional.empty(),
                    TaskLimits.DEFAULTS.executionTimeout());

    private final long seed;
    private final Optional<FunctionMutant> mutant;

    /// The results that were compensated.
    private final Set<Long> compensated = ConcurrentHashMap.newKeySet();

    /// @param mutant the bug that is planted, if any
    RandomFunction(long seed, Optional<FunctionMutant> mutant) {
        this.seed = seed;
        this.mutant = mutant;
    }

    /// Plays it.
    ///
    /// @return what was wrong, for people; empty if nothing was
    Optional<String> failure() {
        try {
            return played();
        } catch (SimulationFailure | IllegalStateException found) {
            return Optional.of("seed " + seed + ": " + found.getMessage());
        }
    }

    private Optional<String> played() {
        var room = List.of(0, 1, 100).get((int) (seed % 3));
        var setting = Setting.ofProcess().withRoom(room);
        var function =
                FunctionBlueprint.of(
                                Blueprint.named(RANDOM.name()).guards(GUARDS),
                                RANDOM,
                                (run, _) -> result(run),
                                mutant.map(it -> it.setting(setting)).orElse(setting))
                        .blueprint();
        var isCancelled = seed % 6 == 5;
        var worker =
                FakeWorker.named("worker")
                        .slots(3)
                        .doing("quick", ScriptedAnswer.computed(RandomFunction::next))
                        .doing(TIDY, ScriptedAnswer.success())
                        .doing("compensate", ScriptedAnswer.computed(this::compensate))
                        .doing(
                                "slow",
                                ScriptedAnswer.computed(RandomFunction::next)
                                        .after(Duration.ofSeconds(7)));
        var simulation =
                ArtelSimulation.of(mutant.map(it -> it.planted(function)).orElse(function))
                        .workers(worker)
                        .faults(
                                Trait.ORCHESTRATOR_CRASHES,
                                Trait.MESSAGES_LOST,
                                Trait.MESSAGES_DOUBLED,
                                Trait.STEPS_TWICE,
                                Trait.APPENDS_FAIL,
                                Trait.APPENDS_UNKNOWN)
                        .within(CALM);
        var job =
                (isCancelled
                                ? simulation.at(
                                        Duration.ofSeconds(seed % 40),
                                        ScriptedEvent.cancel("not wanted"))
                                : simulation)
                        .run(seed);
        var direct = new Direct();
        var value = program(seed, direct);
        JobOutcome expected =
                isFailing()
                        ? new JobOutcome.Failed(ALL_DONE)
                        : new JobOutcome.Finished(Payload.of(JsonNumber.of(value)));
        var called = isFailing() ? Set.copyOf(direct.called) : Set.<Long>of();
        var outcome = job.outcome();
        var isRight =
                (outcome.filter(expected::equals).isPresent() && compensated.equals(called))
                        || (isCancelled
                                && outcome.filter(JobOutcome.Cancelled.class::isInstance)
                                        .isPresent());
        return isRight
                ? Optional.empty()
                : Optional.of(
                        "seed "
                                + seed
                                + ": the function is to end with "
                                + expected
                                + " and have "
                                + called
                                + " compensated, and its job has "
                                + outcome
                                + " and "
                                + compensated
                                + "\n"
                                + job.story());
    }

    private long result(Run<JsonObject> run) {
        try {
            var value = program(seed, new Durable(run, isFailing(), new ArrayDeque<>()));
            if (isFailing()) {
                throw new RunFailed(ALL_DONE);
            }
            return value;
        } catch (RunCancelled cancelled) {
            var _ =
                    run.call(
                            TaskCall.of(TIDY, JsonObject.EMPTY)
                                    .options(it -> it.withLimits(PATIENT)));
            throw cancelled;
        }
    }

    private boolean isFailing() {
        return seed % 6 == 4;
    }

    private JsonValue compensate(JsonValue params) {
        compensated.add(((JsonObject) params).number("n").orElseThrow().asLong());
        return JsonObject.EMPTY;
    }

    private static long next(long n) {
        return (n * 31 + 7) % 1_000_003;
    }

    private static JsonValue next(JsonValue params) {
        return JsonNumber.of(next(((JsonObject) params).number("n").orElseThrow().asLong()));
    }

    private static TaskCall<Long> task(boolean isSlow, long n) {
        return TaskCall.of(isSlow ? "slow" : "quick", JsonObject.of("n", JsonNumber.of(n)))
                .options(it -> it.withLimits(PATIENT))
                .as(value -> ((JsonNumber) value).asLong());
    }

    /// What a random program asks for.
    private interface World {
        long call(boolean isSlow, long n);

        /// Begins a task; [#await] gives the results in the order in which they began.
        void begin(boolean isSlow, long n);

        long await();

        List<Long> all(List<Long> numbers);

        List<Long> map(List<Long> numbers);

        void anyOf();

        long recorded(long n);

        void sleep(long millis);
    }

    private static final class Direct implements World {
        private final ArrayDeque<Long> open = new ArrayDeque<>();
        private final List<Long> called = new ArrayList<>();

        @Override
        public long call(boolean isSlow, long n) {
            called.add(next(n));
            return next(n);
        }

        @Override
        public void begin(boolean isSlow, long n) {
            open.add(call(isSlow, n));
        }

        @Override
        public long await() {
            return open.remove();
        }

        @Override
        public List<Long> all(List<Long> numbers) {
            return numbers.stream().map(RandomFunction::next).toList();
        }

        @Override
        public List<Long> map(List<Long> numbers) {
            return all(numbers);
        }

        @Override
        public void anyOf() {
            // whichever it is, its result comes later
        }

        @Override
        public long recorded(long n) {
            return n;
        }

        @Override
        public void sleep(long millis) {
            // no time passes
        }
    }

    private record Durable(
            Run<JsonObject> run, boolean isCompensated, ArrayDeque<Promise<Long>> open)
            implements World {
        @Override
        public long call(boolean isSlow, long n) {
            return run.call(compensated(isSlow, n));
        }

        @Override
        public void begin(boolean isSlow, long n) {
            open.add(run.async(compensated(isSlow, n)));
        }

        private TaskCall<Long> compensated(boolean isSlow, long n) {
            var call = task(isSlow, n);
            return isCompensated
                    ? call.compensatedByResult(
                            COMPENSATE, result -> JsonObject.of("n", JsonNumber.of(result)))
                    : call;
        }

        @Override
        public long await() {
            return open.remove().get();
        }

        @Override
        public List<Long> all(List<Long> numbers) {
            return run.all(numbers.stream().map(n -> run.async(task(false, n))).toList());
        }

        @Override
        public List<Long> map(List<Long> numbers) {
            return run.map(numbers, 2, n -> task(false, n));
        }

        @Override
        public void anyOf() {
            var promises = new ArrayList<Promise<?>>(open);
            promises.add(run.timer(Duration.ofSeconds(3)));
            var _ = run.any(promises);
        }

        @Override
        public long recorded(long n) {
            var _ = run.now();
            return run.record("n", Long.class, () -> n);
        }

        @Override
        public void sleep(long millis) {
            run.sleep(Duration.ofMillis(millis));
        }
    }

    private static long program(long seed, World world) {
        var random = new SplittableRandom(seed);
        var n = seed;
        var open = 0;
        var steps = random.nextInt(1, 12);
        for (var i = 0; i < steps; i++) {
            switch (random.nextInt(8)) {
                case 0, 1 -> n = world.call(random.nextInt(4) == 0, n);
                case 2 -> {
                    world.begin(random.nextBoolean(), n);
                    open++;
                }
                case 3 -> {
                    if (open > 0) {
                        n = n * 3 + world.await();
                        open--;
                    }
                }
                case 4 -> {
                    for (var one : world.all(List.of(n, n + 1, n + 2))) {
                        n = n * 5 + one;
                    }
                }
                case 5 -> {
                    for (var one : world.map(List.of(n, n + 1, n + 2, n + 3))) {
                        n = n * 7 + one;
                    }
                }
                case 6 -> n = world.recorded(n + 1);
                default -> {
                    if (random.nextBoolean()) {
                        world.anyOf();
                    } else {
                        world.sleep(random.nextInt(5_000));
                    }
                }
            }
            n %= 1_000_003;
        }
        while (open > 0) {
            n = n * 3 + world.await();
            open--;
        }
        return n;
    }
}
