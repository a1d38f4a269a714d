package dev.artel.gateway.http;

import static dev.artel.gateway.access.WorkerLimits.Kind.POLL;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.WaitingPoll;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.session.SessionReply;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Long polls: they wait without a thread, and tasks that do not reach their worker go back at once.
final class PollRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(PollRoutes.class);

    private static final int TOO_MANY = 429;

    private final SessionShell shell;
    private final Requests requests;
    private final TaskAssignments assignments;
    private final Executor threads = task -> Thread.ofVirtual().name("artel-request").start(task);
    private final Executor afterAWhile =
            CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS, threads);

    PollRoutes(SessionShell shell, Requests requests, TaskAssignments assignments) {
        this.shell = shell;
        this.requests = requests;
        this.assignments = assignments;
    }

    void next(Context ctx) {
        WorkerId worker;
        try {
            worker = requests.workerOfPath(ctx, POLL);
        } catch (HttpRefusal refusal) {
            if (refusal.status() != TOO_MANY) {
                throw refusal;
            }
            // Some workers do not wait at all after a refusal, so that it waits for them.
            ctx.future(() -> CompletableFuture.runAsync(() -> refusal.answer(ctx), afterAWhile));
            return;
        }
        var inline = number(ctx, "inline", TaskAssignments.ALL, 0);
        var poll = shell.poll(worker, PollQuery.read(worker, ctx::queryParams));
        if (poll.answer().isDone()) {
            answer(ctx, inline, poll, null, poll.answer().join());
            return;
        }
        var disconnectDetector = DisconnectDetector.watch(ctx.req(), () -> shell.abandon(poll));
        ctx.future(() ->
                poll.answer()
                        .thenAcceptAsync(
                                reply -> answer(ctx, inline, poll, disconnectDetector, reply),
                                threads));
    }

    private void giveBack(Context ctx) {
        var worker = Requests.worker(ctx.pathParam("worker_id"));
        if (worker != null) {
            requests.giveBack(worker, POLL);
        }
    }

    /// @param least the smallest number that makes sense
    private static int number(Context ctx, String name, int otherwise, int least) {
        var text = ctx.queryParam(name);
        if (text == null) {
            return otherwise;
        }
        try {
            var number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // Refused below like a number that makes no sense.
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_PARAMETER,
                name + " must be a whole number from " + least + " on");
    }

    private void answer(
            Context ctx,
            int inline,
            WaitingPoll poll,
            @Nullable DisconnectDetector disconnectDetector,
            SessionReply reply) {
        var isThere = disconnectDetector == null || disconnectDetector.stop();
        if (!isThere) {
            ctx.header("Connection", "close");
        }
        if (!(reply instanceof SessionReply.Tasks tasks)) {
            ReplyWriter.write(ctx, reply);
        } else if (isThere) {
            hand(ctx, inline, poll, tasks);
        } else {
            shell.notWritten(poll);
            ctx.status(204);
        }
    }

    private void hand(Context ctx, int inline, WaitingPoll poll, SessionReply.Tasks tasks) {
        Optional<TaskAssignments.Written> answer;
        try {
            answer = assignments.write(tasks, inline);
        } catch (RuntimeException | Error unreadable) {
            shell.notWritten(poll);
            throw unreadable;
        }
        if (answer.isEmpty()) {
            shell.noRoom(poll);
            ctx.status(204);
            return;
        }
        try (var written = answer.get()) {
            send(ctx, poll, written.body());
        }
    }

    /// Writes straight into the connection, so that a failure is known here.
    private void send(Context ctx, WaitingPoll poll, byte[] body) {
        var isWritten = false;
        try {
            var response = ctx.res();
            response.setStatus(200);
            response.setContentType("application/json; charset=utf-8");
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
            response.flushBuffer();
            isWritten = true;
        } catch (IOException broken) {
            LOG.atDebug()
                    .addKeyValue("worker", ctx.pathParam("worker_id"))
                    .addKeyValue("cause", broken.toString())
                    .log("tasks could not be sent to their worker and are returned to the queue");
        } finally {
            if (isWritten) {
                giveBack(ctx);
                shell.written(poll);
            } else {
                shell.notWritten(poll);
            }
        }
    }
}
