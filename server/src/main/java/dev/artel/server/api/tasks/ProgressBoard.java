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

/// The latest progress that workers reported, for each task that has a worker. In memory only: after a restart the
/// next report takes its place. Safe for use by many threads.
public final class ProgressBoard implements JobObserver {
    /// Of how many tasks something is kept.
    private static final int ROOM = 100_000;

    private static final int LONGEST = 1000;

    private final InstantSource clock;
    private final ConcurrentMap<JobId, Map<Integer, Reported>> jobs = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();

    /// How far an attempt is.
    ///
    /// @param fraction from 0 to 1
    /// @param message for people; empty if there is none
    record Reported(LeaseToken token, double fraction, String message, Instant at) {}

    /// A board on which nothing is written.
    public ProgressBoard(InstantSource clock) {
        this.clock = clock;
    }

    /// A worker has reported the progress of an attempt.
    public void progressed(WorkerId worker, LeaseToken token, double fraction, String message) {
        var address = token.address();
        if (address.isEmpty()) {
            return;
        }
        makeRoom();
        var text = message.length() > LONGEST ? message.substring(0, LONGEST) : message;
        var reported = new Reported(token, Math.clamp(fraction, 0, 1), text, clock.instant());
        jobs.compute(
                address.get().job(),
                (_, known) -> {
                    var tasks = known == null ? new ConcurrentHashMap<Integer, Reported>() : known;
                    if (tasks.put(address.get().task(), reported) == null) {
                        size.incrementAndGet();
                    }
                    return tasks;
                });
    }

    /// What is kept of jobs of which nothing is heard any more must not keep others out.
    private void makeRoom() {
        for (var jobs = this.jobs.keySet().iterator(); size.get() >= ROOM && jobs.hasNext(); ) {
            var tasks = this.jobs.remove(jobs.next());
            size.addAndGet(tasks == null ? 0 : -tasks.size());
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
                var tasks = jobs.remove(job.id());
                size.addAndGet(tasks == null ? 0 : -tasks.size());
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
                    if (tasks.remove(task) != null) {
                        size.decrementAndGet();
                    }
                    return tasks.isEmpty() ? null : tasks;
                });
    }
}
