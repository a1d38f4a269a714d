package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.waits.CpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Who is served when many want the same workers.
final class FairnessTest implements DispatchSink {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final WorkerId WORKER = new WorkerId("w");
    private static final int FAN_OUT = 100_000;

    private final DispatchCore core = new DispatchCore(new SplittableRandom(1));
    private final Map<QueuedTask.Key, Effect.Offer> waiting = new LinkedHashMap<>();
    private final List<String> served = new ArrayList<>();
    private final Map<JobId, JobCommand.Grant> granted = new LinkedHashMap<>();
    private long asks;
    private long offered;

    @Override
    public void grant(JobId job, JobCommand.Grant grant) {
        granted.put(job, grant);
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        throw new AssertionError("nothing was made durable");
    }

    private void joins(String... types) {
        core.joined(WorkerProfile.of(WORKER, List.of(types), 1), NOW, this);
    }

    /// The worker takes one task after another.
    private void serve(int tasks) {
        for (var i = 0; i < tasks; i++) {
            asks++;
            core.asked(asks, WORKER, 1, NOW, this);
            core.withdrawn(asks);
            granted.forEach((job, grant) -> {
                served.add(job.value());
                var key = new QueuedTask.Key(job, grant.offer());
                core.lapsed(grant.token(), NOW, this);
                core.withdraw(job, Objects.requireNonNull(waiting.remove(key)));
            });
            granted.clear();
        }
    }

    private void offer(String client, String job, int task) {
        offer(client, job, task, "work", 0, List.of());
    }

    private void offer(
            String client,
            String job,
            int task,
            String type,
            double priority,
            List<WorkerId> failedOn) {
        var offer =
                new Effect.Offer(
                        new EffectId(1, task),
                        task,
                        1,
                        TaskOutline.of("blueprint", TaskSpec.of(type, JsonObject.EMPTY)),
                        priority,
                        client,
                        NOW.plusMillis(offered++),
                        NOW,
                        failedOn);
        var id = new JobId(job);
        waiting.put(new QueuedTask.Key(id, offer.id()), offer);
        core.offer(id, offer, NOW, this);
    }

    private void fanOut(String client, String job, int tasks) {
        for (var task = 0; task < tasks; task++) {
            offer(client, job, task);
        }
    }

    @Test
    void behindALargeFanOut_theJobsOfAnotherClient_andThoseOfTheSame_areServedInTurn() {
        joins("work");
        fanOut("a", "a-large", FAN_OUT);
        serve(1_000);
        for (var i = 0; i < 10; i++) {
            offer("a", "a-" + i, 0);
            offer("b", "b-" + i, 0);
        }
        served.clear();

        serve(40);

        assertThat(served.subList(0, 4)).contains("b-0", "a-large", "a-0");
        for (var i = 0; i < 10; i++) {
            assertThat(served.indexOf("b-" + i)).isBetween(0, 2 * i + 2);
            assertThat(served.indexOf("a-" + i)).isBetween(0, 25);
        }
    }

    @Test
    void aClientThatComesAgainAndAgain_getsItsShareAndNoMore() {
        joins("work");
        fanOut("a", "a-large", 1_000);

        for (var i = 0; i < 100; i++) {
            offer("b", "b-" + i, 0);
            serve(1);
        }
        serve(100);

        assertThat(served.subList(0, 100).stream().filter("a-large"::equals)).hasSize(50);
    }

    @Test
    void newJobsOfAClient_doNotKeepItsOldOnesWaiting() {
        joins("work");
        fanOut("a", "a-large", 100);

        for (var i = 0; i < 100; i++) {
            offer("a", "a-" + i, 0);
            offer("a", "a-again-" + i, 0);
            serve(1);
        }
        serve(50);

        assertThat(served.stream().filter("a-large"::equals).count()).isGreaterThan(5);
    }

    /// Trap: what was tried before is a class of its own, with a clock of its own.
    @Test
    void tasksThatAreTriedAgain_doNotOvertake() {
        joins("work");
        fanOut("a", "a-large", 1_000);
        serve(500);
        for (var i = 0; i < 100; i++) {
            offer("a", "a-large", 5_000 + i, "work", 0, List.of(new WorkerId("w" + i % 3)));
        }
        offer("b", "b", 0);
        offer("a", "a-small", 0);
        served.clear();

        serve(4);

        assertThat(served).startsWith("b").contains("a-small");
    }

    @Test
    void aClientOfWeightThree_getsThreeTurnsForOne() {
        core.configure(
                DispatchSettings.DEFAULTS.withWeights(new LinkedHashMap<>(Map.of("gold", 3d))),
                NOW,
                this);
        joins("work");
        fanOut("gold", "g", 400);
        fanOut("plain", "u", 400);

        serve(400);

        assertThat(served.stream().filter("g"::equals).count()).isBetween(299L, 301L);
    }

