package dev.artel.gateway.websocket;

import static dev.artel.gateway.access.WorkerLimits.Kind.HEARTBEAT;

import dev.artel.gateway.shell.UnreadableMessage;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Progress;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import dev.artel.worker.server.hub.MessageEvent;
import dev.artel.worker.server.hub.PooledWorker;
import dev.artel.worker.server.hub.UnreadableFrame;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The messages of registered workers, but for calls and results: what they send about tasks and about themselves.
final class WorkMessages {
    private static final Logger LOG = LoggerFactory.getLogger(WorkMessages.class);

    /// The members of a heartbeat, and their names on all wires.
    private static final Map<String, String> OF_HEARTBEATS =
            Map.of(
                    "runningTasks", "current_tasks",
                    "supportedTasks", "supported_tasks",
                    "hotCache", "hot_cache",
                    "hotSkills", "hot_skills",
                    "status", "status",
                    "load", "load");

    private final SocketWiring wiring;
    private final WorkResults results;
    private final WorkerCalls calls;

    WorkMessages(SocketWiring wiring) {
        this.wiring = wiring;
        this.results = new WorkResults(wiring);
        this.calls = new WorkerCalls(wiring);
    }

    /// A message of the worker of `conversation`. Those of types that mean nothing here are ignored.
    void receive(SocketConversation conversation, MessageEvent event) {
        if (event.type().equals("call")) {
            calls.receive(conversation, event);
            return;
        }
        var isKnown =
                results.takes(event.type())
                        || List.of("work_accepted", "work_refused", "work_progress", "work_log")
                                .contains(event.type());
        if (!isKnown) {
            LOG.atDebug()
                    .addKeyValue("worker", conversation.worker())
                    .addKeyValue("type", event.type())
                    .log("a message of a type that means nothing here is ignored");
            return;
        }
        try {
            aboutTask(conversation, token(event.message()), event);
        } catch (MalformedMessage malformed) {
            conversation.refuse(
                    event.message(),
                    event.type(),
                    "invalid_body",
                    String.valueOf(malformed.getMessage()));
        }
    }

    /// Answers a message that cannot be read, if it can be seen what it is about: a result ends its attempt, since it would come again.
    ///
    /// @return whether there is an answer
    boolean answers(SocketConversation conversation, UnreadableFrame frame) {
        var found = UnreadableMessage.scan(frame.text().getBytes(StandardCharsets.UTF_8));
        var outcome =
                frame.isTooLarge()
                        ? TaskOutcome.tooLarge(wiring.config().limits().maxMessageBytes())
                        : TaskOutcome.invalid(frame.problem());
        var type = found.text("type").orElse("");
        if (type.equals("call")) {
            return calls.answers(conversation, found, frame, outcome);
        }
        var token = found.text("requestId").filter(WorkMessages::isToken).map(LeaseToken::new);
        if (!results.takes(type) || token.isEmpty()) {
            return false;
        }
        results.unreadable(conversation, token.get(), outcome);
        return true;
    }

    private static boolean isToken(String id) {
        return !id.isBlank() && id.length() <= 1024;
    }

    private void aboutTask(SocketConversation conversation, LeaseToken token, MessageEvent event) {
        switch (event.type()) {
            // Of a task that the hub does not know as sent, this is the first word.
            case "work_accepted" -> conversation.accepted(token);
            case "work_refused" -> {
                var _ = event.fail();
                conversation.refused(
                        token,
                        event.worker().status() == PooledWorker.Status.DRAINING
                                ? LeaseEnd.Returned.DRAINED
                                : LeaseEnd.Returned.RELEASED);
            }
            case "work_progress" -> conversation.receive(progress(token, event.message()));
            case "work_log" ->
                    conversation.receive(
                            TaskLog.read(
                                    conversation.worker().value(),
                                    token.value(),
                                    JsonObject.of(
                                            "lines",
                                            event.message().get("lines").orElse(JsonArray.EMPTY))));
            default -> results.receive(conversation, token, event);
        }
    }

    private static LeaseToken token(JsonObject message) {
        return message.string("requestId")
                .filter(WorkMessages::isToken)
                .map(LeaseToken::new)
                .orElseThrow(() ->
                        new MalformedMessage(
                                "requestId",
                                "the requestId of a work_request",
                                message.get("requestId").map(JsonValue::kind).orElse("nothing")));
    }

    private static Progress progress(LeaseToken token, JsonObject message) {
        return switch (message.get("progress").orElse(null)) {
            case JsonNumber(var fraction) ->
                    new Progress(
                            null,
                            token.value(),
                            token.value(),
                            fraction.doubleValue(),
                            message.string("message").orElse(""));
            case null -> throw new MalformedMessage("progress", "a number from 0 to 1", "nothing");
            case JsonValue other ->
                    throw new MalformedMessage("progress", "a number from 0 to 1", other.kind());
        };
    }

    /// A heartbeat, to which the hub has sent its acknowledgement already.
    void heartbeat(SocketConversation conversation, JsonObject message) {
        Heartbeat heartbeat;
        try {
            heartbeat = Heartbeat.read(conversation.worker().value(), status(message));
        } catch (MalformedMessage malformed) {
            conversation.refuse(
                    message, "heartbeat", "invalid_body", String.valueOf(malformed.getMessage()));
            return;
        }
        var wait = wiring.limits().take(conversation.worker(), HEARTBEAT);
        if (wait.isPresent()) {
            var _ = wiring.frequent().tooSoon(conversation.worker(), heartbeat, wait.get());
        } else {
            wiring.frequent().heard(conversation.worker());
            conversation.heard(heartbeat);
        }
    }

    private static JsonObject status(JsonObject message) {
        var status = JsonObject.builder();
        message.members()
                .forEach((name, value) -> {
                    var common = OF_HEARTBEATS.get(name);
                    if (common != null) {
                        status.put(common, value);
                    }
                });
        return status.build();
    }

    /// The worker takes nothing more.
    void drains(SocketConversation conversation) {
        wiring.execute(() -> {
            try {
                var worker = conversation.worker();
                var reply = wiring.shell().receive(worker, new WorkerMessage.Drain(worker.value()));
                if (reply instanceof SessionReply.TryLater later) {
                    LOG.atWarn()
                            .addKeyValue("worker", worker)
                            .addKeyValue("reason", later.detail())
                            .log("the drain of a worker is known to its connection only");
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
