package dev.artel.server.wiring;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Computes what handshakes of TLS ask for, keys and signatures, on a few platform threads of low priority: on a virtual thread it would
/// keep a processor from all requests until it is done. As many wait as there are handshakes that go on ([HandshakeTurns]). Safe for
/// use by many threads.
final class HandshakeTasks {
    private static final int IDLE_SECONDS = 10;

    /// Not the lowest one, with which clients that keep all processors busy would keep others from connecting.
    static final int PRIORITY = Thread.MIN_PRIORITY + 1;

    private final ExecutorService threads;

    HandshakeTasks() {
        this(HandshakeTurns.MOST);
    }

    /// @param most how many compute at once
    @SuppressWarnings("ThreadPriorityCheck") // they make way for requests
    HandshakeTasks(int most) {
        var pool =
                new ThreadPoolExecutor(
                        most,
                        most,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform()
                                .daemon()
                                .name("artel-handshakes-", 0)
                                .priority(PRIORITY)
                                .factory());
        pool.allowCoreThreadTimeOut(true);
        threads = pool;
    }

    /// Waits until `task` is done.
    ///
    /// @param isOver whether its connection is gone, so that the result has no use any more
    /// @throws CancellationException if it was gone before the task began
    void run(Runnable task, BooleanSupplier isOver) {
        var computed =
                new FutureTask<>(
                        () -> {
                            if (isOver.getAsBoolean()) {
                                throw new CancellationException("the connection is gone");
                            }
                            task.run();
                        },
                        null);
        threads.execute(computed);
        try {
            computed.get();
        } catch (InterruptedException stopped) {
            computed.cancel(false);
            Thread.currentThread().interrupt();
            throw new CompletionException("the handshake was stopped", stopped);
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw new CompletionException(failed.getCause());
            }
        }
    }
}
