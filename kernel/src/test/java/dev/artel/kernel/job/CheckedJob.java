package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// A job that is given commands and checked after each of them; see [Invariants] and [Oracle].
public final class CheckedJob {
    public static final JobId ID = new JobId("job-1");

    private final List<JobCommand> commands = new ArrayList<>();
    private final List<JobEvent> events = new ArrayList<>();
    private final SequencedMap<EffectId, Effect> everAsked = new LinkedHashMap<>();
    private final SequencedMap<EffectId, Effect> pending = new LinkedHashMap<>();
    private final SequencedMap<Integer, Integer> windows = new LinkedHashMap<>();
    private JobState state = new JobState.Unsubmitted(ID);

    Decision give(JobCommand command) {
        var before = state;
        var decision = Jobs.decide(before, command);
        Oracle.check(before, pending, command, decision);
        commands.add(command);
        if (decision instanceof Decision.Accepted accepted) {
            accept(before, accepted);
        }
        return decision;
    }

    private void accept(JobState before, Decision.Accepted accepted) {
        var folded = before;
        for (var event : accepted.events()) {
            noteWindow(folded, event);
            var earlier = folded;
            folded = Jobs.apply(folded, event);
            BudgetInvariants.check(earlier, event, (Job) folded);
        }
        assertThat(folded).as("events applied one by one").isEqualTo(accepted.after());
        var evolution = Jobs.evolve(before, accepted.events());
        assertThat(evolution)
                .as("events applied at once")
                .isEqualTo(
                        new Jobs.Evolution(accepted.after(), accepted.asked(), accepted.ended()));
        state = accepted.after();
        events.addAll(accepted.events());
        book(accepted);
        var still = new LinkedHashMap<EffectId, Effect>();
        Jobs.pending(state).forEach(effect -> still.put(effect.id(), effect));
        assertThat(still).as("asked less ended is pending").isEqualTo(pending);
        assertThat(Jobs.pending(state)).hasSameSizeAs(pending.values());
        if (before instanceof Job earlier) {
            Invariants.checkChange(earlier, job());
        }
        Invariants.check(job(), windows);
    }

    private void noteWindow(JobState now, JobEvent event) {
        if (event instanceof JobEvent.TasksOpened opened && now instanceof Job job) {
            windows.put(job.tasks().size(), opened.window());
        }
    }

    private void book(Decision.Accepted accepted) {
        for (var effect : accepted.asked()) {
            if (everAsked.put(effect.id(), effect) != null) {
                throw new AssertionError("an effect's id is used once, not twice: " + effect);
            }
            pending.put(effect.id(), effect);
        }
        for (var effect : accepted.ended()) {
            var begun = pending.remove(effect.id());
            if (!effect.equals(begun)) {
                throw new AssertionError(effect + " ends, and pending was " + begun);
            }
        }
    }

    /// Folds all events from scratch, and gives all commands again.
    void checkReplay() {
        JobState folded = new JobState.Unsubmitted(ID);
        for (var event : events) {
            folded = Jobs.apply(folded, event);
        }
        assertThat(folded).as("the fold of all events").isEqualTo(state);
        JobState again = new JobState.Unsubmitted(ID);
        var sameEvents = new ArrayList<JobEvent>();
        for (var command : commands) {
            if (Jobs.decide(again, command) instanceof Decision.Accepted accepted) {
                sameEvents.addAll(accepted.events());
                again = accepted.after();
            }
        }
        assertThat(sameEvents).as("the same commands give the same events").isEqualTo(events);
        assertThat(again).isEqualTo(state);
        if (again instanceof Job job) {
            assertThat(List.copyOf(job.data().values().keySet()))
                    .as("the names of the data in their order")
                    .isEqualTo(List.copyOf(job().data().values().keySet()));
        }
    }

    JobState state() {
        return state;
    }

    Job job() {
        return (Job) state;
    }

    List<Effect> pending() {
        return List.copyOf(pending.values());
    }

    List<Effect> everAsked() {
        return List.copyOf(everAsked.values());
    }

    List<JobCommand> commands() {
        return commands;
    }

    List<JobEvent> events() {
        return events;
    }
}
