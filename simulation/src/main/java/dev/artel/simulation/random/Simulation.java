package dev.artel.simulation.random;

import dev.artel.engine.core.watch.Stall;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.store.EventCodec;
import dev.artel.protocol.Costs;
import dev.artel.protocol.Limits;
import dev.artel.protocol.Profile;
import dev.artel.protocol.Resources;
import dev.artel.protocol.Skill;
import dev.artel.simulation.card.ScenarioCards;
import dev.artel.simulation.disk.Copying;
import dev.artel.simulation.function.ScenarioFunctions;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.orchestrator.OrchestratorHost;
import dev.artel.simulation.workers.FaultInjector;
import dev.artel.simulation.workers.SimulatedWorker;
import dev.artel.simulation.workers.Strangers;
import dev.artel.simulation.workers.Wire;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Plays a scenario: a whole orchestrator, workers, clients, network and disk in one thread and virtual time.
///
/// Real are the rules, the codec, all cores of the engine and the conversation with workers; the shell around them is
/// the simulation's own. First faults strike, and every promise is checked at every step; then faults stop, and
/// every job must end in bounded time.
public final class Simulation {
    private static final long ARRIVALS = 40_000;
    private static final long RECOVERED_AFTER = 3_600_000;
    private static final String WET = "wet";
    private static final long MOST_STEPS = 3_000_000;

    private final World world;
    private final OrchestratorHost orchestratorHost;
    private final Ledger ledger;
    private final SequencedMap<String, Blueprint> blueprints = new LinkedHashMap<>();

    /// The blueprints that are no functions.
    private final List<String> states;

    private final ScenarioFunctions functions;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();

    private Simulation(Scenario scenario, EventCodec codec) {
        world = new World(scenario);
        var draw = new RandomBlueprints(world);
        for (var i = 0; i < 3; i++) {
            var blueprint = draw.draw("bp" + i, i);
            blueprints.put(blueprint.name(), blueprint);
        }
        states = List.copyOf(blueprints.keySet());
        functions = new ScenarioFunctions(world, RandomBlueprints.TYPES, List.of(states.getLast()));
        functions.blueprints().forEach(function -> blueprints.put(function.name(), function));
        var cards = new ScenarioCards(world, RandomBlueprints.TYPES);
        cards.blueprints().forEach(card -> blueprints.put(card.name(), card));
        orchestratorHost =
                new OrchestratorHost(
                        world,
                        Copying.with(codec),
                        blueprints,
                        (there, judge) -> new RandomHandling(there, judge, functions, cards));
        ledger = orchestratorHost.ledger();
        var wire = new Wire(world, orchestratorHost::orchestrator);
        var count = (int) world.between(1, 4);
        for (var i = 0; i < count; i++) {
            var all = i == 0 || world.chance(0.5);
            var types = all ? RandomBlueprints.TYPES : List.of(world.pick(RandomBlueprints.TYPES));
            workers.add(worker(wire, i, types, (int) world.between(1, 4)));
        }
        if (world.has(Trait.AGENTS)) {
            workers.add(agent(wire));
        }
    }

    private SimulatedWorker agent(Wire wire) {
        var agent =
                new SimulatedWorker(
                        orchestratorHost,
                        wire,
                        new WorkerId("agent"),
                        SimulatedWorker.Kind.AGENT,
                        profile(RandomBlueprints.TYPES, 1 + world.random(Trait.AGENTS).nextInt(3)),
                        List.of(),
                        new RandomScript(world));
        agent.joinsByBroker(orchestratorHost::orchestrator, orchestratorHost.idleLeases());
        return agent;
    }

    /// A second process of a worker that names its processes.
    private void startTwin(Wire wire) {
        var random = world.random(Trait.TWINS);
        var twin =
                new SimulatedWorker(
                        orchestratorHost,
                        wire,
                        workers.getFirst().id(),
                        SimulatedWorker.Kind.LISTS,
                        profile(RandomBlueprints.TYPES, 1 + random.nextInt(3)),
                        List.of(),
                        new RandomScript(world));
        world.loop()
                .after(
                        random.nextLong(ARRIVALS),
                        () -> {
                            world.note("world", "starts a twin of " + twin.id());
                            twin.isTwin(random.nextLong(5_000, 90_000));
                        });
    }

    private Profile profile(List<String> types, int capacity) {
        return new Profile(
                types.stream().map(this::skill).toList(),
                new Limits(capacity, new LinkedHashMap<>()),
                Resources.UNKNOWN,
                List.of(),
                Costs.UNKNOWN,
                new LinkedHashMap<>());
    }

    /// One that chance has equipped.
    private SimulatedWorker worker(Wire wire, int number, List<String> types, int capacity) {
        var profile =
                new Profile(
                        types.stream().map(this::skill).toList(),
                        new Limits(capacity, categories(capacity)),
                        Resources.UNKNOWN,
                        List.of(),
                        Costs.UNKNOWN,
                        new LinkedHashMap<>());
        var kind = world.pick(SimulatedWorker.Kind.CONNECTED);
        var worker =
                new SimulatedWorker(
                        orchestratorHost,
                        wire,
                        new WorkerId("w" + number),
                        kind,
                        profile,
                        List.of(),
                        new RandomScript(world));
        if (world.has(Trait.PUSHED) && world.random(Trait.PUSHED).nextInt(3) > 0) {
            worker.joinsByPush(orchestratorHost::orchestrator);
        }
        return worker;
    }

    /// Where tasks are pushed, two types are of one category.
    private Skill skill(String type) {
        return world.has(Trait.PUSHED) && !type.equals(RandomBlueprints.TYPES.getLast())
                ? new Skill(type, WET, null)
                : new Skill(type);
    }

