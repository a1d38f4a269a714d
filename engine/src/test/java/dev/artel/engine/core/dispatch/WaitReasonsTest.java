package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.Slots;
import dev.artel.kernel.fleet.WorkerCosts;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.fleet.WorkerResources;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Strategy;
import dev.artel.kernel.placement.WaitReason;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A task that waits reports for what, and what would end the wait: one test for each reason.
final class WaitReasonsTest implements DispatchSink {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId JOB = new JobId("job");
    private static final WorkerId W1 = new WorkerId("w1");
    private static final WorkerId W2 = new WorkerId("w2");

    private final DispatchCore core = new DispatchCore(new SplittableRandom(1));
    private final List<JobCommand.Grant> grants = new ArrayList<>();
    private int number;
    private long asks;

    @Override
    public void grant(JobId job, JobCommand.Grant grant) {
        grants.add(grant);
    }

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        throw new AssertionError("nothing was made durable");
    }

    @Test
    void nobodyIsThere() {
        assertWaits(it -> it, "no_workers", "no worker is connected; start one that offers paint");
    }

    @Test
    void nobodyOffersTheType() {
        asking(WorkerProfile.of(W1, List.of("print"), 1));

        assertWaits(
                it -> it,
                "no_worker_of_type",
                "none of 1 worker offers paint; start one that does");
    }

    @Test
    void allAreBusy() {
        asking(painter(W1));
        occupy(W1, TaskSpec.of("paint", JsonObject.EMPTY));

        assertWaits(it -> it, "busy", "1 is busy (w1 has 1 of 1 slots taken)", "slot frees");
    }

    @Test
    void aWorkerThatSaysItIsBusy_isNotTakenForOneThatCannot() {
        asking(
                painter(W1)
                        .with(painter(W1).capabilities().takingOnly(List.of()))
                        .with(Availability.BUSY));

        assertWaits(it -> it, "busy", "w1 reports that it has no room");
    }

    @Test
    void theCategoryIsFull_alsoOfLeasesThatLinger() {
        var limits = new LinkedHashMap<String, Integer>();
        limits.put("gpu", 1);
        asking(painter(W1).with(new Slots(5, new LinkedHashMap<>(), limits)));
        var spec = spec(it -> it.inCategory("gpu"));
        var lease = occupy(W1, spec);
        core.linger(JOB, new Effect.Revoke(new EffectId(99, 0), 0, lease, spec, "blueprint"), this);
        core.freed(lease, false, NOW, this);

        assertWaits(
                it -> it.inCategory("gpu"),
                "category_full",
                "w1 has 1 of 1 slots for gpu taken",
                "a higher limit");

        core.freed(lease, true, NOW, this);
        assertThat(grants).hasSize(1);
    }

    @Test
    void aTypeThatTheWorkerHasTakenBackForNow_isFull() {
        var both = WorkerProfile.of(W1, List.of("paint", "print"), 3);
        asking(both.with(both.capabilities().takingOnly(List.of("print"))));

        assertWaits(it -> it, "category_full", "w1 takes no paint now");
    }

    @Test
    void aModelIsMissing() {
        asking(painter(W1));

        assertWaits(
                it -> it.model("llama"),
                "model",
                "1 lacks a model (w1 does not have model llama)",
                "install it on w1");
    }

    @Test
    void aResourceIsShort_andTheNearestWorkersAreNamedWithNumbers() {
        asking(painter(W1).with(WorkerResources.NONE.withAmount("ram_gb", 8)));
        asking(painter(W2).with(WorkerResources.NONE.withAmount("ram_gb", 16)));

        var why =
                assertWaits(
                        it -> it.amount("ram_gb", 24.5),
                        "resource",
                        "of 2 workers that offer paint, 2 have too little"
                                + " (w2 has ram_gb 16, needed is 24.5)");
        assertThat(why.nearest()).extracting(it -> it.worker()).containsExactly(W2, W1);
        assertThat(why.nearest().getFirst().has()).hasToString("16");
        assertThat(why.nearest().getFirst().needs()).hasToString("24.5");
    }

    @Test
    void aDeviceIsShort() {
        asking(painter(W1));

        assertWaits(it -> it.gpu("A100", 40), "resource", "A100 vram_gb>=40 0, needed is 1");
    }

    @Test
    void itIsTooExpensive_orDoesNotSay() {
        asking(painter(W1).with(WorkerCosts.of(0.75)));
        asking(painter(W2));

        var why =
                assertWaits(
                        it -> it.atMost(0.5),
                        "too_expensive",
                        "(w1 costs 0.75, allowed is 0.5)",
                        "raise the task's max_cost");
        assertThat(why.nearest().getLast().text()).isEqualTo("w2 does not declare what it costs");
    }

    @Test
    void aLabelIsAnother() {
        asking(painter(W1).with(WorkerResources.NONE.withLabel("zone", "us")));

        assertWaits(
                it -> it.label("zone", "eu"),
                "label",
                "(w1 has label zone us, needed is eu)",
                "label w1");
    }

    @Test
    void aWorkerThatNamesItsTypeTwice_isCountedOnce() {
        var twice = WorkerProfile.of(W1, List.of("paint", "paint"), 1);
        asking(twice.with(WorkerResources.NONE.withLabel("zone", "us")));

        var why = assertWaits(it -> it.label("zone", "eu"), "label", "(w1 has label zone us");
        assertThat(why.refused().values()).containsExactly(1);

        core.joined(twice.with(WorkerResources.NONE.withLabel("zone", "eu")), NOW, this);
        assertThat(grants).hasSize(1);
    }

    @Test
    void theOnlyOneDrains() {
        asking(painter(W1).with(Availability.DRAINING));

        assertWaits(it -> it, "draining", "1 drains (w1 drains)", "end the drain of w1");
    }

    @Test
    void theOnlyOneIsSuspended() {
        asking(painter(W1).with(Availability.SUSPENDED));

        assertWaits(
                it -> it,
                "suspended",
                "1 is suspended (w1 is suspended, since its attempts failed one after another)",
                "end that of w1");
    }

    @Test
    void theOnlyOneIsUnhealthy() {
        asking(painter(W1).with(Availability.UNHEALTHY));

        assertWaits(it -> it, "unhealthy", "w1 is unhealthy", "see to w1");
    }

    @Test
    void itHasFailedOnTheOnlyOne() {
        asking(painter(W1));

        assertWaits(
                offer(spec(it -> it.afterFailure(Exclusion.NEVER_AGAIN)), List.of(W1)),
                "excluded",
                "the task has failed on w1",
                "start another worker that offers paint");
    }

    @Test
    void itMustRunWhereAnEarlierOneRan() {
        asking(painter(W2));

        assertWaits(
                it -> it.with(new Affinity(0, true, Optional.of(W1))),
                "affinity",
                "w2 is not w1, where the task must run",
                "must come back");
    }

    @Test
    void nobodyIsWarm() {
        asking(painter(W1));

        assertWaits(Demand::onlyWarm, "cold", "w1 is not warm for it", "warm a worker for paint");
    }

    @Test
    void aColdOneWillDoLater() {
        asking(painter(W1));
        var offer = offer(spec(it -> it.preferWarmFor(Duration.ofSeconds(5))), List.of());

        var why = assertWaits(offer, "cold", "a cold worker will do from then on, at");

        assertThat(why.until()).contains(NOW.plusSeconds(5));
        assertThat(core.next()).contains(NOW.plusSeconds(5));
        core.due(NOW.plusSeconds(5), this);
        assertThat(grants).hasSize(1);
    }

    /// Trap: a token that is limited to a client's jobs serves the others as well.
    @Test
    void allWorkersAreForOtherClients() {
        asking(painter(W1).forClients(List.of("globex", "initech")));

        var why =
                assertWaits(
                        it -> it,
                        "client",
                        "1 is for other clients",
                        "w1 gets no tasks of client acme",
                        "add the client to w1 in workers.toml");
        assertThat(why.text()).doesNotContain("globex").doesNotContain("initech");

        core.joined(painter(W1).forClients(List.of("acme")), NOW, this);
        assertThat(grants).hasSize(1);
    }

    @Test
    void itAsksTooOften() {
        core.joined(painter(W1), NOW, this);
        core.limited(W1, NOW.plusSeconds(30));

        assertWaits(it -> it, "rate_limited", "w1 asks too often", "let w1 ask less often");
    }

    @Test
    void itIsFreeAndDoesNotAsk() {
        core.joined(painter(W1), NOW, this);

        assertWaits(it -> it, "not_asking", "w1 is free and does not ask", "as soon as w1 asks");
    }

    @Test
    void itBacksOff() {
        asking(painter(W1));
        var later = NOW.plusSeconds(7);
        var offer =
                new Effect.Offer(
                        new EffectId(5, 0),
                        5,
                        3,
                        TaskOutline.of("blueprint", spec(it -> it)),
                        0,
                        "acme",
                        NOW,
                        later,
                        List.of(W1));

        var why = assertWaits(offer, "backoff", "it backs off after attempt 2", later.toString());

        assertThat(why.until()).contains(later);
        core.due(later, this);
        assertThat(grants).hasSize(1);
    }

    @Test
    void itIsBeingPlaced() {
        asking(painter(W1));
        var offer = offer(spec(it -> it), List.of());
        core.offer(JOB, offer, NOW, this);

        var why = Why.of(core, JOB, offer.task(), NOW);

        assertThat(why.hold().word()).isEqualTo("placing");
    }

    @Test
    void aTaskThatIsNotQueuedYet_hasAForecast() {
        asking(painter(W1));
        asking(painter(W2).with(Availability.DRAINING));

        var painting = forecast("paint");
        var singing = forecast("sing");

        assertThat(painting.obstacle()).isEmpty();
        assertThat(painting.workers())
                .extracting(each -> each.unmetRequirement().isEmpty())
                .containsExactly(true, false);
        assertThat(singing.obstacle().orElseThrow().hold().word()).isEqualTo("no_worker_of_type");
        assertThat(core.questions().whyNotYet(JOB, List.of(0), NOW)).isEmpty();
        assertThat(grants).isEmpty();
    }

    private Forecast forecast(String type) {
        return core.questions()
                .forecast(new ForecastQuestion(type, Demand.NONE, "blueprint", "client"), 20, NOW);
    }

    @Test
    void aReasonIsFoundOutAnew_onlyAfterAChange() {
        asking(painter(W1).with(Availability.DRAINING));
        var why = assertWaits(it -> it, "draining", "w1 drains");

        assertThat(Why.of(core, JOB, number, NOW)).isSameAs(why);
        asking(painter(W2).with(Availability.DRAINING));
        assertThat(Why.of(core, JOB, number, NOW).text()).contains("2 drain");
    }

    @Test
    void roundRobin_goesRound() {
        var given = new ArrayList<WorkerId>();
        asking(painter(W1));
        asking(painter(W2));
        for (var i = 0; i < 4; i++) {
            var offer = offer(spec(it -> it.by(Strategy.ROUND_ROBIN)), List.of());
            core.offer(JOB, offer, NOW, this);
            given.add(grants.getFirst().worker());
            core.lapsed(grants.removeFirst().token(), NOW, this);
            core.withdraw(JOB, offer);
        }

        assertThat(given).containsExactly(W1, W2, W1, W2);
    }

    /// Trap: load is what workers reported last, so that a burst piles up on the one that was idle a while ago.
    @ParameterizedTest
    @EnumSource(names = {"LEAST_CONNECTIONS", "DEFAULT", "CHEAPEST", "ROUND_ROBIN"})
    void aBurst_isSpreadOverTheWorkers_withoutAWordFromThem(Strategy strategy) {
        for (var worker : List.of(W1, W2)) {
            core.joined(WorkerProfile.of(worker, List.of("paint"), 10), NOW, this);
            core.asked(++asks, worker, 10, NOW, this);
        }

        for (var i = 0; i < 8; i++) {
            core.offer(JOB, offer(spec(it -> it.by(strategy)), List.of()), NOW, this);
        }

        assertThat(grants).filteredOn(grant -> grant.worker().equals(W1)).hasSize(4);
        assertThat(grants).filteredOn(grant -> grant.worker().equals(W2)).hasSize(4);
    }

    private static WorkerProfile painter(WorkerId id) {
        return WorkerProfile.of(id, List.of("paint"), 1);
    }

    private void asking(WorkerProfile profile) {
        core.joined(profile, NOW, this);
        core.asked(++asks, profile.id(), 1, NOW, this);
    }

    private Lease occupy(WorkerId worker, TaskSpec spec) {
        number++;
        var lease = new Lease(new LeaseToken("job." + number + ".1.x"), worker, 1, NOW);
        var hold =
                new Effect.HoldLease(new EffectId(number, 0), number, lease, spec, "blueprint", 0);
        assertThat(core.granted(JOB, hold, NOW, this)).isTrue();
        return lease;
    }

    private static TaskSpec spec(UnaryOperator<Demand> demand) {
        return TaskSpec.of("paint", JsonObject.EMPTY).demanding(demand);
    }

    private Effect.Offer offer(TaskSpec spec, List<WorkerId> failedOn) {
        number++;
        return new Effect.Offer(
                new EffectId(number, 0),
                number,
                1,
                TaskOutline.of("blueprint", spec),
                0,
                "acme",
                NOW,
                NOW,
                failedOn);
    }

    private WaitReason assertWaits(UnaryOperator<Demand> demand, String word, String... text) {
        return assertWaits(offer(spec(demand), List.of()), word, text);
    }

    private WaitReason assertWaits(Effect.Offer offer, String word, String... text) {
        core.offer(JOB, offer, NOW, this);
        assertThat(grants).isEmpty();
        var why = Why.of(core, JOB, offer.task(), NOW);
        assertThat(why.hold().word()).isEqualTo(word);
        assertThat(why.text()).contains(text);
        assertThat(why.unblock()).isNotBlank();
        return why;
    }
}
