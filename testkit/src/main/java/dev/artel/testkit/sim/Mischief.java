package dev.artel.testkit.sim;

import java.util.List;

/// Faults that strike now and again, until the world is calm.
final class Mischief {
    private final Site site;
    private final List<SimulatedWorker> workers;

    Mischief(Site site, List<SimulatedWorker> workers) {
        this.site = site;
        this.workers = workers;
    }

    void strike() {
        var world = site.world();
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
                    site.store().fillUp(world.between(100, 10_000));
                }
            }
            case 5 -> {
                if (world.strikes(Trait.CLOCK_JUMPS, 1)) {
                    jumpClock(world.between(-100_000, 100_000));
                }
            }
            case 6 -> {
                if (world.strikes(Trait.DEFINITIONS_MISSING, 0.5)) {
                    var names = List.copyOf(site.blueprints().keySet());
                    site.restartWithout(world.pick(names), world.between(10, 60_000));
                }
            }
            case 7 -> {
                if (world.strikes(Trait.ORCHESTRATOR_STANDS_STILL, 1)) {
                    site.orchestrator().standStill(world.between(4_500, 150_000));
                }
            }
            default -> {
                if (world.strikes(Trait.ORCHESTRATOR_CRASHES, 0.3)) {
                    site.crash();
                }
            }
        }
        world.loop().after(world.between(100, 6_000), this::strike);
    }

    void jumpClock(long millis) {
        site.world().note("clock", "jumps");
        site.world().jumpClock(millis);
        site.orchestrator().scheduleTick();
    }
}
