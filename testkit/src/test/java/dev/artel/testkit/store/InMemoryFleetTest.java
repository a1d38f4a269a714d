package dev.artel.testkit.store;

import dev.artel.kernel.fleet.Fleet;

final class InMemoryFleetTest implements FleetContract {
    private final Fleet fleet = new InMemoryFleet();

    @Override
    public Fleet fleet() {
        return fleet;
    }
}
