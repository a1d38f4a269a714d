package dev.artel.simulation.orchestrator;

import dev.artel.engine.shell.HandlerPlaces;
import dev.artel.engine.shell.HandlerShares;
import dev.artel.engine.shell.HandlerTurns;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The places for handlers of an orchestrator, by the rules of the engine. Judges those that wait: somebody within their time has to be ahead
/// of them, or their blueprint has too many that never end; then the obstacle names that, and an operator restarts the orchestrator.
final class SimulatedHandlers {
    /// Few enough that handlers that hang are in the way of others.
    private static final HandlerPlaces FEW = new HandlerPlaces(6, 3, 3, 4);

    private static final HandlerPlaces ENOUGH = HandlerPlaces.of(1 << 20);
    private static final String REMEDY = "restart the orchestrator";

    /// How long an interrupted handler may take to end.
    private static final long HEED = 1_000;

    private static final long OPERATOR_COMES_AFTER = 30_000;

    private final World world;
    private final SimulatedOrchestrator orchestrator;
    private final Runnable restart;
    private final HandlerPlaces places;
    private final HandlerShares shares;
    private final Map<String, Bulkhead> bulkheads = new LinkedHashMap<>();
    private boolean operatorComes;

    /// @param restart ends the orchestrator and starts another one
    SimulatedHandlers(World world, SimulatedOrchestrator orchestrator, Runnable restart) {
        this.world = world;
        this.orchestrator = orchestrator;
        this.restart = restart;
        places = world.has(Trait.HANDLERS_HANG) ? FEW : ENOUGH;
        shares = new HandlerShares(places);
    }

    private record Waiting(String what, Consumer<Run> begin) {}

    /// What is known of one blueprint, by the count of the judge.
    private final class Bulkhead {
        final String blueprint;
        final HandlerShares.Share share;
        final HandlerTurns<Waiting> queue = new HandlerTurns<>();

        /// Those that are to leave their places to others as soon as they may.
        final Set<Run> leaving = new LinkedHashSet<>();

        int inTime;
        int overdue;
        int overdueComputing;

        Bulkhead(String blueprint) {
            this.blueprint = blueprint;
            share = shares.open(blueprint);
        }

        boolean isLost() {
            return overdue >= places.abandoned() || overdueComputing >= places.computing();
        }
    }

    /// A handler that has begun.
    final class Run {
        private final Bulkhead bulkhead;
        private final HandlerShares.Place place;
        private boolean computes = true;
        private boolean isOverdue;

        private Run(Bulkhead bulkhead) {
            this.bulkhead = bulkhead;
            place = bulkhead.share.begin();
            bulkhead.inTime++;
        }

        /// It is seen to wait for something.
        void waits() {
            computes = false;
            place.waits();
        }

        /// It was interrupted at that time, and has not ended after the moment that it has for that, unless it ends then.
        void interruptedAfter(long millis, long endsAfter) {
            if (endsAfter > millis + HEED) {
                world.loop().after(millis + HEED, this::abandon);
            }
        }

        private void abandon() {
            isOverdue = true;
            bulkhead.inTime--;
            bulkhead.overdue++;
            bulkhead.overdueComputing += computes ? 1 : 0;
            if (!world.has(Mutant.HUNG_HANDLER_KEEPS_PLACE)) {
                bulkhead.leaving.add(this);
            }
            beginNext();
        }

        void end() {
            if (isOverdue) {
                bulkhead.overdue--;
                bulkhead.overdueComputing -= computes ? 1 : 0;
            } else {
                bulkhead.inTime--;
            }
            place.end();
            bulkhead.leaving.remove(this);
            beginNext();
        }
    }

    /// Begins as soon as `blueprint` has a place and it is the turn of `client`.
    ///
    /// @param what for people
    void submit(String blueprint, String client, String what, Consumer<Run> begin) {
        var bulkhead = bulkheads.computeIfAbsent(blueprint, Bulkhead::new);
        bulkhead.queue.add(client, new Waiting(what, begin));
        beginNext();
    }

    private void beginNext() {
        if (!orchestrator.isAlive()) {
            return;
        }
        for (var bulkhead : bulkheads.values()) {
            bulkhead.leaving.removeIf(run -> run.place.abandon());
            while (!bulkhead.queue.isEmpty() && bulkhead.share.mayBegin()) {
                bulkhead.queue.take().begin().accept(new Run(bulkhead));
            }
            if (!bulkhead.queue.isEmpty()) {
                judge(bulkhead);
            }
        }
    }

    private void judge(Bulkhead bulkhead) {
        var obstacle = bulkhead.share.obstacle().orElseThrow();
        var first = bulkhead.queue.first().what();
        var isNamed =
                obstacle.contains("'" + bulkhead.blueprint + "'") && obstacle.endsWith(REMEDY);
        if (bulkhead.isLost() != isNamed) {
            throw world.failure(
                    "of the handlers of "
                            + bulkhead.blueprint
                            + " "
                            + bulkhead.overdue
                            + " never end, by "
                            + places
                            + (bulkhead.isLost() ? " too many" : " few enough")
                            + ", and of "
                            + first
                            + ", which waits, is given: "
                            + obstacle);
        }
        if (bulkhead.inTime == 0 && !bulkhead.isLost()) {
            throw world.failure(
                    first
                            + " waits for a place, and no handler of its blueprint is within its time: "
                            + obstacle);
        }
        if (isNamed && !operatorComes) {
            operatorComes = true;
            world.note("operator", obstacle);
            world.loop().after(OPERATOR_COMES_AFTER, this::lookAgain);
        }
    }

    private void lookAgain() {
        operatorComes = false;
        if (orchestrator.isAlive()
                && bulkheads.values().stream().anyMatch(it -> !it.queue.isEmpty() && it.isLost())) {
            restart.run();
        }
    }
}
