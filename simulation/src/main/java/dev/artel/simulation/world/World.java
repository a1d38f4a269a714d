package dev.artel.simulation.world;

import dev.artel.engine.core.watch.Stall;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// What everybody in a simulation shares: time, chance, and a memory of what happened.
public final class World {
    private static final Instant EPOCH = Instant.parse("2030-01-01T00:00:00Z");
    private static final int REMEMBERED = 400;

    private record Scheduled(long at, String who, Object what) {}

    private final Scenario scenario;
    private final SplittableRandom random;
    private final EventLoop loop;
    private final ArrayDeque<Scheduled> memory = new ArrayDeque<>(REMEMBERED);
    private final Map<Trait, SplittableRandom> streams = new EnumMap<>(Trait.class);
    private long clockError;
    private final List<Stall> stalls = new ArrayList<>();
    private boolean calm;
    private boolean watched;

    public World(Scenario scenario) {
        this.scenario = scenario;
        random = new SplittableRandom(scenario.seed());
        loop = new EventLoop(random.split());
    }

    public long seed() {
        return scenario.seed();
    }

    public SplittableRandom random() {
        return random;
    }

    /// What only `trait` draws from, so that it changes nothing where it is not part of the scenario.
    public SplittableRandom random(Trait trait) {
        return streams.computeIfAbsent(trait, it -> it.random(seed()));
    }

    public EventLoop loop() {
        return loop;
    }

    /// Whether `trait` is part of the scenario, calm or not.
    public boolean has(Trait trait) {
        return scenario.traits().contains(trait);
    }

    public boolean has(Mutant mutant) {
        return scenario.mutant().isPresent() && scenario.mutant().get() == mutant;
    }

    /// The traits of the scenario, calm or not.
    public Set<Trait> traits() {
        return scenario.traits();
    }

    /// The planted bug, if any.
    public Optional<Mutant> mutant() {
        return scenario.mutant();
    }

    public int jobs() {
        return scenario.jobs();
    }

    /// Whether `fault` occurs now, which it does with a probability while the world is not calm.
    public boolean strikes(Trait fault, double probability) {
        return has(fault) && !calm && random.nextDouble() < probability;
    }

    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    public long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }

    public <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /// Nobody judges but those who look for jobs that are stuck.
    public void watchOnly() {
        watched = true;
    }

    public boolean isWatchedOnly() {
        return watched;
    }

    /// A job is taken for stuck.
    public void stuck(Stall stall) {
        stalls.add(stall);
        if (!watched) {
            throw failure("a job is taken for stuck: " + stall);
        }
    }

    public List<Stall> stalls() {
        return stalls;
    }

    public boolean isCalm() {
        return calm;
    }

    public void calmDown() {
        calm = true;
    }

    /// The wall clock, which may be wrong.
    public Instant now() {
        return EPOCH.plusMillis(loop.now() + clockError);
    }

    /// The clock that never jumps.
    public Instant steadyNow() {
        return EPOCH.plusMillis(loop.now());
    }

    /// When the wall clock will show `time`, in virtual milliseconds.
    public long whenClockShows(Instant time) {
        return time.toEpochMilli() - EPOCH.toEpochMilli() - clockError;
    }

    public void jumpClock(long millis) {
        clockError += millis;
    }

    /// Remembers; `what` is turned into text only if a failure has to be reported.
    public void note(String who, Object what) {
        if (memory.size() == REMEMBERED) {
            memory.removeFirst();
        }
        memory.addLast(new Scheduled(loop.now(), who, what));
    }

    public SimulationFailure failure(String finding) {
        return failure(finding, null);
    }

    public SimulationFailure failure(String finding, @Nullable Throwable cause) {
        var course = new StringBuilder();
        for (var happening : memory) {
            course.append(
                    "  %9.3f s  %-12s %s%n"
                            .formatted(happening.at() / 1000.0, happening.who(), happening.what()));
        }
        return new SimulationFailure(
                scenario,
                "after %.3f s: %s".formatted(loop.now() / 1000.0, finding),
                course.toString(),
                cause == null ? new AssertionError(finding) : cause);
    }
}
