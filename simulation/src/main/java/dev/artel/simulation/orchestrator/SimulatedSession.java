package dev.artel.simulation.orchestrator;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.QuestionReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Register;
import dev.artel.protocol.Renew;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.PushTerms;
import dev.artel.session.QuestionReplies;
import dev.artel.session.SessionCore;
import dev.artel.session.SessionInput;
import dev.artel.session.SessionOutput;
import dev.artel.session.SessionReply;
import dev.artel.session.SessionSettings;
import dev.artel.simulation.judges.IdleLeases;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.judges.PresenceInvariants;
import dev.artel.simulation.judges.PushInvariants;
import dev.artel.simulation.mutants.MutantInjector;
import dev.artel.simulation.mutants.PushMutants;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The mailbox of the conversation with workers, and what it wants done.
public final class SimulatedSession {
    private static final long TICK = 2_000;
    private static final SessionSettings SETTINGS =
            new SessionSettings(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(60),
                    SessionSettings.Limits.DEFAULTS);

    private final World world;
    private final Ledger ledger;
    private final Handling handling;
    private final SimulatedOrchestrator orchestrator;
    private final Map<WorkerId, JsonObject> registrations;
    private final SessionCore core = new SessionCore(SETTINGS);
    private final Inbox<SessionInput> inbox;
    private final Map<Long, Consumer<@Nullable SessionReply>> requests = new HashMap<>();
    private long lastRequest;
    private final SequencedMap<Long, PushLine> lines = new LinkedHashMap<>();
    private final Map<Long, Duration> terms = new HashMap<>();
    private final PresenceInvariants presence;
    private final PushInvariants pushInvariants;
    private final PushMutants pushMutants;
    private final MutantInjector mutantInjector;
    private final IdleLeases idleLeases;
    private long lastSocket;

    /// Until when nobody could be heard.
    private long stoodStillUntil = Long.MIN_VALUE / 2;

    SimulatedSession(
            OrchestratorHost orchestratorHost,
            MutantInjector mutantInjector,
            SimulatedOrchestrator orchestrator) {
        this.mutantInjector = mutantInjector;
        idleLeases = orchestratorHost.idleLeases();
        world = orchestratorHost.world();
        ledger = orchestratorHost.ledger();
        presence = new PresenceInvariants(world, SETTINGS);
        pushInvariants = new PushInvariants(world, presence, this::mayRepeat);
        pushMutants = new PushMutants(world);
        handling = orchestratorHost.handling();
        registrations = orchestratorHost.registrations();
        this.orchestrator = orchestrator;
        inbox = new Inbox<>(world, orchestrator, this::take);
    }

    private boolean mayRepeat(LeaseToken token) {
        return token.address()
                .flatMap(address -> ledger.task(address.job(), address.task()))
                .filter(task -> task.spec().idempotent())
                .isPresent();
    }

    /// Takes up what the process before knew of workers, and begins to tick.
    void start() {
        registrations.forEach((worker, words) -> {
            var input = recalled(worker, words);
            judgeBefore(input);
            core.on(input, now());
        });
        tick();
    }

    private static SessionInput recalled(WorkerId worker, JsonObject words) {
        return new SessionInput.Recalled(worker, Register.read(words));
    }

    private void tick() {
        orchestrator.later(
                TICK,
                () -> {
                    put(new SessionInput.Tick(now()));
                    tick();
                });
    }

    /// Ticks at a time to the moment, and a moment before.
    private void tickAround(long millis) {
        for (var moment = millis - 1; moment <= millis; moment++) {
            orchestrator.later(moment, () -> put(new SessionInput.Tick(now())));
        }
    }

    private Instant now() {
        return pushMutants.now();
    }

    void standsStill(long until) {
        stoodStillUntil = until;
    }

    /// Every connection breaks.
    void crash() {
        var broken = new ArrayList<>(requests.values());
        requests.clear();
        broken.forEach(request -> request.accept(null));
        var cut = List.copyOf(lines.values());
        lines.clear();
        cut.forEach(line -> line.closed("the orchestrator has died"));
    }

    void put(SessionInput input) {
        if (input instanceof SessionInput.Tick) {
            pushInvariants.ticks();
        }
        inbox.put(input);
    }

    /// Takes in a message of a worker.
    ///
    /// @param answer receives the reply, or null if the connection breaks
    /// @return the number of the request
    public long receive(
            WorkerId worker, WorkerMessage message, Consumer<@Nullable SessionReply> answer) {
        var request = ++lastRequest;
        requests.put(request, answer);
        put(new SessionInput.Said(request, worker, message));
        return request;
    }

    public void written(long request) {
        put(new SessionInput.TasksWritten(request));
    }