    private SequencedMap<String, Integer> categories(int capacity) {
        var limits = new LinkedHashMap<String, Integer>();
        if (world.has(Trait.PUSHED) && world.random(Trait.PUSHED).nextBoolean()) {
            limits.put(WET, 1 + world.random(Trait.PUSHED).nextInt(capacity));
        }
        return limits;
    }

    /// Plays `scenario`.
    ///
    /// @param codec what events and commands are written with
    /// @throws SimulationFailure if a promise is broken
    public static RunStats run(Scenario scenario, EventCodec codec) {
        var simulation = new Simulation(scenario, codec);
        try {
            return simulation.play();
        } catch (SimulationFailure failure) {
            throw failure;
        } catch (RuntimeException | AssertionError bug) {
            throw simulation.world.failure("something threw " + bug, bug);
        }
    }

    /// Plays `scenario` with nobody who judges but the watch over stuck jobs.
    ///
    /// @return what is believed to be stuck
    public static List<String> watch(Scenario scenario, EventCodec codec) {
        var simulation = new Simulation(scenario, codec);
        simulation.world.watchOnly();
        try {
            var _ = simulation.play();
        } catch (RuntimeException | AssertionError end) {
            simulation.world.note("simulation", end);
        }
        return simulation.world.stalls().stream().map(Stall::toString).toList();
    }

    /// Whether some jobs of `scenario` never end, although all is well in the end.
    public static boolean hangs(Scenario scenario, EventCodec codec) {
        var simulation = new Simulation(scenario, codec);
        simulation.world.watchOnly();
        try {
            var _ = simulation.play();
            return false;
        } catch (SimulationFailure failure) {
            return failure.finding().contains(OrchestratorHost.STUCK);
        } catch (RuntimeException | AssertionError other) {
            return false;
        }
    }

    /// No thread of a function is left.
    private RunStats play() {
        try {
            return playToTheEnd();
        } finally {
            functions.forget();
        }
    }

    private RunStats playToTheEnd() {
        orchestratorHost.orchestrator().start();
        workers.forEach(worker -> world.loop().after(world.between(0, 1_000), worker::start));
        for (var i = 0; i < world.jobs(); i++) {
            var client = new SimulatedClient(world, orchestratorHost::orchestrator, states, i);
            clients.add(client);
            world.loop().after(world.between(0, ARRIVALS), client::submit);
        }
        world.loop()
                .after(
                        world.between(0, 5_000),
                        new FaultInjector(orchestratorHost, workers)::strike);
        if (world.has(Trait.TWINS)) {
            startTwin(new Wire(world, orchestratorHost::orchestrator));
        }
        if (world.has(Trait.STRANGERS)) {
            var strangers = new Strangers(world, orchestratorHost::orchestrator, workers);
            world.loop().after(1_000, strangers::act);
        }
        if (world.has(Trait.LIMITS_CONFIGURED)) {
            var at = world.random(Trait.LIMITS_CONFIGURED).nextLong(2 * ARRIVALS);
            world.loop().after(at, orchestratorHost::changeSettings);
        }
        world.loop()
                .after(
                        1_000,
                        new SimulatedPerson(world, ledger, orchestratorHost::orchestrator)::look);
        runUntil(ARRIVALS + world.between(0, 60_000));
        calmDown();
        // Requests of those who have given up may wait in a process that stands still.
        runUntil(orchestratorHost.orchestrator().stillUntil() + 1_000);
        runUntilClosed();
        runUntilQuiet();
        orchestratorHost.orchestrator().audit().checkAll();
        ledger.replayAll();
        ledger.checkFamilies();
        for (var client : clients) {
            client.job().ifPresent(ledger.acknowledged()::submitted);
        }
        return tally();
    }

    // Time

    private void runUntil(long time) {
        while (world.loop().now() < time) {
            step();
        }
    }

    /// Jobs whose children have children wait for one after another: nothing is stuck as long as something happens.
    private void runUntilClosed() {
        var appends = orchestratorHost.store().appends();
        var deadline = world.loop().now() + RECOVERED_AFTER;
        while (!ledger.isEverythingClosed()
                || !clients.stream().allMatch(SimulatedClient::isSettled)) {
            step();
            if (appends != orchestratorHost.store().appends()) {
                appends = orchestratorHost.store().appends();
                deadline = world.loop().now() + RECOVERED_AFTER;
            }
            if (world.loop().now() > deadline) {
                throw world.failure(orchestratorHost.stuck());
            }
        }
    }

    private void runUntilQuiet() {
        var deadline = world.loop().now() + RECOVERED_AFTER;
        while (!orchestratorHost.orchestrator().isAlive()
                || !orchestratorHost.orchestrator().audit().isQuiet()) {
            step();
            if (world.loop().now() > deadline) {
                throw world.failure("messages go round and round");
            }
        }
    }

    private void step() {
        if (!world.loop().step() || world.loop().steps() > MOST_STEPS) {
            throw world.failure("it goes on forever");
        }
    }

    private void calmDown() {
        world.note("world", "calms down");
        world.calmDown();
        workers.forEach(SimulatedWorker::calmDown);
        orchestratorHost.findDefinitions();
    }

    private RunStats tally() {
        var finished =
                ledger.jobs().stream()
                        .flatMap(id -> ledger.fold(id).stream())
                        .filter(job ->
                                job.phase() instanceof Job.Ended(JobOutcome.Finished _, var _))
                        .count();
        return new RunStats(
                ledger.jobs().size(),
                finished,
                ledger.events(),
                orchestratorHost.store().appends(),
                world.loop().steps(),
                orchestratorHost.crashes(),
                world.loop().now());
    }
}
