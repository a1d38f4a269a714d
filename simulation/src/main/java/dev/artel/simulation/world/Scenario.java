package dev.artel.simulation.world;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/// What a simulation plays; the same scenario always takes the same course.
///
/// @param seed decides everything that is left to chance
/// @param traits which faults and features occur
/// @param jobs how many jobs are submitted, about; at least 1
/// @param mutant a bug that is planted
public record Scenario(long seed, Set<Trait> traits, int jobs, Optional<Mutant> mutant) {
    private static final int MOST_JOBS = 30;

    /// Copies `traits`.
    public Scenario {
        if (jobs < 1) {
            throw new IllegalArgumentException("a scenario needs at least 1 job, got " + jobs);
        }
        var copy = EnumSet.noneOf(Trait.class);
        copy.addAll(traits);
        traits = Collections.unmodifiableSet(copy);
    }

    /// A scenario in which chance has switched off about half of all traits.
    public static Scenario of(long seed) {
        var random = new SplittableRandom(seed ^ 0x5DEECE66DL);
        var traits = EnumSet.noneOf(Trait.class);
        for (var trait : Trait.values()) {
            var chance = trait.isDrawnAlone() ? trait.random(~seed) : random;
            if (chance.nextBoolean()) {
                traits.add(trait);
            }
        }
        return new Scenario(seed, traits, 1 + random.nextInt(MOST_JOBS), Optional.empty());
    }

    /// This scenario with a planted bug, and with what the bug needs.
    public Scenario with(Mutant bug) {
        var more = EnumSet.noneOf(Trait.class);
        more.addAll(traits);
        more.addAll(bug.needs());
        return new Scenario(seed, more, jobs, Optional.of(bug));
    }

    /// This scenario without a trait.
    public Scenario without(Trait trait) {
        var fewer = EnumSet.noneOf(Trait.class);
        fewer.addAll(traits);
        fewer.remove(trait);
        return new Scenario(seed, fewer, jobs, mutant);
    }

    /// This scenario with another number of jobs.
    public Scenario withJobs(int number) {
        return new Scenario(seed, traits, number, mutant);
    }

    @Override
    public String toString() {
        return "seed "
                + seed
                + ", "
                + jobs
                + " jobs, "
                + traits
                + mutant.map(bug -> ", planted " + bug).orElse("");
    }
}
