package dev.artel.blueprint.function;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.DurableFunction;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.guard.Guards;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// The blueprint of a durable function: one state whose handler runs the function, one in which branches begin what it asked for, and two
/// that compensate what is compensated by its result.
public final class FunctionBlueprint {
    /// The state in which the function runs on.
    public static final String RUN = "run";

    /// The state in which a branch begins.
    public static final String OPERATION = "operation";

    /// The state that compensates calls with their results.
    public static final String COMPENSATE = "compensate";

    /// The state that ends the compensation of a map.
    public static final String COMPENSATED = "compensated";

    /// As many states as events fit in: each call enters one or two.
    public static final Guards GUARDS =
            Guards.DEFAULTS.withTransitions(1_000_000).withTreeSteps(1_000_000);

    /// How many functions of a blueprint stay in memory between their calls.
    public static final int ROOM = 200;

    private static final Duration KEEP = Duration.ofMinutes(1);

    private final Blueprint blueprint;
    private final FunctionHost host;

    private FunctionBlueprint(Blueprint blueprint, FunctionHost host) {
        this.blueprint = blueprint;
        this.host = host;
    }

    /// What a function runs with.
    ///
    /// @param clock gives the time of [dev.artel.blueprint.Run#now]
    /// @param random gives the numbers of [dev.artel.blueprint.Run#random]
    /// @param ids gives each step an id that no other one has, in no process
    /// @param room how many functions stay in memory between their calls
    /// @param keep how long each does
    public record Setting(
            InstantSource clock,
            RandomGenerator random,
            Supplier<String> ids,
            int room,
            Duration keep) {
        /// The setting of a process of its own.
        public static Setting ofProcess() {
            var random = new SecureRandom();
            var own = HexFormat.of().toHexDigits(random.nextLong());
            var count = new AtomicLong();
            return new Setting(
                    InstantSource.system(),
                    random,
                    () -> own + "-" + count.incrementAndGet(),
                    ROOM,
                    KEEP);
        }

        /// This setting with room for so many functions.
        public Setting withRoom(int other) {
            return new Setting(clock, random, ids, other, keep);
        }

        Supplier<Instant> millis() {
            return () -> clock.instant().truncatedTo(ChronoUnit.MILLIS);
        }
    }

    /// `builder` with the states of `function`, and guards that leave room for long runs.
    public static <I, O> FunctionBlueprint of(
            Blueprint.Builder builder,
            BlueprintType<I, O> type,
            DurableFunction<I, O> function,
            Setting setting) {
        return of(builder, type, function, setting, ResidentMemory.OF_PROCESS);
    }

    /// As [#of(Blueprint.Builder, BlueprintType, DurableFunction, Setting)], with so much memory for what stays there.
    public static <I, O> FunctionBlueprint of(
            Blueprint.Builder builder,
            BlueprintType<I, O> type,
            DurableFunction<I, O> function,
            Setting setting,
            ResidentMemory memory) {
        var host =
                new FunctionHost(
                        new FunctionCode<>(type, function),
                        new FunctionRun.Sources(setting.millis(), setting.random()),
                        setting.ids(),
                        setting.room(),
                        setting.keep(),
                        memory);
        var blueprint =
                builder.onCancel(RUN)
                        .start(RUN, host)
                        .serial()
                        .pure()
                        .leadingTo(RUN, OPERATION, COMPENSATE)
                        .state(OPERATION, host::operate)
                        .leadingTo(RUN, COMPENSATE)
                        .state(COMPENSATE, host::compensate)
                        .leadingTo(COMPENSATED)
                        .state(COMPENSATED, host::compensated)
                        .build();
        return new FunctionBlueprint(blueprint, host);
    }

    /// Runs the function of `blueprint` along a recorded history, and no further: nothing is asked for, and no effect is had but those of the
    /// code itself.
    ///
    /// @param history the members `job_id` and `items`, as [dev.artel.blueprint.Replay] takes it
    /// @return where it stands at the end of the history, for people
    /// @throws dev.artel.kernel.blueprint.HistoryMismatch if it asks for other things than the history has, or returns another result
    /// @throws IllegalArgumentException if `blueprint` is no function, or `history` is not a whole one
    public static String replay(Blueprint blueprint, JsonObject history)
            throws InterruptedException {
        var recorded = RecordedJob.of(history);
        if (blueprint.state(RUN).flatMap(State::handler).orElse(null)
                instanceof FunctionHost host) {
            var position = host.replay(recorded);
            return "after " + position.requests() + " requests it " + position.stands();
        }
        throw new IllegalArgumentException(
                "the history of job "
                        + recorded.job()
                        + " is to be replayed by blueprint "
                        + blueprint.name()
                        + ", which is no durable function; only a function can be replayed");
    }

    /// To be registered with an engine.
    public Blueprint blueprint() {
        return blueprint;
    }

    /// Ends the functions in memory that are at no step just now; they are run from their histories when they go on.
    public void evictAll() {
        host.evictAll();
    }

    /// How many functions are in memory.
    public int residents() {
        return host.residents();
    }
}
