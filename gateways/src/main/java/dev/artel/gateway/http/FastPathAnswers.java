package dev.artel.gateway.http;

import static dev.artel.gateway.access.WorkerLimits.Kind.POLL;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.WaitingPoll;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Has heartbeats and polls answered without a thread that waits. Safe for use by many threads.
final class FastPathAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(FastPathAnswers.class);

    /// As the servlets write it.
    private static final String JSON = "application/json;charset=utf-8";

    private static final byte[] NOTHING = {};

    private final SessionShell shell;
    private final Requests requests;
    private final TaskAssignments assignments;
    private final IntConsumer answered;
    private final Executor threads = task -> Thread.ofVirtual().name("artel-request").start(task);

    /// @param answered receives the status of each answer
    FastPathAnswers(
            SessionShell shell,
            Requests requests,
            TaskAssignments assignments,
            IntConsumer answered) {
        this.shell = shell;
        this.requests = requests;
        this.assignments = assignments;
        this.answered = answered;
    }

    void beat(JettyExchange exchange, WorkerId worker, Heartbeat heartbeat) {
        var reply = shell.send(worker, heartbeat);
        if (reply.isDone()) {
            write(exchange, reply.join());
            return;
        }
        // Some bytes that need not be waited for: not worth another thread.
        reply.thenAccept(it -> write(exchange, it))
                .exceptionally(bug -> broken(exchange, worker, bug));
    }

    void poll(JettyExchange exchange, WorkerId worker, WorkerMessage.Poll message) {
        var poll = shell.poll(worker, message);
        if (poll.answer().isDone() && !mayWait(poll.answer().join())) {
            answer(exchange, worker, poll, true);
            return;
        }
        var disconnectDetector = exchange.watch(() -> shell.abandon(poll));
        poll.answer()
                .thenAccept(reply -> {
                    if (reply instanceof SessionReply.NoTask) {
                        answer(exchange, worker, poll, disconnectDetector.stop());
                    } else {
                        threads.execute(() -> guarded(exchange, worker, poll, disconnectDetector));
                    }
                })
                .exceptionally(bug -> broken(exchange, worker, bug));
    }

    /// Large parameters are read from the store and may wait for room: not on the thread that reads connections, as this may be.
    private boolean mayWait(SessionReply reply) {
        return reply instanceof SessionReply.Tasks tasks && assignments.isLarge(tasks);
    }

    private void guarded(
            JettyExchange exchange,
            WorkerId worker,
            WaitingPoll poll,
            DisconnectDetector disconnectDetector) {
        try {
            answer(exchange, worker, poll, disconnectDetector.stop());
        } catch (RuntimeException | Error bug) {
            broken(exchange, worker, bug);
        }
    }

    private static @Nullable Void broken(JettyExchange exchange, WorkerId worker, Throwable bug) {
        LOG.atError()
                .addKeyValue("worker", worker)
                .setCause(bug)
                .log("a worker's request could not be answered");
        exchange.fail(bug);
        return null;
    }

    private void answer(
            JettyExchange exchange, WorkerId worker, WaitingPoll poll, boolean isThere) {
        var reply = poll.answer().join();
        if (!isThere) {
            if (reply instanceof SessionReply.Tasks) {
                shell.notWritten(poll);
            }
            exchange.over();
        } else if (reply instanceof SessionReply.Tasks tasks) {
            hand(exchange, worker, poll, tasks);
        } else {
            write(exchange, reply);
        }
    }

    private void hand(
            JettyExchange exchange, WorkerId worker, WaitingPoll poll, SessionReply.Tasks tasks) {
        Optional<TaskAssignments.Written> answer;
        try {
            answer = assignments.write(tasks, TaskAssignments.ALL);
        } catch (RuntimeException | Error unreadable) {
            shell.notWritten(poll);
            throw unreadable;
        }
        if (answer.isEmpty()) {
            shell.noRoom(poll);
            answer(exchange, HttpStatus.NO_CONTENT_204, null, 0, NOTHING, Callback.NOOP);
            return;
        }
        var its = answer.get();
        var written =
                Callback.from(
                        () -> {
                            its.close();
                            requests.giveBack(worker, POLL);
                            shell.written(poll);
                        },
                        _ -> {
                            its.close();
                            shell.notWritten(poll);
                        });
        answer(exchange, HttpStatus.OK_200, JSON, 0, its.body(), written);
    }

    private void write(JettyExchange exchange, SessionReply reply) {
        var refusal = ReplyWriter.refusal(reply);
        if (refusal != null) {
            write(exchange, refusal);
            return;
        }
        var body = ReplyWriter.body(reply);
        if (body == null) {
            answer(exchange, HttpStatus.NO_CONTENT_204, null, 0, NOTHING, Callback.NOOP);
        } else {
            answer(exchange, HttpStatus.OK_200, JSON, 0, JsonText.write(body), Callback.NOOP);
        }
    }

    void write(JettyExchange exchange, HttpRefusal refusal) {
        answer(
                exchange,
                refusal.status(),
                Problem.TYPE,
                refusal.retryAfterSeconds(),
                JsonText.write(refusal.body()),
                Callback.NOOP);
    }

    private void answer(
            JettyExchange exchange,
            int status,
            @Nullable String type,
            long retryAfter,
            byte[] body,
            Callback written) {
        answered.accept(status);
        exchange.answer(status, type, retryAfter, body, written);
    }
}
