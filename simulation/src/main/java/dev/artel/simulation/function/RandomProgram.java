package dev.artel.simulation.function;

import java.util.List;
import java.util.SplittableRandom;

/// The code of a random function, which its seed draws: the same in every [FunctionWorld].
final class RandomProgram {
    static final int MODULUS = 1_000_003;
    private static final int KINDS = 17;
    private static final int MOST_STEPS = 11;

    /// The run of its job: a job that continues as new has several.
    private final int round;

    private final SplittableRandom random;
    private final FunctionWorld world;
    private final int mostSteps;
    private int open;
    private int signals;

    RandomProgram(long seed, int round, FunctionWorld world) {
        this(seed, round, world, MOST_STEPS);
    }

    /// @param mostSteps how many steps it has at most
    RandomProgram(long seed, int round, FunctionWorld world, int mostSteps) {
        this.round = round;
        this.world = world;
        this.mostSteps = mostSteps;
        random = new SplittableRandom(seed + 1_000_000_007L * round);
    }

    /// What a task makes of `n`.
    static long next(long n) {
        return (n * 31 + 7) % MODULUS;
    }

    /// What a child makes of `n`.
    static long nextOfChild(long n) {
        return next(n) + 1;
    }

    /// What the signal `name` brings.
    static long payload(long seed, String name) {
        return Math.floorMod(seed * 31 + name.hashCode(), MODULUS);
    }

    /// Whether people approve of what it asks them.
    static boolean isApproved(long seed) {
        return seed % 2 == 0;
    }

    /// Runs it, with `n` from the beginning.
    long run(long n) {
        var steps = random.nextInt(1, mostSteps + 1);
        var value = n % MODULUS;
        for (var i = 0; i < steps; i++) {
            value = step(value) % MODULUS;
        }
        while (open > 0) {
            value = await(value) % MODULUS;
        }
        return value;
    }

    private long step(long n) {
        return switch (random.nextInt(KINDS)) {
            case 0, 1 -> world.call(random.nextInt(4) == 0, n);
            case 2 -> {
                world.begin(random.nextBoolean(), n);
                open++;
                yield n;
            }
            case 3 -> {
                world.beginChild(n);
                open++;
                yield n;
            }
            case 4, 5 -> open > 0 ? await(n) : n;
            case 6 -> {
                var value = n;
                for (var one : world.all(List.of(n, n + 1, n + 2))) {
                    value = value * 5 + one;
                }
                yield value;
            }
            case 7 -> {
                var value = n;
                for (var one : world.map(List.of(n, n + 1, n + 2, n + 3))) {
                    value = value * 7 + one;
                }
                yield value;
            }
            case 8 -> world.child(n);
            case 9 -> {
                var value = n;
                for (var one : world.mapChildren(List.of(n, n + 1, n + 2))) {
                    value = value * 11 + one;
                }
                yield value;
            }
            case 10 -> n * 13 + world.signal("go-" + round + "-" + signals++);
            case 11 -> n * 2 + (world.isApproved(n) ? 1 : 2);
            case 12 -> world.retried(n);
            case 13 -> n * 17 + (caught(n) ? 1 : 2);
            case 14, 15 -> {
                var all = FunctionWorld.Varying.values();
                yield world.marked(all[random.nextInt(all.length)], n);
            }
            default -> pass(n);
        };
    }

    private long await(long n) {
        open--;
        return n * 3 + world.await();
    }

    private boolean caught(long n) {
        return switch (random.nextInt(3)) {
            case 0 -> world.taskFails(n);
            case 1 -> world.childFails(n);
            default -> world.noSignal("never");
        };
    }

    private long pass(long n) {
        switch (random.nextInt(3)) {
            case 0 -> world.anyOf();
            case 1 -> world.sleep(random.nextInt(5_000));
            default -> world.start(n);
        }
        return n;
    }
}
