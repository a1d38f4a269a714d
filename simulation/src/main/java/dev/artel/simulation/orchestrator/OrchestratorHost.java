package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.Definitions;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Jobs;
import dev.artel.simulation.disk.Copying;
import dev.artel.simulation.disk.SimulatedStore;
import dev.artel.simulation.judges.IdleLeases;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.Sharing;
import dev.artel.simulation.world.World;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/// Where an orchestrator lives in a simulated world: what outlives its process, and the process that is there now.
public final class OrchestratorHost {
    public static final String STUCK = "jobs are stuck although all is well:";

    private final World world;
    private final Sharing sharing;
    private final Ledger ledger;
    private final SimulatedStore store;
    private final Map<String, Blueprint> blueprints;
    private final Definitions definitions;
    private final Set<String> missing = new HashSet<>();
    private final Handling handling;
    private final Map<WorkerId, JsonObject> registrations = new LinkedHashMap<>();
    private final IdleLeases idleLeases;
    private SimulatedOrchestrator orchestrator;
    private long crashes;

    /// @param handling makes it of the world and the ledger
    public OrchestratorHost(
            World world,
            Copying copying,
            Map<String, Blueprint> blueprints,
            BiFunction<World, Ledger, Handling> handling) {
        this.world = world;
        this.blueprints = blueprints;
        idleLeases = new IdleLeases(world);
        definitions = Definitions.of(ref -> blueprint(ref).filter(it -> isThere(it.name())));
        sharing = new Sharing(world);
        ledger = new Ledger(world, Definitions.of(this::blueprint), this::blueprint, sharing);
        store = new SimulatedStore(world, ledger, copying, this::crash);
        this.handling = handling.apply(world, ledger);
        orchestrator = new SimulatedOrchestrator(this, this::crashed);
    }

    private Optional<Blueprint> blueprint(BlueprintRef ref) {
        return Optional.ofNullable(blueprints.get(ref.name()));
    }

    public World world() {
        return world;
    }

    /// How workers are shared.
    Sharing sharing() {
        return sharing;
    }

    /// The settings are read again, and have changed.
    public void changeSettings() {
        sharing.change();
        world.note("site", "reads " + sharing.settings());
        if (orchestrator.isAlive()) {
            orchestrator.put(new CoordinatorInput.Configured(sharing.settings()));
        }
    }

    public Ledger ledger() {
        return ledger;
    }

    public SimulatedStore store() {
        return store;
    }

    public Map<String, Blueprint> blueprints() {
        return blueprints;
    }

    /// What the orchestrator finds at this moment.
    Definitions definitions() {
        return definitions;
    }

    /// Whether the orchestrator finds the definition `blueprint`.
    boolean isThere(String blueprint) {
        return blueprints.containsKey(blueprint) && !missing.contains(blueprint);
    }

    /// The orchestrator is started anew without `blueprint`, which comes after `millis`.
    public void restartWithout(String blueprint, long millis) {
        world.note("site", "loses " + blueprint);
        crash();
        missing.add(blueprint);
        world.loop().after(millis, this::findDefinitions);
    }

    /// Definitions that were missing come.
    public void findDefinitions() {
        if (!missing.isEmpty()) {
            world.note("site", "finds " + missing);
            missing.clear();
            orchestrator.definitionsCame();
        }
    }

    /// The registrations of workers, as the disk knows it.
    Map<WorkerId, JsonObject> registrations() {
        return registrations;
    }

    /// Who judges the leases of those that report none.
    public IdleLeases idleLeases() {
        return idleLeases;
    }

    public Handling handling() {
        return handling;
    }

    /// The process that is there now; a dead one until the next has started.
    public SimulatedOrchestrator orchestrator() {
        return orchestrator;
    }

    public long crashes() {
        return crashes;
    }

    public void crash() {
        orchestrator.crash();
    }

    private void crashed() {
        crashes++;
        handling.forget();
        var pause = world.isCalm() ? 100 : world.between(10, 15_000);
        world.loop()
                .after(
                        pause,
                        () -> {
                            world.note("orchestrator", "starts");
                            orchestrator = new SimulatedOrchestrator(this, this::crashed);
                            orchestrator.start();
                        });
    }

    public String stuck() {
        var text = new StringBuilder(STUCK);
        for (var id : ledger.open()) {
            var job = ledger.fold(id).orElseThrow();
            text.append("\n    ").append(id).append(" waits for ").append(Jobs.pending(job));
        }
        return text.append("\n    the coordinator: ")
                .append(orchestrator.audit().view())
                .toString();
    }
}
