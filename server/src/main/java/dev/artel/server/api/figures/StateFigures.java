package dev.artel.server.api.figures;

import dev.artel.engine.shell.JobObserver;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/// What jobs do in each state of their definition, since the start of this process: how many entered it, how many are in it,
/// how long they were in it, and how its handler failed. Recording adds to plain counters and takes no lock that others hold.
/// Safe for use by many threads.
///
/// Bounded: [#MOST_STATES] states, each with [#SIZE] counters; where there is no room, the definition goes that was begun with
/// longest ago. Of [#MOST_JOBS] open jobs it knows where they are; others are counted as they enter a state, and no more.
public final class StateFigures implements JobObserver {
    static final int MOST_STATES = 2_000;
    static final int MOST_JOBS = 100_000;

    private static final int ENTERED = 0;
    private static final int NOW = 1;
    private static final int FAILED = 2;
    private static final int RETRIED = 3;
    private static final int FIRST_TIME = 4;

    /// How many times each power of two is cut into, as a power of two: a time is off by one in sixteen at most.
    private static final int FINENESS = 3;

    private static final int PIECES = 1 << FINENESS;

    /// Longer times, from 49 days on, count as this long.
    private static final long LONGEST_MILLIS = (1L << 32) - 1;

    private static final int SIZE = FIRST_TIME + piece(LONGEST_MILLIS) + 1;
    private static final long UNKNOWN = -1;

    private final ConcurrentMap<BlueprintRef, OfDefinition> definitions = new ConcurrentHashMap<>();
    private final ConcurrentMap<JobId, Whereabouts> whereabouts = new ConcurrentHashMap<>();

    /// How many entries the map has: to ask it for that would add up all of its counters.
    private final AtomicInteger jobs = new AtomicInteger();

    /// How many states all definitions have; guarded by this.
    private int states;

    private final int mostStates;
    private final InstantSource clock;
    private final Instant start;
    private volatile boolean isComplete = true;

    /// Nothing was counted yet.
    public StateFigures(InstantSource clock) {
        this(clock, MOST_STATES);
    }

    StateFigures(InstantSource clock, int mostStates) {
        this.clock = clock;
        this.start = clock.instant();
        this.mostStates = mostStates;
    }

    /// What is known of the states of a definition.
    ///
    /// @param since from when on jobs were counted
    /// @param byState in the order of the definition
    public record Report(Instant since, List<StateCount> byState) {}

    /// What is known of a state.
    ///
    /// @param entered how often jobs entered it
    /// @param now how many branches of jobs are in it
    /// @param failures how often its handler failed and was not run again
    /// @param retries how often its handler failed and was run again
    /// @param times in milliseconds, of those that have left it; empty if there are none, or if it is an end
    public record StateCount(
            String state,
            long entered,
            long now,
            long failures,
            long retries,
            Optional<LatencyWindows.Percentiles> times) {}

    private static final class OfDefinition {
        private final ConcurrentMap<String, AtomicLongArray> states = new ConcurrentHashMap<>();
        private final Instant since;
        private volatile long usedSecond;

        /// Whether it went where there was no room. Guarded by the figures.
        private boolean isForgotten;

        OfDefinition(Instant since) {
            this.since = since;
        }

        void use(long millis) {
            var second = millis / 1000;
            if (usedSecond != second) {
                usedSecond = second;
            }
        }
    }

    /// Where the branches of a job are. One thread at a time has to do with a job.
    private static final class Whereabouts {
        private OfDefinition definition;
        private @Nullable AtomicLongArray main;
        private long mainSince;

        /// Null in a job that has not forked.
        private @Nullable Map<Integer, Visit> others;

        Whereabouts(OfDefinition definition) {
            this.definition = definition;
        }

        /// @param millis [#UNKNOWN] if it was there before the start
        void enter(int branch, @Nullable AtomicLongArray state, long millis) {
            leave(branch, millis);
            if (state == null) {
                return;
            }
            state.getAndIncrement(NOW);
            if (branch == 0) {
                main = state;
                mainSince = millis;
            } else {
                var all = others == null ? new HashMap<Integer, Visit>() : others;
                all.put(branch, new Visit(state, millis));
                others = all;
            }
        }

        /// Null if it is not known.
        @Nullable AtomicLongArray state(int branch) {
            if (branch == 0) {
                return main;
            }
            var visit = others == null ? null : others.get(branch);
            return visit == null ? null : visit.state();
        }

        void leave(int branch, long millis) {
            if (branch == 0) {
                if (main != null) {
                    left(main, mainSince, millis);
                    main = null;
                }
            } else if (others != null) {
                var place = others.remove(branch);
                if (place != null) {
                    left(place.state(), place.since(), millis);
                }
            }
        }

