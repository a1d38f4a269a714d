package dev.artel.worker.server.hub;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The handlers of the hub's user. What one throws is logged, and the others run all the same.
final class HubHandlers {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerHub.class);

    final List<Consumer<PooledWorker>> connected = new CopyOnWriteArrayList<>();
    final List<Consumer<PooledWorker>> registeredAgain = new CopyOnWriteArrayList<>();
    final List<Consumer<WorkerDisconnected>> disconnected = new CopyOnWriteArrayList<>();
    final List<Consumer<OrphanedRequest>> orphaned = new CopyOnWriteArrayList<>();
    final List<Consumer<MessageEvent>> anyMessage = new CopyOnWriteArrayList<>();
    final List<Consumer<MessageEvent>> unregistered = new CopyOnWriteArrayList<>();
    final List<Consumer<MessageEvent>> protocolMessage = new CopyOnWriteArrayList<>();
    final List<Consumer<AcceptedRequest>> accepted = new CopyOnWriteArrayList<>();
    private final List<Predicate<UnreadableFrame>> unreadable = new CopyOnWriteArrayList<>();
    private final Map<String, List<Consumer<MessageEvent>>> byType = new ConcurrentHashMap<>();

    /// A handler as it was added once: the same one may be added again.
    private static final class Own<E> implements Consumer<E> {
        private final Consumer<E> handler;

        private Own(Consumer<E> handler) {
            this.handler = handler;
        }

        @Override
        public void accept(E event) {
            handler.accept(event);
        }
    }

    /// The same of a handler that answers a question.
    private static final class OwnTest implements Predicate<UnreadableFrame> {
        private final Predicate<UnreadableFrame> handler;

        private OwnTest(Predicate<UnreadableFrame> handler) {
            this.handler = handler;
        }

        @Override
        public boolean test(UnreadableFrame frame) {
            return handler.test(frame);
        }
    }

    /// Adds `handler` and returns what removes it: that one, once.
    static <E> Runnable add(List<Consumer<E>> handlers, Consumer<E> handler) {
        var own = new Own<>(handler);
        handlers.add(own);
        return () -> handlers.remove(own);
    }

    /// Adds a handler of messages of `type` and returns what removes it.
    Runnable addForType(String type, Consumer<MessageEvent> handler) {
        var own = new Own<>(handler);
        byType.compute(
                type,
                (_, present) -> {
                    var handlers =
                            present == null
                                    ? new CopyOnWriteArrayList<Consumer<MessageEvent>>()
                                    : present;
                    handlers.add(own);
                    return handlers;
                });
        return () ->
                byType.computeIfPresent(
                        type,
                        (_, handlers) -> {
                            handlers.remove(own);
                            return handlers.isEmpty() ? null : handlers;
                        });
    }

    /// Whether a handler takes messages of `type`.
    boolean take(String type) {
        return byType.containsKey(type) || !anyMessage.isEmpty();
    }

    void message(MessageEvent event) {
        run(byType.getOrDefault(event.type(), List.of()), event, "message", event.worker().id());
        run(anyMessage, event, "message", event.worker().id());
    }

    void unregisteredMessage(MessageEvent event) {
        run(unregistered, event, "unregistered message", event.worker().id());
    }

    void protocolMessage(MessageEvent event) {
        run(protocolMessage, event, event.type(), event.worker().id());
    }

    void accepted(AcceptedRequest request) {
        run(accepted, request, "accepted", request.requestId());
    }

    void connected(PooledWorker worker) {
        run(connected, worker, "connected", worker.id());
    }

    void registeredAgain(PooledWorker worker) {
        run(registeredAgain, worker, "registered again", worker.id());
    }

    void disconnected(WorkerDisconnected event) {
        run(disconnected, event, "disconnected", event.worker().id());
    }

    void orphaned(OrphanedRequest request) {
        run(orphaned, request, "orphaned", request.requestId());
    }

    /// Adds a handler of messages that cannot be read and returns what removes it: that one, once.
    Runnable addUnreadable(Predicate<UnreadableFrame> handler) {
        var own = new OwnTest(handler);
        unreadable.add(own);
        return () -> unreadable.remove(own);
    }

    boolean takeUnreadable() {
        return !unreadable.isEmpty();
    }

    /// Whether a handler answers the message.
    boolean answer(UnreadableFrame frame) {
        var isAnswered = false;
        for (var handler : unreadable) {
            try {
                isAnswered |= handler.test(frame);
            } catch (Throwable e) {
                failed("unreadable message", frame.worker().id(), e);
            }
        }
        return isAnswered;
    }

    private static <E> void run(List<Consumer<E>> handlers, E event, String kind, String subject) {
        for (var handler : handlers) {
            try {
                handler.accept(event);
            } catch (Throwable e) {
                // What a handler throws must not end the thread of a connection.
                failed(kind, subject, e);
            }
        }
    }

    /// An error goes to the handler of uncaught exceptions as well, as if it had ended its thread.
    private static void failed(String kind, String subject, Throwable e) {
        if (e instanceof Error error) {
            var thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        }
        LOG.atError()
                .addKeyValue("event", kind)
                .addKeyValue("subject", subject)
                .addKeyValue("problem", e.getMessage() == null ? e : e.getMessage())
                .setCause(e)
                .log("handler failed");
    }
}
