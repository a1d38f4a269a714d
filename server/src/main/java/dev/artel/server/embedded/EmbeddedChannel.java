package dev.artel.server.embedded;

import dev.artel.actions.BuiltInActions;
import dev.artel.gateway.shell.PushChannel;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.placement.SecretUse;
import dev.artel.protocol.CancelTask;
import dev.artel.protocol.Progress;
import dev.artel.protocol.TaskAssignment;
import dev.artel.worker.wire.WireEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tasks and cancels on their way to the worker of the same process. Safe for use by many threads.
final class EmbeddedChannel implements PushChannel {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedChannel.class);

    private final EmbeddedTaskWire wire;
    private final SessionShell session;
    private final TaskAssignments assignments;
    private final WireEvents events;
    private final PushedRoom room;

    /// Its number in the conversation, which pushes before it is known here.
    private final CompletableFuture<Long> number = new CompletableFuture<>();

    private final AtomicBoolean refuses = new AtomicBoolean();

    EmbeddedChannel(
            EmbeddedTaskWire wire,
            SessionShell session,
            TaskAssignments assignments,
            WireEvents events,
            PushedRoom room) {
        this.room = room;
        this.wire = wire;
        this.session = session;
        this.assignments = assignments;
        this.events = events;
    }

    void numbered(long own) {
        number.complete(own);
    }

    /// Calls `use` with its number, as soon as that is known.
    private void withNumber(LongConsumer use) {
        var _ = number.thenAccept(use::accept);
    }

    @Override
    public String wire() {
        return wire.name();
    }

    /// Parameters may have to be read from a store, and the caller must not wait; nor must a task wait for the room of another one.
    @Override
    public void push(List<HandOut> tasks, Duration lease) {
        var small = new ArrayList<HandOut>();
        for (var task : tasks) {
            if (TaskAssignments.weight(task) > 0) {
                start(() -> push(task, lease));
            } else {
                small.add(task);
            }
        }
        start(() -> small.forEach(task -> push(task, lease)));
    }

    private static void start(Runnable push) {
        var _ = Thread.ofVirtual().name("artel-embedded-push").start(push);
    }

    private void push(HandOut task, Duration lease) {
        var token = task.lease().token();
        try {
            var assignment = room.read(task, () -> assignment(task, lease));
            if (assignment.isEmpty()) {
                giveBack(token);
            } else if (events.pushed(assignment.get())) {
                withNumber(own -> session.accepted(own, List.of(token)));
            } else {
                room.over(token.value());
                refuse(token);
            }
        } catch (RuntimeException unreadable) {
            LOG.atWarn()
                    .addKeyValue("task", token.handOut())
                    .setCause(unreadable)
                    .log("the parameters of a task could not be read; it is returned to the queue");
            refuse(token);
        }
    }

    /// With the places of its secrets, which come from its definition, apart from its parameters, which may come from a client.
    private TaskAssignment assignment(HandOut task, Duration lease) {
        var plain = assignments.of(task, lease, TaskAssignments.ALL);
        return plain.withParams(
                BuiltInActions.withSecrets(
                        plain.params(),
                        new JsonArray(
                                task.spec().demand().secrets().stream()
                                        .map(EmbeddedChannel::place)
                                        .toList())));
    }

    private static JsonValue place(SecretUse secret) {
        return JsonObject.builder()
                .put("at", secret.at())
                .put("from", (long) secret.from())
                .put("name", secret.name())
                .build();
    }

    /// There is no room for its parameters now, or it is no longer wanted; others are taken.
    private void giveBack(LeaseToken token) {
        withNumber(own -> {
            session.refused(own, List.of(token), LeaseEnd.Returned.NO_ROOM);
            session.resumed(own);
        });
    }

    private void refuse(LeaseToken token) {
        refuses.set(true);
        withNumber(own -> session.refused(own, List.of(token), LeaseEnd.Returned.NOT_RECEIVED));
    }

    void resume() {
        if (refuses.compareAndSet(true, false)) {
            withNumber(session::resumed);
        }
    }

    @Override
    public void push(CancelTask cancel) {
        room.cancelled(cancel.taskId());
        events.cancelled(cancel.taskId());
    }

    @Override
    public void close(int code, String reason) {
        wire.ended(this, reason);
    }

    void send(Progress progress) {
        withNumber(own -> session.receive(own, progress));
    }

    void closed() {
        withNumber(session::closed);
    }
}
