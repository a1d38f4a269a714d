package dev.artel.server.api.tasks;

import dev.artel.engine.shell.JobObserver;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// The latest progress that workers reported, for each task that has a worker. In memory only: after a restart the
/// next report takes its place. A worker has an eighth of the room; where there is none, what was reported longest ago is forgotten, of the
/// worker itself first. Safe for use by many threads.
public final class ProgressBoard implements JobObserver {
    /// Of how many tasks something is kept.
    private static final int ROOM = 100_000;

    private static final int LONGEST = 1000;

    /// Of all messages together.
    private static final long CHARACTERS = 8 << 20;

    /// Which part of the room one worker has: one divided by it.
    private static final int PART = 8;

    private final InstantSource clock;
    private final long mostCharacters;
    private final ConcurrentMap<JobId, Map<Integer, Reported>> jobs = new ConcurrentHashMap<>();
    private final Object lock = new Object();

    // Guarded by the lock; the maps above change under it as well.

    /// What was reported longest ago comes first.
    private final SequencedMap<Place, Reported> inOrder = new LinkedHashMap<>();

    private final Map<WorkerId, Share> shares = new HashMap<>();
    private long characters;

    private record Place(JobId job, int task) {}

    /// What is kept of one worker.
    private static final class Share {
        final SequencedSet<Place> places = new LinkedHashSet<>();
        long characters;
    }

    /// How far an attempt is.
    ///
    /// @param fraction from 0 to 1
    /// @param message for people; empty if there is none
    record Reported(
            WorkerId worker, LeaseToken token, double fraction, String message, Instant at) {}

    /// A board on which nothing is written.
    public ProgressBoard(InstantSource clock) {
        this(clock, CHARACTERS);
    }

    /// @param mostCharacters how many characters all messages may have together
    ProgressBoard(InstantSource clock, long mostCharacters) {
        this.clock = clock;
        this.mostCharacters = mostCharacters;
    }

    /// A worker has reported the progress of an attempt.
    public void progressed(WorkerId worker, LeaseToken token, double fraction, String message) {
        var address = token.address();
        if (address.isEmpty()) {
            return;
        }
        var text = message.length() > LONGEST ? message.substring(0, LONGEST) : message;
        var reported =
                new Reported(worker, token, Math.clamp(fraction, 0, 1), text, clock.instant());
        var place = new Place(address.get().job(), address.get().task());
        synchronized (lock) {
            remove(place);
            makeRoom(worker, text.length());
            add(place, reported);
        }
    }

    private void makeRoom(WorkerId worker, int more) {
        for (var own = shares.get(worker); own != null && isFull(own, more); ) {
            remove(own.places.getFirst());
            own = shares.get(worker);
        }
        while (!inOrder.isEmpty()
                && (inOrder.size() >= ROOM || characters + more > mostCharacters)) {
            remove(inOrder.firstEntry().getKey());
        }
    }

    private boolean isFull(Share own, int more) {
        return own.places.size() >= ROOM / PART || own.characters + more > mostCharacters / PART;
    }

    private void add(Place place, Reported reported) {
        jobs.computeIfAbsent(place.job(), _ -> new ConcurrentHashMap<>())
                .put(place.task(), reported);
        inOrder.put(place, reported);
        var own = shares.computeIfAbsent(reported.worker(), _ -> new Share());
        own.places.add(place);
        own.characters += reported.message().length();
        characters += reported.message().length();
    }

    private void remove(Place place) {
        var reported = inOrder.remove(place);
        if (reported == null) {
            return;
        }
        jobs.computeIfPresent(
                place.job(),
                (_, tasks) -> {
                    tasks.remove(place.task());
                    return tasks.isEmpty() ? null : tasks;
                });
        characters -= reported.message().length();
        shares.computeIfPresent(
                reported.worker(),
                (_, own) -> {
                    own.places.remove(place);
                    own.characters -= reported.message().length();
                    return own.places.isEmpty() ? null : own;
                });
    }

    private void forget(JobId job) {
        synchronized (lock) {
            var tasks = jobs.get(job);
            if (tasks != null) {
                List.copyOf(tasks.keySet()).forEach(task -> remove(new Place(job, task)));
            }
        }
    }

    /// What was reported last under a lease.
    Optional<Reported> find(JobId job, int task, LeaseToken token) {
        var tasks = jobs.get(job);
        var reported = tasks == null ? null : tasks.get(task);
        return reported == null || !reported.token().equals(token)
                ? Optional.empty()
                : Optional.of(reported);
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        if (!jobs.containsKey(job.id())) {
            return;
        }
        for (var event : events) {
            if (event instanceof JobEvent.AttemptEvent attempt) {
                happened(job, attempt);
            } else if (event instanceof JobEvent.JobEnded) {
                forget(job.id());
            }
        }
    }

    private void happened(Job job, JobEvent.AttemptEvent event) {
        switch (event) {
            case JobEvent.TaskSucceeded e -> forget(job.id(), e.task());
            case JobEvent.TaskFailed e -> forget(job.id(), e.task());
            case JobEvent.AttemptFailed e -> forget(job.id(), e.task());
            case JobEvent.LeaseLost e -> forget(job.id(), e.task());
            case JobEvent.LeaseReturned e -> forget(job.id(), e.task());
            case JobEvent.LeaseGranted _,
                    JobEvent.HedgeBegun _,
                    JobEvent.AttemptDropped _,
                    JobEvent.LeaseReleased _,
                    JobEvent.AttemptSettled _,
                    JobEvent.AttemptWithheld _,
                    JobEvent.OutcomeUnknown _,
                    JobEvent.QuestionAsked _,
                    JobEvent.QuestionAnswered _,
                    JobEvent.OutcomeResolved _ -> {
                // an attempt goes on
            }
        }
    }

    private void forget(JobId job, int task) {
        synchronized (lock) {
            remove(new Place(job, task));
        }
    }
}
