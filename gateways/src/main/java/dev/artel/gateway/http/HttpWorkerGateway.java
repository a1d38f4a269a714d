package dev.artel.gateway.http;

import static dev.artel.gateway.access.WorkerLimits.Kind.HEARTBEAT;
import static dev.artel.gateway.access.WorkerLimits.Kind.OTHER;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.FrequentHeartbeats;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.gateway.shell.UnreadableMessage;
import dev.artel.gateway.shell.ValueAddresses;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.OrchestratorMessage;
import dev.artel.protocol.Register;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.ResultBatch;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerEvent;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.websocket.server.JettyWebSocketServletFactory;

/// The routes under `/_worker`: decode, call the conversation, encode.
///
/// Expects handlers to run on virtual threads, since a report waits until it is durable.
public final class HttpWorkerGateway {
    private static final String WORKER = "/_worker/workers/{worker_id}";
    private static final JsonObject ACCEPTED = JsonObject.of("status", JsonValue.of("accepted"));
    private static final JsonObject NOT_FOUND =
            JsonObject.of("status", JsonValue.of("ignored"), "reason", JsonValue.of("not_found"));
    private static final String SUBMIT = "submit results for";

    /// A refresh token comes in a body, so that this one is read before the token is judged.
    private static final int LARGEST_REFRESH = 16 << 10;

    private final SessionShell shell;
    private final Requests requests;
    private final ExchangedTokens tokens;
    private final FrequentHeartbeats frequent;
    private final Optional<PayloadRoutes> ingress;
    private final TaskAssignments assignments;
    private final PollRoutes pollRoutes;
    private final Sockets sockets;
    private final GatewayConfig config;

    /// The routes for the workers of `shell`, which may ask as often as `limits` allow.
    ///
    /// @param parameters reads what tasks are given
    /// @param values what workers fetch and put by themselves; empty: nothing
    /// @param exchangeKey gives the 32 bytes with which exchanged tokens are sealed and addresses of values are signed, when they are
    ///     needed; those of an earlier process are good where they are the same
    public HttpWorkerGateway(
            SessionShell shell,
            WorkerAuthentication authentication,
            WorkerLimits limits,
            TaskParameters parameters,
            Optional<WorkerValues> values,
            Supplier<byte[]> exchangeKey,
            GatewayConfig config) {
        this.shell = shell;
        this.config = config;
        this.tokens = new ExchangedTokens(authentication, InstantSource.system(), exchangeKey);
        this.requests = new Requests(tokens, limits);
        this.frequent = new FrequentHeartbeats(shell);
        this.ingress =
                values.map(its ->
                        new PayloadRoutes(
                                its,
                                requests,
                                new SignedUrls(InstantSource.system(), its.term(), exchangeKey),
                                shell));
        this.assignments = new TaskAssignments(parameters, valueAddresses(), config.taskSigner());
        this.pollRoutes = new PollRoutes(shell, requests, assignments);
        this.sockets = new Sockets(shell, requests, config.maxSockets());
    }

    /// Adds the routes to a server, in whose factory of WebSockets [#addTo(JettyWebSocketServletFactory)] adds what serves them.
    public void addTo(JavalinDefaultRoutingApi routes) {
        ExceptionRoutes.map(routes, HttpRefusal.class, HttpRefusal::answer);
        ExceptionRoutes.map(
                routes,
                MalformedMessage.class,
                (malformed, ctx) -> HttpRefusal.malformed(malformed).answer(ctx));
        routes.post("/_worker/workers/register", this::register);
        routes.patch(WORKER, this::heartbeat);
        routes.delete(WORKER, this::disconnect);
        routes.get(WORKER + "/tasks/next", pollRoutes::next);
        routes.post(WORKER + "/renew", this::renew);
        routes.post(WORKER + "/drain", this::drain);
        routes.post(WORKER + "/tasks/{task_id}/logs", this::log);
        routes.post(WORKER + "/tasks/{task_id}/question", this::question);
        routes.post("/_worker/tasks/release", this::release);
        routes.post("/_worker/tasks/result", this::result);
        routes.post("/_worker/tasks/results", this::results);
        routes.post("/_worker/events", this::event);
        routes.post("/_worker/auth/token", this::exchange);
        routes.post("/_worker/auth/refresh", this::refresh);
        routes.post("/_worker/auth/token/refresh", this::refresh);
        routes.post("/_worker/skills/call", this::call);
        routes.post("/skills/call", this::call); // where workers with flat results look for it
        ingress.ifPresent(open -> open.addTo(routes));
        sockets.addTo(routes);
    }

