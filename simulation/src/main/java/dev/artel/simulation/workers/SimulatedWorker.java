package dev.artel.simulation.workers;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Profile;
import dev.artel.protocol.QuestionAnswer;
import dev.artel.protocol.Readiness;
import dev.artel.protocol.Register;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.RenewAnswer;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import dev.artel.simulation.judges.IdleLeases;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.orchestrator.OrchestratorHost;
import dev.artel.simulation.orchestrator.SimulatedOrchestrator;
import dev.artel.simulation.world.AttemptCosts;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A worker of some generation: asks for tasks, does them, reports, and has bad days.
public final class SimulatedWorker {
    /// How often a frozen worker is looked at.
    private static final long GLANCE = 1_000;

    private static final long TIMEOUT = 10_000;
    private static final long POLL_TIMEOUT = 35_000;
    private static final int MOST_TRIES = 30;

    /// How a worker reports that it still has its tasks.
    public enum Kind {
        /// Renews each lease by name.
        RENEWS,
        /// Lists its tasks in its heartbeats.
        LISTS,
        /// Says how many tasks it has.
        COUNTS,
        /// The same, and does not distinguish one life from the other.
        OLD,
        /// Never says what it has, and gets its tasks over a broker.
        AGENT;

        /// Those that are on wires of their own.
        public static final List<Kind> CONNECTED = List.of(RENEWS, LISTS, COUNTS, OLD);
    }

    private final World world;
    private final Ledger ledger;
    private final Wire wire;
    private final WorkerId id;
    private final Kind kind;
    private final Profile profile;
    private final List<String> hot;
    private final Script script;
    private final int capacity;
    private final SequencedMap<String, Attempt> attempts = new LinkedHashMap<>();
    private @Nullable PushedTasks pushedTasks;
    private @Nullable AgentLine agentLine;

    /// Distinguishes the processes under one name.
    private String name = "";

    private int life;
    private boolean up;
    private boolean registered;
    private boolean drains;
    private int polls;
    private long frozenUntil;
    private long cutOffUntil;

    private static final class Attempt {
        final HandOut task;
        boolean reporting;

        /// Whether it waits for an answer.
        boolean asks;

        Attempt(HandOut task) {
            this.task = task;
        }

        String token() {
            return task.lease().token().value();
        }
    }

    /// @param hot models and files that it has loaded
    public SimulatedWorker(
            OrchestratorHost orchestratorHost,
            Wire wire,
            WorkerId id,
            Kind kind,
            Profile profile,
            List<String> hot,
            Script script) {
        world = orchestratorHost.world();
        ledger = orchestratorHost.ledger();
        this.wire = wire;
        this.profile = profile;
        this.hot = hot;
        this.script = script;
        this.id = id;
        this.kind = kind;
        capacity = profile.limits().maxConcurrentTasks();
    }

    /// Has tasks pushed from now on, where it does not poll.
    public void joinsByPush(Supplier<SimulatedOrchestrator> orchestrator) {
        pushedTasks = new PushedTasks(world, orchestrator, this, kind != Kind.OLD);
    }

    /// Gets its tasks over a broker.
    public void joinsByBroker(Supplier<SimulatedOrchestrator> orchestrator, IdleLeases judge) {
        var line = new AgentLine(world, orchestrator, this);
        agentLine = line;
        judge.watch(id, token -> attempts.containsKey(token.value()) || line.isUnderWay(token));
    }

    /// Is a second process under a name that is in use, and ends after a while.
    public void isTwin(long lasts) {
        name = "twin-";
        start();
        world.loop()
                .after(
                        lasts,
                        () -> {
                            life++;
                            up = false;
                            attempts.clear();
                        });
    }

    public WorkerId id() {
        return id;
    }

    /// The leases of the tasks that it is at, and the one that was pushed to it last.
    List<LeaseToken> leases() {
        var leases = new ArrayList<LeaseToken>();
        attempts.values().forEach(attempt -> leases.add(attempt.task.lease().token()));
        var pushed = pushedTasks == null ? null : pushedTasks.arrivedLast();
        if (pushed != null) {
            leases.add(pushed);
        }
        return leases;
    }

    boolean isBusy() {
        return !attempts.isEmpty();
    }

    int life() {
        return life;
    }

    boolean isCutOff() {
        return world.loop().now() < cutOffUntil;
    }

    // Life

    public void start() {
        life++;
        up = true;
        registered = false;
        drains = false;
        polls = 0;
        attempts.clear();
        if (agentLine != null) {
            agentLine.startsAnew();
        }
        register();
        beat();
    }

    /// What a worker does is done by the life that meant to, and when it is awake.
    void later(long millis, Runnable act) {
        world.loop().after(millis, awake(act));
    }

    private Runnable awake(Runnable act) {
        var born = life;
        return () -> {
            if (born == life && up) {
                if (world.loop().now() < frozenUntil) {
                    // Looked at again meanwhile: it may wake up earlier.
                    var again = Math.min(frozenUntil, world.loop().now() + GLANCE);
                    world.loop().at(again, awake(act));
                } else {
                    act.run();
                }
            }
        };
    }

