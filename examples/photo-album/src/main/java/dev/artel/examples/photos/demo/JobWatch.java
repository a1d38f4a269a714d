package dev.artel.examples.photos.demo;

import dev.artel.examples.photos.demo.JobStory.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Follows a job and prints what happens to it.
final class JobWatch {
    private static final Duration PACE = Duration.ofMillis(100);
    private static final Duration SLOWEST_PACE = Duration.ofSeconds(1);
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    private final JobStory story = new JobStory();
    private final Map<Long, String> names = new TreeMap<>();
    private final JobClient client;
    private final String job;
    private final WorkerProcesses crew;
    private final Screen screen;

    JobWatch(JobClient client, String job, WorkerProcesses crew, Screen screen) {
        this.client = client;
        this.job = job;
        this.crew = crew;
        this.screen = screen;
    }

    /// Returns when the job has ended, or when nothing has happened for two minutes.
    ///
    /// @param sabotage what is to go wrong; null: nothing
    void untilEnd(@Nullable Sabotage sabotage) throws InterruptedException {
        var lastEvent = System.nanoTime();
        while (!story.hasEnded()) {
            var asked = System.nanoTime();
            var events = client.history(job, story.version());
            if (!events.isEmpty()) {
                lastEvent = asked;
            } else if (asked - lastEvent > LONGEST_SILENCE.toNanos()) {
                screen.event(
                        "Nothing has happened for " + LONGEST_SILENCE.toMinutes() + " minutes.");
                break;
            }
            show(story.hear(events));
            screen.progress(story.settled(), story.total());
            crew.revive().forEach(screen::event);
            if (sabotage != null) {
                sabotage.strike(story, this::nameOf);
            }
            Thread.sleep(pause(System.nanoTime() - asked));
        }
        screen.endProgress();
    }

    /// The history of a large album takes a while to read: most of the time is for the others.
    private static Duration pause(long lookedFor) {
        var pause = Duration.ofNanos(4 * lookedFor);
        if (pause.compareTo(PACE) < 0) {
            return PACE;
        }
        return pause.compareTo(SLOWEST_PACE) > 0 ? SLOWEST_PACE : pause;
    }

    private void show(List<Turn> turns) throws InterruptedException {
        for (var turn : turns) {
            screen.event(
                    switch (turn) {
                        case Turn.Lost(var lease, var reason, var at) ->
                                nameOf(lease.task())
                                        + " is taken from "
                                        + lease.worker()
                                        + " after "
                                        + Screen.seconds(Duration.between(lease.since(), at))
                                        + ": "
                                        + reason
                                        + ".";
                        case Turn.Moved(long task, var from, var to, long attempt, var because) ->
                                nameOf(task)
                                        + (to.equals(from) ? " goes back to " : " goes to ")
                                        + to
                                        + ", attempt "
                                        + attempt
                                        + ": "
                                        + because
                                        + ".";
                    });
        }
    }

    /// What a task is about, in words.
    String nameOf(long task) throws InterruptedException {
        var known = names.get(task);
        if (known != null) {
            return known;
        }
        var name = client.task(job, task);
        names.put(task, name);
        return name;
    }

    /// How many tasks each worker has done.
    Map<String, Integer> done() {
        return story.done();
    }
}
