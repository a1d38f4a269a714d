package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.core.CoordinatorInput;
import dev.artel.engine.core.CoordinatorOutput;
import dev.artel.engine.core.JobsInput;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class CoordinatorShellTest {
    private static final Duration TERM = Duration.ofMillis(200);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId JOB = new JobId("job");

    private final AtomicReference<Instant> now = new AtomicReference<>(NOW);
    private final AtomicReference<Duration> standstill = new AtomicReference<>(Duration.ZERO);
    private final BlockingQueue<JobCommand> given = new LinkedBlockingQueue<>();
    private final long origin = System.nanoTime();

    private final List<String> reports = new CopyOnWriteArrayList<>();

    private final List<JobsInput.Reserved> answers = new CopyOnWriteArrayList<>();

    private CoordinatorShell coordinator() {
        return coordinator(_ -> {}, Supervision.LOG_ONLY);
    }

    private CoordinatorShell coordinator(
            Consumer<JobsInput.Reserved> reserved, Supervision supervision) {
        return coordinator(TERM, reserved, supervision);
    }

    private CoordinatorShell coordinator(
            Duration term, Consumer<JobsInput.Reserved> reserved, Supervision supervision) {
        return new CoordinatorShell(
                term,
                new Random(1),
                now::get,
                () -> NOW.plusNanos(System.nanoTime() - origin).plus(standstill.get()),
                (_, command) -> given.add(command),
                reserved,
                _ -> {},
                new AtomicReference<>(new IgnoringListener()),
                new Vitals(supervision, Duration.ofMinutes(1)));
    }

    /// Trap: the clock goes back by an hour, nothing else is sent, and the coordinator sleeps for that hour.
    @Test
    void aClockThatIsSetBack_makesNoLeaseLonger() throws InterruptedException {
        try (var coordinator = coordinator()) {
            coordinator.put(new CoordinatorInput.Effects(JOB, List.of(hold()), List.of()));
            now.set(NOW.minus(Duration.ofHours(1)));

            assertThat(given.poll(Await.seconds(), TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            JobCommand.EndLease.class,
                            end -> assertThat(end.reason()).isEqualTo(LeaseEnd.Lost.EXPIRED));
        }
    }

    /// Trap: a worker renews its lease as soon as the process goes on, and finds that it is over.
    @Test
    void aLeaseThatIsRenewedAfterAStandstill_isKept() {
        try (var coordinator = coordinator(Duration.ofMinutes(1), _ -> {}, Supervision.LOG_ONLY)) {
            coordinator.put(new CoordinatorInput.Effects(JOB, List.of(hold()), List.of()));
            coordinator.put(
                    new CoordinatorInput.Renewed(
                            hold().lease().worker(),
                            List.of(hold().lease().token()),
                            Duration.ofMinutes(1)));
            standstill.set(Duration.ofMinutes(90));
            await().untilAsserted(() ->
                    assertThat(coordinator.look(Await.longest()).orElseThrow().expiries().values())
                            .allMatch(NOW.plusSeconds(30)::isBefore));

            assertThat(given).isEmpty();
        }
    }

    /// Trap: a job that ends the process from here is named nowhere, so that it is never set aside.
    @Test
    void anErrorAtWhatAJobAsksFor_isReportedWithTheJob() {
        try (var coordinator = coordinator(answers::add, new RecordingSupervision(reports))) {
            coordinator.put(new CoordinatorInput.Effects(JOB, tooDeep(), List.of()));
            coordinator.put(new CoordinatorInput.Reserve(new JobId("other"), tooDeep()));
            coordinator.put(new CoordinatorInput.AllPending(JOB, tooDeep()));
            coordinator.put(new CoordinatorInput.Miss(1, JOB, tooDeep()));

            await().untilAsserted(() ->
                    assertThat(reports)
                            .containsExactly(
                                    "artel-coordinator java.lang.StackOverflowError [job]",
                                    "artel-coordinator java.lang.StackOverflowError [other]",
                                    "artel-coordinator java.lang.StackOverflowError [job]",
                                    "artel-coordinator java.lang.StackOverflowError [job]"));
        }
        assertThat(answers)
                .as("the job waits for it with all that it does")
                .containsExactly(new JobsInput.Reserved(new JobId("other"), List.of()));
    }

    /// Trap: an observer throws, or meets an error, when a task has found its worker, and the job to which that is to be reported waits for good.
    @Test
    void aReservation_isAnswered_whateverFailedBeforeIt() {
        for (var failure : List.of(new IllegalStateException("a bug"), new StackOverflowError())) {
            answers.clear();
            try (var coordinator = coordinator(answers::add, new RecordingSupervision(reports))) {
                coordinator.observedBy((_, _) -> {
                    if (failure instanceof Error error) {
                        throw error;
                    }
                    throw (RuntimeException) failure;
                });
                var worker = WorkerProfile.of(new WorkerId("w"), List.of("work"), 1);
                coordinator.put(new CoordinatorInput.Joined(worker));
                coordinator.put(new CoordinatorInput.Asked(1, worker.id(), 1));
                coordinator.put(new CoordinatorInput.Reserve(JOB, List.of(offer())));

                await().untilAsserted(() ->
                        assertThat(answers)
                                .as(failure.toString())
                                .singleElement()
                                .satisfies(answer ->
                                        assertThat(answer.grants())
                                                .singleElement()
                                                .satisfies(grant ->
                                                        assertThat(grant.worker())
                                                                .isEqualTo(worker.id()))));
            }
        }
        await().untilAsserted(() ->
                assertThat(reports)
                        .containsExactly("artel-coordinator java.lang.StackOverflowError []"));
    }

    private static Effect.Offer offer() {
        return new Effect.Offer(
                new EffectId(1, 0),
                0,
                1,
                TaskOutline.of("blueprint", TaskSpec.of("work", JsonObject.EMPTY)),
                0,
                "client",
                NOW,
                NOW,
                List.of());
    }

    /// Trap: the error of one that is passed on is blamed on the job whose turn it was, or on none.
    @Test
    void anErrorAtWhatIsPassedOn_isReportedWithTheJobThatItIsFor_andWithNoneAfterwards() {
        try (var coordinator =
                coordinator(
                        _ -> {
                            throw new StackOverflowError();
                        },
                        new RecordingSupervision(reports))) {
            coordinator.put(new CoordinatorInput.Effects(JOB, List.of(hold()), List.of()));
            coordinator.put(new CoordinatorInput.Reserve(JOB, List.of()));
            coordinator.put(
                    new CoordinatorInput.Renewed(new WorkerId("w"), tooDeep(), Duration.ZERO));

            await().untilAsserted(() ->
                    assertThat(reports)
                            .containsExactly(
                                    "artel-coordinator java.lang.StackOverflowError [job]",
                                    "artel-coordinator java.lang.StackOverflowError []"));
        }
    }

    @Test
    void handOutsOfOneJob_areAboutThatJob_andOthersAboutNone() {
        var one = new HandOut(JOB, 0, hold().lease(), hold().spec(), 0);
        var other = new HandOut(new JobId("other"), 0, hold().lease(), hold().spec(), 0);
        var worker = new WorkerId("w");

        assertThat(new CoordinatorOutput.HandOuts(1, worker, List.of(one, one)).about())
                .contains(JOB);
        assertThat(new CoordinatorOutput.HandOuts(1, worker, List.of(one, other)).about())
                .isEmpty();
        assertThat(new CoordinatorOutput.Lost(worker, hold().lease().token()).about())
                .contains(JOB);
    }

    /// Trap: no lease and no timer is ever due again, and no report names the cause.
    @Test
    void aClockThatHangs_isNamedWithItsStack() {
        var goOn = new CountDownLatch(1);
        var hangs = new AtomicBoolean();
        try (var vitals = new Vitals(Supervision.LOG_ONLY, Duration.ofMillis(50));
                var coordinator =
                        new CoordinatorShell(
                                TERM,
                                new Random(1),
                                () -> hangs.get() ? hang(goOn) : NOW,
                                () -> NOW.plusNanos(System.nanoTime() - origin),
                                (_, command) -> given.add(command),
                                _ -> {},
                                _ -> {},
                                new AtomicReference<>(new IgnoringListener()),
                                vitals)) {
            vitals.start();
            hangs.set(true);

            await().untilAsserted(() ->
                    assertThat(vitals.stuck())
                            .filteredOn(part -> part.part().equals("artel-clock"))
                            .singleElement()
                            .satisfies(part ->
                                    assertThat(part.text()).contains("CoordinatorShellTest.hang")));
            hangs.set(false);
            goOn.countDown();
            assertThat(coordinator.look(Await.longest())).isPresent();
        } finally {
            goOn.countDown();
        }
    }

    private static Instant hang(CountDownLatch goOn) {
        try {
            assertThat(goOn.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        return NOW;
    }

    /// A list of which nothing can be read.
    private static <T> List<T> tooDeep() {
        return new AbstractList<>() {
            @Override
            public T get(int index) {
                throw new StackOverflowError();
            }

            @Override
            public int size() {
                return 1;
            }
        };
    }

    private static Effect.HoldLease hold() {
        var id = new EffectId(1, 0);
        var token = LeaseToken.mint(JOB, 0, 1, 7);
        var lease = new Lease(token, new WorkerId("w"), 1, NOW.plus(Duration.ofHours(2)));
        return new Effect.HoldLease(
                id, 0, lease, TaskSpec.of("work", JsonObject.EMPTY), "blueprint", 0);
    }
}
