package dev.artel.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Holds handlers until the test opens it, and counts them.
final class Gate {
    private static final Duration LONGEST = Await.longest();

    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();

    Result pass() throws InterruptedException {
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
            assertThat(open.await(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
            return Result.success();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        } finally {
            inside.decrementAndGet();
        }
    }

    void open() {
        open.countDown();
    }

    int inside() {
        return inside.get();
    }

    int most() {
        return most.get();
    }

    int interrupted() {
        return interrupted.get();
    }
}
