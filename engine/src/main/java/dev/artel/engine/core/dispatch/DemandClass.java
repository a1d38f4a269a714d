package dev.artel.engine.core.dispatch;

import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.placement.Criterion;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.Miss;
import dev.artel.kernel.placement.WaitReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All queued tasks that ask the same of a worker, and the workers whose profile has it. Single-threaded.
final class DemandClass {
    final Key key;
    final TaskQueue queue = new TaskQueue();
    final List<Criterion> criteria;
    final Floor.Room roomKey;
    final TypeFacts facts;
    final WorkerSet[] sets;
    final WorkerSet room;
    final Measure[] measures;

    /// The workers that every criterion admits.
    final WorkerSet fits = new WorkerSet();

    /// Where it stands among the classes of its type that have tasks; -1 if it has none.
    int slot = -1;

    // What was found out, and the version of the floor for which it is true.

    int[] refusedByProfile = new int[0];
    long refusedAt = -1;
    List<Miss> misses = List.of();
    long missesAt = -1;
    @Nullable WaitReason reason;
    long reasonAt = -1;

    /// What the tasks of a class have in common.
    ///
    /// @param failedOn the workers on which they have failed
    /// @param warmOnly whether they wait for a warm worker now
    record Key(String type, Demand demand, List<WorkerId> failedOn, boolean warmOnly) {}

    DemandClass(Key key, Floor floor) {
        this.key = key;
        criteria = Criterion.of(key.type(), key.demand(), key.failedOn(), key.warmOnly());
        sets = criteria.stream().map(it -> floor.criterion(it).set).toArray(WorkerSet[]::new);
        roomKey = new Floor.Room(key.type(), key.demand().category());
        room = floor.room(roomKey).set;
        facts = floor.type(key.type());
        measures = Measure.of(key);
        for (var desk : floor.desks().values()) {
            update(desk.place, desk.profile() != null);
        }
    }

    void release(Floor floor) {
        criteria.forEach(floor::release);
        floor.release(roomKey);
        floor.release(facts);
    }

    /// After a change of the profile at `place`.
    void update(int place, boolean isPresent) {
        var fit = isPresent;
        for (var i = 0; fit && i < sets.length; i++) {
            fit = sets[i].has(place);
        }
        fits.put(place, fit);
    }

    /// Whether the worker at `place`, which is ready, takes a task.
    boolean isServedBy(int place) {
        return fits.has(place) && !room.has(place);
    }

    /// The workers among the 64 from `64 * at` on that take a task now.
    long takers(Floor floor, int at) {
        return floor.ready.word(at) & fits.word(at) & ~room.word(at);
    }
}
