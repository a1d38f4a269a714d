package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.JobsInput;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.store.StoreException;
import dev.artel.session.SessionInput;
import dev.artel.simulation.disk.SimulatedStore;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.mutants.MutantInjector;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// One life of an orchestrator's process: the second shell around the cores, without threads. Ends with [#crash];
/// the next life begins from what is durable.
public final class SimulatedOrchestrator {
    private static final long ANSWER_LIMIT = 30_000;

    /// Of so many commands one is written and read again; events all are.
    private static final int CODED = 4;

    private static final Duration LATER = Duration.ofSeconds(1);

    private final World world;
    private final SimulatedStore store;
    private final Ledger ledger;
    private final Audit audit;
    private final SimulatedStallScanner simulatedStallScanner;
    private final MutantInjector mutantInjector;
    private final Runnable crashed;
    private final SimulatedPartition jobs;
    private final SimulatedCoordinator coordinator;
    private final OrchestratorHost orchestratorHost;
    private final SimulatedSession session;
    private final Submitting submitting;
    private final Map<Long, Consumer<CommandReply>> callbacks = new HashMap<>();
    private long lastRequestId;
    private long commands;
    private long actsLeft;
    private boolean alive = true;

    /// Until when the process stands still.
    private long stillUntil;

    SimulatedOrchestrator(OrchestratorHost orchestratorHost, Runnable crashed) {
        this.orchestratorHost = orchestratorHost;
        world = orchestratorHost.world();
        store = orchestratorHost.store();
        ledger = orchestratorHost.ledger();
        this.crashed = crashed;
        mutantInjector = new MutantInjector(world, ledger, orchestratorHost.sharing().settings());
        jobs = new SimulatedPartition(orchestratorHost, mutantInjector, this);
        coordinator = new SimulatedCoordinator(orchestratorHost, mutantInjector, this);
        session = new SimulatedSession(orchestratorHost, mutantInjector, this);
        submitting = new Submitting(orchestratorHost, this);
        audit =
                new Audit(
                        orchestratorHost,
                        coordinator,
                        jobs.steps(),
                        jobs.crossJob(),
                        jobs.webhooks());
        simulatedStallScanner =
                new SimulatedStallScanner(
                        world, ledger, jobs.core(), coordinator.core(), this, audit::holds);
        actsLeft = world.has(Trait.ORCHESTRATOR_CRASHES) ? 1L << world.between(2, 12) : -1;
    }

    public void start() {
        for (var job : ledger.open()) {
            put(new JobsInput.Recovered(recover(job), store.kept(job)));
        }
        session.start();
        simulatedStallScanner.start();
    }

    private JobState recover(JobId job) {
        while (true) {
            try {
                return store.read(job);
            } catch (StoreException again) {
                world.note("start", again);
            }
        }
    }

    /// Definitions that were missing are there.
    void definitionsCame() {
        if (alive) {
            jobs.release(orchestratorHost::isThere);
        }
    }

    public boolean isAlive() {
        return alive;
    }

    /// Whether workers are heard: all that was open when it started has been taken up, so that each lease that lives counts.
    public boolean isOpen() {
        return alive && !jobs.isRecovering();
    }

    public Audit audit() {
        return audit;
    }

    // Crashing

    /// The process dies: everything but the store is gone.
    void crash() {
        if (!alive) {
            return;
        }
        world.note("orchestrator", "crashes");
        alive = false;
        store.crash();
        callbacks.clear();
        session.crash();
        crashed.run();
    }

    /// The process is stopped, as by a signal or with its machine, and goes on after so many milliseconds.
    public void standStill(long millis) {
        if (!alive || world.loop().now() < stillUntil) {
            return;
        }
        world.note("orchestrator", "stands still for " + millis + " ms");
        stillUntil = world.loop().now() + millis;
        coordinator.standsStill(stillUntil);
        session.standsStill(stillUntil);
    }

    public long stillUntil() {
        return stillUntil;
    }

    /// Every act of the shell is a point at which it may die.
    boolean diesNow() {
        if (alive && !world.isCalm() && actsLeft > 0 && --actsLeft == 0) {
            crash();
        }
        return !alive;
    }

    // Mailboxes

    void put(JobsInput.OfJob input) {
        jobs.put(input);
    }

    void put(CoordinatorInput input) {
        coordinator.put(input);
    }

    void put(SessionInput input) {
        session.put(input);
    }

