package dev.artel.gateway.zeromq;

import dev.artel.gateway.shell.PushChannel;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.CancelTask;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tasks and cancels on their way to one worker, in order. Safe for use by many threads.
final class LinkChannel implements PushChannel {
    private static final Logger LOG = LoggerFactory.getLogger(LinkChannel.class);
    private static final String GIVE_UP =
            "the orchestrator does not wait for this attempt any more";

    private final WorkerLink link;
    private final Parts parts;

    /// Its number in the conversation, which pushes before it is known here.
    private final CompletableFuture<Long> number = new CompletableFuture<>();

    /// What channels work with.
    ///
    /// @param outgoing what waits to be written
    record Parts(
            SessionShell shell,
            PeerSender sender,
            PeerQueues outgoing,
            TaskBodies bodies,
            SessionEnds ends) {}

    LinkChannel(WorkerLink link, Parts parts) {
        this.link = link;
        this.parts = parts;
    }

    void numbered(long own) {
        number.complete(own);
    }

    /// Calls `use` with its number, as soon as that is known.
    private void withNumber(LongConsumer use) {
        var _ = number.thenAccept(use::accept);
    }

    @Override
    public void push(List<HandOut> tasks, Duration lease) {
        var pushed = System.nanoTime();
        for (var task : tasks) {
            var token = task.lease().token();
            if (!parts.outgoing().put(link.peer(), 0, () -> write(task, lease, pushed))) {
                notSent(token, false);
            }
        }
    }

    private void write(HandOut task, Duration lease, long pushed) {
        var token = task.lease().token();
        Optional<Boolean> isTaken;
        try {
            isTaken =
                    parts.bodies()
                            .write(
                                    task,
                                    lease,
                                    link.introduction().inline(),
                                    pushed,
                                    frames -> send(token, frames));
        } catch (RuntimeException unreadable) {
            LOG.atWarn()
                    .addKeyValue("worker", link.worker())
                    .addKeyValue("task", token.handOut())
                    .setCause(unreadable)
                    .log("the parameters of a task could not be read; it is returned to the queue");
            notSent(token, false);
            return;
        }
        if (isTaken.isEmpty()) {
            noRoom(token);
        } else if (!isTaken.get()) {
            notSent(token, false);
        }
    }

    private boolean send(LeaseToken token, List<byte[]> frames) {
        return parts.sender()
                .send(
                        WirePort.TASKS,
                        link.peer(),
                        frames,
                        isSent -> {
                            if (!isSent) {
                                notSent(token, true);
                            }
                        });
    }

    /// A task waits for room in memory again, and others go to the worker.
    private void noRoom(LeaseToken token) {
        refused(List.of(token), LeaseEnd.Returned.NO_ROOM);
        if (!link.isPaused()) {
            resumed();
        }
    }

    /// A task has not left for its worker: it is returned to the queue, and nothing else is pushed for a moment.
    private void notSent(LeaseToken token, boolean isUnreachable) {
        link.pause(isUnreachable);
        var isTaken =
                parts.outgoing()
                        .put(
                                link.peer(),
                                0,
                                () -> refused(List.of(token), LeaseEnd.Returned.NOT_RECEIVED));
        if (!isTaken) {
            // It is not accepted in time, then.
            LOG.atDebug().addKeyValue("worker", link.worker()).log("too much waits for the worker");
        }
    }

    /// A cancel that cannot be sent comes with the answers to heartbeats; its task was sent all the same.
    @Override
    public void push(CancelTask cancel) {
        var token = new LeaseToken(cancel.taskId());
        var _ = parts.outgoing().put(link.peer(), 0, () -> write(token));
    }

    private void write(LeaseToken token) {
        parts.sender()
                .send(
                        WirePort.TASKS,
                        link.peer(),
                        "CANCEL",
                        JsonObject.builder()
                                .put("task_id", TaskBodies.taskId(token))
                                .put("lease_id", token.value())
                                .put("reason", GIVE_UP)
                                .build());
    }

    @Override
    public void close(int code, String reason) {
        var _ = parts.outgoing().put(link.peer(), 0, () -> parts.ends().unassignable(link, reason));
    }

    void accepted(LeaseToken token) {
        withNumber(own -> parts.shell().accepted(own, List.of(token)));
    }

    void refused(List<LeaseToken> tokens, LeaseEnd.Returned reason) {
        withNumber(own -> parts.shell().refused(own, tokens, reason));
    }

    void resumed() {
        withNumber(own -> parts.shell().resumed(own));
    }

    void closed() {
        withNumber(own -> parts.shell().closed(own));
    }
}
