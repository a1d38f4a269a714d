package dev.artel.engine.core.dispatch;

import dev.artel.kernel.fleet.WorkerProfile;
import java.util.Arrays;

/// What the workers have to do with one task type, by their places. Single-threaded.
final class TypeFacts {
    final String type;
    final WorkerSet warm = new WorkerSet();

    /// How many classes use this.
    int users;

    /// Who was chosen last.
    int last = -1;

    private double[] costs = new double[0];

    TypeFacts(String type) {
        this.type = type;
    }

    void update(int place, WorkerProfile profile) {
        if (place >= costs.length) {
            costs = Arrays.copyOf(costs, Math.max(place + 1, costs.length * 2));
        }
        costs[place] = profile.costOf(type);
        warm.put(place, profile.skills().isWarmFor(type));
    }

    double cost(int place) {
        return costs[place];
    }
}