    private void send(
            WorkerMessage message, long timeout, Consumer<@Nullable SessionReply> answer) {
        var born = life;
        wire.send(
                this,
                message,
                timeout,
                reply -> {
                    if (born == life) {
                        awake(() -> answer.accept(reply)).run();
                    }
                });
    }

    // Bad days

    public void crash(long millis) {
        if (up) {
            world.note(id.value(), "crashes");
            die(millis);
        }
    }

    private void die(long millis) {
        life++;
        up = false;
        attempts.clear();
        if (pushedTasks != null) {
            pushedTasks.abandon();
        }
        world.loop()
                .after(
                        millis,
                        () -> {
                            if (!up) {
                                start();
                            }
                        });
    }

    void freeze(long millis) {
        world.note(id.value(), "freezes");
        frozenUntil = world.loop().now() + millis;
    }

    void cutOff(long millis) {
        world.note(id.value(), "is cut off");
        cutOffUntil = world.loop().now() + millis;
    }

    /// Stops on purpose.
    void leave() {
        if (!up || drains) {
            return;
        }
        world.note(id.value(), "leaves");
        if (world.chance(0.5)) {
            drains = true;
            send(new WorkerMessage.Drain(id.value()), TIMEOUT, _ -> {});
            leaveWhenDone();
        } else {
            List.copyOf(attempts.values())
                    .forEach(attempt -> report(attempt, new TaskOutcome.CancelledByWorker()));
            later(world.between(0, 50), this::disconnect);
        }
    }

    private void leaveWhenDone() {
        if (attempts.isEmpty() && polls == 0) {
            disconnect();
        } else {
            later(1_000, this::leaveWhenDone);
        }
    }

    /// Begins again where it cannot go on without its connection, and forgets what it had.
    void startsAnew() {
        attempts.clear();
        registered = false;
        register();
    }

    private void disconnect() {
        send(new WorkerMessage.Disconnect(id.value()), TIMEOUT, _ -> {});
        die(world.between(1_000, 20_000));
    }

    public void calmDown() {
        frozenUntil = 0;
        cutOffUntil = 0;
    }

    // Presence

    private void register() {
        var instance = kind == Kind.OLD ? null : id.value() + "-" + name + life;
        var message =
                new Register(
                        id.value(),
                        "simulated",
                        new Register.Origin(instance, null, null),
                        profile,
                        new Readiness(Readiness.Status.IDLE, 0, hot, List.of()),
                        kind == Kind.RENEWS
                                ? new Register.Wishes(Duration.ofSeconds(15), false, null)
                                : Register.Wishes.NONE);
        send(
                message,
                TIMEOUT,
                reply -> {
                    if (reply instanceof SessionReply.Message) {
                        registered = true;
                        if (agentLine != null) {
                            agentLine.open();
                        }
                        poll();
                    } else {
                        later(world.between(500, 2_000), this::register);
                    }
                });
    }

    private void beat() {
        if (pushedTasks != null && registered && !drains) {
            pushedTasks.beat();
        }
        if (agentLine != null && !isCutOff()) {
            agentLine.heard();
            if (registered && !drains && !agentLine.isOpen()) {
                register();
            }
        }
        send(
                heartbeat(),
                TIMEOUT,
                reply -> {
                    switch (reply) {
                        case SessionReply.Refreshed(var answer, var _, var _) ->
                                cancel(answer.cancelTasks());
                        case SessionReply.Message(RenewAnswer answer) -> {
                            answer.lost().forEach(lost -> giveUp(lost.leaseToken()));
                            cancel(answer.cancel());
                        }
                        case SessionReply.UnknownWorker _ -> {
                            if (registered) {
                                registered = false;
                                register();
                            }
                        }
                        case null, default -> {}
                    }
                });
        later(world.between(script.beat() - 1_000, script.beat() + 1_000), this::beat);
    }

    private WorkerMessage heartbeat() {
        var tokens = new ArrayList<>(attempts.sequencedKeySet());
        var load = attempts.size();
        if (world.strikes(Trait.LOADS_LIE, 0.3)) {
            load = (int) world.between(0, 2L * capacity);
            tokens.removeIf(_ -> world.chance(0.5));
        }
        return switch (kind) {
            case RENEWS -> new Renew(id.value(), tokens, List.of());
            case LISTS -> full(load).holding(tokens);
            case COUNTS, OLD -> full(load);
            case AGENT -> new Heartbeat.Empty(id.value());
        };
    }

    private Heartbeat.Full full(int load) {
        return new Heartbeat.Full(
                id.value(),
                Readiness.Status.IDLE,
                load,
                profile.names(),
                Heartbeat.HotState.UNREPORTED,
                null);
    }

    // Work

