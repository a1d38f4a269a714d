package dev.artel.kernel.rules;

import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The job of one command and the events that the command causes; all deciders of the command write to it.
///
/// Each event is applied at once, so that what follows from it is decided on what is then true. Not safe for use by many
/// threads.
final class Draft {
    private final JobFold fold;
    private final List<JobEvent> events = new ArrayList<>();

    /// The state that the fold returned last.
    private JobState state;

    private boolean isStale;
    private @Nullable JobEvent following;

    Draft(JobState before) {
        fold = new JobFold(before);
        state = before;
    }

    /// The job after all events so far; it must have been submitted.
    Job job() {
        return (Job) state();
    }

    void emit(JobEvent event) {
        add(event);
        if (following != null) {
            var next = following;
            following = null;
            add(next);
        }
    }

    private void add(JobEvent event) {
        events.add(event);
        fold.apply(event);
        isStale = true;
    }

    /// Emits `event` behind the next one, before what comes of that; drops it if there is no next one.
    void emitBehindTheNext(JobEvent event) {
        following = event;
    }

    /// Whether anything has happened.
    boolean hasEvents() {
        return !events.isEmpty();
    }

    /// That the command is accepted, with the events so far.
    Decision accepted() {
        return new Decision.Accepted(events, state(), fold.asked(), fold.ended());
    }

    private JobState state() {
        if (isStale) {
            state = fold.state();
            isStale = false;
        }
        return state;
    }
}
