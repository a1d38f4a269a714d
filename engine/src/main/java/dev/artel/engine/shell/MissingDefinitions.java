package dev.artel.engine.shell;

import dev.artel.engine.core.DefinitionHolds;
import dev.artel.engine.core.DefinitionHolds.Wanted;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.JobState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Holds what needs a definition that is not there, and lets it go on as soon as the definition is registered. Safe for use
/// by many threads.
///
/// A definition that is missing must change no outcome: a step that was not run has not failed, and a child that was not
/// started was not refused.
final class MissingDefinitions implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MissingDefinitions.class);
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final int MOST_LOGGED = 20;
    private static final int MOST_EXAMPLES = 5;
    private static final int MOST_REMEMBERED = 1_000;

    private final Blueprints blueprints;
    private final Consumer<JobId> repeat;
    private final DefinitionHolds holds = new DefinitionHolds();
    private final SequencedMap<Wanted, OpenJobs> found = new LinkedHashMap<>();
    private final Set<Wanted> logged = new LinkedHashSet<>();
    private final AtomicBoolean releasing = new AtomicBoolean();
    private volatile boolean closed;

    private static final class OpenJobs {
        final List<JobId> examples = new ArrayList<>();
        int count;
    }

    /// @param repeat lets a job ask again for all that it asks for
    MissingDefinitions(Blueprints blueprints, Consumer<JobId> repeat) {
        this.blueprints = blueprints;
        this.repeat = repeat;
        blueprints.onRegistered(this::release);
    }

    /// Whether the definition for `step` is there; holds the step if not.
    synchronized boolean admits(Job job, Effect.RunStep step) {
        var wanted = wanted(job.spec().blueprint(), Optional.of(step.state()));
        if (isThere(wanted)) {
            holds.release(job.id(), step.id());
            return true;
        }
        holds.hold(job.id(), step.id(), wanted);
        return false;
    }

    /// Holds `start` of `job`.
    ///
    /// @return whether it was not held before; [#lookAgain] follows then, once no thread carries it any more
    boolean hold(Job job, Effect.StartChild start) {
        var wanted = wanted(job.spec(), start.spec());
        boolean isNew;
        boolean hasCome;
        synchronized (this) {
            isNew = !holds.holds(job.id(), start.id());
            holds.hold(job.id(), start.id(), wanted);
            hasCome = isThere(wanted);
        }
        if (isNew) {
            logOnce(job.id(), wanted);
        }
        // Looked for by itself: all that is held may be a hundred thousand.
        if (hasCome) {
            release();
        }
        return isNew;
    }

    /// Lets `job` ask again for all that it asks for: what was known of it when something was held may be old.
    void lookAgain(JobId job) {
        repeat.accept(job);
    }

    /// A name that is mistyped is found in the log at once, not after an operator has wondered why a job waits.
    private void logOnce(JobId job, Wanted wanted) {
        synchronized (this) {
            if (logged.size() >= MOST_REMEMBERED || !logged.add(wanted)) {
                return;
            }
        }
        LOG.atWarn()
                .addKeyValue("job", job)
                .addKeyValue("reason", why(wanted).orElse("it has come meanwhile"))
                .addKeyValue("advice", advice(wanted))
                .log(
                        MissingDefinitionLines.CHILD_HELD
                                + "; its parent waits until its blueprint is registered");
    }

    synchronized void release(JobId job, EffectId effect) {
        holds.release(job, effect);
    }

    /// These are no longer asked for.
    synchronized void withdraw(JobId job, List<Effect> ended) {
        if (holds.holdsAny(job)) {
            ended.forEach(effect -> holds.release(job, effect.id()));
        }
    }

    /// Nothing else is asked for.
    synchronized void keep(JobId job, List<Effect> pending) {
        holds.keep(job, pending);
    }

    synchronized boolean holds(JobId job, EffectId effect) {
        return holds.holds(job, effect);
    }

    synchronized boolean holdsAny(JobId job) {
        return holds.holdsAny(job);
    }

    /// Definitions have come: what was held for them goes on. A job that is busy at that moment is asked again.
    private void release() {
        if (!closed && !ready().isEmpty() && releasing.compareAndSet(false, true)) {
            Thread.ofVirtual().name("artel-definitions").start(this::releaseAll);
        }
    }

    private void releaseAll() {
        try {
            for (var jobs = ready(); !jobs.isEmpty() && !closed; jobs = ready()) {
                jobs.forEach(repeat);
                Thread.sleep(AGAIN);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return;
        } finally {
            releasing.set(false);
        }
        release(); // what came between the last look and now found this thread still at it
    }

    private synchronized List<JobId> ready() {
        return holds.ready(this::isThere);
    }

    /// Notes what `state`, which is open at the start, needs and does not find.
    synchronized void note(JobState state) {
        if (!(state instanceof Job job) || job.isClosed()) {
            return;
        }
        var own = wanted(job.spec().blueprint(), Optional.empty());
        if (!job.isFinal() && !isThere(own)) {
            note(own, job.id());
        }
        if (!job.children().isSettled()) {
            for (var child : job.children().children()) {
                var wanted = wanted(job.spec(), child.spec());
                if (child.state() instanceof Child.Asked && !isThere(wanted)) {
                    note(wanted, job.id());
                }
            }
        }
    }

    private void note(Wanted wanted, JobId job) {
        var jobs = found.computeIfAbsent(wanted, _ -> new OpenJobs());
        jobs.count++;
        if (jobs.examples.size() < MOST_EXAMPLES) {
            jobs.examples.add(job);
        }
    }

    /// Logs what was noted, at most [#MOST_LOGGED] definitions one by one.
    synchronized void log() {
        var left = MOST_LOGGED;
        for (var entry : found.entrySet()) {
            if (left-- == 0) {
                LOG.atWarn()
                        .addKeyValue("more", found.size() - MOST_LOGGED)
                        .log("more definitions of open jobs are missing");
                return;
            }
            LOG.atWarn()
                    .addKeyValue("blueprint", entry.getKey().blueprint())
                    .addKeyValue("version", entry.getKey().version().orElse("the newest"))
                    .addKeyValue("jobs", entry.getValue().count)
                    .addKeyValue("examples", entry.getValue().examples)
                    .addKeyValue("advice", advice(entry.getKey()))
                    .log(MissingDefinitionLines.STEPS_HELD + "; the steps that need it are held");
        }
    }

    /// How many definitions open jobs need that are not there: those of the start that have not come since, and those for
    /// which something is held.
    synchronized int count() {
        var missing = new LinkedHashSet<Wanted>();
        for (var wanted : found.keySet()) {
            if (!isThere(wanted)) {
                missing.add(whatever(wanted));
            }
        }
        for (var wanted : holds.wanted()) {
            missing.add(whatever(wanted));
        }
        return missing.size();
    }

    private static Wanted whatever(Wanted wanted) {
        return new Wanted(wanted.blueprint(), wanted.version(), Optional.empty(), Optional.empty());
    }

    /// Why something is held that open jobs need, each definition once; at most `most`.
    List<String> reasons(int most) {
        List<Wanted> wanted;
        synchronized (this) {
            wanted = holds.wanted();
        }
        return wanted.stream().flatMap(each -> why(each).stream()).distinct().limit(most).toList();
    }

    /// How many jobs have something that is held.
    synchronized int jobs() {
        return holds.jobs();
    }

    /// Why what needs `state` of `blueprint` is held; empty if it is there.
    Optional<String> why(BlueprintRef blueprint, Optional<String> state) {
        return why(wanted(blueprint, state));
    }

    /// Why `child` of a job of `parent` is not started; empty if the definition is there.
    Optional<String> why(JobSpec parent, ChildSpec child) {
        return why(wanted(parent, child));
    }

    /// The definition of `child` of a job of `parent`.
    Optional<Blueprint> find(JobSpec parent, ChildSpec child) {
        return find(wanted(parent, child));
    }

    private Optional<String> why(Wanted wanted) {
        if (isThere(wanted)) {
            return Optional.empty();
        }
        var definition = find(wanted);
        return Optional.of(
                definition.isEmpty()
                        ? blueprints.missing(wanted.blueprint(), wanted.version())
                        : "state '"
                                + wanted.state().orElse("")
                                + "' is not in version "
                                + definition.get().version()
                                + " of blueprint '"
                                + wanted.blueprint()
                                + "' as it is here");
    }

    private static String advice(Wanted wanted) {
        return "put the jar with "
                + wanted.version().map(version -> "version " + version + " of ").orElse("")
                + "blueprint '"
                + wanted.blueprint()
                + "' back and start the orchestrator again; nothing is lost, and all goes on by itself. If"
                + " the name is mistyped, correct it where the child is started and rewind the job to that"
                + " state";
    }

    private static Wanted wanted(BlueprintRef blueprint, Optional<String> state) {
        return new Wanted(
                blueprint.name(), Optional.of(blueprint.version()), state, Optional.empty());
    }

    /// A card and those inside it have one version. Where none is named, no planned definition counts, and the client does not matter.
    private static Wanted wanted(JobSpec parent, ChildSpec child) {
        var isOfItsCard = child.version().equals(Optional.of(parent.blueprint().version()));
        var client =
                child.version().isEmpty() || isOfItsCard
                        ? Optional.<String>empty()
                        : Optional.of(parent.client());
        return new Wanted(child.blueprint(), child.version(), Optional.empty(), client);
    }

    private Optional<Blueprint> find(Wanted wanted) {
        var name = wanted.blueprint();
        return blueprints
                .wanted(name, wanted.version())
                .or(() ->
                        wanted.version()
                                .flatMap(version ->
                                        wanted.client()
                                                .map(client ->
                                                        blueprints.findPlanned(
                                                                name, version, client))
                                                .orElseGet(() ->
                                                        blueprints.findPlanned(name, version))));
    }

    private boolean isThere(Wanted wanted) {
        var definition = find(wanted);
        return definition.isPresent()
                && wanted.state()
                        .map(definition.get()::state)
                        .map(Optional::isPresent)
                        .orElse(true);
    }

    @Override
    public void close() {
        closed = true;
    }
}
