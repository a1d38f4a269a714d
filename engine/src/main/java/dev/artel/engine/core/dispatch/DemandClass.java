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
    final TypeFacts facts;
    final WorkerSet[] sets;
    final WorkerSet room;
    final Measure[] measures;

    /// The workers that every criterion admits.
    final WorkerSet fits = new WorkerSet();

    /// Those that offered the type when their profile was last looked at.
    private final WorkerSet near = new WorkerSet();

    /// Whether the profile of a worker near has changed since [#misses] was found out.
    boolean hasNews = true;

    /// Where it stands among the classes of its type that have tasks; -1 if it has none.
    int slot = -1;

    // What was found out, and the version of the floor for which it is true.

    int[] refusedByProfile = new int[0];
    long refusedAt = -1;
    List<Miss> misses = List.of();
    @Nullable WaitReason reason;
    long reasonAt = -1;

    /// What the tasks of a class have in common.
    ///
    /// @param client whose they are
    /// @param failedOn the workers on which they have failed
    /// @param warmOnly whether they wait for a warm worker now
    record Key(
            String type, Demand demand, String client, List<WorkerId> failedOn, boolean warmOnly) {}

    DemandClass(Key key, Floor floor) {
        this.key = key;
        facts = floor.type(key.type());
        criteria =
                Criterion.of(
                        key.type(), key.demand(), key.client(), key.failedOn(), key.warmOnly());
        sets = criteria.stream().map(it -> floor.criterion(it, facts)).toArray(WorkerSet[]::new);
        room = floor.room(key.demand().category(), facts);
        measures = Measure.of(key);
        for (var at = 0; at < floor.words(); at++) {
            var fit = floor.present.word(at);
            for (var i = 0; fit != 0 && i < sets.length; i++) {
                fit &= sets[i].word(at);
            }
            fits.word(at, fit);
            near.word(at, floor.present.word(at) & facts.offering.word(at));
        }
    }

    /// After a change of the profile at `place`.
    void update(int place, boolean isPresent) {
        var wasNear = near.has(place);
        var isNear = isPresent && facts.offering.has(place);
        if (!wasNear && !isNear) {
            return;
        }
        near.put(place, isNear);
        hasNews = true;
        var fit = isNear;
        for (var i = 1; fit && i < sets.length; i++) {
            fit = sets[i].has(place);
        }
        fits.put(place, fit);
    }

    /// The first criterion that the worker at `place` does not meet, which does not fit.
    Criterion firstUnmet(int place) {
        for (var i = 0; i < sets.length; i++) {
            if (!sets[i].has(place)) {
                return criteria.get(i);
            }
        }
        throw new IllegalStateException("the worker at place " + place + " meets all criteria");
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