        void leaveAll(long millis) {
            leave(0, millis);
            leaveOthers(millis);
        }

        private void leaveOthers(long millis) {
            if (others != null) {
                others.values().forEach(place -> left(place.state(), place.since(), millis));
                others = null;
            }
        }

        /// Leaves what `job` is in no more.
        void leaveOver(Job job, long millis) {
            if (others != null) {
                others.entrySet()
                        .removeIf(each -> {
                            var isOver = isOver(job, each.getKey());
                            if (isOver) {
                                left(each.getValue().state(), each.getValue().since(), millis);
                            }
                            return isOver;
                        });
            }
        }

        private static boolean isOver(Job job, int branch) {
            return branch >= job.branches().size() || job.branches().get(branch).isOver();
        }

        private static void left(AtomicLongArray state, long since, long millis) {
            state.getAndDecrement(NOW);
            if (since != UNKNOWN) {
                // The clock may have been set back meanwhile.
                state.getAndIncrement(
                        FIRST_TIME + piece(Math.clamp(millis - since, 0, LONGEST_MILLIS)));
            }
        }
    }

    private record Visit(AtomicLongArray state, long since) {}

    /// The piece of the scale in which a time of so many milliseconds is: each power of two has [#PIECES].
    static int piece(long millis) {
        if (millis < PIECES) {
            return (int) millis;
        }
        var shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(millis) - FINENESS;
        return (shift + 1) * PIECES + (int) ((millis >>> shift) & (PIECES - 1));
    }

    /// The middle of a piece.
    static long middle(int piece) {
        if (piece < PIECES) {
            return piece;
        }
        var shift = piece / PIECES - 1;
        var first = (long) (PIECES + piece % PIECES) << shift;
        return first + (1L << shift) / 2;
    }

    @Override
    public void openBefore(Job job) {
        if (job.isFinal()) {
            return;
        }
        var places = places(job, job.spec().blueprint());
        if (places == null) {
            return;
        }
        for (var branch : job.branches()) {
            if (branch.id() == 0 || !branch.isOver()) {
                places.enter(branch.id(), state(places.definition, branch.state()), UNKNOWN);
            }
        }
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        for (var i = 0; i < events.size(); i++) {
            var event = events.get(i);
            if (event instanceof JobEvent.AttemptEvent) {
                continue;
            }
            if (event instanceof JobEvent.StateEntered(int branch, var state, var _, var at)) {
                enter(job, branch, state, at.toEpochMilli());
            } else if (event instanceof JobEvent.StepDone done) {
                for (var state : done.passed()) {
                    enter(job, done.branch(), state, done.at().toEpochMilli());
                }
            } else if (event instanceof JobEvent.StepFailed failed) {
                failed(job.id(), failed);
            } else if (event instanceof JobEvent.JobEnded(var _, var at)) {
                end(job.id(), at.toEpochMilli());
            } else if (event instanceof JobEvent.Forked forked) {
                forked(job, forked, firstOf(job, events, i));
            } else if (event instanceof JobEvent.DefinitionReplaced replaced) {
                replaced(job, replaced);
            } else {
                mayLeave(job, event);
            }
        }
    }

    private void enter(Job job, int branch, String state, long millis) {
        var places = places(job, job.spec().blueprint());
        var definition = places == null ? definition(job.spec().blueprint()) : places.definition;
        definition.use(millis);
        var its = state(definition, state);
        if (its != null) {
            its.getAndIncrement(ENTERED);
        }
        if (places != null) {
            places.enter(branch, its, millis);
        }
    }

    private void failed(JobId job, JobEvent.StepFailed failed) {
        var places = whereabouts.get(job);
        var its = places == null ? null : places.state(failed.branch());
        if (its != null) {
            its.getAndIncrement(failed.retryAt().isPresent() ? RETRIED : FAILED);
        }
    }

    private void end(JobId job, long millis) {
        var places = whereabouts.remove(job);
        if (places != null) {
            jobs.decrementAndGet();
            places.leaveAll(millis);
        }
    }

    private void forked(Job job, JobEvent.Forked forked, int first) {
        for (var i = 0; i < forked.starts().size(); i++) {
            enter(job, first + i, forked.starts().get(i), forked.at().toEpochMilli());
        }
    }

    /// The number of the first branch that the event at `index` has added: `job` has those of the later ones, too.
    private static int firstOf(Job job, List<JobEvent> events, int index) {
        var first = job.branches().size();
        for (var event : events.subList(index, events.size())) {
            if (event instanceof JobEvent.Forked forked) {
                first -= forked.starts().size();
            } else if (event instanceof JobEvent.CompensationStarted) {
                first--;
            }
        }
        return Math.max(1, first);
    }

