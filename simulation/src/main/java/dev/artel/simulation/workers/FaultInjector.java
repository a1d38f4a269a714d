package dev.artel.simulation.workers;

import dev.artel.simulation.orchestrator.OrchestratorHost;
import dev.artel.simulation.world.Trait;
import java.util.List;

/// Faults that strike now and again, until the world is calm.
public final class FaultInjector {
    /// Within this many milliseconds a clock that jumps looks like one that goes on.
    private static final long SMALL_JUMP = 2_900;

    private static final long LARGE_JUMP = 100_000;

    private final OrchestratorHost orchestratorHost;
    private final List<SimulatedWorker> workers;

    public FaultInjector(OrchestratorHost orchestratorHost, List<SimulatedWorker> workers) {
        this.orchestratorHost = orchestratorHost;
        this.workers = workers;
    }

    public void strike() {
        var world = orchestratorHost.world();
        if (world.isCalm()) {
            return;
        }
        var busy = workers.stream().filter(SimulatedWorker::isBusy).toList();
        var worker = world.pick(busy.isEmpty() ? workers : busy);
        switch ((int) world.between(0, 8)) {
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
                    orchestratorHost.store().fillUp(world.between(100, 10_000));
                }
            }
            case 5 -> {
                if (world.strikes(Trait.CLOCK_JUMPS, 1)) {
                    var most = world.chance(0.5) ? SMALL_JUMP : LARGE_JUMP;
                    jumpClock(world.between(-most, most));
                }
            }
            case 6 -> {
                if (world.strikes(Trait.DEFINITIONS_MISSING, 0.5)) {
                    var names = List.copyOf(orchestratorHost.blueprints().keySet());
                    orchestratorHost.restartWithout(world.pick(names), world.between(10, 60_000));
                }
            }
            case 7 -> {
                if (world.strikes(Trait.ORCHESTRATOR_STANDS_STILL, 1)) {
                    orchestratorHost.orchestrator().standStill(world.between(4_500, 150_000));
                }
            }
            default -> {
                if (world.strikes(Trait.ORCHESTRATOR_CRASHES, 0.3)) {
                    orchestratorHost.crash();
                }
            }
        }
        world.loop().after(world.between(100, 6_000), this::strike);
    }

    public void jumpClock(long millis) {
        orchestratorHost.world().note("clock", "jumps");
        orchestratorHost.world().jumpClock(millis);
        orchestratorHost.orchestrator().scheduleTick();
    }
}