    void poll() {
        if (registered && !drains && pushedTasks != null && pushedTasks.isPushed()) {
            return;
        }
        if (agentLine != null || !registered || drains || polls > 0 || working() >= capacity) {
            return;
        }
        polls++;
        var max = world.has(Trait.BATCH_POLLS) ? capacity - working() : 0;
        send(
                new WorkerMessage.Poll(id.value(), max),
                POLL_TIMEOUT,
                reply -> {
                    polls--;
                    switch (reply) {
                        case SessionReply.Tasks(var tasks, var _, var _) -> {
                            tasks.forEach(this::begin);
                            poll();
                        }
                        case SessionReply.NoTask _ -> later(world.between(0, 100), this::poll);
                        case null, default -> later(world.between(500, 2_000), this::poll);
                    }
                });
    }

    private int working() {
        return (int) attempts.values().stream().filter(attempt -> !attempt.asks).count();
    }

    void begin(HandOut task) {
        var attempt = new Attempt(task);
        attempts.put(attempt.token(), attempt);
        if (agentLine == null && world.strikes(Trait.TASKS_RETURNED, 0.05)) {
            release(attempt);
        } else {
            ledger.begins(attempt.task.lease().token());
            work(attempt, script.on(task));
        }
    }

    private void work(Attempt attempt, Script.Plan plan) {
        later(plan.millis(), () -> end(attempt, plan.ending().get()));
    }

    /// Asks until there is an answer, and does something else meanwhile.
    private void ask(Attempt attempt, Script.Ending.Ask asked) {
        if (attempts.get(attempt.token()) != attempt || attempt.reporting) {
            return;
        }
        attempt.asks = true;
        ledger.asks(id, attempt.task.lease().token(), asked.id());
        var message =
                new AskQuestion(
                        id.value(),
                        attempt.token(),
                        attempt.token(),
                        asked.id(),
                        asked.question(),
                        asked.choices(),
                        asked.within().orElse(null));
        send(
                message,
                TIMEOUT,
                reply -> {
                    if (attempts.get(attempt.token()) == attempt && !attempt.reporting) {
                        heard(attempt, asked, reply);
                    }
                });
    }

    private void heard(Attempt attempt, Script.Ending.Ask asked, @Nullable SessionReply reply) {
        switch (reply) {
            case SessionReply.Message(QuestionAnswer.Answered(var answer)) -> {
                attempt.asks = false;
                ledger.acknowledged().received(attempt.task.lease().token(), asked.id(), answer);
                work(attempt, asked.then().apply(answer));
            }
            case SessionReply.Message(QuestionAnswer.Ignored _) -> forget(attempt);
            case SessionReply.Message(QuestionAnswer.Parked _) -> {
                poll();
                later(world.between(500, 5_000), () -> ask(attempt, asked));
            }
            case null, default -> later(world.between(500, 2_000), () -> ask(attempt, asked));
        }
    }

    private void end(Attempt attempt, Script.Ending ending) {
        switch (ending) {
            case Script.Ending.Report(var outcome) -> report(attempt, outcome);
            case Script.Ending.Ask asked -> ask(attempt, asked);
            case Script.Ending.Silence _ -> world.note(id.value(), "falls silent");
            case Script.Ending.Crash(long restartAfter) -> {
                if (attempts.get(attempt.token()) == attempt && !attempt.reporting) {
                    crash(restartAfter);
                }
            }
        }
    }

    private void release(Attempt attempt) {
        attempt.reporting = true;
        var message = new Release(id.value(), List.of(attempt.token()), "not now");
        send(message, TIMEOUT, _ -> forget(attempt));
    }

    void cancel(List<String> tokens) {
        for (var token : tokens) {
            var attempt = attempts.get(token);
            if (attempt != null && !world.strikes(Trait.CANCELS_IGNORED, 0.7)) {
                report(attempt, new TaskOutcome.CancelledByWorker());
            }
        }
    }

    /// The lease is lost: nobody waits for a report.
    private void giveUp(String token) {
        var attempt = attempts.get(token);
        if (attempt != null && !attempt.reporting) {
            forget(attempt);
        }
    }

    private void report(Attempt attempt, TaskOutcome outcome) {
        if (attempts.get(attempt.token()) == attempt && !attempt.reporting) {
            attempt.reporting = true;
            report(attempt, outcome, MOST_TRIES);
        }
    }

    private void report(Attempt attempt, TaskOutcome outcome, int tries) {
        ledger.reports(id, attempt.task.lease().token());
        var message =
                new TaskResult(
                        attempt.task.job().value(),
                        attempt.token(),
                        id.value(),
                        kind == Kind.OLD ? null : attempt.token(),
                        outcome,
                        AttemptCosts.reported(world, attempt.task.lease().token())
                                .map(usd -> JsonObject.of("cost_usd", JsonValue.of(usd)))
                                .orElse(null));
        send(
                message,
                TIMEOUT,
                reply -> {
                    if (reply instanceof SessionReply.Results
                            || (tries == 0 && agentLine == null)) {
                        forget(attempt);
                    } else {
                        later(world.between(500, 3_000), () -> report(attempt, outcome, tries - 1));
                    }
                });
    }

    private void forget(Attempt attempt) {
        attempts.remove(attempt.token());
        poll();
    }
}
