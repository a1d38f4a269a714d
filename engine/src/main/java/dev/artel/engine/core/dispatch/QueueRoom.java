package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// How many tasks may wait in memory: those of one client have half of the places that others leave. A task takes one, and a job with tasks that wait two more, since
/// what is kept of a job alone takes as much as two tasks. A job that has more tasks is remembered alone, and asked for them again when others of its client have gone.
/// Single-threaded.
final class QueueRoom {
    /// A client's jobs are asked again when this part of its share is free: each has to look at all of its tasks.
    private static final int CHUNK = 8;

    /// So many jobs of a client are asked again at a time: each may have to be read from the store.
    private static final int MOST_ASKED = 64;

    /// After so long without an answer a job is asked once more: it may have been busy.
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

    /// What is kept of a job, in places.
    private static final int JOB = 2;

    private final int most;
    private final Map<String, Held> waiting = new LinkedHashMap<>();
    private final Map<String, Postponed> postponed = new LinkedHashMap<>();

    /// Clients with postponed jobs that have more room than before, or less that is asked for.
    private final Set<String> changed = new LinkedHashSet<>();

    /// Of each postponed job its client.
    private final Map<JobId, String> clients = new LinkedHashMap<>();

    private int tasks;
    private int places;

    /// Since when those that were asked may answer.
    private Instant asked = Instant.MIN;

    /// What of a client waits.
    private static final class Held {
        int tasks;
        int jobs;

        int places() {
            return tasks + JOB * jobs;
        }
    }

    /// The jobs of a client that have tasks for which there was no room, and how many each had.
    private static final class Postponed {
        /// Order: that in which they are asked again.
        final SequencedMap<JobId, Integer> jobs = new LinkedHashMap<>();

        /// Those that were asked again and have not answered.
        final SequencedMap<JobId, Integer> asked = new LinkedHashMap<>();

        /// Whether there is room until one of them finds none.
        boolean isFilling;

        boolean isEmpty() {
            return jobs.isEmpty() && asked.isEmpty();
        }
    }

    /// @param most how many places there are
    QueueRoom(int most) {
        this.most = most;
    }

    /// Whether one more task of `client` may wait.
    boolean hasRoom(String client) {
        var own = places(client);
        return own < share(own);
    }

    /// How many places a client may have that has `own`.
    private int share(int own) {
        return (most - (places - own)) / 2;
    }

    private int places(String client) {
        var held = waiting.get(client);
        return held == null ? 0 : held.places();
    }

    /// How many tasks of `client` wait.
    int of(String client) {
        var held = waiting.get(client);
        return held == null ? 0 : held.tasks;
    }

    /// One more task of `client` waits.
    ///
    /// @param isFirst whether it is the only one of its job
    void add(String client, boolean isFirst) {
        var held = waiting.computeIfAbsent(client, _ -> new Held());
        held.tasks++;
        tasks++;
        places++;
        if (isFirst) {
            held.jobs++;
            places += JOB;
        }
    }

    /// A task of `client` does not wait any more.
    ///
    /// @param isLast whether it was the only one of its job
    void remove(String client, boolean isLast) {
        var held = waiting.get(client);
        if (held == null) {
            throw new IllegalStateException("no task of client " + client + " waits");
        }
        held.tasks--;
        tasks--;
        places--;
        if (isLast) {
            held.jobs--;
            places -= JOB;
        }
        if (held.tasks == 0) {
            waiting.remove(client);
        }
        if (postponed.containsKey(client)) {
            changed.add(client);
        }
    }

    /// How many tasks wait.
    int size() {
        return tasks;
    }

    /// There is no room for a task of `job`, which is one of `client`.
    void postpone(JobId job, String client) {
        clients.put(job, client);
        var ofClient = postponed.computeIfAbsent(client, _ -> new Postponed());
        ofClient.isFilling = false;
        if (ofClient.asked.computeIfPresent(job, (_, tasks) -> tasks + 1) == null) {
            ofClient.jobs.merge(job, 1, Integer::sum);
        }
    }

    /// `job` says now which tasks of it wait, or has none.
    void forget(JobId job) {
        var client = clients.remove(job);
        var ofClient = client == null ? null : postponed.get(client);
        if (client == null || ofClient == null) {
            return;
        }
        ofClient.jobs.remove(job);
        ofClient.asked.remove(job);
        if (ofClient.isEmpty()) {
            postponed.remove(client);
        } else {
            changed.add(client);
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

    /// The jobs for whose tasks there is room since the last call.
    List<JobId> next() {
        if (changed.isEmpty()) {
            return List.of();
        }
        var jobs = new ArrayList<JobId>();
        for (var client : changed) {
            var ofClient = postponed.get(client);
            if (ofClient != null) {
                ask(client, ofClient, jobs);
            }
        }
        changed.clear();
        return jobs;
    }

    /// The jobs of all clients for whose tasks there is room. Those that have not answered for a while come again, after the others.
    List<JobId> nextOfAll(Instant now) {
        changed.clear();
        var isOver = now.isBefore(asked) || !now.isBefore(asked.plus(ANSWER_TIMEOUT));
        if (isOver) {
            asked = now;
        }
        var jobs = new ArrayList<JobId>();
        postponed.forEach((client, ofClient) -> {
            if (isOver) {
                ofClient.jobs.putAll(ofClient.asked);
                ofClient.asked.clear();
            }
            ask(client, ofClient, jobs);
        });
        return jobs;
    }

    private void ask(String client, Postponed ofClient, List<JobId> jobs) {
        var own = places(client);
        var share = share(own);
        if (!ofClient.isFilling && own + Math.max(1, share / CHUNK) > share) {
            return;
        }
        ofClient.isFilling = true;
        var free = share - own - places(ofClient.asked);
        while (free > 0 && ofClient.asked.size() < MOST_ASKED && !ofClient.jobs.isEmpty()) {
            var next = ofClient.jobs.pollFirstEntry();
            ofClient.asked.put(next.getKey(), next.getValue());
            jobs.add(next.getKey());
            free -= next.getValue() + JOB;
        }
    }

    private static long places(SequencedMap<JobId, Integer> jobs) {
        return jobs.values().stream().mapToLong(tasks -> tasks + JOB).sum();
    }
}