    /// Adds what serves WebSockets.
    public void addTo(JettyWebSocketServletFactory factory) {
        sockets.addTo(factory);
    }

    /// A handler to be put before the routes: it answers most heartbeats and polls itself and leaves the rest to them.
    public FastPath shortCut(FastPath.FastPathConfig fastPathConfig) {
        return new FastPath(shell, requests, frequent, assignments, fastPathConfig);
    }

    /// Who may connect, for other wires of the same workers: tokens that were exchanged here are good there, too.
    public WorkerAuthentication authentication() {
        return tokens;
    }

    /// Where workers of all wires fetch and put large values; empty: nowhere.
    public Optional<ValueAddresses> valueAddresses() {
        return ingress.map(ValueAddresses.class::cast);
    }

    private void register(Context ctx) throws InterruptedException {
        var authenticatedMessage = requests.authenticated(ctx, config.maxBodyBytes(), "register");
        ReplyWriter.write(
                ctx,
                shell.receive(
                        authenticatedMessage.sender(), Register.read(authenticatedMessage.body())));
    }

    /// A body that cannot be read still shows that the worker lives.
    private void heartbeat(Context ctx) throws InterruptedException {
        var worker = requests.workerOfPath(ctx);
        var body = Requests.parse(Requests.read(ctx, config.maxBodyBytes()));
        var heartbeat =
                body instanceof JsonObject object
                        ? Heartbeat.read(worker.value(), object)
                        : new Heartbeat.Empty(worker.value());
        var wait = requests.take(worker, HEARTBEAT);
        if (wait.isPresent()) {
            ReplyWriter.write(ctx, frequent.tooSoon(worker, heartbeat, wait.get()));
        } else {
            frequent.heard(worker);
            ReplyWriter.write(ctx, shell.receive(worker, heartbeat));
        }
    }

    private void disconnect(Context ctx) throws InterruptedException {
        var worker = requests.workerOfPath(ctx, OTHER);
        ReplyWriter.write(ctx, shell.receive(worker, new WorkerMessage.Disconnect(worker.value())));
    }

    private void renew(Context ctx) throws InterruptedException {
        var worker = requests.workerOfPath(ctx, OTHER);
        var body = Requests.json(Requests.read(ctx, config.maxBodyBytes()));
        ReplyWriter.write(ctx, shell.receive(worker, Renew.read(worker.value(), body)));
    }

    private void log(Context ctx) throws InterruptedException {
        var worker = requests.workerOfPath(ctx);
        var body = Requests.json(Requests.read(ctx, config.maxBodyBytes()));
        var log = TaskLog.read(worker.value(), ctx.pathParam("task_id"), body);
        ReplyWriter.write(ctx, shell.receive(worker, log));
    }

    /// Waits for the answer for a while; a repeated request is not counted twice.
    private void question(Context ctx) throws InterruptedException {
        var worker = requests.workerOfPath(ctx, OTHER);
        var body = Requests.json(Requests.read(ctx, config.maxBodyBytes()));
        var asked = AskQuestion.read(worker.value(), ctx.pathParam("task_id"), body);
        ReplyWriter.write(ctx, shell.receive(worker, asked));
    }

