package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
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

/// Limits that tasks of several jobs share: how many are with workers at once, and how often one is given out.
final class SharedLimitsTest implements DispatchSink {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final WorkerId WORKER = new WorkerId("w");

    private final DispatchCore core = new DispatchCore(new SplittableRandom(1));
    private final Map<JobId, Effect.Offer> offers = new LinkedHashMap<>();
    private final Map<JobId, TaskSpec> specs = new LinkedHashMap<>();
    private final Map<JobId, JobCommand.Grant> granted = new LinkedHashMap<>();
    private final Map<JobId, Effect.HoldLease> held = new LinkedHashMap<>();
    private final List<String> served = new ArrayList<>();
    private Instant now = NOW;

    @Override
    public void grant(JobId job, JobCommand.Grant grant) {
        granted.put(job, grant);
        served.add(job.value());
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {}

    private void fleet(int slots) {
        core.joined(WorkerProfile.of(WORKER, List.of("work", "paint"), slots), now, this);
        for (var i = 0; i < slots; i++) {
            core.asked(i, WORKER, 1, now, this);
        }
        commit();
    }

    private void limits(SharedLimit... limits) {
        core.configure(DispatchSettings.DEFAULTS.withLimits(List.of(limits)), now, this);
        commit();
    }

    private static TaskSpec task(String type) {
        return TaskSpec.of(type, JsonObject.EMPTY);
    }

    private void offer(String job, TaskSpec spec) {
        offer(job, spec, 0);
        commit();
    }

    private void offer(String job, TaskSpec spec, double priority) {
        var id = new JobId(job);
        var offer =
                new Effect.Offer(
                        new EffectId(1, 0),
                        0,
                        1,
                        TaskOutline.of("shop", spec),
                        priority,
                        "client",
                        NOW.plusMillis(offers.size()),
                        NOW,
                        List.of());
        offers.put(id, offer);
        specs.put(id, spec);
        core.offer(id, offer, now, this);
    }

    /// What is granted becomes durable.
    private void commit() {
        while (!granted.isEmpty()) {
            var job = granted.keySet().iterator().next();
            var grant = Objects.requireNonNull(granted.remove(job));
            var lease = new Lease(grant.token(), grant.worker(), 1, now.plusSeconds(60));
            var spec = Objects.requireNonNull(specs.get(job));
            var hold = new Effect.HoldLease(new EffectId(2, 0), 0, lease, spec, "shop", 0);
            held.put(job, hold);
            core.granted(job, hold, now, this);
            core.withdraw(job, Objects.requireNonNull(offers.get(job)));
            asksAgain(WORKER);
        }
    }

    private void asksAgain(WorkerId worker) {
        core.asked(1_000 + served.size(), worker, 1, now, this);
    }

    /// What is granted becomes durable; its worker asks for nothing more before that has ended.
    private Effect.HoldLease commitOne() {
        var job = granted.keySet().iterator().next();
        var grant = Objects.requireNonNull(granted.remove(job));
        var lease = new Lease(grant.token(), grant.worker(), 1, now.plusSeconds(60));
        var spec = Objects.requireNonNull(specs.get(job));
        var hold = new Effect.HoldLease(new EffectId(2, 0), 0, lease, spec, "shop", 0);
        core.granted(job, hold, now, this);
        core.withdraw(job, Objects.requireNonNull(offers.get(job)));
        return hold;
    }

    private void ends(String job) {
        var hold = Objects.requireNonNull(held.remove(new JobId(job)));
        core.freed(hold.lease(), false, now, this);
        commit();
    }

    private WaitReason why(String job) {
        return Why.of(core, new JobId(job), 0, now);
    }

    private void passes(Duration time) {
        now = now.plus(time);
        core.due(now, this);
        commit();
    }

    @Test
    void soManyTasksOfAKey_areWithWorkersAtOnce_whateverTheirJobs() {
        fleet(10);
        for (var i = 0; i < 5; i++) {
            offer("j" + i, task("work").limitedBy("tenant:42", 2));
        }

        assertThat(served).containsExactly("j0", "j1");
        assertThat(core.limits()).containsExactly(Map.entry("tenant:42", 2));
        assertThat(why("j2").hold().word()).isEqualTo("limit");
        assertThat(why("j2").text())
                .startsWith(
                        "limit tenant:42 lets 2 tasks be with workers at once, and 2 are; it may go when a"
                                + " task with tenant:42 ends");

        ends("j0");
        assertThat(served).containsExactly("j0", "j1", "j2");
        ends("j1");
        ends("j2");
        ends("j3");
        ends("j4");
        assertThat(served).hasSize(5);
        assertThat(core.limits()).isEmpty();
    }

    /// Trap: the workers are idle, and what waits at the limit is chosen by priority alone.
    @Test
    void aLowPriority_atALimitThatHigherOnesUseUp_isServedInTheEnd() {
        for (var name : List.of("a", "b")) {
            var worker = new WorkerId(name);
            core.joined(WorkerProfile.of(worker, List.of("work"), 1), now, this);
            core.asked(name.charAt(0), worker, 1, now, this);
        }
        var limited = task("work").limitedBy("tenant:42", 1);
        offer("high-0", limited, 5);
        var running = commitOne();
        offer("low", limited, 1);

        for (var i = 1; i < 200 && !served.contains("low"); i++) {
            offer("high-" + i, limited, 5);
            core.freed(running.lease(), false, now, this);
            var freed = running.lease().worker();
            running = commitOne();
            asksAgain(freed);
        }

        assertThat(served).contains("low").hasSizeGreaterThan(10);
    }

    /// Trap: what cannot go stands before what can.
    @Test
    void tasksThatWaitAtALimit_keepNoOthersWaiting() {
        fleet(10);
        for (var i = 0; i < 1_000; i++) {
            offer("slow-" + i, task("work").limitedBy("tenant:42", 1));
        }
        served.clear();

        offer("free", task("work"));
        offer("other", task("work").limitedBy("tenant:43", 1));

        assertThat(served).containsExactly("free", "other");
    }

    @Test
    void theSettings_limitTypesAndBlueprints_andEachKeyThatBeginsSo() {
        limits(
                SharedLimit.concurrent("type:paint", 2),
                SharedLimit.concurrent("blueprint:shop", 5),
                SharedLimit.concurrent("tenant:*", 1));
        fleet(20);

        for (var i = 0; i < 3; i++) {
            offer("paint-" + i, task("paint"));
            offer("a-" + i, task("work").limitedBy("tenant:a"));
            offer("b-" + i, task("work").limitedBy("tenant:b"));
        }
        assertThat(served).containsExactly("paint-0", "a-0", "b-0", "paint-1");
        offer("more-0", task("work"));
        offer("more-1", task("work"));
        assertThat(served).contains("more-0").doesNotContain("more-1");
        assertThat(why("paint-2").text()).contains("limit type:paint lets 2 tasks");
        assertThat(why("more-1").text()).contains("limit blueprint:shop lets 5 tasks");

        ends("a-0");
        assertThat(served.getLast()).isIn("a-1", "more-1");
        limits();
        assertThat(served).hasSize(11);
        assertThat(core.limits()).containsOnlyKeys("tenant:a", "tenant:b");
    }

    @Test
    void aRate_letsABurstGo_andThenOneAtATime() {
        fleet(20);
        var rate = new Rate(1, Duration.ofSeconds(10), 2);
        for (var i = 0; i < 4; i++) {
            offer("j" + i, task("work").limitedBy("mail", rate));
        }

        assertThat(served).containsExactly("j0", "j1");
        assertThat(why("j2").text())
                .contains("limit mail lets 1 per PT10S (burst 2) go to workers");
        assertThat(why("j2").until()).contains(NOW.plusSeconds(10));
        assertThat(core.next()).contains(NOW.plusSeconds(10));

        passes(Duration.ofSeconds(9));
        assertThat(served).hasSize(2);
        passes(Duration.ofSeconds(1));
        assertThat(served).containsExactly("j0", "j1", "j2");
        passes(Duration.ofSeconds(10));
        assertThat(served).hasSize(4);
    }

    /// Trap: what waits for a time of the clock waits for as long as the clock went back.
    @Test
    void aClockThatIsSetBack_makesARateNoSlower() {
        fleet(20);
        var rate = Rate.of(1, Duration.ofSeconds(10));
        offer("first", task("work").limitedBy("mail", rate));
        offer("second", task("work").limitedBy("mail", rate));

        passes(Duration.ofHours(-2));
        passes(Duration.ofSeconds(10));

        assertThat(served).containsExactly("first", "second");
    }

    /// Trap: what a rate lets through by the time until the clock is set back is lost at each jump.
    @Test
    void whatARateLetsThrough_whenTheClockIsSetBack_isKept() {
        fleet(20);
        var rate = Rate.of(1, Duration.ofSeconds(10));
        offer("first", task("work").limitedBy("mail", rate));
        offer("second", task("work").limitedBy("mail", rate));

        for (var jump = 0; jump < 3; jump++) {
            passes(Duration.ofMillis(2500));
            passes(Duration.ofHours(-2));
        }
        assertThat(served).containsExactly("first");
        passes(Duration.ofMillis(2500));

        assertThat(served).containsExactly("first", "second");
    }

    @Test
    void aGrantThatDidNotComeToBe_givesItsPlaceBack() {
        core.joined(WorkerProfile.of(WORKER, List.of("work"), 5), now, this);
        core.asked(1, WORKER, 1, now, this);
        var rate = Rate.of(1, Duration.ofHours(1));
        var spec = task("work").limitedBy(SharedLimit.rate("k", rate).withConcurrent(1));
        var id = new JobId("j");
        var offer =
                new Effect.Offer(
                        new EffectId(1, 0),
                        0,
                        1,
                        TaskOutline.of("shop", spec),
                        0,
                        "c",
                        NOW,
                        NOW,
                        List.of());
        core.offer(id, offer, now, this);
        var grant = Objects.requireNonNull(granted.remove(id));
        assertThat(core.limits()).containsExactly(Map.entry("k", 1));

        core.lapsed(grant.token(), now, this);

        assertThat(core.limits()).isEmpty();
        core.withdraw(id, offer);
        core.offer(id, offer, now, this);
        assertThat(granted).containsKey(id);
    }

    @Test
    void afterARestart_theLeasesThatLiveAreCounted() {
        var spec = task("work").limitedBy("tenant:42", 2);
        for (var i = 0; i < 2; i++) {
            var lease = new Lease(new LeaseToken("old-" + i), WORKER, 1, NOW.plusSeconds(60));
            var hold = new Effect.HoldLease(new EffectId(2, 0), 0, lease, spec, "shop", 0);
            held.put(new JobId("old-" + i), hold);
            core.granted(new JobId("old-" + i), hold, now, this);
        }
        fleet(10);

        offer("new", spec);
        assertThat(served).isEmpty();
        assertThat(core.limits()).containsExactly(Map.entry("tenant:42", 2));

        ends("old-1");
        assertThat(served).containsExactly("new");
    }

    @Test
    void aTaskThatWasRevoked_countsUntilItsWorkerHasGivenUp() {
        fleet(10);
        var spec = task("work").limitedBy("k", 1);
        offer("first", spec);
        offer("second", spec);
        var hold = Objects.requireNonNull(held.get(new JobId("first")));
        var revoke = new Effect.Revoke(new EffectId(3, 0), 0, hold.lease(), spec, "shop");

        core.linger(new JobId("first"), revoke, this);
        core.freed(hold.lease(), false, now, this);
        commit();
        assertThat(served).containsExactly("first");

        core.freed(hold.lease(), true, now, this);
        commit();
        assertThat(served).containsExactly("first", "second");
    }

    /// Trap: each task that ends looks through all that wait.
    @Test
    void manyThatWaitAtOneLimit_costLittle_andManyKeysAreForgotten() {
        fleet(50);
        for (var i = 0; i < 20_000; i++) {
            offer("j" + i, task("work").limitedBy("all", 5).limitedBy("tenant:" + i % 5_000, 1));
        }
        var before = CpuTime.ofThisThread();
        for (var i = 0; i < 5_000; i++) {
            ends(served.get(i));
        }
        assertThat(CpuTime.ofThisThread().minus(before)).isLessThan(Duration.ofSeconds(30));
        while (!held.isEmpty()) {
            ends(held.keySet().iterator().next().value());
            passes(Duration.ofMillis(5));
        }

        assertThat(served).hasSize(20_000);
        assertThat(core.limits()).isEmpty();
        assertThat(core.queued()).isZero();
    }

    @Test
    void aLeaseThatNobodyGrantedHere_countsAtEachOfItsLimits_whateverIsForgottenMeanwhile() {
        fleet(4);
        offer("before", task("work").limitedBy("mail", new Rate(1, Duration.ofSeconds(1), 1)));
        ends("before");
        now = now.plusSeconds(2);

        var both =
                task("work")
                        .limitedBy("mail", new Rate(1, Duration.ofSeconds(1), 1))
                        .limitedBy("tenant:1", 1);
        var lease =
                new Lease(
                        LeaseToken.mint(new JobId("resumed"), 0, 1, 1),
                        WORKER,
                        1,
                        now.plusSeconds(60));
        core.granted(
                new JobId("resumed"),
                new Effect.HoldLease(new EffectId(2, 0), 0, lease, both, "shop", 0),
                now,
                this);

        assertThat(core.limits()).containsOnly(Map.entry("mail", 1), Map.entry("tenant:1", 1));
        core.freed(lease, false, now, this);
        assertThat(core.limits()).isEmpty();
    }
}
