package dev.artel.engine.shell;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.ToLongFunction;

/// What a thread uses of processors and of memory while it runs code of an author. All but [#allocated], [#isLowered] and [#isExiting] is
/// for the watch alone.
final class ThreadGauge {
    /// How much of a processor a thread uses before it makes way for everything else.
    private static final long FAIR_NANOS = Duration.ofMillis(100).toNanos();

    /// Between two looks: so little is not called computing.
    private static final long NEXT_TO_NOTHING_NANOS = Duration.ofMillis(1).toNanos();

    private final Thread thread;
    private final ToLongFunction<Thread> allocations;

    /// What the thread had allocated when this began; 0 for the first ones, whose threads are new.
    private final long allocatedBefore;

    /// What it had used of processors when it was looked at last; 0 before.
    private long used;

    private long usedAtFirst;

    /// Whether it was in a call of the system when it was looked at last, without use of a processor since.
    private boolean isInNative;

    private volatile boolean lowered;

    /// Begins with what `thread` uses from now on.
    ///
    /// @param allocations how many bytes a thread has allocated since it exists
    ThreadGauge(Thread thread, ToLongFunction<Thread> allocations) {
        this.thread = thread;
        this.allocations = allocations;
        allocatedBefore = allocations.applyAsLong(thread);
    }

    Thread thread() {
        return thread;
    }

    /// How many bytes it has allocated since this began, whether or not it still has them; 0 once it has ended.
    long allocated() {
        return Math.max(0, allocations.applyAsLong(thread) - allocatedBefore);
    }

    /// Whether it makes way for all others.
    boolean isLowered() {
        return lowered;
    }

    /// Whether it is just ending the process.
    boolean isExiting() {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame ->
                        frame.getClassName().equals("java.lang.Runtime")
                                && frame.getMethodName().equals("exit"));
    }

    /// Whether it uses a processor; otherwise it waits for something. One that has used much makes way for all others from now on.
    boolean computes() {
        return switch (thread.getState()) {
            case BLOCKED, WAITING, TIMED_WAITING, TERMINATED -> false;
            case NEW, RUNNABLE -> !isOffProcessor();
        };
    }

    /// A thread that waits for the network looks like one that computes, and one that gets nothing of a processor like
    /// one that waits; its stack shows the difference.
    @SuppressWarnings("ThreadPriorityCheck") // nothing else keeps it from taking processors
    private boolean isOffProcessor() {
        var cpu = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.threadId());
        var before = used;
        used = cpu;
        if (before == 0) {
            usedAtFirst = cpu;
            return false;
        }
        if (!lowered && cpu - usedAtFirst > FAIR_NANOS) {
            lowered = true;
            thread.setPriority(Thread.MIN_PRIORITY);
        }
        if (cpu - before > NEXT_TO_NOTHING_NANOS) {
            isInNative = false;
            return false;
        }
        if (!isInNative) {
            var stack = thread.getStackTrace();
            isInNative = stack.length > 0 && stack[0].isNativeMethod();
            return isInNative;
        }
        return true;
    }
}
