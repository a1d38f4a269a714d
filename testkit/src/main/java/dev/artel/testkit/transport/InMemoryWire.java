package dev.artel.testkit.transport;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.OrchestratorMessage;
import dev.artel.protocol.Register;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.ResultBatch;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerEvent;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.QuestionReplies;
import dev.artel.session.SessionCore;
import dev.artel.session.SessionInput;
import dev.artel.session.SessionOutput;
import dev.artel.session.SessionReply;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.transport.WireAnswer.Kind;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The conversation without a wire: one thread, virtual time, every call done when it returns.
public final class InMemoryWire implements WorkerWire, WorkerPort.Listener {
    private static final Duration STEP = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private final SessionSettings settings;
    private final ArrayDeque<SessionInput> inputs = new ArrayDeque<>();
    private final SequencedMap<Long, SessionReply> replies = new LinkedHashMap<>();
    private final List<String> heard = new ArrayList<>();
    private SessionCore core;
    private boolean isRunning;
    private long requests;

    /// A wire on which nothing is sent yet.
    public InMemoryWire() {
        this(SessionSettings.DEFAULTS);
    }

    /// A wire with its own terms.
    public InMemoryWire(SessionSettings settings) {
        this.settings = settings;
        this.core = new SessionCore(settings);
        engine.connect(this);
    }

    @Override
    public ReferenceEngine engine() {
        return engine;
    }

    @Override
    public void advance(Duration time) {
        for (var left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(left.compareTo(STEP) < 0 ? left : STEP);
            engine.expire();
            process(new SessionInput.Tick(clock.instant()));
        }
    }

    @Override
    public void restart() {
        inputs.clear();
        core = new SessionCore(settings);
        for (var registration : engine.registrations().reversed()) {
            var registered = Register.read(registration.words());
            process(new SessionInput.Recalled(registration.worker(), registered));
        }
        engine.connect(this);
    }

    @Override
    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() {
        inputs.clear();
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        process(new SessionInput.HandedOut(ask, worker, tasks));
    }

    @Override
    public void held(HandOut task) {
        process(new SessionInput.Held(task));
    }

    @Override
    public void revoke(WorkerId worker, LeaseToken token) {
        process(new SessionInput.Revoked(worker, token));
    }

    @Override
    public void lost(WorkerId worker, LeaseToken token) {
        process(new SessionInput.LeaseLost(worker, token));
    }

    private void process(SessionInput input) {
        inputs.add(input);
        if (isRunning) {
            return;
        }
        isRunning = true;
        for (var next = inputs.poll(); next != null; next = inputs.poll()) {
            core.on(next, clock.instant()).forEach(this::perform);
        }
        isRunning = false;
    }

    private void perform(SessionOutput output) {
        switch (output) {
            case SessionOutput.Reply(var request, var reply) -> replies.put(request, reply);
            case SessionOutput.Report(
                            var request,
                            var index,
                            var worker,
                            var token,
                            var report,
                            var cost) ->
                    inputs.add(
                            new SessionInput.Reported(
                                    request, index, engine.report(worker, token, report, cost)));
            case SessionOutput.Question(
                            var request,
                            var worker,
                            var token,
                            var question,
                            var within) ->
                    replies.put(
                            request,
                            QuestionReplies.of(
                                    engine.question(
                                            worker, token, question, within, Duration.ZERO)));
            case SessionOutput.Keep words ->
                    replies.put(
                            words.request(),
                            words.reply(engine.registered(words.worker(), words.words())));
            case SessionOutput.Joined(var profile) -> engine.joined(profile);
            case SessionOutput.Left(var worker, var reason) -> engine.left(worker, reason);
            case SessionOutput.Ask(var ask, var worker, var max) -> engine.ask(ask, worker, max);
            case SessionOutput.Withdraw(var ask) -> engine.withdraw(ask);
            case SessionOutput.Renew(var worker, var tokens, var term) ->
                    engine.renew(worker, tokens, term);
            case SessionOutput.RenewOnly(var request, var worker, var tokens, var term) ->
                    inputs.addFirst(
                            new SessionInput.Renewed(
                                    request, engine.renewOnly(worker, tokens, term)));
            case SessionOutput.SetTerm(var worker, var tokens, var term) ->
                    engine.renewOnly(worker, tokens, term);
            case SessionOutput.End(var token, var reason) -> engine.end(token, reason);
            case SessionOutput.Push _,
                    SessionOutput.PushTasks _,
                    SessionOutput.PushAgain _,
                    SessionOutput.CloseSocket _,
                    SessionOutput.NameShared _ -> {}
            case SessionOutput.Progressed(var worker, var _, var fraction, var message) ->
                    heard.add(worker + " " + fraction + " " + message);
            case SessionOutput.Logged(var worker, var _, var lines) ->
                    lines.forEach(
                            line -> heard.add(worker + " " + line.level() + " " + line.message()));
        }
    }

    @Override
    public Peer peer(String workerId) {
        return new MemoryPeer(new WorkerId(workerId));
    }

