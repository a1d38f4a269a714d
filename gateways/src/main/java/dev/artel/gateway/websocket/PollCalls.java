package dev.artel.gateway.websocket;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.WaitingPoll;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Polls by calls. They wait without a thread, and tasks that did not leave for their worker go back at once.
final class PollCalls {
    private static final Logger LOG = LoggerFactory.getLogger(PollCalls.class);
    private static final int MOST_TYPES = 1000;
    private static final double LONGEST_SECONDS = 3600;

    private final SocketWiring wiring;

    PollCalls(SocketWiring wiring) {
        this.wiring = wiring;
    }

    /// Answers call `id` when there is a task, or the time is up.
    void poll(SocketConversation conversation, String id, JsonValue body) {
        var asked = fields(body);
        var message = message(conversation.worker(), asked);
        var inline =
                asked.has("inline")
                        ? Math.min(
                                (int) number(asked, "inline", 0, Integer.MAX_VALUE, 0),
                                SocketGatewayConfig.MAX_INLINE_BYTES)
                        : conversation.inline();
        var wait = wiring.limits().take(conversation.worker(), WorkerLimits.Kind.POLL);
        if (wait.isPresent()) {
            conversation.send(CallAnswer.tooMany(wait.get()).message(id));
            return;
        }
        var poll = wiring.shell().poll(conversation.worker(), message);
        conversation.waits(poll);
        var _ =
                poll.answer()
                        .thenAcceptAsync(
                                reply -> answer(conversation, id, inline, poll, reply),
                                wiring::execute);
    }

    private void answer(
            SocketConversation conversation,
            String id,
            int inline,
            WaitingPoll poll,
            SessionReply reply) {
        var isWanted = conversation.isAnswered(poll);
        if (!(reply instanceof SessionReply.Tasks tasks)) {
            conversation.send(CallAnswer.of(reply).message(id));
            return;
        }
        if (!isWanted) {
            wiring.shell().notWritten(poll);
            return;
        }
        boolean isRoom;
        try {
            isRoom =
                    wiring.assignments()
                            .write(
                                    tasks,
                                    inline,
                                    body -> {
                                        send(conversation, id, poll, body);
                                        return true;
                                    })
                            .isPresent();
        } catch (RuntimeException unreadable) {
            LOG.atError()
                    .addKeyValue("worker", conversation.worker())
                    .setCause(unreadable)
                    .log("tasks could not be written and are returned to the queue");
            wiring.shell().notWritten(poll);
            conversation.send(
                    CallAnswer.later(503, "unavailable", Duration.ofSeconds(1), "the poll failed")
                            .message(id));
            return;
        }
        if (!isRoom) {
            wiring.shell().noRoom(poll);
            conversation.send(CallAnswer.of(new SessionReply.NoTask()).message(id));
        }
    }

    private void send(
            SocketConversation conversation, String id, WaitingPoll poll, JsonValue body) {
        conversation.send(
                CallAnswer.of(body).message(id),
                () -> {
                    wiring.limits().giveBack(conversation.worker(), WorkerLimits.Kind.POLL);
                    wiring.shell().written(poll);
                },
                () -> wiring.shell().notWritten(poll));
    }

    private static JsonObject fields(JsonValue body) {
        return switch (body) {
            case JsonObject object -> object;
            case JsonNull _ -> JsonObject.EMPTY;
            case JsonValue other -> throw new MalformedMessage("body", "an object", other.kind());
        };
    }

    private static WorkerMessage.Poll message(WorkerId worker, JsonObject asked) {
        return new WorkerMessage.Poll(
                worker.value(),
                (int) number(asked, "max", 1, Integer.MAX_VALUE, 0),
                names(asked, "available_skills"),
                names(asked, "hot_skills"),
                asked.has("timeout")
                        ? Duration.ofMillis(
                                (long)
                                        Math.ceil(
                                                number(asked, "timeout", 0.001, LONGEST_SECONDS, 0)
                                                        * 1000))
                        : null);
    }

    private static double number(
            JsonObject asked, String name, double least, double most, double otherwise) {
        return switch (asked.get(name).orElse(null)) {
            case null -> otherwise;
            case JsonNumber(var number)
                    when number.doubleValue() >= least && number.doubleValue() <= most ->
                    number.doubleValue();
            case JsonValue _ ->
                    throw new MalformedMessage(
                            name, "a number from " + least + " to " + most, "something else");
        };
    }

    private static @Nullable List<String> names(JsonObject asked, String name) {
        return switch (asked.get(name).orElse(null)) {
            case null -> null;
            case JsonArray(var values) when values.size() <= MOST_TYPES -> {
                var names = new ArrayList<String>();
                for (var value : values) {
                    if (!(value instanceof JsonString(var text))) {
                        throw new MalformedMessage(name, "texts", value.kind());
                    }
                    names.add(text);
                }
                yield List.copyOf(names);
            }
            case JsonValue _ ->
                    throw new MalformedMessage(
                            name, "an array of at most " + MOST_TYPES + " texts", "something else");
        };
    }
}
