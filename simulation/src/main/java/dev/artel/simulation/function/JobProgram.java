package dev.artel.simulation.function;

import dev.artel.blueprint.CallFailed;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.RunCancelled;
import dev.artel.blueprint.RunFailed;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.simulation.world.Trait;
import java.util.concurrent.atomic.AtomicInteger;

/// The code of the functions among the jobs of a scenario. What it does follows from its input, which is another one for each job, and from what its
/// run returns; a judge runs it as well, with what the history of the job has.
final class JobProgram {
    /// The member of the input that decides what the code is; without it, all of the input does.
    static final String SEED = "seed";

    /// The member of the input of those that are to fail at once.
    static final String FAILS = "fails";

    private static final int MOST_STEPS = 4;
    private static final int ROUNDS = 2;
    private static final int FATES = 8;

    private final JobFeatures features;

    /// Each run of the code is one of a newer version.
    private final AtomicInteger releases = new AtomicInteger(1);

    JobProgram(JobFeatures features) {
        this.features = features;
    }

    private static long number(JsonObject input, String name, long instead) {
        return input.number(name).map(JsonNumber::asLong).orElse(instead);
    }

    long run(Run<JsonObject> run, JsonObject input) {
        var _ = releases.incrementAndGet();
        if (input.has(FAILS)) {
            throw new RunFailed("it is to fail");
        }
        var seed = number(input, SEED, input.toString().hashCode());
        var fate = Math.floorMod(seed * 31 + 7, FATES);
        var round = (int) number(input, JobWorld.ROUND, 0);
        var world = new JobWorld(run, features, round, fate == 0, releases);
        try {
            var value =
                    new RandomProgram(seed, round, world, MOST_STEPS)
                            .run(Math.floorMod(number(input, "n", seed), RandomProgram.MODULUS));
            if (fate == 1) {
                throw new RunFailed("all is done, to no avail");
            }
            if (fate < 4 && features.has(Trait.NEW_RUNS) && round + 1 < ROUNDS) {
                world.awaitTimers();
                // The parameters of a task are durable: a judge compares the input of the next run
                // with them.
                var _ = world.call(false, value);
                throw run.continueAsNew(
                        JsonObject.builder()
                                .put(SEED, seed)
                                .put(JobWorld.ROUND, round + 1L)
                                .put("n", value)
                                .build());
            }
            return value;
        } catch (RunCancelled cancelled) {
            tidyUp(world);
            if (fate == 5) {
                return -1;
            }
            throw cancelled;
        }
    }

    private static void tidyUp(JobWorld world) {
        try {
            var _ = world.call(false, 0);
        } catch (CallFailed failed) {
            // it has done what it could
        }
    }
}
