package dev.artel.simulation.campaign;

import dev.artel.kernel.store.EventCodec;
import dev.artel.simulation.random.RunStats;
import dev.artel.simulation.random.Simulation;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Many scenarios, on some threads; each scenario is played by one thread and takes the course of its seed alone.
final class Campaign {
    private final LongFunction<Scenario> scenarios;
    private final EventCodec codec;
    private final AtomicLong next;
    private final AtomicLong end;

    /// @param from the first seed
    /// @param seeds how many there are
    Campaign(LongFunction<Scenario> scenarios, EventCodec codec, long from, long seeds) {
        this.scenarios = scenarios;
        this.codec = codec;
        next = new AtomicLong(from);
        end = new AtomicLong(from + seeds);
    }

    /// How a campaign went.
    ///
    /// @param sum of the scenarios that kept every promise
    /// @param failure of the lowest seed that fails, whatever the number of threads
    /// @param seconds how long it took
    /// @param processorSeconds how long processors worked on it, without the compiler and the garbage collector
    record Course(
            RunStats sum,
            Optional<SimulationFailure> failure,
            double seconds,
            double processorSeconds) {
        private Course plus(Course other) {
            return new Course(
                    sum.plus(other.sum),
                    first(failure, other.failure),
                    Math.max(seconds, other.seconds),
                    processorSeconds + other.processorSeconds);
        }

        private static Optional<SimulationFailure> first(
                Optional<SimulationFailure> one, Optional<SimulationFailure> other) {
            return Stream.of(one, other)
                    .flatMap(Optional::stream)
                    .min(Comparator.comparingLong(failure -> failure.scenario().seed()));
        }
    }

    /// Plays the scenarios from the first seed on, to the last or to the first that fails.
    Course run(int threads) throws InterruptedException {
        try (var players = Executors.newFixedThreadPool(threads)) {
            var courses =
                    players.invokeAll(
                            IntStream.range(0, threads)
                                    .<Callable<Course>>mapToObj(_ -> this::play)
                                    .toList());
            return courses.stream().map(Campaign::courseOf).reduce(Course::plus).orElseThrow();
        }
    }

    private static Course courseOf(Future<Course> played) {
        try {
            return played.get();
        } catch (ExecutionException bug) {
            throw new IllegalStateException("a thread of the simulation died", bug.getCause());
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("all threads had ended", impossible);
        }
    }

    private Course play() {
        var threads = ManagementFactory.getThreadMXBean();
        var began = System.nanoTime();
        var worked = threads.getCurrentThreadCpuTime();
        var sum = RunStats.NOTHING;
        var failure = Optional.<SimulationFailure>empty();
        for (var seed = next.getAndIncrement(); seed < end.get(); seed = next.getAndIncrement()) {
            try {
                sum = sum.plus(Simulation.run(scenarios.apply(seed), codec));
            } catch (SimulationFailure found) {
                // Those below are played to their end, since one of them may fail as well.
                end.accumulateAndGet(seed, Math::min);
                failure = Optional.of(found);
            }
        }
        return new Course(
                sum,
                failure,
                (System.nanoTime() - began) / 1e9,
                (threads.getCurrentThreadCpuTime() - worked) / 1e9);
    }
}
