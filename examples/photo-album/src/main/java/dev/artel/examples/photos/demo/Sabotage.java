package dev.artel.examples.photos.demo;

import dev.artel.examples.photos.demo.JobStory.Held;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Kills a worker in the middle of its work, once.
final class Sabotage {
    /// Others can do whatever it does, so it is the favourite.
    private static final String FAVOURITE = "generalist";

    /// How often to look for the favourite before anybody will do, unless half of the tasks are done before.
    private static final int MOST_LOOKS = 8;

    private final WorkerProcesses crew;
    private final Screen screen;
    private int looks;
    private boolean isDone;

    /// Names what a task is about.
    interface Names {
        String of(long task) throws InterruptedException;
    }

    Sabotage(WorkerProcesses crew, Screen screen) {
        this.crew = crew;
        this.screen = screen;
    }

    /// Kills, if the time has come.
    void strike(JobStory story, Names names) throws InterruptedException {
        if (isDone || story.total() == 0 || 3 * story.settled() < story.total()) {
            return;
        }
        looks++;
        var isLate = looks > MOST_LOOKS || 2 * story.settled() >= story.total();
        var victim = victim(story.held(), isLate);
        if (victim.isEmpty()) {
            return;
        }
        var name = victim.get();
        var pid = crew.kill(name);
        if (pid.isEmpty()) {
            return;
        }
        isDone = true;
        var tasks = new ArrayList<String>();
        for (var lease : story.held()) {
            if (lease.worker().equals(name)) {
                tasks.add(names.of(lease.task()));
            }
        }
        screen.event(
                "Killed the worker "
                        + name
                        + " (SIGKILL to "
                        + pid.getAsLong()
                        + ") at "
                        + String.join(" and ", tasks)
                        + ".");
        screen.event(
                "Others get its tasks when its leases end, in at most "
                        + Screen.seconds(crew.lease())
                        + ".");
    }

    /// Somebody who has begun just now, and so will not be done before the signal arrives.
    ///
    /// @param isLate whether anybody will do who has a task
    private static Optional<String> victim(List<Held> held, boolean isLate) {
        var justNow = Instant.now().minus(WorkerProcesses.SLOWNESS.dividedBy(2));
        var busy =
                held.stream()
                        .filter(lease -> isLate || lease.since().isAfter(justNow))
                        .map(Held::worker)
                        .toList();
        return busy.contains(FAVOURITE)
                ? Optional.of(FAVOURITE)
                : busy.reversed().stream().filter(_ -> isLate).findFirst();
    }
}
