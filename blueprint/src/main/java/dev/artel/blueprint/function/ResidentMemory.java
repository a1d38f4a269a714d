package dev.artel.blueprint.function;

import java.util.concurrent.atomic.AtomicLong;

/// How much memory the initial data of functions may take that stay there between their steps, of all blueprints together. Safe for use by many threads.
public final class ResidentMemory {
    /// Which part of the heap they have: one divided by it.
    private static final int PART = 8;

    /// Of this process, whose heap it is.
    static final ResidentMemory OF_PROCESS =
            new ResidentMemory(Runtime.getRuntime().maxMemory() / PART);

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /// @param most how many bytes they take at most
    public ResidentMemory(long most) {
        this.most = most;
    }

    /// One more takes so many bytes, or one less where they are below zero.
    void add(long bytes) {
        taken.addAndGet(bytes);
    }

    /// Whether they take more than they may.
    boolean isExceeded() {
        return taken.get() > most;
    }
}
