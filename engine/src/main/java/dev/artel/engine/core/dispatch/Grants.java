package dev.artel.engine.core.dispatch;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.job.JobId;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Grants that are not durable yet, with the asks and the offers that they answer. Single-threaded.
final class Grants {
    private final Map<LeaseToken, Desk.Ask> reservations = new LinkedHashMap<>();

    /// Offers for which a grant is under way; they are neither queued nor granted again meanwhile.
    private final Map<QueuedTask.Key, LeaseToken> granting = new LinkedHashMap<>();

    private final Map<LeaseToken, QueuedTask.Key> grantOf = new LinkedHashMap<>();

    void begin(LeaseToken token, Desk.Ask ask, QueuedTask.Key key) {
        ask.reserved.add(token);
        ask.desk.review(ask);
        reservations.put(token, ask);
        granting.put(key, token);
        grantOf.put(token, key);
    }

    /// The ask for which `token` was reserved; null if it was not made here.
    Desk.@Nullable Ask end(LeaseToken token) {
        var ask = reservations.remove(token);
        if (ask != null) {
            ask.reserved.remove(token);
            ask.desk.review(ask);
        }
        return ask;
    }

    QueuedTask.@Nullable Key forget(LeaseToken token) {
        var key = grantOf.remove(token);
        if (key != null) {
            granting.remove(key);
        }
        return key;
    }

    boolean isUnderWay(QueuedTask.Key key) {
        return granting.containsKey(key);
    }

    void withdraw(QueuedTask.Key key) {
        granting.remove(key);
    }

    void withdrawAll(JobId job) {
        granting.keySet().removeIf(key -> key.job().equals(job));
    }

    boolean isReserved(LeaseToken token) {
        return reservations.containsKey(token);
    }

    int size() {
        return reservations.size();
    }
}