    /// Progress, or a line of its task's log; answered as workers with flat results expect it.
    private void event(Context ctx) throws InterruptedException {
        var authenticatedMessage =
                requests.authenticated(ctx, config.maxBodyBytes(), "report events of");
        var message =
                WorkerEvent.read(authenticatedMessage.body())
                        .asMessage(authenticatedMessage.sender().value());
        if (message.isEmpty()) {
            ReplyWriter.json(ctx, 200, NOT_FOUND);
            return;
        }
        switch (shell.receive(authenticatedMessage.sender(), message.get())) {
            case SessionReply.Message(OrchestratorMessage.LogAnswer(boolean kept, int _)) ->
                    ReplyWriter.json(ctx, 200, kept ? ACCEPTED : NOT_FOUND);
            case SessionReply other -> ReplyWriter.write(ctx, other);
        }
    }

    private void drain(Context ctx) throws InterruptedException {
        var worker = requests.workerOfPath(ctx, OTHER);
        ReplyWriter.write(ctx, shell.receive(worker, new WorkerMessage.Drain(worker.value())));
    }

    private void release(Context ctx) throws InterruptedException {
        var authenticatedMessage =
                requests.authenticated(ctx, config.maxBodyBytes(), "release tasks of");
        ReplyWriter.write(
                ctx,
                shell.receive(
                        authenticatedMessage.sender(), Release.read(authenticatedMessage.body())));
    }

    /// A token for a while, got with the worker's own one or with the shared one. The body may name the worker that it is for.
    private void exchange(Context ctx) {
        var token = Requests.token(ctx);
        // Nothing of a stranger is read.
        var _ = requests.sender(ctx, tokens.checkToExchange(token, null));
        var body = object(Requests.read(ctx, config.maxBodyBytes()));
        var named =
                body.string("worker_id").or(() -> Optional.ofNullable(ctx.header("X-Worker-ID")));
        var claimed = named.map(Requests::worker).orElse(null);
        if (named.isPresent() && claimed == null) {
            throw Requests.noSuchName();
        }
        var sender = requests.sender(ctx, tokens.checkToExchange(token, claimed));
        if (sender != null && claimed != null && !sender.equals(claimed)) {
            throw Requests.foreign(sender, "exchange tokens of", claimed.value());
        }
        ReplyWriter.secret(ctx, tokens.exchange(token, sender == null ? claimed : sender));
    }

    private void refresh(Context ctx) {
        var body = object(Requests.read(ctx, LARGEST_REFRESH));
        var token = body.string("refresh_token").orElseGet(() -> Requests.token(ctx));
        switch (tokens.refresh(token)) {
            case ExchangedTokens.Refresh.Pair(var pair) -> ReplyWriter.secret(ctx, pair);
            case ExchangedTokens.Refresh.Refused(var error) -> throw requests.refused(ctx, error);
        }
    }

