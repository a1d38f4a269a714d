package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.engine.core.DeskInput;
import dev.artel.json.JsonObject;
import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class DeskShellTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId JOB = new JobId("job");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final AtomicInteger reads = new AtomicInteger();
    private final BlockingQueue<JobCommand> given = new LinkedBlockingQueue<>();

    private Instant read() {
        reads.incrementAndGet();
        return now.get();
    }

    private void sees(Instant time) {
        now.set(time);
        var before = reads.get();
        await().until(() -> reads.get() > before + 3);
    }

    /// Trap: the clock goes back by an hour, nobody else says anything, and the desk sleeps for that hour.
    @Test
    void aClockThatIsSetBack_wakesADeskOnWhichNothingHappens() throws InterruptedException {
        try (var desk =
                new DeskShell(
                        TERM,
                        new Random(1),
                        this::read,
                        (_, command) -> given.add(command),
                        _ -> {},
                        new AtomicReference<>(new Nobody()))) {
            desk.put(new DeskInput.Effects(JOB, List.of(hold()), List.of()));
            var back = NOW.minus(Duration.ofHours(1));
            sees(back);
            assertThat(given).isEmpty();

            now.set(back.plus(TERM));

            assertThat(given.poll(30, TimeUnit.SECONDS)).isInstanceOf(JobCommand.EndLease.class);
        }
    }

    private static Effect.HoldLease hold() {
        var id = new EffectId(1, 0);
        var token = LeaseToken.mint(JOB, 0, 1, 7);
        var lease = new Lease(token, new WorkerId("w"), 1, NOW.plus(Duration.ofHours(2)));
        return new Effect.HoldLease(id, 0, lease, TaskSpec.of("work", JsonObject.EMPTY), 0);
    }
}
