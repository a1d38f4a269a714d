package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.JobId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Grants that are not durable yet, with the asks and the offers that they answer. Single-threaded.
final class Grants {
    private final Map<LeaseToken, Reservation> reservations = new LinkedHashMap<>();

    /// Offers for which a grant is under way; they are neither queued nor granted again meanwhile.
    private final Set<QueuedTask.Key> granting = new LinkedHashSet<>();

    /// What a grant takes.
    ///
    /// @param taskRequest what it answers
    /// @param key the offer that it takes
    record Reservation(ConnectedWorker.TaskRequest taskRequest, QueuedTask.Key key) {}

    void begin(LeaseToken token, ConnectedWorker.TaskRequest taskRequest, QueuedTask.Key key) {
        taskRequest.reserved++;
        reservations.put(token, new Reservation(taskRequest, key));
        granting.add(key);
    }

    /// The grant is durable, or did not come to be. Null if it was not made here.
    @Nullable Reservation end(LeaseToken token) {
        var made = reservations.remove(token);
        if (made != null) {
            made.taskRequest.reserved--;
            withdraw(made.key);
        }
        return made;
    }

    boolean isUnderWay(QueuedTask.Key key) {
        return granting.contains(key);
    }

    void withdraw(QueuedTask.Key key) {
        granting.remove(key);
    }

    /// Looks at all that is under way, which is little: what the store has not answered yet.
    void withdrawAll(JobId job) {
        granting.removeIf(key -> key.job().equals(job));
    }

    boolean isReserved(LeaseToken token) {
        return reservations.containsKey(token);
    }

    int size() {
        return reservations.size();
    }
}
