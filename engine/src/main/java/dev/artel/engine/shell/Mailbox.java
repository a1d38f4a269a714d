package dev.artel.engine.shell;

import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs a single-threaded receiver: messages are taken in the order of each sender, one at a time, by a sender or
/// on a virtual thread that lives while there are any.
///
/// Not bounded by itself: the part that lets work in from outside bounds it there, since what frees something must
/// never be refused.
final class Mailbox<T> {
    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);
    private static final int SLICE = 4096;

    /// How much a sender does for others before a thread of the mailbox's own takes over.
    private static final int FAVOUR = 32;

    private final String name;
    private final Queue<T> messages = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Consumer<T> receiver;
    private final Vitals vitals;
    private final Vitals.Heart heart;
    private final Function<T, List<JobId>> jobs;

    /// A mailbox without supervision.
    Mailbox(String name, Consumer<T> receiver) {
        this(
                name,
                receiver,
                new Vitals(Supervision.LOG_ONLY, Duration.ofMinutes(1)),
                _ -> List.of());
    }

    /// @param jobs of a message, the jobs that it is about
    Mailbox(String name, Consumer<T> receiver, Vitals vitals, Function<T, List<JobId>> jobs) {
        this.name = name;
        this.receiver = receiver;
        this.vitals = vitals;
        this.jobs = jobs;
        heart = vitals.heart(name);
    }

    /// For senders that have better things to do.
    void put(T message) {
        messages.add(message);
        if (claim()) {
            start();
        }
    }

    /// For senders that wait for what comes of it: where no thread runs the mailbox, they do, which saves the wake-up of
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

    /// A receiver that throws has a bug; the other messages must not suffer from it. After an error it is unknown what it
    /// has done, and its thread may be one that reports no errors.
    private void receive(T message) {
        heart.begin();
        try {
            receiver.accept(message);
        } catch (Error error) {
            vitals.fatal(name, error, jobs.apply(message));
        } catch (RuntimeException bug) {
            LOG.atError()
                    .addKeyValue("mailbox", name)
                    .addKeyValue("message", message.getClass().getSimpleName())
                    .setCause(bug)
                    .log("a message failed; the mailbox continues");
        } finally {
            heart.rest();
        }
    }
}
