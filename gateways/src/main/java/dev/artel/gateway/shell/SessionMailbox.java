package dev.artel.gateway.shell;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Runs one thread at a time over what is put into it, in order. Safe for use by many threads.
///
/// The caller of [#run] does the work if no other thread does, so that a request with an idle mailbox
/// changes no thread.
public final class SessionMailbox<T> {
    /// How much a thread does before it lets another one take over.
    private static final int TURN = 256;

    private final ConcurrentLinkedQueue<T> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicBoolean isTaken = new AtomicBoolean(true);
    private final Consumer<T> work;
    private final Executor executor;
    private final int capacity;

    /// A mailbox that keeps what comes in until it is opened.
    ///
    /// @param work must not throw
    /// @param capacity how much that may be refused waits at once
    public SessionMailbox(Consumer<T> work, Executor executor, int capacity) {
        this.work = work;
        this.executor = executor;
        this.capacity = capacity;
    }

    /// Begins with the work.
    public void open() {
        isTaken.set(false);
        schedule();
    }

    /// Takes `item` in without waiting; another thread does the work.
    public void send(T item) {
        put(item);
        schedule();
    }

    /// Takes `item` in and does the work if no other thread does.
    public void run(T item) {
        put(item);
        if (isTaken.compareAndSet(false, true)) {
            turn();
        }
    }

    /// Whether so much waits that what can be refused should be.
    public boolean isFull() {
        return size.get() >= capacity;
    }

    private void put(T item) {
        size.incrementAndGet();
        queue.add(item);
    }

    private void schedule() {
        if (!queue.isEmpty() && isTaken.compareAndSet(false, true)) {
            executor.execute(this::turn);
        }
    }

    private void turn() {
        try {
            for (var done = 0; done < TURN; done++) {
                var item = queue.poll();
                if (item == null) {
                    break;
                }
                size.decrementAndGet();
                work.accept(item);
            }
        } finally {
            isTaken.set(false);
            schedule();
        }
    }
}