    @Test
    void turnsAreSharedByTheTypesThatOneWorkerTakes() {
        joins("work", "paint");
        fanOut("a", "a-work", 100);
        for (var i = 0; i < 100; i++) {
            offer("a", "a-paint", i, "paint", 0, List.of());
            offer("b", "b-paint", i, "paint", 0, List.of());
        }

        serve(40);

        assertThat(served.stream().filter("b-paint"::equals).count()).isEqualTo(20);
        assertThat(served.stream().filter("a-paint"::equals).count()).isEqualTo(10);
    }

    /// Trap: credit for the time in which nobody could do its tasks.
    @Test
    void aClientWhoseTasksNobodyCouldDo_isNotOwedTheTurnsOfThatTime() {
        joins("work");
        offer("b", "b-gpu", 0, "gpu", 0, List.of());
        fanOut("a", "a", 1_000);
        serve(500);
        fanOut("b", "b", 1_000);
        served.clear();

        serve(20);

        assertThat(served.stream().filter("b"::equals).count()).isBetween(9L, 11L);
    }

    @Test
    void aLowPriority_isServedInTheEnd_besideHigherOnesThatNeverEnd() {
        joins("work");
        offer("a", "low", 0, "work", -5, List.of());
        offer("a", "lowest", 0, "work", -9, List.of());
        for (var i = 0; i < 100; i++) {
            offer("b", "high", i, "work", 5, List.of());
        }

        serve(32);
        assertThat(served).doesNotContain("low", "lowest");
        serve(2);

        assertThat(served).contains("low", "lowest");
    }

    /// Trap: a priority ages only beside others of its own task type.
    @Test
    void aLowPriority_thatIsTheOnlyOneOfItsType_isServedInTheEnd() {
        joins("work", "paint");
        offer("a", "low", 0, "paint", -5, List.of());
        for (var i = 0; i < 100; i++) {
            offer("b", "high", i, "work", 5, List.of());
        }

        serve(32);
        assertThat(served).doesNotContain("low");
        serve(1);

        assertThat(served).contains("low");
    }

    /// Trap: what is overdue of the first type goes first, however often others were passed over.
    @Test
    void ofSeveralTypes_whatWasPassedOverMostOften_goesFirst() {
        core.configure(DispatchSettings.DEFAULTS.withAging(0), NOW, this);
        joins("work", "paint");
        offer("a", "old", 0, "paint", -5, List.of());
        for (var i = 0; i < 100; i++) {
            offer("b", "high", i, "work", 5, List.of());
        }
        serve(5);
        offer("a", "young", 0, "work", -4, List.of());
        serve(40);
        core.configure(DispatchSettings.DEFAULTS, NOW, this);
        served.clear();

        serve(3);

        assertThat(served).containsExactly("old", "young", "high");
    }

    /// Trap: tasks of the same priority count as if they had passed over, and the turns by weight are upset.
    @Test
    void whatOthersOfTheSamePriorityGoBefore_doesNotAge() {
        core.configure(
                DispatchSettings.DEFAULTS.withWeights(new LinkedHashMap<>(Map.of("gold", 100d))),
                NOW,
                this);
        joins("work", "paint");
        fanOut("gold", "gold", 200);
        for (var i = 0; i < 40; i++) {
            offer("a", "plain", i, "paint", 0, List.of());
            offer("a", "low", i, "paint", -5, List.of());
        }

        serve(90);

        assertThat(served.stream().filter("plain"::equals)).hasSize(1);
        assertThat(served.stream().filter("low"::equals)).hasSize(2);
    }

    @Test
    void withoutAging_priorityAloneCounts() {
        core.configure(DispatchSettings.DEFAULTS.withAging(0), NOW, this);
        joins("work");
        offer("a", "low", 0, "work", -5, List.of());
        for (var i = 0; i < 200; i++) {
            offer("b", "high", i, "work", 5, List.of());
        }

        serve(200);

        assertThat(served).doesNotContain("low");
    }

    /// Trap: each client that ever had a task is remembered.
    @Test
    void turnsOfManyFlows_areCheap() {
        joins("work");
        for (var i = 0; i < FAN_OUT; i++) {
            offer("c" + i % 100, "job-" + i, 0);
        }
        var before = CpuTime.ofThisThread();

        serve(20_000);

        assertThat(served).hasSize(20_000);
        assertThat(CpuTime.ofThisThread().minus(before)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void whyNotYet_saysTheTurn() {
        core.configure(
                DispatchSettings.DEFAULTS.withWeights(new LinkedHashMap<>(Map.of("a", 2d))),
                NOW,
                this);
        joins("work");
        fanOut("a", "a-large", 10);
        offer("a", "a-small", 0);
        offer("b", "b", 0);

        var why = Why.of(core, new JobId("a-large"), 7, NOW);

        assertThat(why.text())
                .contains(
                        "priority 0",
                        "2 clients take turns",
                        "2 jobs of client a",
                        "7 tasks of this job go first");
    }
}
