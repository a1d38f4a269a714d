package dev.artel.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.schedule.rules.JobTemplate;
import dev.artel.schedule.rules.RunPolicy;
import dev.artel.schedule.rules.RunPolicy.CatchUp;
import dev.artel.schedule.rules.RunPolicy.Overlap;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduledRun;
import dev.artel.schedule.timing.Timing;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Schedules beside each other, of which one takes long.
@Timeout(300)
final class SchedulerTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /// Each schedule has hundreds of ticks to catch up.
    private static final Instant NOW = START.plusSeconds(500);

    private final KeyValueStore store = new InMemoryKeyValueStore();
    private final Jobs jobs = new Jobs();
    private volatile Instant now = NOW;
    private Scheduler scheduler = Scheduler.open(store, jobs, () -> now);

    /// Holds the submissions of schedules whose names begin with `slow` until its gate opens.
    private static final class Jobs implements ScheduledJobs {
        final CountDownLatch isHeld = new CountDownLatch(1);
        final CountDownLatch gate = new CountDownLatch(1);
        final CountDownLatch others = new CountDownLatch(40);
        final ConcurrentLinkedQueue<String> submitted = new ConcurrentLinkedQueue<>();
        final AtomicInteger held = new AtomicInteger();
        volatile Runnable onSubmission = () -> {};

        @Override
        public Outcome submit(ScheduleDefinition schedule, ScheduledRun run) {
            if (schedule.name().startsWith("slow")) {
                isHeld.countDown();
                held.incrementAndGet();
                awaitUninterrupted(gate);
            }
            onSubmission.run();
            submitted.add(schedule.name());
            if (schedule.name().equals("fast")) {
                others.countDown();
            }
            return new Outcome.Submitted(new JobId("job-" + schedule.name() + "-" + run.number()));
        }

        @Override
        public Optional<String> cancel(JobId job, String reason) {
            return Optional.empty();
        }

        @Override
        public Optional<String> end(JobId job) {
            return Optional.empty();
        }

        long submitted(String schedule) {
            return submitted.stream().filter(schedule::equals).count();
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("the test took too long", interrupted);
        }
    }

    private static ScheduleDefinition schedule(String name) {
        return schedule(name, CatchUp.ALL);
    }

    private static ScheduleDefinition schedule(String name, CatchUp catchUp) {
        return schedule(name, "acme", catchUp);
    }

    private static ScheduleDefinition schedule(String name, String client, CatchUp catchUp) {
        return new ScheduleDefinition(
                name,
                "id-" + name,
                1,
                ScheduleDefinition.Origin.API,
                JobTemplate.of("report", client, JsonObject.EMPTY),
                new Timing.Interval(Duration.ofSeconds(1), START),
                RunPolicy.DEFAULTS.withOverlap(Overlap.ALLOW).withCatchUp(catchUp),
                Optional.empty(),
                Optional.empty(),
                "ada",
                START,
                START);
    }

    private void write(String name) {
        assertThat(scheduler.write(name, _ -> schedule(name)))
                .isInstanceOf(Scheduler.Written.Kept.class);
    }

    private static void start(Scheduler scheduler) {
        scheduler.start(error -> {
            throw new AssertionError(error);
        });
    }

    /// Runs `act` in a thread of its own until it waits.
    private static Thread waiting(Runnable act) {
        var thread = Thread.ofPlatform().daemon().start(act);
        var waits = List.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
        while (!waits.contains(thread.getState())) {
            Thread.onSpinWait();
        }
        return thread;
    }

    private void holdSlow() {
        start(scheduler);
        write("slow");
        awaitUninterrupted(jobs.isHeld);
    }

    @AfterEach
    void stop() {
        jobs.gate.countDown();
        scheduler.close();
    }

    @Test
    void whileOneSubmits_theOthersRun_andAreWrittenPausedAndDeleted() {
        holdSlow();

        write("fast");
        awaitUninterrupted(jobs.others);
        assertThat(scheduler.pause("fast", "ada", Optional.empty())).isPresent();
        var changing = waiting(() -> scheduler.delete("slow"));
        assertThat(scheduler.delete("fast")).isTrue();
        write("third");

        assertThat(scheduler.runNow("third", "ada", Optional.empty()).flatMap(ScheduledRun::job))
                .isPresent();
        assertThat(changing.isAlive()).isTrue();
        assertThat(jobs.submitted("slow")).isZero();
    }

    /// Trap: the schedules of one client have all turns, each of which submits for minutes.
    @Test
    void whileTheSchedulesOfOneClientSubmitSlowly_thoseOfOthersRun() {
        for (var i = 0; i < 2 * Scheduler.AT_ONCE; i++) {
            var name = "slow-" + i;
            var _ = scheduler.write(name, _ -> schedule(name, "eve", CatchUp.ALL));
        }
        start(scheduler);
        while (jobs.held.get() < Scheduler.AT_ONCE / 2) {
            Thread.onSpinWait();
        }

        write("fast");
        awaitUninterrupted(jobs.others);

        assertThat(jobs.held).hasValue(Scheduler.AT_ONCE / 2);
    }

    /// Trap: each submission takes five seconds, and twenty of them are one turn, for which a person waits who pauses the schedule.
    @Test
    void aTurnEndsAfterASecond_andTheNextOneGoesOn() throws InterruptedException {
        jobs.onSubmission = () -> now = now.plus(ScheduleTurn.LONGEST);
        holdSlow();
        var pausing = waiting(() -> scheduler.pause("slow", "ada", Optional.of("enough")));

        jobs.gate.countDown();
        pausing.join();

        assertThat(jobs.submitted("slow")).isEqualTo(1);
    }

    @Test
    void aPause_comesBetweenTheSubmissions() throws InterruptedException {
        holdSlow();
        var pausing = waiting(() -> scheduler.pause("slow", "ada", Optional.of("enough")));

        jobs.gate.countDown();
        pausing.join();

        var state = scheduler.find("slow").orElseThrow().state();
        assertThat(state.paused()).isPresent();
        assertThat(state.due(NOW)).isEmpty();
        assertThat(jobs.submitted("slow")).isEqualTo(ScheduleTurn.MOST_SUBMISSIONS);
    }

    @Test
    void aClosedScheduler_endsWithTheSubmissionThatIsUnderWay() throws InterruptedException {
        holdSlow();
        var closing = waiting(() -> scheduler.close());

        jobs.gate.countDown();
        closing.join();

        assertThat(jobs.submitted("slow")).isEqualTo(1);
    }

    @Test
    void aScheduleWhoseStateCannotBeRead_doesNotRun_untilItIsWrittenAnew() {
        write("fast");
        var kept = JsonObject.of("schedule", JsonValue.of("id-fast"), "cursor", JsonValue.of("?"));
        assertThat(store.put("artel.schedules", "state fast", KeyValueStore.ANY_VERSION, kept))
                .isPresent();
        scheduler = Scheduler.open(store, jobs, () -> now);
        holdSlow();
        scheduler.ended(new JobId("job-of-another"));

        var view = scheduler.find("fast").orElseThrow();
        assertThat(view.trouble().orElseThrow())
                .startsWith("the state of schedule 'fast' cannot be read")
                .endsWith("; delete the schedule and write it again");
        assertThat(view.state().paused()).isPresent();
        assertThat(scheduler.problems()).containsExactly(view.trouble().orElseThrow());
        assertThatThrownBy(() -> scheduler.resume("fast"))
                .isInstanceOf(StoreException.StoreCorrupt.class);
        assertThatThrownBy(() -> scheduler.runNow("fast", "ada", Optional.empty()))
                .isInstanceOf(StoreException.StoreCorrupt.class);
        assertThat(store.get("artel.schedules", "state fast").orElseThrow().value())
                .isEqualTo(kept);
        assertThat(jobs.submitted("fast")).isZero();
        assertThat(scheduler.troubled()).isEqualTo(1);

        assertThat(scheduler.delete("fast")).isTrue();
        assertThat(scheduler.troubled()).isZero();
        write("fast");
        awaitUninterrupted(jobs.others);
    }

    @Test
    void ticksThatAreTooLate_areCountedAsMissed_andTheOthersAsSubmitted() {
        start(scheduler);

        assertThat(scheduler.write("fast", _ -> schedule("fast", CatchUp.NONE)))
                .isInstanceOf(Scheduler.Written.Kept.class);
        awaitUninterrupted(jobs.others);

        assertThat(scheduler.missed()).isEqualTo(440);
        assertThat(scheduler.skipped()).isZero();
        assertThat(scheduler.submitted()).isGreaterThanOrEqualTo(39);
    }

    /// Trap: a schedule whose job ends the process ends each start, before a person may pause it.
    @Test
    void whileAllAreHeld_noneRunsButByAPerson_eachShowsWhy_andTheyRunLater() {
        write("fast");
        scheduler = Scheduler.open(store, jobs, () -> now);
        scheduler.hold(Duration.ofMinutes(5), "the process ended 3 times");
        start(scheduler);

        assertThat(scheduler.runNow("fast", "ada", Optional.empty()).flatMap(ScheduledRun::job))
                .isPresent();
        write("other");
        assertThat(scheduler.all())
                .extracting(it -> it.trouble().orElse(""))
                .containsOnly("the process ended 3 times");
        assertThat(scheduler.troubled()).isEqualTo(2);
        assertThat(scheduler.pause("other", "ada", Optional.empty())).isPresent();

        now = now.plus(Duration.ofMinutes(5));
        scheduler.resume("fast");
        awaitUninterrupted(jobs.others);
        assertThat(jobs.submitted("other")).isZero();
        assertThat(scheduler.find("fast").orElseThrow().trouble()).isEmpty();
    }

    /// Trap: the clock is set back by a year, and so are the schedules.
    @Test
    void aHold_endsWithAClockThatIsSetBack() {
        write("fast");
        scheduler.hold(Duration.ofMinutes(5), "the process ended 3 times");

        now = now.minusSeconds(1);

        assertThat(scheduler.find("fast").orElseThrow().trouble()).isEmpty();
    }

    @Test
    void aSubmissionThatTakesLong_isLate_andNoTrouble() {
        holdSlow();

        now = NOW.plusSeconds(90);

        assertThat(scheduler.latest()).isEqualTo(Duration.ofSeconds(90));
        assertThat(scheduler.troubled()).isZero();
    }
}
