package dev.artel.simulation;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.placement.Placement;
import dev.artel.simulation.orchestrator.OrchestratorHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How the job of an [ArtelSimulation] went. What is asserted and is not so throws an [AssertionError] that has the seed,
/// the faults and the job's history.
public final class SimulatedJob {
    private final long seed;
    private final OrchestratorHost orchestratorHost;
    private final Job job;
    private final List<JobEvent> events;
    private final Duration took;
    private final String story;

    SimulatedJob(
            long seed,
            OrchestratorHost orchestratorHost,
            Job job,
            List<JobEvent> events,
            String story) {
        this.seed = seed;
        this.orchestratorHost = orchestratorHost;
        this.job = job;
        this.events = List.copyOf(events);
        this.story = story;
        var end =
                events.stream()
                        .filter(JobEvent.JobEnded.class::isInstance)
                        .findFirst()
                        .orElse(events.getLast());
        took = Duration.between(events.getFirst().at(), end.at());
    }

    /// The seed of its world.
    public long seed() {
        return seed;
    }

    /// How it ended; empty if it had not when the time was over, or nobody was left who could do anything about it.
    public Optional<JobOutcome> outcome() {
        return outcome(job);
    }

    private static Optional<JobOutcome> outcome(Job job) {
        return job.phase() instanceof Job.Ended(var outcome, var _)
                ? Optional.of(outcome)
                : Optional.empty();
    }

    /// How the jobs ended that [ScriptedEvent#fork] forked off it, in their order; empty for one that has not ended.
    public List<Optional<JobOutcome>> forks() {
        var forks = new ArrayList<Optional<JobOutcome>>();
        var fork = orchestratorHost.ledger().fold(ScriptedPeople.fork(1));
        while (fork.isPresent()) {
            forks.add(outcome(fork.get()));
            fork = orchestratorHost.ledger().fold(ScriptedPeople.fork(forks.size() + 1));
        }
        return forks;
    }

    /// Its data at the end.
    public JsonObject data() {
        var data = JsonObject.builder();
        job.data()
                .values()
                .forEach((name, value) ->
                        data.put(name, orchestratorHost.handling().resolve(value)));
        return data.build();
    }

    /// The states that it entered, in order; one that it entered twice is there twice. Those of branches are among them.
    public List<String> states() {
        var states = new ArrayList<String>();
        for (var event : events) {
            if (event instanceof JobEvent.StateEntered entered) {
                states.add(entered.state());
            } else if (event instanceof JobEvent.StepDone done) {
                states.addAll(done.passed());
            }
        }
        return states;
    }

    /// How often tasks of `type` were given to a worker.
    public int attempts(String type) {
        return grants(type).size();
    }

    /// From its submission to its end, by the wall clock of its world.
    public Duration took() {
        return took;
    }

    /// What happened, for people.
    public String story() {
        return story;
    }

    /// It has finished.
    public SimulatedJob assertFinished() {
        return assertThat(
                outcome().filter(JobOutcome.Finished.class::isInstance).isPresent(),
                "the job should have finished");
    }

    /// It has failed for a reason that contains `part`.
    public SimulatedJob assertFailed(String part) {
        return assertThat(
                outcome()
                        .filter(end ->
                                end instanceof JobOutcome.Failed(var reason)
                                        && reason.contains(part))
                        .isPresent(),
                "the job should have failed with '" + part + "'");
    }

    /// It was cancelled.
    public SimulatedJob assertCancelled() {
        return assertThat(
                outcome().filter(JobOutcome.Cancelled.class::isInstance).isPresent(),
                "the job should have been cancelled");
    }

    /// It is quarantined for a reason that contains `part`.
    public SimulatedJob assertQuarantined(String part) {
        return assertThat(
                job.phase() instanceof Job.Quarantined && waitsFor().contains(part),
                "the job should be quarantined with '" + part + "'");
    }

    /// Its data has `value` under `name`.
    public SimulatedJob assertData(String name, JsonValue value) {
        return assertThat(
                data().get(name).filter(value::equals).isPresent(),
                "the job's data should have '" + name + "' with " + value + ", and is " + data());
    }

    /// It entered these states in this order, perhaps others in between.
    public SimulatedJob assertWentThrough(String... states) {
        var next = 0;
        for (var state : states()) {
            if (next < states.length && states[next].equals(state)) {
                next++;
            }
        }
        return assertThat(
                next == states.length,
                "the job should have gone through " + List.of(states) + ", and went " + states());
    }

    /// It never entered `state`.
    public SimulatedJob assertNeverIn(String state) {
        return assertThat(
                !states().contains(state),
                "the job should never have been in '" + state + "', and went " + states());
    }

    /// Tasks of `type` were given to workers so many times.
    public SimulatedJob assertAttempts(String type, int times) {
        return assertThat(
                attempts(type) == times,
                "tasks of type '"
                        + type
                        + "' should have been given to workers "
                        + times
                        + " times, and were "
                        + attempts(type)
                        + " times");
    }

    /// It took at most `limit`, by the wall clock of its world.
    public SimulatedJob assertTookAtMost(Duration limit) {
        return assertThat(
                took.compareTo(limit) <= 0, "the job should take at most " + limit + ": " + took);
    }

    /// Where the last attempt at the last task of `type` went.
    public Placed assertPlaced(String type) {
        var grants = grants(type);
        assertThat(
                !grants.isEmpty(),
                "a task of type '" + type + "' should have been given to a worker");
        return new Placed(this, type, grants.getLast());
    }

    private List<Placement> grants(String type) {
        var grants = new ArrayList<Placement>();
        for (var event : events) {
            if (event instanceof JobEvent.LeaseGranted(int task, var _, var placement, var _)
                    && job.tasks().get(task).spec().type().equals(type)) {
                grants.add(placement);
            }
        }
        return grants;
    }

    /// Where a task went, as the dispatcher has noted it with the attempt.
    public static final class Placed {
        private final SimulatedJob job;
        private final String type;
        private final Placement placement;

        private Placed(SimulatedJob job, String type, Placement placement) {
            this.job = job;
            this.type = type;
            this.placement = placement;
        }

        /// It went to `worker`.
        public Placed on(String worker) {
            job.assertThat(
                    placement.winner().value().equals(worker),
                    "the task '" + type + "' should have gone to " + worker + ", and " + text());
            return this;
        }

        /// The dispatcher's reason contains `part`.
        public Placed because(String part) {
            job.assertThat(
                    placement.because().contains(part),
                    "the task '"
                            + type
                            + "' should have been placed because of '"
                            + part
                            + "', and "
                            + text());
            return this;
        }

        /// What the dispatcher has noted, with the scores of the best and the reasons against the others.
        public Placement placement() {
            return placement;
        }

        private String text() {
            return "went to "
                    + placement.winner().value()
                    + ": "
                    + placement.because()
                    + "; the best were "
                    + placement.best()
                    + ", refused were "
                    + placement.refused();
        }
    }

    private SimulatedJob assertThat(boolean isSo, String what) {
        if (!isSo) {
            throw new AssertionError(what + ";\n" + this);
        }
        return this;
    }

    private String waitsFor() {
        return Jobs.pending(job).toString();
    }

    /// Its end, its seed and its story.
    @Override
    public String toString() {
        return "with seed "
                + seed
                + " the job "
                + outcome()
                        .map(end -> "has " + JobTranscript.text(end))
                        .orElseGet(() -> "has not ended and waits for " + waitsFor())
                + "\n"
                + story;
    }
}
