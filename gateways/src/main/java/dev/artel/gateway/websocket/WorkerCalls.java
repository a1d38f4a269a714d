package dev.artel.gateway.websocket;

import static dev.artel.gateway.access.WorkerLimits.Kind.HEARTBEAT;
import static dev.artel.gateway.access.WorkerLimits.Kind.OTHER;

import dev.artel.gateway.shell.UnreadableMessage;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.OrchestratorMessage;
import dev.artel.protocol.QuestionAnswer;
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
import dev.artel.worker.server.hub.MessageEvent;
import dev.artel.worker.server.hub.UnreadableFrame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls: whatever a worker can ask over HTTP, as a message with an id that its answer repeats. The bodies are those of HTTP.
/// Calls of one connection are answered as they are done, in any order.
final class WorkerCalls {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerCalls.class);
    private static final int LONGEST_ID = 200;
    private static final JsonObject ACCEPTED = JsonObject.of("status", new JsonString("accepted"));
    private static final JsonObject NOT_FOUND =
            JsonObject.of(
                    "status", new JsonString("ignored"), "reason", new JsonString("not_found"));

    private final SocketWiring wiring;
    private final PollCalls polls;

    WorkerCalls(SocketWiring wiring) {
        this.wiring = wiring;
        this.polls = new PollCalls(wiring);
    }

    /// What a worker asks.
    private static final class Call {
        private final SocketConversation conversation;
        private final String id;
        private final String method;
        private final MessageEvent.@Nullable Hold hold;
        private JsonValue body;

        /// @param hold its room in memory; null: it has none
        Call(
                SocketConversation conversation,
                String id,
                String method,
                JsonValue body,
                MessageEvent.@Nullable Hold hold) {
            this.conversation = conversation;
            this.id = id;
            this.method = method;
            this.body = body;
            this.hold = hold;
        }

        SocketConversation conversation() {
            return conversation;
        }

        String id() {
            return id;
        }

        String method() {
            return method;
        }

        JsonValue body() {
            return body;
        }

        /// Its body is not needed any more.
        void forget() {
            body = JsonObject.EMPTY;
            if (hold != null) {
                hold.close();
            }
        }

        WorkerId worker() {
            return conversation.worker();
        }

        String name() {
            return conversation.worker().value();
        }
    }

    void receive(SocketConversation conversation, MessageEvent event) {
        var message = event.message();
        var id = message.string("callId").filter(text -> text.length() <= LONGEST_ID).orElse(null);
        var method = message.string("method").orElse(null);
        if (id == null || method == null) {
            conversation.refuse(
                    message,
                    event.type(),
                    "invalid_body",
                    "a call has a callId of at most 200 characters and a method, both texts");
            return;
        }
        var call =
                new Call(
                        conversation,
                        id,
                        method,
                        message.get("body").orElse(JsonObject.EMPTY),
                        event.hold());
        begin(call, () -> make(call));
    }

    /// Answers a call that cannot be read. A result of which the ids can be found ends its attempt.
    ///
    /// @return whether there is an answer: not without the id of a call
    boolean answers(
            SocketConversation conversation,
            UnreadableMessage found,
            UnreadableFrame frame,
            TaskOutcome outcome) {
        var id = found.text("callId").filter(text -> text.length() <= LONGEST_ID);
        if (id.isEmpty()) {
            return false;
        }
        var method = found.text("method").orElse("");
        var ids = found.idsOfBody();
        var refused =
                frame.isTooLarge()
                        ? CallAnswer.refused(413, "body_too_large", frame.problem())
                        : CallAnswer.refused(400, "invalid_body", frame.problem());
        var call = new Call(conversation, id.get(), method, JsonObject.EMPTY, null);
        begin(
                call,
                () ->
                        answer(
                                call,
                                method.equals("result") && ids.isComplete()
                                        ? counted(call, () -> result(call, ids.result(outcome)))
                                        : refused));
        return true;
    }

    @FunctionalInterface
    private interface Step {
        void take() throws InterruptedException;
    }

    private void begin(Call call, Step step) {
        var peer = call.conversation().peer();
        var refusal = wiring.room().take(peer);
        if (refusal.isPresent()) {
            call.forget();
            answer(call, CallAnswer.tooMany(refusal.get()));
            return;
        }
        wiring.execute(() -> {
            try {
                take(call, step);
            } finally {
                call.forget();
                wiring.room().free(peer);
            }
        });
    }

    private static void answer(Call call, CallAnswer answer) {
        call.conversation().send(answer.message(call.id()));
    }

    private void make(Call call) throws InterruptedException {
        if (call.method().equals("poll")) {
            polls.poll(call.conversation(), call.id(), call.body());
            return;
        }
        answer(call, answerTo(call));
        if (call.method().equals("disconnect")) {
            call.conversation().disconnect(1000, "Worker disconnected");
        }
    }

    private static void take(Call call, Step step) {
        try {
            step.take();
        } catch (MalformedMessage malformed) {
            answer(call, CallAnswer.malformed(malformed));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            LOG.atError()
                    .addKeyValue("worker", call.worker())
                    .addKeyValue("method", call.method())
                    .setCause(failed)
                    .log("a call of a worker failed");
            answer(
                    call,
                    CallAnswer.later(503, "unavailable", Duration.ofSeconds(1), "the call failed"));
        }
    }

    private CallAnswer answerTo(Call call) throws InterruptedException {
        return switch (call.method()) {
            case "heartbeat" -> heartbeat(call);
            case "log" -> CallAnswer.of(receive(call, log(call)));
            case "register" -> counted(call, () -> register(call));
            case "renew" ->
                    counted(
                            call,
                            () ->
                                    CallAnswer.of(
                                            receive(call, Renew.read(call.name(), call.body()))));
            case "release" -> counted(call, () -> release(call));
            case "question" -> counted(call, () -> question(call));
            case "event" -> counted(call, () -> event(call));
            case "result" -> counted(call, () -> result(call, TaskResult.read(call.body())));
            case "results" -> counted(call, () -> results(call));
            case "drain" ->
                    counted(
                            call,
                            () ->
                                    CallAnswer.of(
                                            receive(call, new WorkerMessage.Drain(call.name()))));
            case "disconnect" ->
                    counted(
                            call,
                            () ->
                                    CallAnswer.of(
                                            receive(
                                                    call,
                                                    new WorkerMessage.Disconnect(call.name()))));
            case String other ->
                    CallAnswer.refused(
                            404, "not_found", "there is no method '" + shortened(other) + "'");
        };
    }

    private static String shortened(String text) {
        return text.length() <= 50 ? text : text.substring(0, 50);
    }

    @FunctionalInterface
    private interface Counted {
        CallAnswer make() throws InterruptedException;
    }

    private CallAnswer counted(Call call, Counted counted) throws InterruptedException {
        var wait = wiring.limits().take(call.worker(), OTHER);
        return wait.isPresent() ? CallAnswer.tooMany(wait.get()) : counted.make();
    }

    private SessionReply receive(Call call, WorkerMessage message) throws InterruptedException {
        return wiring.shell().receive(call.worker(), message);
    }

    private CallAnswer register(Call call) throws InterruptedException {
        var register = Register.read(call.body());
        var foreign = foreign(call, register.workerId());
        return foreign != null ? foreign : CallAnswer.of(receive(call, register));
    }

    private static @Nullable CallAnswer foreign(Call call, @Nullable String named) {
        return named == null || named.equals(call.name())
                ? null
                : CallAnswer.refused(
                        403,
                        "forbidden",
                        "this connection belongs to worker '"
                                + call.name()
                                + "', which cannot act for another one");
    }

    private CallAnswer heartbeat(Call call) throws InterruptedException {
        var heartbeat =
                call.body() instanceof JsonNull
                        ? new Heartbeat.Empty(call.name())
                        : Heartbeat.read(call.name(), call.body());
        var wait = wiring.limits().take(call.worker(), HEARTBEAT);
        if (wait.isPresent()) {
            return CallAnswer.of(wiring.frequent().tooSoon(call.worker(), heartbeat, wait.get()));
        }
        wiring.frequent().heard(call.worker());
        call.conversation().takesMore();
        return CallAnswer.of(receive(call, heartbeat));
    }

    private static TaskLog log(Call call) {
        return TaskLog.read(call.name(), task(call), call.body());
    }

    /// While its task waits for the answer, the worker has room for another one.
    private CallAnswer question(Call call) throws InterruptedException {
        var asked = AskQuestion.read(call.name(), task(call), call.body());
        // The answer may take long.
        call.forget();
        var isTracked = call.conversation().release(asked.lease());
        var reply = receive(call, asked);
        var isParked =
                reply instanceof SessionReply.Message(var answer)
                        && answer instanceof QuestionAnswer.Parked;
        if (isTracked && !isParked) {
            call.conversation().track(asked.lease());
        }
        return CallAnswer.of(reply);
    }

    private static String task(Call call) {
        if (call.body() instanceof JsonObject body) {
            return body.string("task_id")
                    .filter(id -> !id.isBlank())
                    .orElseThrow(() -> new MalformedMessage("task_id", "an id", "something else"));
        }
        throw new MalformedMessage("body", "an object", call.body().kind());
    }

    private CallAnswer event(Call call) throws InterruptedException {
        var message = WorkerEvent.read(call.body()).asMessage(call.name());
        if (message.isEmpty()) {
            return CallAnswer.of(NOT_FOUND);
        }
        return switch (receive(call, message.get())) {
            case SessionReply.Message(OrchestratorMessage.LogAnswer(boolean kept, int _)) ->
                    CallAnswer.of(kept ? ACCEPTED : NOT_FOUND);
            case SessionReply other -> CallAnswer.of(other);
        };
    }

    private CallAnswer release(Call call) throws InterruptedException {
        var release = Release.read(call.body());
        var foreign = foreign(call, release.workerId());
        if (foreign != null) {
            return foreign;
        }
        var reply = receive(call, release);
        if (reply
                instanceof
                SessionReply.Message(OrchestratorMessage.ReleaseAnswer(List<String> released))) {
            released.forEach(call.conversation()::release);
        }
        return CallAnswer.of(reply);
    }

    private CallAnswer result(Call call, TaskResult result) throws InterruptedException {
        var foreign = foreign(call, result.workerId());
        if (foreign != null) {
            return foreign;
        }
        // Before the engine fills the place again.
        call.conversation().complete(result.lease());
        var reply = wiring.shell().report(call.worker(), List.of(wiring.checked(result)));
        wiring.giveBack(call.worker(), reply);
        call.conversation().takesMore();
        return CallAnswer.of(reply);
    }

    private CallAnswer results(Call call) throws InterruptedException {
        var batch = ResultBatch.read(call.body());
        if (batch.entries().size() > ResultBatch.MOST) {
            return CallAnswer.refused(
                    413,
                    "body_too_large",
                    "the batch has more than " + ResultBatch.MOST + " results; split it");
        }
        var understood = new ArrayList<TaskResult>();
        for (var entry : batch.entries()) {
            if (entry instanceof ResultBatch.Entry.Understood(var result)) {
                var foreign = foreign(call, result.workerId());
                if (foreign != null) {
                    return foreign;
                }
                call.conversation().complete(result.lease());
                understood.add(wiring.checked(result));
            }
        }
        var reply = wiring.shell().report(call.worker(), understood);
        wiring.giveBack(call.worker(), reply);
        call.conversation().takesMore();
        return reply instanceof SessionReply.Results(var answers)
                ? CallAnswer.of(ResultAnswer.toJson(weave(batch, answers)))
                : CallAnswer.of(reply);
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
