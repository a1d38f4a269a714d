package dev.artel.server.api.tasks;

import dev.artel.engine.shell.JobObserver;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// The latest progress that workers reported, for each task that has a worker. In memory only: after a restart the
/// next report takes its place. Safe for use by many threads.
public final class ProgressBoard implements JobObserver {
    /// Of how many tasks something is kept.
    private static final int ROOM = 100_000;

    private static final int LONGEST = 1000;

    /// Of all messages together.
    private static final long CHARACTERS = 8 << 20;

    private final InstantSource clock;
    private final long mostCharacters;
    private final ConcurrentMap<JobId, Map<Integer, Reported>> jobs = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicLong characters = new AtomicLong();

    /// How far an attempt is.
    ///
    /// @param fraction from 0 to 1
    /// @param message for people; empty if there is none
    record Reported(LeaseToken token, double fraction, String message, Instant at) {}

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
        makeRoom(text.length());
        var reported = new Reported(token, Math.clamp(fraction, 0, 1), text, clock.instant());
        jobs.compute(
                address.get().job(),
                (_, known) -> {
                    var tasks = known == null ? new ConcurrentHashMap<Integer, Reported>() : known;
                    added(reported, 1);
                    var before = tasks.put(address.get().task(), reported);
                    if (before != null) {
                        added(before, -1);
                    }
                    return tasks;
                });
    }

    /// What is kept of jobs of which nothing is heard any more must not keep others out.
    private void makeRoom(int more) {
        for (var jobs = this.jobs.keySet().iterator(); !hasRoom(more) && jobs.hasNext(); ) {
            forget(jobs.next());
        }
    }

    private boolean hasRoom(int more) {
        return size.get() < ROOM && characters.get() + more <= mostCharacters;
    }

    /// @param times 1, or -1 where it is removed
    private void added(Reported reported, int times) {
        size.addAndGet(times);
        characters.addAndGet((long) times * reported.message().length());
    }

    private void forget(JobId job) {
        var tasks = jobs.remove(job);
        if (tasks != null) {
            tasks.values().forEach(each -> added(each, -1));
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
        jobs.computeIfPresent(
                job,
                (_, tasks) -> {
                    var before = tasks.remove(task);
                    if (before != null) {
                        added(before, -1);
                    }
                    return tasks.isEmpty() ? null : tasks;
                });
    }
}