    /// The clock has jumped: what was not due may be now, and the other way round.
    public void scheduleTick() {
        coordinator.scheduleTick();
    }

    /// The conversation with workers.
    public SimulatedSession session() {
        return session;
    }

    // Commands

    void command(JobId job, JobCommand command) {
        ask(job, command, JobsInput.Given.NO_REPLY);
    }

    /// Gives a command and returns its answer, or that there was none in time.
    public void ask(JobId job, JobCommand command, Consumer<CommandReply> onReply) {
        ask(job, command, newRequest(onReply));
    }

    /// After some time, unless the process has died.
    void later(long millis, Runnable act) {
        world.loop().after(millis, () -> awake(act));
    }

    private void awake(Runnable act) {
        if (alive && world.loop().now() < stillUntil) {
            world.loop().at(stillUntil, () -> awake(act));
        } else if (alive) {
            act.run();
        }
    }

    private void ask(JobId job, JobCommand command, long requestId) {
        var decoded = ++commands % CODED == 0 ? store.copying().command(command) : command;
        if (!decoded.equals(command)) {
            throw world.failure("the codec made " + decoded + " of " + command);
        }
        var known = ledger.fold(job);
        put(
                new JobsInput.Given(
                        job,
                        known.map(fold -> mutantInjector.command(fold, decoded)).orElse(decoded),
                        requestId));
        mutantInjector.remember(job, command);
    }

    private long newRequest(Consumer<CommandReply> onReply) {
        var requestId = ++lastRequestId;
        callbacks.put(requestId, onReply);
        later(
                ANSWER_LIMIT,
                () ->
                        answer(
                                requestId,
                                new CommandReply.TryLater(LATER, "there was no answer in time")));
        return requestId;
    }

    public void answer(long requestId, CommandReply reply) {
        var waiting = callbacks.remove(requestId);
        if (waiting != null) {
            waiting.accept(reply);
        }
    }

    /// Answers the last command.
    void answerLast(CommandReply reply) {
        answer(lastRequestId, reply);
    }

    /// Gives the command that begins a job, and returns its answer.
    ///
    /// @param fresh whether nobody can know of the job
    void begin(
            JobId job, JobCommand.Submit command, boolean fresh, Consumer<CommandReply> onReply) {
        var requestId = newRequest(onReply);
        put(
                fresh
                        ? new JobsInput.Begun(job, command, requestId)
                        : new JobsInput.Given(job, command, requestId));
    }

    /// Writes a report of a worker again, where that is the bug.
    void writeAgain(JobId job, JobCommand.Report report) {
        jobs.writeAgain(job, report);
    }

    // What clients ask for

    public void submit(Submission submission, Consumer<SubmitReply> answer) {
        submitting.submit(submission, answer);
    }

    public void cancel(JobId job, Consumer<CommandReply> answer) {
        var command = new JobCommand.Cancel("not wanted", world.now());
        ask(job, command, answer);
    }

    public void signal(JobId job, JobCommand.Signal signal, Consumer<CommandReply> answer) {
        Consumer<CommandReply> onReply =
                reply -> {
                    if (reply instanceof CommandReply.Done) {
                        simulatedStallScanner.acknowledged(job, signal.id());
                    }
                    answer.accept(reply);
                };
        if (mutantInjector.forgets(job, signal)) {
            onReply.accept(new CommandReply.Done(true));
        } else {
            ask(job, signal, onReply);
        }
    }

    public void decide(
            JobId job, JobCommand.DecideApproval decision, Consumer<CommandReply> answer) {
        ask(job, decision, answer);
    }

    public void resolve(JobId job, JobCommand.ResolveTask resolve, Consumer<CommandReply> answer) {
        ask(job, resolve, answer);
    }

    public void answer(
            JobId job, JobCommand.AnswerQuestion answer, Consumer<CommandReply> onReply) {
        if (mutantInjector.forgets()) {
            onReply.accept(new CommandReply.Done(true));
        } else {
            ask(job, answer, onReply);
        }
    }

    public void resolve(
            JobId job,
            JobCommand.ResolveQuarantine resolveQuarantine,
            Consumer<CommandReply> answer) {
        ask(job, resolveQuarantine, answer);
    }

    public void rewind(JobId job, JobCommand.Rewind rewind, Consumer<CommandReply> answer) {
        ask(job, rewind, answer);
    }

    public void fork(JobId job, JobCommand.Fork fork, Consumer<CommandReply> answer) {
        ask(job, mutantInjector.fork(fork), answer);
    }
}
