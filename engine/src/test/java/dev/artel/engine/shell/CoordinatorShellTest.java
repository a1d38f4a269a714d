package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class CoordinatorShellTest {
    private static final Duration TERM = Duration.ofMillis(200);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId JOB = new JobId("job");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final AtomicReference<Duration> standstill = new AtomicReference<>(Duration.ZERO);
    private final BlockingQueue<JobCommand> given = new LinkedBlockingQueue<>();
    private final long origin = System.nanoTime();

    private CoordinatorShell coordinator() {
        return new CoordinatorShell(
                TERM,
                new Random(1),
                now::get,
                () -> NOW.plusNanos(System.nanoTime() - origin).plus(standstill.get()),
                (_, command) -> given.add(command),
                _ -> {},
                new AtomicReference<>(new IgnoringListener()),
                new Vitals(Supervision.LOG_ONLY, Duration.ofMinutes(1)));
    }

    /// Trap: the clock goes back by an hour, nobody else says anything, and the coordinator sleeps for that hour.
    @Test
    void aClockThatIsSetBack_makesNoLeaseLonger() throws InterruptedException {
        try (var coordinator = coordinator()) {
            coordinator.put(new CoordinatorInput.Effects(JOB, List.of(hold()), List.of()));
            now.set(NOW.minus(Duration.ofHours(1)));

            assertThat(given.poll(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            JobCommand.EndLease.class,
                            end -> assertThat(end.reason()).isEqualTo(LeaseEnd.Lost.EXPIRED));
        }
    }

    /// Trap: a worker renews its lease as soon as the process goes on, and finds that it is over.
    @Test
    void aLeaseThatIsRenewedAfterAStandstill_isKept() {
        try (var coordinator = coordinator()) {
            coordinator.put(new CoordinatorInput.Effects(JOB, List.of(hold()), List.of()));
            coordinator.put(
                    new CoordinatorInput.Renewed(
                            hold().lease().worker(), List.of(), Duration.ofMinutes(1)));
            standstill.set(Duration.ofMinutes(90));
            await().untilAsserted(() ->
                    assertThat(
                                    coordinator
                                            .look(Duration.ofSeconds(10))
                                            .orElseThrow()
                                            .expiries()
                                            .values())
                            .allMatch(NOW.plusSeconds(30)::isBefore));

            assertThat(given).isEmpty();
        }
    }

    private static Effect.HoldLease hold() {
        var id = new EffectId(1, 0);
        var token = LeaseToken.mint(JOB, 0, 1, 7);
        var lease = new Lease(token, new WorkerId("w"), 1, NOW.plus(Duration.ofHours(2)));
        return new Effect.HoldLease(
                id, 0, lease, TaskSpec.of("work", JsonObject.EMPTY), "blueprint", 0);
    }
}