    private void replaced(Job job, JobEvent.DefinitionReplaced replaced) {
        var places = whereabouts.get(job.id());
        if (places != null) {
            places.leaveAll(replaced.at().toEpochMilli());
            places.definition = definition(replaced.to());
        }
    }

    /// Branches may end that have no event of their own.
    private void mayLeave(Job job, JobEvent event) {
        var isOne = event instanceof JobEvent.BranchEnded;
        var isRun = event instanceof JobEvent.JobContinued || event instanceof JobEvent.JobRewound;
        var areSome =
                event instanceof JobEvent.BranchesStopped
                        || event instanceof JobEvent.CancelHandled
                        || event instanceof JobEvent.CompensationStarted;
        if (!isOne && !isRun && !areSome) {
            return;
        }
        var places = whereabouts.get(job.id());
        if (places == null) {
            return;
        }
        var millis = event.at().toEpochMilli();
        if (event instanceof JobEvent.BranchEnded ended) {
            places.leave(ended.branch(), millis);
        } else if (isRun) {
            places.leaveAll(millis);
        } else {
            places.leaveOver(job, millis);
        }
    }

    /// Null if there is no room for another job.
    private @Nullable Whereabouts places(Job job, BlueprintRef ref) {
        var known = whereabouts.get(job.id());
        if (known != null || jobs.get() >= MOST_JOBS) {
            return known;
        }
        var places = new Whereabouts(definition(ref));
        whereabouts.put(job.id(), places);
        jobs.incrementAndGet();
        return places;
    }

    private OfDefinition definition(BlueprintRef ref) {
        var known = definitions.get(ref);
        return known != null
                ? known
                : definitions.computeIfAbsent(
                        ref, _ -> new OfDefinition(isComplete ? start : clock.instant()));
    }

    /// Null if there is no room for another state.
    private @Nullable AtomicLongArray state(OfDefinition definition, String name) {
        var known = definition.states.get(name);
        return known != null ? known : added(definition, name);
    }

    private synchronized @Nullable AtomicLongArray added(OfDefinition definition, String name) {
        if (definition.isForgotten) {
            return null;
        }
        while (states >= mostStates && forgotten(definition)) {
            isComplete = false;
        }
        if (states >= mostStates) {
            return null;
        }
        return definition.states.computeIfAbsent(
                name,
                _ -> {
                    states++;
                    return new AtomicLongArray(SIZE);
                });
    }

    /// Forgets the definition that was used longest ago, but for `used`.
    ///
    /// @return whether there was one
    private boolean forgotten(OfDefinition used) {
        var oldest =
                definitions.entrySet().stream()
                        .filter(each -> each.getValue() != used)
                        .min(Comparator.comparingLong(each -> each.getValue().usedSecond));
        oldest.ifPresent(each -> {
            definitions.remove(each.getKey(), each.getValue());
            each.getValue().isForgotten = true;
            states -= each.getValue().states.size();
        });
        return oldest.isPresent();
    }

    /// What is known of the states of `blueprint`: of the graph that it has now.
    public Report of(Blueprint blueprint) {
        var its = definitions.get(blueprint.ref());
        return new Report(
                its == null ? start : its.since,
                blueprint.states().stream()
                        .map(state ->
                                count(
                                        state.name(),
                                        its == null ? null : its.states.get(state.name()),
                                        !state.isEnd()))
                        .toList());
    }

    private static StateCount count(
            String name, @Nullable AtomicLongArray counters, boolean hasTimes) {
        if (counters == null) {
            return new StateCount(name, 0, 0, 0, 0, Optional.empty());
        }
        return new StateCount(
                name,
                counters.get(ENTERED),
                Math.max(0, counters.get(NOW)),
                counters.get(FAILED),
                counters.get(RETRIED),
                hasTimes ? percentiles(counters) : Optional.empty());
    }

    private static Optional<LatencyWindows.Percentiles> percentiles(AtomicLongArray counters) {
        var times = new long[SIZE - FIRST_TIME];
        for (var piece = 0; piece < times.length; piece++) {
            times[piece] = counters.get(FIRST_TIME + piece);
        }
        var count = Arrays.stream(times).sum();
        return count == 0
                ? Optional.empty()
                : Optional.of(
                        new LatencyWindows.Percentiles(
                                count,
                                percentile(times, count, 0.50),
                                percentile(times, count, 0.95),
                                percentile(times, count, 0.99)));
    }

    private static long percentile(long[] times, long count, double share) {
        var rank = (long) Math.ceil(count * share);
        var piece = 0;
        for (var below = times[0]; below < rank; below += times[piece]) {
            piece++;
        }
        return middle(piece);
    }
}
