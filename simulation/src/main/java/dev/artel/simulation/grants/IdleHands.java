package dev.artel.simulation.grants;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.placement.Demand;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// Judges whether a task waits although a worker asks that could take it, and no limit is in the way. Tasks that demand more of
/// a worker than their type may wait for another one, and are not judged.
final class IdleHands {
    private static final Duration LONGEST = Duration.ofSeconds(3);

    /// So many tasks of a type are looked at for one that a worker could take.
    private static final int MOST_LOOKED_AT = 64;

    private final World world;
    private final Throttle throttle;
    private final Map<String, SequencedSet<CoordinatorMirror.Waiting>> waiting = new HashMap<>();
    private final Map<WorkerId, Idle> idle = new HashMap<>();

    private record Idle(CoordinatorMirror.Waiting task, Instant since) {}

    IdleHands(World world, Throttle throttle) {
        this.world = world;
        this.throttle = throttle;
    }

    void comes(CoordinatorMirror.Waiting task) {
        waiting.computeIfAbsent(task.offer.outline().type(), _ -> new LinkedHashSet<>()).add(task);
    }

    void goes(CoordinatorMirror.Waiting task) {
        var alike = waiting.get(task.offer.outline().type());
        if (alike != null) {
            alike.remove(task);
        }
    }

    /// The coordinator has ticked.
    ///
    /// @param steady by the clock that never jumps
    void look(CoordinatorMirror mirror, Instant now, Instant steady) {
        mirror.seats()
                .forEach((worker, seat) -> {
                    var task = seat.isReady() ? taskFor(worker, seat, now) : null;
                    if (task == null) {
                        idle.remove(worker);
                        return;
                    }
                    var before = idle.get(worker);
                    if (before == null || before.task != task) {
                        idle.put(worker, new Idle(task, steady));
                    } else if (before.since.plus(LONGEST).isBefore(steady)) {
                        throw world.failure(
                                "since "
                                        + before.since
                                        + " worker "
                                        + worker
                                        + " asks and has room for "
                                        + task.offer
                                        + " of job "
                                        + task.key.job());
                    }
                });
    }

    private CoordinatorMirror.@Nullable Waiting taskFor(
            WorkerId worker, CoordinatorMirror.Seat seat, Instant now) {
        if (seat.condition() != Availability.READY) {
            return null;
        }
        for (var type : seat.types()) {
            var looked = 0;
            for (var task : waiting.getOrDefault(type, new LinkedHashSet<>(0))) {
                if (looked++ == MOST_LOOKED_AT) {
                    break;
                }
                if (task.offer.outline().demand().equals(Demand.NONE)
                        && !task.offer.notBefore().isAfter(now)
                        && !task.offer.failedOn().contains(worker)
                        && seat.hasRoomFor(type)
                        && throttle.closed(task.offer.outline()) == null) {
                    return task;
                }
            }
        }
        return null;
    }
}