    private static JsonObject object(byte[] body) {
        return body.length > 0 && Requests.json(body) instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    /// What one worker wants of another goes by way of a job, which is durable, placed and paid for like all work.
    private void call(Context ctx) {
        // The body need not name who sends it
        var sender = requests.sender(ctx, Requests.token(ctx), null);
        throw new HttpRefusal(
                ErrorCode.NOT_FOUND,
                "Not Found: workers do not call skills of others",
                (sender == null ? "" : "worker " + sender + ": ")
                        + "submit a job as a client (POST /api/v1/jobs/{blueprint}), or answer with a status that the"
                        + " blueprint leads to a task for that skill");
    }

    /// A result that cannot be read, or is too large, ends its attempt: the same result would come again and again.
    private void result(Context ctx) throws InterruptedException {
        var body = requests.readUpTo(ctx, config.maxBodyBytes());
        var envelope = body.isCut() ? null : Requests.parse(body.bytes());
        if (envelope == null) {
            var ids = UnreadableMessage.scan(body.bytes()).ids();
            if (ids.isComplete()) {
                var outcome =
                        body.isCut()
                                ? TaskOutcome.tooLarge(config.maxBodyBytes())
                                : TaskOutcome.invalid(Requests.whatIsWrong(body.bytes()));
                ReplyWriter.write(
                        ctx,
                        report(
                                requests.authenticated(ctx, ids.toJson(), SUBMIT),
                                ids.result(outcome)));
                return;
            }
        }
        if (body.isCut()) {
            throw Requests.tooLarge(ctx, config.maxBodyBytes());
        }
        var authenticatedMessage = requests.authenticated(ctx, envelope, body.bytes(), SUBMIT);
        requireIds(authenticatedMessage.body());
        var reply = report(authenticatedMessage, TaskResult.read(authenticatedMessage.body()));
        if (reply instanceof SessionReply.Results(var answers)
                && TaskResult.isFlat(authenticatedMessage.body())) {
            ReplyWriter.json(ctx, 200, answers.getFirst().toJsonForFlatResults());
        } else {
            ReplyWriter.write(ctx, reply);
        }
    }

    private SessionReply report(
            Requests.AuthenticatedMessage authenticatedMessage, TaskResult result)
            throws InterruptedException {
        var reply = shell.report(authenticatedMessage.sender(), List.of(checked(result)));
        giveBack(authenticatedMessage.sender(), reply);
        return reply;
    }

    private static void requireIds(JsonValue body) {
        var isNamed =
                body instanceof JsonObject object
                        && object.string("job_id").filter(id -> !id.isBlank()).isPresent()
                        && object.string("task_id").filter(id -> !id.isBlank()).isPresent();
        if (!isNamed) {
            throw new HttpRefusal(ErrorCode.INVALID_BODY, "job_id and task_id are required");
        }
    }

    private void results(Context ctx) throws InterruptedException {
        var authenticatedMessage = requests.authenticated(ctx, config.maxBatchBytes(), SUBMIT);
        var batch = ResultBatch.read(authenticatedMessage.body());
        if (batch.entries().size() > config.maxBatch()) {
            throw new HttpRefusal(
                    ErrorCode.BODY_TOO_LARGE,
                    "the batch has more than " + config.maxBatch() + " results; split it");
        }
        var reply =
                shell.report(
                        authenticatedMessage.sender(),
                        understood(authenticatedMessage.sender(), batch));
        giveBack(authenticatedMessage.sender(), reply);
        switch (reply) {
            case SessionReply.Results(var answers) ->
                    ReplyWriter.writeAll(ctx, new SessionReply.Results(weave(batch, answers)));
            case SessionReply other -> ReplyWriter.write(ctx, other);
        }
    }

    /// A worker that delivers may deliver as fast as it likes.
    private void giveBack(WorkerId worker, SessionReply reply) {
        if (reply instanceof SessionReply.Results(var answers)
                && answers.stream().anyMatch(answer -> answer.status().contains("accepted"))) {
            requests.giveBack(worker, OTHER);
        }
    }

    private List<TaskResult> understood(WorkerId worker, ResultBatch batch) {
        var results = new ArrayList<TaskResult>();
        for (var entry : batch.entries()) {
            if (entry instanceof ResultBatch.Entry.Understood(var result)) {
                if (result.workerId() != null && !result.workerId().equals(worker.value())) {
                    throw Requests.foreign(worker, SUBMIT, result.workerId());
                }
                results.add(checked(result));
            }
        }
        return results;
    }

    /// A result that names a large value, if that is there.
    private TaskResult checked(TaskResult result) {
        if (!(result.outcome() instanceof TaskOutcome.Stored)) {
            return result;
        }
        return ingress.orElseThrow(() ->
                        new HttpRefusal(ErrorCode.INVALID_BODY, "large values are not taken here"))
                .checked(result);
    }

    private static List<ResultAnswer> weave(ResultBatch batch, List<ResultAnswer> answers) {
        var next = answers.iterator();
        return batch.entries().stream()
                .map(entry ->
                        switch (entry) {
                            case ResultBatch.Entry.Understood _ -> next.next();
                            case ResultBatch.Entry.NotUnderstood(var reason) ->
                                    ResultAnswer.refused(reason);
                        })
                .toList();
    }
}
