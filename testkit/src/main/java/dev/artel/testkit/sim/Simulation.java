package dev.artel.testkit.sim;

import dev.artel.engine.core.Definitions;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// Plays a scenario: a whole orchestrator, workers, clients, network and disk in one thread and virtual time.
///
/// Real are the rules, the codec, all cores of the engine and the conversation with workers; the shell around them is
/// the simulation's own. First faults strike, and every promise is checked at every step; then faults stop, and
/// every job must end in bounded time.
public final class Simulation {
    private static final long ARRIVALS = 40_000;
    private static final long RECOVERED_AFTER = 3_600_000;
    private static final long MOST_STEPS = 3_000_000;

    private final World world;
    private final Definitions definitions;
    private final Ledger ledger;
    private final SimulatedStore store;
    private final SequencedMap<String, Blueprint> blueprints = new LinkedHashMap<>();
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private Orchestrator orchestrator;
    private long crashes;

    private Simulation(Scenario scenario, EventCodec codec) {
        world = new World(scenario);
        definitions = Definitions.of(this::blueprint);
        ledger = new Ledger(world, definitions, this::blueprint);
        store = new SimulatedStore(world, ledger, codec);
        var draw = new RandomBlueprints(world);
        for (var i = 0; i < 3; i++) {
            var blueprint = draw.draw("bp" + i, i);
            blueprints.put(blueprint.name(), blueprint);
        }
        orchestrator =
                new Orchestrator(world, store, ledger, blueprints, definitions, this::crashed);
        var wire = new Wire(world, () -> orchestrator);
        var count = (int) world.between(1, 4);
        for (var i = 0; i < count; i++) {
            var all = i == 0 || world.chance(0.5);
            var types = all ? RandomBlueprints.TYPES : List.of(world.pick(RandomBlueprints.TYPES));
            workers.add(
                    new SimulatedWorker(world, ledger, wire, i, types, (int) world.between(1, 4)));
        }
    }

    private Optional<Blueprint> blueprint(BlueprintRef ref) {
        return Optional.ofNullable(blueprints.get(ref.name()));
    }

    /// Plays `scenario`.
    ///
    /// @param codec what events and commands are written with
    /// @throws SimulationFailure if a promise is broken
    public static Tally run(Scenario scenario, EventCodec codec) {
        var simulation = new Simulation(scenario, codec);
        try {
            return simulation.play();
        } catch (SimulationFailure failure) {
            throw failure;
        } catch (RuntimeException | AssertionError bug) {
            throw simulation.world.failure("something threw " + bug, bug);
        }
    }

    private Tally play() {
        orchestrator.start();
        workers.forEach(worker -> world.loop().after(world.between(0, 1_000), worker::start));
        for (var i = 0; i < world.jobs(); i++) {
            var client =
                    new SimulatedClient(
                            world, () -> orchestrator, List.copyOf(blueprints.keySet()), i);
            clients.add(client);
            world.loop().after(world.between(0, ARRIVALS), client::submit);
        }
        world.loop().after(world.between(0, 5_000), this::mischief);
        world.loop().after(1_000, new SimulatedPerson(world, ledger, () -> orchestrator)::look);
        runUntil(ARRIVALS + world.between(0, 60_000));
        calmDown();
        runUntilClosed();
        runUntilQuiet();
        orchestrator.audit().checkAll();
        ledger.replayAll();
        ledger.checkFamilies();
        for (var client : clients) {
            client.job().ifPresent(ledger::submitted);
        }
        return tally();
    }

    // Time

    private void runUntil(long time) {
        while (world.loop().now() < time) {
            step();
        }
    }

    private void runUntilClosed() {
        var deadline = world.loop().now() + RECOVERED_AFTER;
        while (!ledger.isEverythingClosed()
                || !clients.stream().allMatch(SimulatedClient::isSettled)) {
            step();
            if (world.loop().now() > deadline) {
                throw world.failure(stuck());
            }
        }
    }

    private void runUntilQuiet() {
        var deadline = world.loop().now() + RECOVERED_AFTER;
        while (!orchestrator.isAlive() || !orchestrator.audit().isQuiet()) {
            step();
            if (world.loop().now() > deadline) {
                throw world.failure("messages go round and round");
            }
        }
    }

    private void step() {
        if (!world.loop().step() || world.loop().steps() > MOST_STEPS) {
            throw world.failure("it goes on for ever");
        }
    }

    private String stuck() {
        var text = new StringBuilder("jobs are stuck although all is well:");
        for (var id : ledger.open()) {
            var job = ledger.fold(id).orElseThrow();
            text.append("\n    ").append(id).append(" waits for ").append(Jobs.pending(job));
        }
        return text.append("\n    the desk: ").append(orchestrator.audit().view()).toString();
    }

    // Trouble

    private void crashed() {
        crashes++;
        var pause = world.isCalm() ? 100 : world.between(10, 15_000);
        world.loop()
                .after(
                        pause,
                        () -> {
                            world.note("orchestrator", "starts");
                            orchestrator =
                                    new Orchestrator(
                                            world,
                                            store,
                                            ledger,
                                            blueprints,
                                            definitions,
                                            this::crashed);
                            orchestrator.start();
                        });
    }

    private void mischief() {
        if (world.isCalm()) {
            return;
        }
        var busy = workers.stream().filter(SimulatedWorker::isBusy).toList();
        var worker = world.pick(busy.isEmpty() ? workers : busy);
        switch ((int) world.between(0, 6)) {
            case 0 -> {
                if (world.strikes(Trait.WORKERS_CRASH, 1)) {
                    worker.crash(world.between(100, 30_000));
                }
            }
            case 1 -> {
                if (world.strikes(Trait.WORKERS_FREEZE, 1)) {
                    worker.freeze(world.between(100, 90_000));
                }
            }
            case 2 -> {
                if (world.strikes(Trait.PARTITIONS, 1)) {
                    worker.cutOff(world.between(100, 90_000));
                }
            }
            case 3 -> {
                if (world.strikes(Trait.WORKERS_LEAVE, 1)) {
                    worker.leave();
                }
            }
            case 4 -> {
                if (world.strikes(Trait.STORE_FULL, 1)) {
                    store.fillUp(world.between(100, 10_000));
                }
            }
            case 5 -> {
                if (world.strikes(Trait.CLOCK_JUMPS, 1)) {
                    world.note("clock", "jumps");
                    world.jumpClock(world.between(-100_000, 100_000));
                    orchestrator.scheduleTick();
                }
            }
            default -> {
                if (world.strikes(Trait.ORCHESTRATOR_CRASHES, 0.3)) {
                    orchestrator.crash();
                }
            }
        }
        world.loop().after(world.between(100, 6_000), this::mischief);
    }

    private void calmDown() {
        world.note("world", "calms down");
        world.calmDown();
        workers.forEach(SimulatedWorker::calmDown);
    }

    private Tally tally() {
        var finished =
                ledger.jobs().stream()
                        .flatMap(id -> ledger.fold(id).stream())
                        .filter(job ->
                                job.phase() instanceof Job.Ended(JobOutcome.Finished _, var _))
                        .count();
        return new Tally(
                ledger.jobs().size(),
                finished,
                ledger.events(),
                store.appends(),
                world.loop().steps(),
                crashes,
                world.loop().now());
    }
}
