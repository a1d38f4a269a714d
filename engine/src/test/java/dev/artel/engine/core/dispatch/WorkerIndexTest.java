package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class WorkerIndexTest {
    private static final int WORKERS = 40;
    private static final int TYPES = 1_000;
    private static final int TRIES = 5;

    /// What the conversation with workers counts for each task type that one of them declares (`StatusRoom.PER_TYPE`).
    private static final long COUNTED = 600;

    /// Trap: workers declared a thousand types each that nobody else has, and took four times the memory that was counted for them.
    @Test
    void aTypeThatNobodyElseOffers_takesNoMoreThanIsCounted() {
        var bytes = new ArrayList<Long>();
        for (var i = 0; i < TRIES && bytes.stream().noneMatch(WorkerIndexTest::isGood); i++) {
            bytes.add(measured());
        }

        assertThat(bytes).anyMatch(WorkerIndexTest::isGood);
    }

    private static boolean isGood(long bytes) {
        return bytes > COUNTED / 2 && bytes <= COUNTED;
    }

    private static long measured() {
        var profiles =
                IntStream.range(0, WORKERS)
                        .mapToObj(worker ->
                                WorkerProfile.of(
                                        new WorkerId("w" + worker),
                                        IntStream.range(0, TYPES)
                                                .mapToObj(type -> worker + "-" + type)
                                                .toList(),
                                        1))
                        .toList();
        var before = used();
        var index = new WorkerIndex();
        for (var profile : profiles) {
            index.change(index.workerOf(profile.id()), profile);
        }
        var after = used();
        assertThat(index.workers()).isEqualTo(profiles.size());
        return (after - before) / (WORKERS * TYPES);
    }

    private static long used() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
