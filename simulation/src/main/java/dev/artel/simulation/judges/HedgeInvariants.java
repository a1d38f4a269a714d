package dev.artel.simulation.judges;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Task;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.List;

/// The part of the [Ledger] that judges how many workers are at a task.
public final class HedgeInvariants {
    private final World world;

    HedgeInvariants(World world) {
        this.world = world;
    }

    /// The leases that live: one, or two of a task that is hedged.
    public static List<Lease> leases(Task task) {
        var leases = new ArrayList<Lease>();
        if (task.state() instanceof Task.Open(Attempt.Held first, int _, var _)) {
            leases.add(first.lease());
        }
        Hedge.lease(task).ifPresent(leases::add);
        return leases;
    }

    /// Two leases at most, at two workers, and only where the task asks for that.
    void granted(Task before, JobEvent.LeaseGranted granted) {
        var live = leases(before);
        if (live.isEmpty()) {
            return;
        }
        var isSecond = live.size() == 1 && Hedge.queued(before).isPresent();
        if (!isSecond
                || before.spec().hedgedAfter().isEmpty()
                || !before.spec().idempotent()
                || live.getFirst().worker().equals(granted.lease().worker())
                || live.getFirst().attempt() == granted.lease().attempt()) {
            throw world.failure("there is a live lease already, " + live + ": " + granted);
        }
    }

    void begun(Task before, JobEvent.HedgeBegun begun) {
        if (leases(before).size() != 1 || before.spec().hedgedAfter().isEmpty()) {
            throw world.failure(leases(before) + " is live, and then comes " + begun);
        }
    }

    void dropped(Task before, JobEvent.AttemptDropped dropped) {
        if (leases(before).size() != 2 || !isLive(before, dropped.token())) {
            throw world.failure(leases(before) + " are live, and then comes " + dropped);
        }
    }

    /// The only one that lives must be meant.
    void ended(Task before, LeaseToken token, JobEvent event) {
        if (leases(before).size() != 1 || !isLive(before, token)) {
            throw world.failure(leases(before) + " is live, and then comes " + event);
        }
    }

    public static boolean isLive(Task task, LeaseToken token) {
        return leases(task).stream().anyMatch(lease -> lease.token().equals(token));
    }

    /// Whether an attempt was given up because its worker reported it.
    static boolean wasReported(JobEvent.AttemptDropped dropped) {
        return !dropped.lingers()
                && dropped.again().isEmpty()
                && !dropped.reason().contains(" was lost ");
    }
}
