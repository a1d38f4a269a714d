package dev.artel.blueprint.function;

import dev.artel.kernel.blueprint.HandlerWatch;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The thread of a function: it runs while a handler waits for it, and is parked between two steps of its job. So the code of an author
/// runs within the places, the time and the interrupt of a handler, and a parked one takes none of these.
///
/// A parked thread ends by itself when nobody has wanted it for a while, so that none is left behind by an engine that is gone.
final class FunctionThread {
    private final ReentrantLock guard = new ReentrantLock();
    private final Semaphore toFunction = new Semaphore(0);
    private final Semaphore toHandler = new Semaphore(0);
    private final Duration keep;
    private final Runnable gone;
    private final Thread thread;
    private boolean begun;

    /// How this thread is supervised; set by who resumes it.
    private volatile HandlerWatch.Guest guest = HandlerWatch.Guest.UNWATCHED;

    private volatile boolean evicted;
    private volatile boolean ended;

    /// @param keep how long it stays parked
    /// @param gone is called when it has ended by itself, in its thread
    @SuppressWarnings("ThreadPriorityCheck") // not that of the handler that happens to start it
    FunctionThread(String name, Duration keep, Runnable code, Runnable gone) {
        this.keep = keep;
        this.gone = gone;
        thread =
                Thread.ofPlatform()
                        .name(name)
                        .daemon()
                        .priority(Thread.NORM_PRIORITY)
                        .inheritInheritableThreadLocals(false)
                        .unstarted(() -> run(code));
    }

    private void run(Runnable code) {
        try {
            guest.enter();
            code.run();
        } finally {
            ended = true;
            try {
                guest.leave();
            } finally {
                toHandler.release();
            }
        }
    }

    /// Takes the function for the caller, who gives it back by [#leave]; false if another one has it.
    boolean tryEnter() {
        return guard.tryLock();
    }

    /// As [#tryEnter], and waits for it.
    void enter() throws InterruptedException {
        guard.lockInterruptibly();
    }

    void leave() {
        guard.unlock();
    }

    /// Whether it can go on.
    boolean isAlive() {
        return !evicted && !ended;
    }

    /// Lets the function run until it parks or ends. If the caller is interrupted, so is the function, which is then waited for until it
    /// heeds it: the handler is as late as the code that it runs.
    ///
    /// @throws InterruptedException when the function has parked or ended after an interrupt; it cannot go on
    void resume() throws InterruptedException {
        guest = HandlerWatch.current().guest();
        if (!begun) {
            begun = true;
            thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            thread.start();
        } else {
            toFunction.release();
        }
        var interrupted = false;
        while (true) {
            try {
                toHandler.acquire();
                break;
            } catch (InterruptedException stop) {
                interrupted = true;
                thread.interrupt();
            }
        }
        if (interrupted) {
            evict();
            throw new InterruptedException("the handler of a function was interrupted");
        }
    }

    /// Parks the function, in its own thread, until the next step.
    ///
    /// @throws Evicted if it is to end
    void park() {
        guest.leave();
        toHandler.release();
        awaitResume();
        if (evicted) {
            guest.unwind();
        } else {
            guest.enter();
        }
        check();
    }

    private void awaitResume() {
        var until = System.nanoTime() + keep.toNanos();
        while (true) {
            try {
                if (toFunction.tryAcquire(
                        Math.max(1, until - System.nanoTime()), TimeUnit.NANOSECONDS)) {
                    return;
                }
                if (guard.tryLock()) {
                    try {
                        evicted = true;
                        gone.run();
                    } finally {
                        guard.unlock();
                    }
                    return;
                }
                until = System.nanoTime() + keep.toNanos();
            } catch (InterruptedException stray) {
                // It has no meaning while nobody runs the function.
                until = System.nanoTime() + keep.toNanos();
            }
        }
    }

    /// @throws Evicted if the function is to end
    void check() {
        if (evicted) {
            throw new Evicted("the function is no longer in memory; let this pass");
        }
    }

    /// Ends it; for who has entered.
    void evict() {
        evicted = true;
        toFunction.release();
    }

    /// Ends it in its own thread.
    Evicted evictSelf(@Nullable String why) {
        evicted = true;
        return new Evicted(String.valueOf(why));
    }
}