    public void notWritten(long request) {
        put(new SessionInput.TasksNotWritten(request, LeaseEnd.Returned.NOT_RECEIVED));
    }

    public void abandoned(long request) {
        if (requests.containsKey(request)) {
            put(new SessionInput.RequestAbandoned(request));
        }
    }

    /// Takes a connection over which tasks are pushed to `worker`.
    ///
    /// @return the number of its socket
    public long opened(WorkerId worker, PushTerms terms, PushLine line) {
        var socket = ++lastSocket;
        lines.put(socket, line);
        this.terms.put(socket, terms.acceptWithin());
        put(new SessionInput.ChannelOpened(socket, worker, terms));
        return socket;
    }

    /// Takes what somebody sends who may have no right to.
    public void strangely(SessionInput input) {
        put(input);
    }

    public void accepted(long socket, LeaseToken token) {
        if (lines.containsKey(socket)) {
            put(new SessionInput.TasksAccepted(socket, List.of(token)));
        }
    }

    public void refused(long socket, LeaseToken token) {
        if (lines.containsKey(socket)) {
            put(new SessionInput.TasksRefused(socket, List.of(token), LeaseEnd.Returned.RELEASED));
        }
    }

    /// What the worker of a channel had of an earlier process is to come again.
    public void repeats(long socket) {
        if (lines.containsKey(socket)) {
            put(new SessionInput.ChannelRepeats(socket, false));
        }
    }

    public void resumed(long socket) {
        if (lines.containsKey(socket)) {
            put(new SessionInput.ChannelResumed(socket));
        }
    }

    /// The connection of a channel is over, for whatever reason; if it is already, nothing happens.
    public void closed(long socket, String reason) {
        var line = lines.remove(socket);
        if (line != null) {
            world.note("session", "channel " + socket + " is over: " + reason);
            pushInvariants.ends(socket);
            if (!pushMutants.hidesEnd()) {
                put(new SessionInput.SocketClosed(socket));
            }
            line.closed(reason);
        }
    }

    private void take(SessionInput input) {
        if (!isRoutine(input)) {
            world.note("session", input);
        }
        judgeBefore(input);
        var heard = pushMutants.input(input);
        var outputs = pushMutants.outputs(input, core.on(heard, pushMutants.at(heard)));
        judge(input, outputs);
        for (var output : outputs) {
            if (input instanceof SessionInput.Tick && output instanceof SessionOutput.Left) {
                checkCouldBeHeard(output);
            }
            if (orchestrator.diesNow()) {
                return;
            }
            perform(output);
        }
    }

    private void judgeBefore(SessionInput input) {
        if (!world.isWatchedOnly()) {
            presence.before(input, world.steadyNow());
            pushInvariants.before(input);
        }
    }

    private void judge(SessionInput input, List<SessionOutput> outputs) {
        if (world.isWatchedOnly()) {
            return;
        }
        var now = world.steadyNow();
        for (var output : outputs) {
            presence.sends(input, output, now);
            pushInvariants.sends(input, output, now);
        }
        presence.after(input, now);
        pushInvariants.after(input, now);
    }

    private void checkCouldBeHeard(SessionOutput left) {
        if (world.loop().now() < stoodStillUntil + SETTINGS.grace().toMillis()) {
            throw world.failure(
                    "the orchestrator stood still, and takes others for silent: " + left);
        }
    }

    private static boolean isRoutine(SessionInput input) {
        return switch (input) {
            case SessionInput.Tick _ -> true;
            case SessionInput.Said(long _, var _, var message) ->
                    message instanceof Heartbeat || message instanceof Renew;
            case SessionInput _ -> false;
        };
    }

