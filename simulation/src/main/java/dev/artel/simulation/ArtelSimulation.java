package dev.artel.simulation;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.BlueprintSource;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.store.EventCodec;
import dev.artel.simulation.disk.Copying;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// A blueprint with its real handlers, in a world of virtual time: the rules, the dispatcher, leases, timers and the
/// conversation with workers are those of an orchestrator; workers, faults and people are played. The same seed takes the
/// same course. Immutable.
///
/// ```java
/// ArtelSimulation.of(blueprint)
///         .workers(FakeWorker.named("printer").doing("print", Answer.failure("no paper"), Answer.success()))
///         .faults(Trait.ORCHESTRATOR_CRASHES, Trait.MESSAGES_LOST)
///         .run(1)
///         .assertFinished()
///         .assertAttempts("print", 2);
/// ```
///
/// Handlers run in the caller's thread; one that waits, asks the wall clock or throws dice takes the course out of the
/// seed's hands. While it goes on, every promise of the orchestrator is checked.
public final class ArtelSimulation {
    private static final Duration FAULTS_LAST = Duration.ofMinutes(2);

    private final BlueprintDraft blueprintDraft;

    private ArtelSimulation(BlueprintDraft blueprintDraft) {
        this.blueprintDraft = blueprintDraft;
    }

    /// A simulation of one job of the blueprint of `source`, without workers.
    ///
    /// @throws IllegalArgumentException if it has none or several
    public static ArtelSimulation of(BlueprintSource source) {
        var blueprints = source.blueprints();
        if (blueprints.size() != 1) {
            throw new IllegalArgumentException(
                    "a simulation is of one blueprint, got "
                            + blueprints
                            + "; add others with child");
        }
        return new ArtelSimulation(new BlueprintDraft(blueprints.getFirst()));
    }

    private ArtelSimulation with(Consumer<BlueprintDraft> change) {
        var other = new BlueprintDraft(blueprintDraft);
        change.accept(other);
        return new ArtelSimulation(other);
    }

    /// Other blueprints that the first one, or one of its children, runs.
    public ArtelSimulation child(BlueprintSource source) {
        return with(
                it -> source.blueprints().forEach(each -> it.blueprints.put(each.name(), each)));
    }

    /// What reads the definitions with which the job replaces its own: the last blueprint of a source is the one.
    public ArtelSimulation definitions(Function<String, BlueprintSource> reader) {
        return with(it -> it.definitions = Optional.of(reader));
    }

    /// These workers, beside those that are there.
    public ArtelSimulation workers(FakeWorker... more) {
        return with(it -> it.workers.addAll(List.of(more)));
    }

    /// These faults strike as chance wants it, for two minutes.
    ///
    /// @throws IllegalArgumentException if one of them is no fault, see [Trait#isFault]
    public ArtelSimulation faults(Trait... kinds) {
        return faults(FAULTS_LAST, kinds);
    }

    /// These faults strike as chance wants it, for that time from the beginning.
    ///
    /// @throws IllegalArgumentException if one of them is no fault, see [Trait#isFault]
    public ArtelSimulation faults(Duration time, Trait... kinds) {
        for (var kind : kinds) {
            if (!kind.isFault()) {
                throw new IllegalArgumentException(
                        kind
                                + " is no fault; these are: "
                                + Arrays.stream(Trait.values()).filter(Trait::isFault).toList());
            }
        }
        return with(it -> {
            it.faults.addAll(List.of(kinds));
            it.faultsLast = time;
        });
    }

    /// The job is submitted with these data.
    public ArtelSimulation initialData(JsonObject data) {
        return with(it -> it.initialData = data);
    }

    /// The job is submitted with these options. Its world begins on 1 January 2030, 00:00 UTC.
    public ArtelSimulation options(JobOptions options) {
        return with(it -> it.options = options);
    }

    /// Something comes about after that time, or as soon after it as the job is ready for it.
    public ArtelSimulation at(Duration time, ScriptedEvent what) {
        return with(it -> it.happenings.add(new BlueprintDraft.Expected(time, what)));
    }

    /// Events and commands are written and read by `codec` on their way, as an orchestrator's store does; otherwise they
    /// stay what they are.
    public ArtelSimulation codec(EventCodec codec) {
        return with(it -> it.copying = Copying.with(codec));
    }

    /// The simulation is over after that time even if the job is not; otherwise after a day.
    public ArtelSimulation within(Duration time) {
        return with(it -> it.within = time);
    }

    /// A bug is planted, to see that what is asserted would notice it.
    public ArtelSimulation mutant(Mutant bug) {
        return with(it -> it.mutant = Optional.of(bug));
    }

    /// Submits the job and plays until nothing more is to come of it.
    ///
    /// @throws SimulationFailure if the orchestrator breaks a promise, whatever the blueprint does
    /// @throws dev.artel.json.bind.Unfit if the blueprint takes no such initial data
    public SimulatedJob run(long seed) {
        return new ScriptedRun(blueprintDraft, seed, CrashPoint.NEVER).run().job();
    }

    /// Plays `count` seeds one after another and expects the same of each.
    ///
    /// @param from the first seed
    /// @param expected asserts something of each
    /// @throws AssertionError at the first seed of which it is not so
    public void runs(long from, int count, Consumer<SimulatedJob> expected) {
        for (var seed = from; seed < from + count; seed++) {
            var job = run(seed);
            try {
                expected.accept(job);
            } catch (RuntimeException | AssertionError wrong) {
                throw new AssertionError(
                        "seed "
                                + seed
                                + " is the first of "
                                + from
                                + " to "
                                + (from + count - 1)
                                + " that is not as expected; run("
                                + seed
                                + ") plays it again: "
                                + wrong.getMessage(),
                        wrong);
            }
        }
    }

    /// Kills the orchestrator at each append of an undisturbed run, before it and after it, and expects that it makes no
    /// difference: the same ends, once each, with the same data, and of each task the same result.
    ///
    /// @return how many times it was killed
    /// @throws AssertionError at the first append at which it makes a difference; its message names the append
    public int killedAtEachAppend(long seed) {
        return CrashPoint.tryAll(blueprintDraft, seed);
    }
}
