package dev.artel.gateway.websocket;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.session.SessionReply;
import dev.artel.worker.server.hub.MessageEvent;
import dev.artel.worker.server.hub.PooledWorker;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The results of tasks: `work_complete`, `work_result` and `work_failed`. A result that cannot be kept at once is reported
/// again for a while, since workers that do not wait for the answer would never do so.
final class WorkResults {
    private static final Set<String> TYPES = Set.of("work_complete", "work_result", "work_failed");
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /// The members of a result in the form of all wires. One with any other member is what the worker gave.
    private static final Set<String> OF_RESULTS =
            Set.of("status", "data", "large_data", "error", "error_message", "metrics");

    private static final Set<String> FAILURES = Set.of("failure", "failed", "error");

    private final SocketWiring wiring;

    WorkResults(SocketWiring wiring) {
        this.wiring = wiring;
    }

    boolean takes(String type) {
        return TYPES.contains(type);
    }

    void receive(SocketConversation conversation, LeaseToken token, MessageEvent event) {
        TaskResult result;
        try {
            result = read(conversation, token, event);
        } catch (MalformedMessage malformed) {
            conversation.refuse(
                    event.message(),
                    event.type(),
                    "invalid_body",
                    String.valueOf(malformed.getMessage()));
            return;
        }
        var peer = conversation.peer();
        if (!hasPlace(conversation, token, peer)) {
            return;
        }
        // The engine may send the next task before this one is answered, which needs its place.
        var isLast = event.worker().status() == PooledWorker.Status.DRAINING;
        if (!isLast) {
            settle(event);
        }
        var hold = event.hold();
        wiring.execute(() -> {
            try (hold) {
                answer(conversation, token, report(conversation, result));
                conversation.takesMore();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                wiring.room().free(peer);
                if (isLast) {
                    settle(event);
                }
            }
        });
    }

    /// A result that cannot be read ends its attempt with `outcome`.
    void unreadable(SocketConversation conversation, LeaseToken token, TaskOutcome outcome) {
        var peer = conversation.peer();
        if (!hasPlace(conversation, token, peer)) {
            return;
        }
        conversation.complete(token.value());
        var job = token.address().map(address -> address.job().value()).orElse("unknown");
        var worker = conversation.worker().value();
        var result = new TaskResult(job, token.value(), worker, token.value(), outcome);
        wiring.execute(() -> {
            try {
                answer(conversation, token, report(conversation, result));
                conversation.takesMore();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } finally {
                wiring.room().free(peer);
            }
        });
    }

    /// Whether the result has a place among those that are worked on; if not, the worker is to send it again.
    private boolean hasPlace(
            SocketConversation conversation, LeaseToken token, CallRoom.Peer peer) {
        var refusal = wiring.room().take(peer);
        refusal.ifPresent(why ->
                answer(conversation, token, new SessionReply.TooMany(Duration.ofSeconds(1), why)));
        return refusal.isEmpty();
    }

    private static void settle(MessageEvent event) {
        var _ = event.type().equals("work_failed") ? event.fail() : event.complete();
    }

    /// Reports again and again until the result is kept, or for a minute.
    private SessionReply report(SocketConversation conversation, TaskResult result)
            throws InterruptedException {
        var deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
        while (true) {
            var reply = reportOnce(conversation, result);
            var pause = pause(reply);
            if (pause == null || conversation.isEnded() || System.nanoTime() > deadline) {
                return reply;
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(pause.toNanos(), LONGEST_PAUSE.toNanos()));
        }
    }

    private SessionReply reportOnce(SocketConversation conversation, TaskResult result)
            throws InterruptedException {
        var wait = wiring.limits().take(conversation.worker(), WorkerLimits.Kind.OTHER);
        if (wait.isPresent()) {
            return later(wait.get());
        }
        var reply = wiring.shell().report(conversation.worker(), List.of(wiring.checked(result)));
        wiring.giveBack(conversation.worker(), reply);
        return reply;
    }

    private static SessionReply later(Duration after) {
        return new SessionReply.TooMany(after, "Too Many Requests");
    }

    private static @Nullable Duration pause(SessionReply reply) {
        return switch (reply) {
            case SessionReply.TryLater(var after, var _) -> after;
            case SessionReply.TooMany(var after, var _) -> after;
            case SessionReply.Message _,
                    SessionReply.Refreshed _,
                    SessionReply.Tasks _,
                    SessionReply.NoTask _,
                    SessionReply.Results _,
                    SessionReply.Done _,
                    SessionReply.Workers _,
                    SessionReply.UnknownWorker _ ->
                    null;
        };
    }

    private static String detail(SessionReply reply) {
        return switch (reply) {
            case SessionReply.TryLater(var _, var detail) -> detail;
            case SessionReply.TooMany(var _, var detail) -> detail;
            case SessionReply _ -> "";
        };
    }

    private static void answer(
            SocketConversation conversation, LeaseToken token, SessionReply reply) {
        var json =
                JsonObject.builder()
                        .put("type", "work_complete_ack")
                        .put("requestId", token.value());
        var pause = pause(reply);
        if (reply instanceof SessionReply.Results(var answers)) {
            conversation.send(json.build().merge(answers.getFirst().toJson()));
        } else if (pause != null) {
            conversation.send(
                    json.put("status", "try_later")
                            .put("retryAfterMs", Math.max(1, pause.toMillis()))
                            .put("error", detail(reply))
                            .build());
        }
    }

    private static TaskResult read(
            SocketConversation conversation, LeaseToken token, MessageEvent event) {
        var message = event.message();
        var job =
                token.address()
                        .map(address -> address.job().value())
                        .or(() -> message.string("jobId").filter(id -> !id.isBlank()))
                        .orElse("unknown");
        var envelope =
                JsonObject.builder()
                        .put("job_id", job)
                        .put("task_id", token.value())
                        .put("worker_id", conversation.worker().value())
                        .put("lease_token", token.value())
                        .put("result", result(event.type(), message));
        message.get("metrics")
                .or(() -> message.object("result").flatMap(result -> result.get("metrics")))
                .ifPresent(metrics -> envelope.put("metrics", metrics));
        return TaskResult.read(envelope.build());
    }

    /// What the worker gave, in the form of all wires: `result` with a status or as it is, or `data` and `status` of the message
    /// itself; `error`, `success: false` and `work_failed` are failures.
    private static JsonValue result(String type, JsonObject message) {
        if (isFailure(type, message)) {
            return JsonObject.of(
                    "status",
                    new JsonString("failure"),
                    "error",
                    message.get("error")
                            .filter(error -> error != JsonNull.NULL)
                            .orElse(new JsonString("the worker gave no message")));
        }
        var result = message.get("result").orElse(null);
        if (result instanceof JsonObject object
                && !object.isEmpty()
                && OF_RESULTS.containsAll(object.names())) {
            return object;
        }
        if (result != null) {
            return success(message, result);
        }
        if (message.has("large_data")) {
            return message;
        }
        return success(message, message.get("data").orElse(JsonObject.EMPTY));
    }

    private static boolean isFailure(String type, JsonObject message) {
        return type.equals("work_failed")
                || message.string("status").filter(FAILURES::contains).isPresent()
                || message.get("error").filter(error -> error != JsonNull.NULL).isPresent()
                || message.get("success").filter(JsonBoolean.FALSE::equals).isPresent();
    }

    private static JsonObject success(JsonObject message, JsonValue data) {
        var status = message.get("status").orElse(new JsonString("success"));
        return JsonObject.of("status", status, "data", data);
    }
}
