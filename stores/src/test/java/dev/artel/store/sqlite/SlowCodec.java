package dev.artel.store.sqlite;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.store.EventCodec;
import dev.artel.store.codec.JsonEventCodec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Lets what threads of some name read take until it is let go.
final class SlowCodec implements EventCodec {
    private final EventCodec codec = new JsonEventCodec();
    private final String threads;
    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger slow = new AtomicInteger();
    private volatile boolean isSlow;

    /// @param threads how their names begin
    SlowCodec(String threads) {
        this.threads = threads;
    }

    void begin() {
        isSlow = true;
    }

    /// How many are at it.
    int slow() {
        return slow.get();
    }

    void letGo() {
        isSlow = false;
        end.countDown();
    }

    @Override
    public List<JobEvent> decode(byte[] bytes) {
        if (isSlow && Thread.currentThread().getName().startsWith(threads)) {
            slow.incrementAndGet();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return codec.decode(bytes);
    }

    @Override
    public byte[] encode(List<JobEvent> events) {
        return codec.encode(events);
    }

    @Override
    public byte[] encode(Job fold) {
        return codec.encode(fold);
    }

    @Override
    public Optional<Job> decodeFold(byte[] bytes) {
        return codec.decodeFold(bytes);
    }

    @Override
    public byte[] encode(JobCommand command) {
        return codec.encode(command);
    }

    @Override
    public JobCommand decodeCommand(byte[] bytes) {
        return codec.decodeCommand(bytes);
    }
}
