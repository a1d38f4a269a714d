package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/// How many tasks may wait in memory: of one client half of what others leave. A job that has more of them is remembered alone, and asked for them
/// again when others of its client have gone. Single-threaded.
final class QueueRoom {
    /// A client's jobs are asked again when this part of its share is free: each has to look at all of its tasks.
    private static final int CHUNK = 8;

    private final int most;
    private final Map<String, Integer> waiting = new LinkedHashMap<>();
    private final Map<String, SequencedSet<JobId>> postponed = new LinkedHashMap<>();

    /// Of each postponed job its client.
    private final Map<JobId, String> clients = new LinkedHashMap<>();

    private int all;

    /// @param most how many tasks may wait
    QueueRoom(int most) {
        this.most = most;
    }

    /// Whether one more task of `client` may wait.
    boolean hasRoom(String client) {
        return of(client) < share(client);
    }

    private int share(String client) {
        return (most - (all - of(client))) / 2;
    }

    /// How many tasks of `client` wait.
    int of(String client) {
        return waiting.getOrDefault(client, 0);
    }

    void add(String client) {
        waiting.merge(client, 1, Integer::sum);
        all++;
    }

    void remove(String client) {
        waiting.computeIfPresent(client, (_, own) -> own == 1 ? null : own - 1);
        all--;
    }

    /// How many tasks wait.
    int size() {
        return all;
    }

    /// `job` of `client` has tasks for which there is no room.
    void postpone(JobId job, String client) {
        if (clients.putIfAbsent(job, client) == null) {
            postponed.computeIfAbsent(client, _ -> new LinkedHashSet<>()).add(job);
        }
    }

    /// `job` says now which tasks of it wait, or has none.
    void forget(JobId job) {
        var client = clients.remove(job);
        var ofClient = client == null ? null : postponed.get(client);
        if (ofClient != null && ofClient.remove(job) && ofClient.isEmpty()) {
            postponed.remove(client);
        }
    }

    /// Whether there may be tasks of `job` for which there was no room.
    boolean isPostponed(JobId job) {
        return clients.containsKey(job);
    }

    /// Whose job `job` is, if there may be tasks of it for which there was no room.
    Optional<String> clientOfPostponed(JobId job) {
        return Optional.ofNullable(clients.get(job));
    }

    /// One job of each client for whose tasks there is room now. It is named again until it is forgotten, after the others of its client.
    List<JobId> next() {
        var jobs = new ArrayList<JobId>();
        postponed.forEach((client, ofClient) -> {
            var share = share(client);
            if (of(client) + Math.max(1, share / CHUNK) <= share) {
                var job = ofClient.removeFirst();
                ofClient.addLast(job);
                jobs.add(job);
            }
        });
        return jobs;
    }
}
