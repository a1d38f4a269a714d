package dev.artel.simulation;

import dev.artel.engine.shell.HandlerInvoker;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.simulation.orchestrator.OrchestratorHost;
import dev.artel.simulation.workers.FaultInjector;
import dev.artel.simulation.workers.SimulatedWorker;
import dev.artel.simulation.workers.Wire;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.SimulationFailure;
import dev.artel.simulation.world.World;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// One run of an [ArtelSimulation].
final class ScriptedRun {
    private static final String KEY = "1";
    private static final JobId JOB = new JobId("key-" + KEY);

    /// When the job comes; the workers are there by then.
    private static final long ARRIVAL = 1_000;

    private static final long LOOK = 1_000;
    private static final long AGAIN = 500;
    private static final long QUIET_AFTER = 3_600_000;
    private static final long MOST_STEPS = 20_000_000;

    private final BlueprintDraft blueprintDraft;
    private final World world;
    private final OrchestratorHost orchestratorHost;
    private final Instant beginning;
    private final List<SimulatedWorker> workers = new ArrayList<>();
    private final List<Append> appends = new ArrayList<>();
    private final ScriptedPeople people;

    /// How it went.
    ///
    /// @param appends what became durable, in order
    record Played(SimulatedJob job, List<Append> appends, List<String> summary) {}

    ScriptedRun(BlueprintDraft blueprintDraft, long seed, CrashPoint crash) {
        this.blueprintDraft = blueprintDraft;
        world = new World(new Scenario(seed, blueprintDraft.faults, 1, blueprintDraft.mutant));
        beginning = world.now().plusMillis(ARRIVAL);
        var values = new InMemoryKeyValueStore();
        var calls =
                HandlerInvoker.with(
                        new InMemoryPayloadStore(), values, this::events, blueprintDraft::keep);
        orchestratorHost =
                new OrchestratorHost(
                        world,
                        blueprintDraft.copying,
                        blueprintDraft.blueprints,
                        (there, ledger) -> new RealHandling(there, ledger, calls));
        orchestratorHost.store().watch(appends::add);
        crash.arm(orchestratorHost.store());
        var wire = new Wire(world, orchestratorHost::orchestrator);
        for (var fake : blueprintDraft.workers) {
            workers.add(
                    new SimulatedWorker(
                            orchestratorHost,
                            wire,
                            new WorkerId(fake.name()),
                            SimulatedWorker.Kind.LISTS,
                            fake.profile(),
                            fake.hot(),
                            new FakeScript(fake, orchestratorHost)));
        }
        people = new ScriptedPeople(orchestratorHost, workers, JOB);
    }

    private void events(JobId job, long count, Consumer<JobEvent> event) {
        orchestratorHost.ledger().eventsOf(job).stream().limit(count).forEach(event);
    }

    Played run() {
        blueprintDraft
                .blueprint()
                .initialData()
                .ifPresent(shape -> {
                    var _ = shape.bind(blueprintDraft.initialData, "initial_data");
                });
        try {
            return play();
        } catch (SimulationFailure failure) {
            throw failure;
        } catch (RuntimeException | AssertionError bug) {
            throw world.failure("something threw " + bug + "\n" + story(), bug);
        }
    }

    private Played play() {
        orchestratorHost.orchestrator().start();
        workers.forEach(worker -> world.loop().after(0, worker::start));
        world.loop().at(ARRIVAL, this::submit);
        blueprintDraft.happenings.forEach(
                one -> people.expect(one.at().plusMillis(ARRIVAL), one.what()));
        if (blueprintDraft.faults.isEmpty()) {
            world.calmDown();
        } else {
            if (!workers.isEmpty()) {
                world.loop().after(ARRIVAL, new FaultInjector(orchestratorHost, workers)::strike);
            }
            world.loop()
                    .at(
                            ARRIVAL + blueprintDraft.faultsLast.toMillis(),
                            () -> {
                                world.calmDown();
                                workers.forEach(SimulatedWorker::calmDown);
                            });
        }
        playOn();
        settle();
        var job =
                orchestratorHost
                        .ledger()
                        .fold(JOB)
                        .orElseThrow(() -> world.failure("the job could not be submitted"));
        return new Played(
                new SimulatedJob(
                        world.seed(),
                        orchestratorHost,
                        job,
                        orchestratorHost.ledger().eventsOf(JOB),
                        story()),
                appends,
                Summary.of(orchestratorHost));
    }