    private void perform(SessionOutput output) {
        switch (output) {
            case SessionOutput.Reply(long request, var reply) -> {
                var waiting = requests.remove(request);
                if (waiting == null) {
                    throw world.failure("request " + request + " is answered twice: " + reply);
                }
                waiting.accept(reply);
            }
            case SessionOutput.Keep words -> {
                if (!world.has(Trait.AGENTS) || world.random(Trait.AGENTS).nextInt(5) > 0) {
                    registrations.put(words.worker(), words.words());
                }
                perform(new SessionOutput.Reply(words.request(), words.reply(true)));
            }
            case SessionOutput.Joined(var profile) ->
                    orchestrator.put(new CoordinatorInput.Joined(profile));
            case SessionOutput.Left(var worker, var reason) ->
                    orchestrator.put(new CoordinatorInput.Left(worker, reason));
            case SessionOutput.Ask(long ask, var worker, int max) ->
                    orchestrator.put(new CoordinatorInput.Asked(ask, worker, max));
            case SessionOutput.Withdraw(long ask) ->
                    orchestrator.put(new CoordinatorInput.Withdrawn(ask));
            case SessionOutput.Renew(var worker, var tokens, var term) -> {
                if (!world.isWatchedOnly()) {
                    // What must not be done twice is not sent again, and waits for its timeout.
                    idleLeases.renews(worker, tokens.stream().filter(this::mayRepeat).toList());
                }
                orchestrator.put(new CoordinatorInput.Renewed(worker, tokens, term));
            }
            case SessionOutput.RenewOnly(long request, var worker, var tokens, var term) ->
                    orchestrator.put(
                            new CoordinatorInput.RenewedOnly(request, worker, tokens, term));
            case SessionOutput.SetTerm(var worker, var tokens, var term) ->
                    orchestrator.put(new CoordinatorInput.RenewedOnly(0, worker, tokens, term));
            case SessionOutput.End(var token, var reason) ->
                    orchestrator.put(new CoordinatorInput.Ended(token, reason));
            case SessionOutput.Report report -> report(report);
            case SessionOutput.Question asked -> question(asked);
            case SessionOutput.Push(long socket, var cancel) -> {
                var line = lines.get(socket);
                if (line != null) {
                    line.cancel(cancel);
                }
            }
            case SessionOutput.PushTasks(long socket, var tasks, var _) -> {
                var line = lines.get(socket);
                var acceptWithin = terms.get(socket);
                if (acceptWithin != null && world.random(Trait.PUSHED).nextInt(4) == 0) {
                    tickAround(acceptWithin.toMillis());
                }
                // What goes to a connection that is over comes back with its end, which is on its
                // way.
                if (line != null) {
                    line.push(tasks);
                }
            }
            case SessionOutput.PushAgain(long socket, var tasks, var _) -> {
                var line = lines.get(socket);
                if (line != null) {
                    line.push(tasks);
                }
            }
            case SessionOutput.CloseSocket(long socket, int _, var reason) ->
                    closed(socket, reason);
            case SessionOutput.Progressed _,
                    SessionOutput.Logged _,
                    SessionOutput.NameShared _ -> {}
        }
    }

    private void question(SessionOutput.Question asked) {
        var address = asked.token().address();
        if (address.isEmpty()) {
            reply(
                    asked.request(),
                    new QuestionReply.Refused(Decision.Reason.UNKNOWN_JOB, "not ours"));
            return;
        }
        var job = address.get().job();
        var command =
                new JobCommand.AskQuestion(
                        address.get().task(),
                        asked.token(),
                        asked.worker(),
                        asked.question(),
                        asked.within(),
                        world.now());
        orchestrator.ask(
                job,
                command,
                reply ->
                        reply(
                                asked.request(),
                                switch (reply) {
                                    case CommandReply.Done _ -> known(job, command);
                                    case CommandReply.Refused(var reason, var detail) ->
                                            new QuestionReply.Refused(reason, detail);
                                    case CommandReply.TryLater(var after, var detail) ->
                                            new QuestionReply.TryLater(after, detail);
                                }));
    }

    private QuestionReply known(JobId job, JobCommand.AskQuestion command) {
        var task = ledger.task(job, command.task());
        var answer = task.flatMap(it -> it.answerTo(command.question().id()));
        if (answer.isPresent()) {
            return new QuestionReply.Answered(answer.get().text());
        }
        if (world.has(Mutant.QUESTION_ANSWERED_FROM_NOWHERE)) {
            return new QuestionReply.Answered("left");
        }
        return task.flatMap(it -> it.asked())
                .<QuestionReply>map(it -> new QuestionReply.Waiting(it.number()))
                .orElseGet(
                        () -> new QuestionReply.Refused(Decision.Reason.STALE_LEASE, "it is over"));
    }

    private void reply(long request, QuestionReply reply) {
        perform(new SessionOutput.Reply(request, QuestionReplies.of(reply)));
    }

    private void report(SessionOutput.Report report) {
        var address = report.token().address();
        if (address.isEmpty()) {
            put(
                    new SessionInput.Reported(
                            report.request(),
                            report.index(),
                            new CommandReply.Refused(Decision.Reason.UNKNOWN_JOB, "not ours")));
            return;
        }
        var command =
                new JobCommand.Report(
                        address.get().task(),
                        report.token(),
                        report.worker(),
                        handling.keep(report.report()),
                        report.cost(),
                        world.random().nextDouble(),
                        world.now());
        orchestrator.writeAgain(address.get().job(), command);
        orchestrator.ask(
                address.get().job(),
                command,
                reply -> {
                    var heard = mutantInjector.reply(reply);
                    ledger.acknowledged().answered(report.token(), heard);
                    put(new SessionInput.Reported(report.request(), report.index(), heard));
                });
    }
}
