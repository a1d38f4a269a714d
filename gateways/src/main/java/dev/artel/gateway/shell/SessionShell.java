package dev.artel.gateway.shell;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.QuestionReply;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.store.StoreException;
import dev.artel.log.LinesAMinute;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Register;
import dev.artel.protocol.SocketMessage;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.PushTerms;
import dev.artel.session.QuestionReplies;
import dev.artel.session.SessionCore;
import dev.artel.session.SessionInput;
import dev.artel.session.SessionOutput;
import dev.artel.session.SessionOutput.RenewOnly;
import dev.artel.session.SessionOutput.Report;
import dev.artel.session.SessionReply;
import dev.artel.session.SessionSettings;
import dev.artel.session.WorkerSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the conversation with workers: the only lock is its mailbox, what waits does so on the thread of the one who
/// asked. Safe for use by many threads.
public final class SessionShell implements WorkerPort.Listener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionShell.class);
    private static final int WAITING_MESSAGES = 100_000;
    private static final Duration LONGEST_CALL = Duration.ofSeconds(30);
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(20);
    private static final Duration TICK = Duration.ofMillis(100);
    private static final SessionReply BUSY =
            new SessionReply.TryLater(
                    Duration.ofSeconds(1), "too many messages wait to be read; try again later");

    private static final SessionReply FAILED =
            new SessionReply.TryLater(
                    Duration.ofSeconds(10),
                    "the orchestrator could not process the message, which is its bug; its log has the cause");

    /// What the answer to a report has that met with an error of the orchestrator.
    private static final String REPORT_FAILED =
            "the report met with an error of the orchestrator; its log has the cause";

    /// How many lines a minute the log has of what workers ask and what meets with an error.
    static final int MOST_FAILURES = 60;

    private final SessionCore core;
    private final InstantSource clock;
    private final ProgressListener progress;

    /// What workers ask and what meets with an error. Workers choose how often that is.
    private final LinesAMinute failures = new LinesAMinute(MOST_FAILURES);

    private final SessionMailbox<SessionInput> mailbox;
    private final AtomicLong numbers = new AtomicLong();
    private final ConcurrentHashMap<Long, Pending> pending = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, WorkerSocket> sockets = new ConcurrentHashMap<>();

    /// The workers with leases of an earlier process: as many as that had.
    private final Set<WorkerId> holders = ConcurrentHashMap.newKeySet();

    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("artel-session-call").factory());
    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("artel-session-timer").factory());
    private @Nullable WorkerPort engine;
    private Instant lastNow = Instant.MIN;
    private Runnable begin = () -> {};
    private Runnable end = () -> {};
    private Consumer<Error> fatal = SessionShell::logged;

    /// Receives the progress of tasks and the log lines of their workers. Called by the mailbox's thread: must not wait
    /// and not throw.
    @FunctionalInterface
    public interface ProgressListener {
        /// A worker has reported the progress of an attempt.
        ///
        /// @param fraction from 0 to 1, as far as the worker keeps to it
        void progressed(WorkerId worker, LeaseToken token, double fraction, String message);

        /// A worker has logged lines about an attempt that it holds.
        default void logged(WorkerId worker, LeaseToken token, List<TaskLog.Line> lines) {}
    }

    /// A shell that keeps its inputs until it is connected, and where each worker has a token of its own.
    ///
    /// @param clock a monotonic one such as [MonotonicTime]
    public SessionShell(SessionSettings settings, InstantSource clock, ProgressListener progress) {
        this(settings, WorkerId::value, clock, progress);
    }

    /// A shell that keeps its inputs until it is connected.
    ///
    /// @param tokens whose token a worker has: the same for all that have one together; must not wait
    /// @param clock a monotonic one such as [MonotonicTime]
    public SessionShell(
            SessionSettings settings,
            Function<WorkerId, String> tokens,
            InstantSource clock,
            ProgressListener progress) {
        this.core = new SessionCore(settings, tokens);
        this.clock = clock;
        this.progress = progress;
        this.mailbox = new SessionMailbox<>(this::on, this::execute, WAITING_MESSAGES);
    }

    private static void logged(Error error) {
        LOG.atError().setCause(error).log("the session of workers met an error");
    }

    /// Begins. To be called once.
    public void connect(WorkerPort workerPort) {
        engine = workerPort;
        mailbox.open();
        var _ =
                timer.scheduleWithFixedDelay(
                        this::tickSafely, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
        var _ = timer.scheduleWithFixedDelay(this::endLateSafely, 1, 1, TimeUnit.SECONDS);
    }

    /// The timer would keep an error to itself, and never tick again.
    private void tickSafely() {
        try {
            tick();
        } catch (Error error) {
            fatal.accept(error);
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("a tick of the session of workers failed");
        }
    }

    /// The registrations of workers with an earlier process of the orchestrator, those first that were seen last.
    /// To be called before [#connect]. Those that cannot be read are left out, with a line in the log.
    public void recall(List<Registration> registrations) {
        for (var registration : registrations.reversed()) {
            try {
                var registered = Register.read(registration.words());
                mailbox.send(new SessionInput.Recalled(registration.worker(), registered));
            } catch (MalformedMessage unreadable) {
                LOG.atWarn()
                        .addKeyValue("worker", registration.worker())
                        .addKeyValue("cause", unreadable.getMessage())
                        .log(
                                "the registration of the worker from before the restart cannot be read; it has to register again");
            }
        }
    }

    /// Reports `worker` to the engine anew, if it is connected: what others add to its profile has changed.
    public void review(WorkerId worker) {
        mailbox.send(new SessionInput.Reviewed(worker));
    }

    /// Takes note of the time. Its own timer does so ten times a second.
    public void tick() {
        mailbox.send(new SessionInput.Tick(clock.instant()));
    }

    /// Sends `message` of `worker`, which is no poll, and waits for the answer.
    public SessionReply receive(WorkerId worker, WorkerMessage message)
            throws InterruptedException {
        var request = numbers.incrementAndGet();
        return call(request, new SessionInput.Said(request, worker, unmarked(message)));
    }

    /// Workers have no labels by which they would be taken for an agent of the bus.
    private static WorkerMessage unmarked(WorkerMessage message) {
        return message instanceof Register register ? register.unmarked() : message;
    }

    /// Reports `results` of `worker` and waits for the answers, which are durable.
    public SessionReply report(WorkerId worker, List<TaskResult> results)
            throws InterruptedException {
        var request = numbers.incrementAndGet();
        return call(request, new SessionInput.SaidResults(request, worker, results));
    }

    private SessionReply call(long request, SessionInput input) throws InterruptedException {
        if (mailbox.isFull()) {
            return BUSY;
        }
        var call = new Call();
        pending.put(request, call);
        try {
            mailbox.run(input);
            return call.await(LONGEST_CALL);
        } finally {
            pending.remove(request);
        }
    }

    /// Sends `message` of `worker`, which is no poll, and has the answer come without a thread that waits: often it is
    /// there at once.
    public CompletableFuture<SessionReply> send(WorkerId worker, WorkerMessage message) {
        return sendMarked(worker, unmarked(message));
    }

    /// Does the same for an agent of the bus, whose registration has the labels of one.
    public CompletableFuture<SessionReply> sendMarked(WorkerId worker, WorkerMessage message) {
        if (mailbox.isFull()) {
            return CompletableFuture.completedFuture(BUSY);
        }
        var request = numbers.incrementAndGet();
        var answer = new CompletableFuture<SessionReply>();
        pending.put(request, new WaitingAnswer(answer, this::execute, System.nanoTime()));
        mailbox.run(new SessionInput.Said(request, worker, message));
        return answer;
    }

    /// Answers those whose answer is late: a timer for each would be more work than most messages are.
    private void endLateSafely() {
        try {
            endLate();
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("late answers to workers could not be given up");
        }
    }

    private void endLate() {
        var now = System.nanoTime();
        pending.forEach((request, waiting) -> {
            if (waiting instanceof WaitingAnswer answer
                    && now - answer.since() > LONGEST_CALL.toNanos()
                    && pending.remove(request, waiting)) {
                execute(() -> answer.reply(Call.none(LONGEST_CALL)));
            }
        });
    }

    /// Waits for tasks without a thread. An answer with tasks must be followed by [#written] or [#notWritten].
    ///
    public WaitingPoll poll(WorkerId worker, WorkerMessage.Poll message) {
        var request = numbers.incrementAndGet();
        var poll = new WaitingPoll(request, new CompletableFuture<>());
        if (mailbox.isFull()) {
            poll.reply(BUSY);
            return poll;
        }
        pending.put(request, poll);
        mailbox.run(new SessionInput.Said(request, worker, message));
        return poll;
    }

    /// The one who polled is gone; tasks that are on their way go back.
    public void abandon(WaitingPoll poll) {
        mailbox.send(new SessionInput.RequestAbandoned(poll.request()));
        if (pending.remove(poll.request()) != null) {
            poll.reply(new SessionReply.NoTask());
        }
    }

    /// The tasks that answered `poll` have left for the worker.
    public void written(WaitingPoll poll) {
        mailbox.send(new SessionInput.TasksWritten(poll.request()));
    }

    /// The tasks that answered `poll` could not be written.
    public void notWritten(WaitingPoll poll) {
        notWritten(poll, LeaseEnd.Returned.NOT_RECEIVED);
    }

    /// There was no room for the tasks that answered `poll`, which are returned.
    public void noRoom(WaitingPoll poll) {
        notWritten(poll, LeaseEnd.Returned.NO_ROOM);
    }

    private void notWritten(WaitingPoll poll, LeaseEnd.Returned why) {
        mailbox.send(new SessionInput.TasksNotWritten(poll.request(), why));
    }

    /// Who is there; empty if the session is too busy to answer.
    public Optional<List<WorkerSnapshot>> workers() throws InterruptedException {
        var request = numbers.incrementAndGet();
        return call(request, new SessionInput.ListWorkers(request))
                        instanceof SessionReply.Workers(var workers)
                ? Optional.of(workers)
                : Optional.empty();
    }

    /// A socket is open.
    ///
    /// @param worker null if it is unknown whose it is
    /// @return its number
    public long opened(WorkerSocket socket, @Nullable WorkerId worker) {
        var number = numbers.incrementAndGet();
        sockets.put(number, socket);
        mailbox.send(new SessionInput.SocketOpened(number, worker, socket.wire()));
        return number;
    }

    /// A socket is open of which it is unknown whose it is.
    ///
    /// @param mayBe which workers it may be that of; called by the session, must not wait; equal for sockets of one token
    /// @return its number
    public long openedNameless(WorkerSocket socket, Predicate<WorkerId> mayBe) {
        var number = numbers.incrementAndGet();
        sockets.put(number, socket);
        mailbox.send(new SessionInput.NamelessOpened(number, mayBe));
        return number;
    }

    /// A channel is open over which tasks are pushed to `worker`, which has registered. It takes the place of the one that the worker
    /// has.
    ///
    /// @return its number, for [#accepted], [#refused], [#resumed], [#receive(long, SocketMessage)] and [#closed]
    public long opened(PushChannel channel, WorkerId worker, PushTerms terms) {
        var number = numbers.incrementAndGet();
        sockets.put(number, channel);
        mailbox.run(new SessionInput.ChannelOpened(number, worker, terms));
        return number;
    }

    /// The worker of a channel has accepted tasks that were pushed to it.
    public void accepted(long channel, List<LeaseToken> tokens) {
        mailbox.run(new SessionInput.TasksAccepted(channel, tokens));
    }

    /// The worker of a channel refuses tasks that were pushed to it, or they could not be sent. It gets no others before
    /// [#resumed].
    public void refused(long channel, List<LeaseToken> tokens, LeaseEnd.Returned reason) {
        mailbox.run(new SessionInput.TasksRefused(channel, tokens, reason));
    }

    /// Tasks were sent over a channel, and it is not known whether they arrived. Its worker gets no others before [#resumed].
    public void doubted(long channel, List<LeaseToken> tokens) {
        mailbox.run(new SessionInput.TasksDoubted(channel, tokens));
    }

    /// What the worker of a channel had of an earlier process of the orchestrator, and of which nothing was heard since, comes to
    /// [PushChannel#pushAgain].
    ///
    /// @param namesTasks whether the worker names what it has
    public void repeat(long channel, boolean namesTasks) {
        mailbox.run(new SessionInput.ChannelRepeats(channel, namesTasks));
    }

    /// The worker of a channel takes tasks again.
    public void resumed(long channel) {
        mailbox.run(new SessionInput.ChannelResumed(channel));
    }

    /// A worker sends a message about a task over a socket.
    public void receive(long socket, SocketMessage message) {
        mailbox.run(new SessionInput.SocketSaid(socket, message));
    }

    /// A socket is closed.
    public void closed(long socket) {
        sockets.remove(socket);
        mailbox.send(new SessionInput.SocketClosed(socket));
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        mailbox.run(new SessionInput.HandedOut(ask, worker, tasks));
    }

    /// Whether a worker may have tasks from an earlier process of the orchestrator.
    public boolean mayHold(WorkerId worker) {
        return holders.contains(worker);
    }

    @Override
    public void held(HandOut task) {
        holders.add(task.lease().worker());
        mailbox.send(new SessionInput.Held(task));
    }

    @Override
    public void revoke(WorkerId worker, LeaseToken token) {
        mailbox.send(new SessionInput.Revoked(worker, token));
    }

    @Override
    public void lost(WorkerId worker, LeaseToken token) {
        mailbox.send(new SessionInput.LeaseLost(worker, token));
    }

    private void execute(Runnable turn) {
        try {
            threads.execute(turn);
        } catch (RejectedExecutionException closed) {
            LOG.debug("a message came after the end and is dropped");
        }
    }

    /// Reports to a listener when the conversation begins with a message, when it is done with it, and what error it met with,
    /// after which it is unknown what it has done. To be called before [#connect].
    public void addListener(Runnable began, Runnable ended, Consumer<Error> died) {
        begin = began;
        end = ended;
        fatal = died;
    }

    private void on(SessionInput input) {
        begin.run();
        try {
            for (var output : core.on(input, now())) {
                performSafely(output);
            }
        } catch (Error error) {
            fatal.accept(error);
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("input", input.getClass().getSimpleName())
                    .setCause(bug)
                    .log("the session of workers failed on a message");
            answerFailed(input);
        } finally {
            end.run();
        }
    }

    /// The thread that asked must not wait for an answer that does not come.
    private void answerFailed(SessionInput input) {
        switch (input) {
            case SessionInput.Said message -> reply(message.request(), FAILED);
            case SessionInput.SaidResults results -> reply(results.request(), FAILED);
            case SessionInput.ListWorkers list -> reply(list.request(), FAILED);
            default -> {
                // Nobody waits.
            }
        }
    }

    /// One output that fails takes nothing of the others along.
    private void performSafely(SessionOutput output) {
        try {
            perform(output);
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("output", output.getClass().getSimpleName())
                    .setCause(bug)
                    .log("a call from the session of workers to the engine failed");
        }
    }

    private Instant now() {
        var now = clock.instant();
        if (now.isAfter(lastNow)) {
            lastNow = now;
        }
        return lastNow;
    }

    private void perform(SessionOutput output) {
        var workerPort = engine();
        switch (output) {
            case SessionOutput.Reply(var request, var reply) -> reply(request, reply);
            case SessionOutput.Keep words -> make(words.request(), () -> keep(words));
            case SessionOutput.Report report -> makeReport(report);
            case SessionOutput.Question asked -> make(asked.request(), () -> ask(asked));
            case SessionOutput.RenewOnly renewal -> make(renewal.request(), () -> renew(renewal));
            case SessionOutput.Joined(var profile) -> workerPort.joined(profile);
            case SessionOutput.Left(var worker, var reason) -> workerPort.left(worker, reason);
            case SessionOutput.Ask(var ask, var worker, var max) ->
                    workerPort.ask(ask, worker, max);
            case SessionOutput.Withdraw(var ask) -> workerPort.withdraw(ask);
            case SessionOutput.Renew(var worker, var tokens, var term) ->
                    workerPort.renew(worker, tokens, term);
            case SessionOutput.SetTerm(var worker, var tokens, var term) ->
                    execute(() -> workerPort.renewOnly(worker, tokens, term));
            case SessionOutput.End(var token, var reason) -> workerPort.end(token, reason);
            case SessionOutput.Push(var socket, var cancel) -> {
                var open = sockets.get(socket);
                if (open != null) {
                    open.push(cancel);
                }
            }
            case SessionOutput.PushTasks(var socket, var tasks, var lease) -> {
                if (sockets.get(socket) instanceof PushChannel open) {
                    open.push(tasks, lease);
                } else {
                    var tokens = tasks.stream().map(task -> task.lease().token()).toList();
                    mailbox.send(
                            new SessionInput.TasksRefused(
                                    socket, tokens, LeaseEnd.Returned.NOT_RECEIVED));
                }
            }
            case SessionOutput.PushAgain(var socket, var tasks, var lease) -> {
                if (sockets.get(socket) instanceof PushChannel open) {
                    open.pushAgain(tasks, lease);
                }
            }
            case SessionOutput.CloseSocket(var socket, var code, var reason) -> {
                var open = sockets.get(socket);
                if (open != null) {
                    open.close(code, reason);
                }
            }
            case SessionOutput.NameShared(var worker, var current, var other) ->
                    LOG.atWarn()
                            .addKeyValue("worker", worker)
                            .addKeyValue("process", current)
                            .addKeyValue("other", other)
                            .log(
                                    "two processes live under the name of one worker and end each other's tasks; give each a name of its own");
            case SessionOutput.Progressed(var worker, var token, var fraction, var message) ->
                    progress.progressed(worker, token, fraction, message);
            case SessionOutput.Logged(var worker, var token, var lines) ->
                    progress.logged(worker, token, lines);
        }
    }

    private void reply(long request, SessionReply reply) {
        var waiting = pending.remove(request);
        if (waiting != null) {
            waiting.reply(reply);
        } else if (reply instanceof SessionReply.Tasks) {
            mailbox.send(new SessionInput.TasksNotWritten(request, LeaseEnd.Returned.NOT_RECEIVED));
        }
    }

    /// Makes a call that waits: in the thread that asked, or in a thread of its own if that no longer waits.
    private void make(long request, Runnable call) {
        var waiting = pending.get(request);
        if (waiting != null) {
            waiting.make(call);
        } else {
            execute(call);
        }
    }

    private void keep(SessionOutput.Keep words) {
        var isKept = false;
        try {
            isKept = engine().registered(words.worker(), words.words());
        } catch (RuntimeException broken) {
            failures.log(
                    LOG.atError().addKeyValue("worker", words.worker()).setCause(broken),
                    "a registration could not be stored; the answer warns its worker");
        }
        reply(words.request(), words.reply(isKept));
    }

    /// In the thread that asked if it waits; the others do not wait for the answer either.
    private void makeReport(Report report) {
        if (pending.get(report.request()) instanceof Call waiting) {
            waiting.make(() -> report(report));
        } else {
            execute(() -> beginReport(report));
        }
    }

    private void report(Report report) {
        CommandReply reply;
        try {
            reply =
                    engine().report(
                                    report.worker(),
                                    report.token(),
                                    report.report(),
                                    report.cost());
        } catch (RuntimeException broken) {
            reply = failed(report, broken);
        }
        mailbox.run(new SessionInput.Reported(report.request(), report.index(), reply));
    }

    private void beginReport(Report report) {
        try {
            engine().report(
                            report.worker(),
                            report.token(),
                            report.report(),
                            report.cost(),
                            reply ->
                                    mailbox.send(
                                            new SessionInput.Reported(
                                                    report.request(), report.index(), reply)));
        } catch (RuntimeException broken) {
            mailbox.run(
                    new SessionInput.Reported(
                            report.request(), report.index(), failed(report, broken)));
        }
    }

    private CommandReply failed(Report report, RuntimeException broken) {
        failures.log(
                LOG.atError().addKeyValue("worker", report.worker()).setCause(broken),
                "a report failed; the worker has to repeat it");
        return new CommandReply.TryLater(
                Duration.ofSeconds(1),
                broken instanceof StoreException
                        ? "the report could not be stored"
                        : REPORT_FAILED);
    }

    /// Whether `reply` answers a report that met with an error of the orchestrator: it may meet
    /// with it each time.
    public static boolean isFailure(SessionReply.TryLater reply) {
        return reply.detail().equals(REPORT_FAILED);
    }

    private void ask(SessionOutput.Question asked) {
        QuestionReply reply;
        try {
            reply =
                    engine().question(
                                    asked.worker(),
                                    asked.token(),
                                    asked.question(),
                                    asked.within(),
                                    LONGEST_QUESTION);
        } catch (RuntimeException broken) {
            failures.log(
                    LOG.atError().addKeyValue("worker", asked.worker()).setCause(broken),
                    "a question failed; the worker has to repeat it");
            reply = new QuestionReply.TryLater(Duration.ofSeconds(1), "the question failed");
        }
        reply(asked.request(), QuestionReplies.of(reply));
    }

    private void renew(RenewOnly renewal) {
        RenewReply reply;
        try {
            reply = engine().renewOnly(renewal.worker(), renewal.tokens(), renewal.term());
        } catch (RuntimeException broken) {
            failures.log(
                    LOG.atError().addKeyValue("worker", renewal.worker()).setCause(broken),
                    "a renewal failed; the worker has to repeat it");
            reply = new RenewReply.TryLater(Duration.ofSeconds(1), "the renewal failed");
        }
        mailbox.run(new SessionInput.Renewed(renewal.request(), reply));
    }

    private WorkerPort engine() {
        if (engine == null) {
            throw new IllegalStateException("the session is not connected to an engine");
        }
        return engine;
    }

    /// Ends the timer and the threads; requests that wait get no answer any more.
    @Override
    public void close() {
        timer.shutdownNow();
        threads.shutdown();
        pending.values().forEach(Pending::end);
    }
}
