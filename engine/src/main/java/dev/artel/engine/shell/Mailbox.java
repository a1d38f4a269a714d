package dev.artel.engine.shell;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a single-threaded receiver: messages are taken in the order of each sender, one at a time, by a sender or
/// on a virtual thread that lives while there are any.
///
/// Not bounded by itself: whoever lets work in from outside bounds it there, since what frees something must never
/// be refused.
final class Mailbox<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);
    private static final int SLICE = 4096;

    /// How much a sender does for others before a thread of the mailbox's own takes over.
    private static final int FAVOUR = 32;

    private final String name;
    private final Queue<T> messages = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Consumer<T> receiver;

    Mailbox(String name, Consumer<T> receiver) {
        this.name = name;
        this.receiver = receiver;
    }

    /// For senders that have better things to do.
    void put(T message) {
        messages.add(message);
        if (claim()) {
            start();
        }
    }

    /// For senders that wait for what comes of it: where nobody runs the mailbox, they do, which saves the wake-up of
    /// another thread. They must hold no lock.
    void putAndRun(T message) {
        messages.add(message);
        if (claim()) {
            run(FAVOUR);
        }
    }

    private boolean claim() {
        return !scheduled.get() && scheduled.compareAndSet(false, true);
    }

    private void start() {
        Thread.ofVirtual().name(name).start(() -> run(SLICE));
    }

    private void run(int slice) {
        for (var i = 0; i < slice; i++) {
            var message = messages.poll();
            if (message == null) {
                scheduled.set(false);
                if (messages.isEmpty() || !scheduled.compareAndSet(false, true)) {
                    return;
                }
            } else {
                receive(message);
            }
        }
        start();
    }

    /// A receiver that throws has a bug; the other messages must not suffer from it.
    private void receive(T message) {
        try {
            receiver.accept(message);
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("mailbox", name)
                    .addKeyValue("message", message.getClass().getSimpleName())
                    .setCause(bug)
                    .log("a message failed; the mailbox goes on");
        }
    }
}
