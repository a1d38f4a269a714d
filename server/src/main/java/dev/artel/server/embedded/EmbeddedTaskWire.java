package dev.artel.server.embedded;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Register;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.ResultBatch;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.PushTerms;
import dev.artel.session.SessionReply;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireOperation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Hands the messages of a worker to the conversation of the same process; tasks are pushed. Safe for use by many threads.
final class EmbeddedTaskWire implements TaskWire {
    private static final byte[] NOTHING = new byte[0];
    private static final Duration ACCEPT_WITHIN = Duration.ofSeconds(10);

    private final SessionShell session;
    private final TaskAssignments assignments;
    private final WorkerId worker;
    private final WireEvents events;
    private final Consumer<String> over;
    private final PushedRoom room;
    private @Nullable EmbeddedChannel channel;

    EmbeddedTaskWire(
            SessionShell session,
            TaskAssignments assignments,
            String workerId,
            WireEvents events,
            Consumer<String> over,
            PushedRoom room) {
        this.over = over;
        this.room = room;
        this.session = session;
        this.assignments = assignments;
        this.worker = new WorkerId(workerId);
        this.events = events;
    }

    @Override
    public String name() {
        return EmbeddedWireProvider.SCHEME;
    }

    @Override
    public boolean pushes() {
        return true;
    }

    @Override
    public void probe(Duration timeout) {
        // The orchestrator is where this runs.
    }

    @Override
    public OrchestratorResponse register(
            JsonObject introduction, List<String> held, Duration timeout)
            throws InterruptedException {
        leave();
        var answer = answer(session.receive(worker, Register.read(introduction)));
        if (answer.status() == 200) {
            open();
        }
        return answer;
    }

    private synchronized void open() {
        var opened = new EmbeddedChannel(this, session, assignments, events, room);
        channel = opened;
        opened.numbered(session.opened(opened, worker, new PushTerms(name(), ACCEPT_WITHIN, true)));
    }

    private synchronized @Nullable EmbeddedChannel channel() {
        return channel;
    }

    /// The conversation has closed `ended`.
    void ended(EmbeddedChannel ended, String reason) {
        synchronized (this) {
            if (!ended.equals(channel)) {
                return;
            }
            channel = null;
        }
        events.broken(this, reason);
    }

    @Override
    public OrchestratorResponse send(
            WireOperation operation, String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        if (channel() == null) {
            throw new IOException("the worker is not registered");
        }
        try {
            return sent(operation, taskId, body);
        } catch (MalformedJson | MalformedMessage unreadable) {
            // As over HTTP: refused for good, so that it keeps none from being sent that follows.
            return refused(400, String.valueOf(unreadable.getMessage()), null);
        }
    }

    private OrchestratorResponse sent(WireOperation operation, String taskId, byte[] body)
            throws InterruptedException {
        var name = worker.value();
        return switch (operation) {
            case HEARTBEAT ->
                    takingMore(
                            receive(
                                    body.length == 0
                                            ? new Heartbeat.Empty(name)
                                            : Heartbeat.read(name, json(body))));
            case RENEW -> receive(Renew.read(name, json(body)));
            case RELEASE -> receive(Release.read(json(body)));
            case RESULT -> takingMore(result(TaskResult.read(json(body))));
            case RESULTS -> takingMore(results(ResultBatch.read(json(body))));
            case LOG -> receive(TaskLog.read(name, taskId, json(body)));
            case QUESTION -> receive(AskQuestion.read(name, taskId, json(body)));
            case DRAIN -> receive(new WorkerMessage.Drain(name));
            case DISCONNECT -> {
                var answer = receive(new WorkerMessage.Disconnect(name));
                leave();
                yield answer;
            }
        };
    }

    private static JsonValue json(byte[] body) {
        return JsonText.readWritten(body);
    }

    private OrchestratorResponse receive(WorkerMessage message) throws InterruptedException {
        return answer(session.receive(worker, message));
    }

    private OrchestratorResponse result(TaskResult result) throws InterruptedException {
        var answer = answer(session.report(worker, List.of(result)));
        over(result);
        return answer;
    }

    private OrchestratorResponse results(ResultBatch batch) throws InterruptedException {
        var results = new ArrayList<TaskResult>();
        for (var entry : batch.entries()) {
            if (!(entry instanceof ResultBatch.Entry.Understood(var result))) {
                throw new IllegalStateException("the SDK has written a result that it cannot read");
            }
            results.add(result);
        }
        var reply = session.report(worker, results);
        results.forEach(this::over);
        return reply instanceof SessionReply.Results(var answers)
                ? new OrchestratorResponse(200, JsonText.write(ResultAnswer.toJson(answers)), null)
                : refused(503, "the results could not be taken", Duration.ofSeconds(1));
    }

    private void over(TaskResult result) {
        room.over(result.taskId());
        over.accept(result.taskId());
    }

    /// There may be room again where a task was refused.
    private OrchestratorResponse takingMore(OrchestratorResponse response) {
        var open = channel();
        if (open != null) {
            open.resume();
        }
        return response;
    }

    /// As over HTTP.
    private static OrchestratorResponse answer(SessionReply reply) {
        return switch (reply) {
            case SessionReply.Message(var message) -> of(message.toJson());
            case SessionReply.Refreshed(var answer, var record, var _) ->
                    of(record.merge(answer.toJson()));
            case SessionReply.Results(var answers) -> of(answers.getFirst().toJson());
            case SessionReply.NoTask _, SessionReply.Done _ ->
                    new OrchestratorResponse(204, NOTHING, null);
            case SessionReply.UnknownWorker _ -> refused(404, "Worker not found", null);
            case SessionReply.TooMany(var after, var detail) -> refused(429, detail, after);
            case SessionReply.TryLater(var after, var detail) -> refused(503, detail, after);
            case SessionReply.Tasks _, SessionReply.Workers _ ->
                    throw new IllegalStateException(
                            "an answer came that no message of a worker asks for: " + reply);
        };
    }

    private static OrchestratorResponse of(JsonValue body) {
        return new OrchestratorResponse(200, JsonText.write(body), null);
    }

    private static OrchestratorResponse refused(
            int status, String text, @Nullable Duration retryAfter) {
        return new OrchestratorResponse(
                status, JsonText.write(JsonObject.of("error", new JsonString(text))), retryAfter);
    }

    @Override
    public boolean send(Progress progress) {
        var open = channel();
        if (open == null || !Double.isFinite(progress.fraction())) {
            return false;
        }
        open.send(progress);
        return true;
    }

    @Override
    public void leave() {
        EmbeddedChannel open;
        synchronized (this) {
            open = channel;
            channel = null;
        }
        if (open != null) {
            open.closed();
        }
    }

    @Override
    public void close() {
        leave();
    }

    @Override
    public String toString() {
        return EmbeddedWireProvider.ADDRESS.toString();
    }
}