    /// Under its key, so that it is one job however often it is submitted.
    private void submit() {
        if (orchestratorHost.ledger().fold(JOB).isPresent()) {
            return;
        }
        if (orchestratorHost.orchestrator().isAlive()) {
            orchestratorHost
                    .orchestrator()
                    .submit(
                            new Submission(
                                    blueprintDraft.blueprint().name(),
                                    "simulated-client",
                                    blueprintDraft.initialData,
                                    Optional.of(KEY),
                                    blueprintDraft.options),
                            reply -> {
                                if (reply instanceof SubmitReply.Refused refused) {
                                    throw world.failure("the job is refused: " + refused);
                                }
                            });
        }
        world.loop().after(AGAIN, this::submit);
    }

    private void playOn() {
        var look = LOOK;
        while (world.loop().now() < ARRIVAL + blueprintDraft.within.toMillis()) {
            step();
            if (world.loop().now() >= look) {
                look = world.loop().now() + LOOK;
                if (isOver()) {
                    return;
                }
            }
        }
    }

    private void step() {
        if (!world.loop().step() || world.loop().steps() > MOST_STEPS) {
            throw world.failure("it goes on forever\n" + story());
        }
    }

    private boolean isOver() {
        var job = orchestratorHost.ledger().fold(JOB);
        if (job.isEmpty()
                || !world.isCalm()
                || !orchestratorHost.orchestrator().isAlive()
                || world.loop().now() < orchestratorHost.orchestrator().stillUntil() + LOOK
                || !orchestratorHost.orchestrator().audit().isQuiet()) {
            return false;
        }
        return orchestratorHost.ledger().isEverythingClosed()
                || (people.areDone() && isUpToNobody());
    }

    /// Whether all that is left to do would have to be done by people who do not come.
    private boolean isUpToNobody() {
        return orchestratorHost.ledger().open().stream()
                .flatMap(id -> orchestratorHost.ledger().fold(id).stream())
                .map(Jobs::pending)
                .allMatch(pending ->
                        pending.stream()
                                .allMatch(effect ->
                                        effect instanceof Effect.Outside
                                                || effect instanceof Effect.AwaitChild));
    }

    private void settle() {
        world.calmDown();
        var deadline = world.loop().now() + QUIET_AFTER;
        while (!orchestratorHost.orchestrator().isAlive()
                || !orchestratorHost.orchestrator().audit().isQuiet()) {
            step();
            if (world.loop().now() > deadline) {
                throw world.failure("messages go round and round\n" + story());
            }
        }
        orchestratorHost.orchestrator().audit().checkAll();
        orchestratorHost.ledger().replayAll();
        if (orchestratorHost.ledger().isEverythingClosed()) {
            orchestratorHost.ledger().checkFamilies();
        }
    }

    private String story() {
        var story = new StringBuilder();
        for (var id : orchestratorHost.ledger().jobs()) {
            story.append(JobTranscript.of(id, orchestratorHost.ledger().eventsOf(id), beginning));
        }
        orchestratorHost
                .ledger()
                .fold(JOB)
                .filter(job -> !job.isClosed())
                .ifPresent(job -> story.append(waiting(job)));
        return story.toString();
    }

    private String waiting(Job job) {
        return "%11.3f s  waits for %s%n"
                .formatted(
                        Duration.between(beginning, world.now()).toMillis() / 1000.0,
                        Jobs.pending(job));
    }
}