    private WireAnswer answer(SessionReply reply) {
        return switch (reply) {
            case SessionReply.Message(OrchestratorMessage message) ->
                    new WireAnswer(Kind.TAKEN, message.toJson());
            case SessionReply.Refreshed(var answer, var record, var _) ->
                    new WireAnswer(Kind.TAKEN, record.merge(answer.toJson()));
            case SessionReply.Tasks(var tasks, var lease, _) ->
                    new WireAnswer(
                            Kind.TAKEN,
                            TaskAssignment.toJson(
                                    tasks.stream().map(task -> of(task, lease)).toList()));
            case SessionReply.Results(var answers) when answers.size() == 1 ->
                    new WireAnswer(Kind.TAKEN, answers.getFirst().toJson());
            case SessionReply.Results(var answers) ->
                    new WireAnswer(Kind.TAKEN, ResultAnswer.toJson(answers));
            case SessionReply.NoTask _, SessionReply.Done _ -> WireAnswer.of(Kind.NOTHING);
            case SessionReply.UnknownWorker _ -> WireAnswer.of(Kind.UNKNOWN_WORKER);
            case SessionReply.TooMany _, SessionReply.TryLater _ -> WireAnswer.of(Kind.LATER);
            case SessionReply.Workers _ ->
                    throw new AssertionError("no worker asks who is there: " + reply);
        };
    }

    private static TaskAssignment of(HandOut handOut, Duration term) {
        var params =
                switch (handOut.spec().params()) {
                    case Payload.Inline(JsonObject object) -> object;
                    case Payload other ->
                            throw new AssertionError("no parameters of a test: " + other);
                };
        var token = handOut.lease().token().value();
        return new TaskAssignment(
                handOut.job().value(),
                token,
                handOut.spec().type(),
                params,
                handOut.trace().map(TraceContext::headers).orElse(JsonObject.EMPTY),
                new TaskAssignment.Terms(
                        token,
                        handOut.lease().attempt(),
                        handOut.priority(),
                        handOut.lease().timeout(),
                        term),
                null,
                handOut.answers().stream()
                        .map(answer ->
                                new TaskAssignment.Answer(
                                        answer.question().id(),
                                        answer.question().text(),
                                        answer.text()))
                        .toList());
    }

    private final class MemoryPeer implements Peer {
        private final WorkerId worker;

        private MemoryPeer(WorkerId worker) {
            this.worker = worker;
        }

        @Override
        public WireAnswer register(JsonValue registration) {
            return send(() -> Register.read(registration));
        }

        @Override
        public WireAnswer heartbeat(@Nullable JsonValue heartbeat) {
            return send(() ->
                    heartbeat == null
                            ? new Heartbeat.Empty(worker.value())
                            : Heartbeat.read(worker.value(), heartbeat));
        }

        @Override
        public WireAnswer renew(JsonValue renewal) {
            return send(() -> Renew.read(worker.value(), renewal));
        }

        @Override
        public WireAnswer ask(String task, JsonValue question) {
            return send(() -> AskQuestion.read(worker.value(), task, question));
        }

        @Override
        public WireAnswer release(JsonValue release) {
            return send(() -> Release.read(release));
        }

        @Override
        public WireAnswer drain() {
            return send(() -> new WorkerMessage.Drain(worker.value()));
        }

        @Override
        public WireAnswer disconnect() {
            return send(() -> new WorkerMessage.Disconnect(worker.value()));
        }

        @Override
        public WireAnswer result(JsonValue result) {
            return send(() -> TaskResult.read(result));
        }

        @Override
        public WireAnswer results(JsonValue batch) {
            return understood(request -> {
                var results = new ArrayList<TaskResult>();
                for (var entry : ResultBatch.read(batch).entries()) {
                    if (entry instanceof ResultBatch.Entry.Understood(var result)) {
                        results.add(result);
                    }
                }
                return new SessionInput.SaidResults(request, worker, results);
            });
        }

        private WireAnswer send(Supplier<WorkerMessage> message) {
            return understood(request -> new SessionInput.Said(request, worker, message.get()));
        }

        private WireAnswer understood(Function<Long, SessionInput> message) {
            var request = ++requests;
            try {
                process(message.apply(request));
            } catch (MalformedMessage malformed) {
                return new WireAnswer(
                        Kind.REFUSED,
                        JsonObject.of(
                                "error", new JsonString(String.valueOf(malformed.getMessage()))));
            }
            var reply = replies.remove(request);
            if (reply == null) {
                throw new AssertionError("a request was not answered");
            }
            return answer(reply);
        }

        @Override
        public WireAnswer event(JsonValue event) {
            return send(() ->
                    (WorkerMessage)
                            WorkerEvent.read(event)
                                    .asMessage(worker.value())
                                    .orElseThrow(
                                            () -> new AssertionError("about no task: " + event)));
        }

        @Override
        public Poll poll(int max) {
            return poll(new WorkerMessage.Poll(worker.value(), max));
        }

        @Override
        public Poll poll(List<String> available, List<String> hot, Duration timeout) {
            return poll(new WorkerMessage.Poll(worker.value(), 0, available, hot, timeout));
        }

        private Poll poll(WorkerMessage.Poll message) {
            var request = ++requests;
            var poll = new MemoryPoll(request);
            process(new SessionInput.Said(request, worker, message));
            return poll;
        }
    }

    private final class MemoryPoll implements Poll {
        private final long request;
        private @Nullable WireAnswer answer;

        private MemoryPoll(long request) {
            this.request = request;
        }

        @Override
        public WireAnswer answer() {
            if (!isAnswered() || answer == null) {
                throw new AssertionError("the poll was not answered");
            }
            return answer;
        }

        @Override
        public boolean isAnswered() {
            var reply = replies.remove(request);
            if (reply != null) {
                answer = InMemoryWire.this.answer(reply);
                if (reply instanceof SessionReply.Tasks) {
                    process(new SessionInput.TasksWritten(request));
                }
            }
            return answer != null;
        }

        @Override
        public void hangUp() {
            process(new SessionInput.RequestAbandoned(request));
            if (replies.remove(request) instanceof SessionReply.Tasks) {
                process(new SessionInput.TasksNotWritten(request, LeaseEnd.Returned.NOT_RECEIVED));
            }
        }
    }
}
