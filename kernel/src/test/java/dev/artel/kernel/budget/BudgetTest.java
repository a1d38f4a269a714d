package dev.artel.kernel.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Story;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BudgetTest {
    private static final TaskSpec DOLLAR = Story.TASK.withCost("1");

    private static Story with(Budget budget) {
        var story = new Story();
        story.accepted(
                new JobCommand.Submit(
                        Story.spec(JobOptions.DEFAULTS).withBudget(Optional.of(budget)),
                        story.now()));
        return story;
    }

    private static Story fanOut(Budget budget, TaskSpec task, int count) {
        return with(budget)
                .step(0, Action.dispatchParallel(Collections.nCopies(count, task), "joined"));
    }

    private static Action dispatch(TaskSpec task, String next) {
        return Action.dispatch(task, Outcomes.on("success", next));
    }

    private static BudgetLedger ledger(Story story) {
        return story.job().budget().orElseThrow();
    }

    private static List<JobEvent> reports(Story story, int task, Lease lease, ReportedCost cost) {
        return story.accepted(
                new JobCommand.Report(
                        task,
                        lease.token(),
                        lease.worker(),
                        new TaskReport.Succeeded("success", Payload.EMPTY),
                        cost,
                        0.5,
                        story.now()));
    }

    /// The worker is asked for, and there is no room.
    private static void withheld(Story story, int task) {
        var offer =
                story.pending(Effect.Offer.class).stream()
                        .filter(it -> it.task() == task)
                        .findFirst()
                        .orElseThrow();
        assertThat(story.accepted(Story.grantOf(offer, "withheld-" + task, "anna", story.now())))
                .first()
                .isInstanceOf(JobEvent.AttemptWithheld.class);
    }

    @Test
    void money_hasNineDecimals_andIsRoundedUp() {
        assertThat(Spending.nano("0.000000001")).isEqualTo(1);
        assertThat(Spending.nano("12.5")).isEqualTo(12_500_000_000L);
        assertThat(Spending.nanoRoundedUp(new BigDecimal("0.0000000001"))).isEqualTo(1);
        assertThat(Spending.usd(12_500_000_000L)).isEqualTo("12.50");
        assertThat(Spending.usd(1)).isEqualTo("0.000000001");
        assertThatThrownBy(() -> Spending.nano("0.0000000001")).hasMessageContaining("9 decimals");
        assertThatThrownBy(() -> Spending.nano("-1")).hasMessageContaining("negative");
        assertThatThrownBy(() -> Spending.nano("one")).hasMessageContaining("'one'");
    }

    /// Trap: a short number is brought to nine decimals, which takes minutes and gigabytes.
    @Test
    void amountsWithoutMeasure_areRefusedAtOnce() {
        var tiny = new BigDecimal("1e-640000000");
        assertThatThrownBy(() -> Spending.nanoRoundedUp(tiny)).hasMessageContaining("1e31");
        assertThatThrownBy(() -> Spending.nano(tiny)).hasMessageContaining("1e31");
        assertThatThrownBy(() -> Spending.nano("1".repeat(1_000_000)))
                .hasMessageContaining("1000000 characters")
                .hasMessageNotContaining("1".repeat(50));
        assertThat(Spending.nano(new BigDecimal("0e-640000000"))).isZero();
    }

    @Test
    void aTaskReserves_beforeAWorkerHasIt_andIsSettledByItsReport() {
        var story = with(Budget.ofUsd("5")).step(0, dispatch(DOLLAR, "done"));

        var lease = story.grant(0, "anna");

        assertThat(ledger(story).reserved()).isEqualTo(new Spending(1_000_000_000, 0, 0, 1));
        story.after(Duration.ofMillis(2_100));
        assertThat(reports(story, 0, lease, ReportedCost.ofUsd("0.25").withTokens(70)))
                .contains(
                        new JobEvent.AttemptSettled(
                                0,
                                lease.token(),
                                new Spending(1_000_000_000, 0, 0, 1),
                                new Spending(250_000_000, 70, 3, 1),
                                story.now()));
        assertThat(ledger(story).settled()).isEqualTo(new Spending(250_000_000, 70, 3, 1));
        assertThat(ledger(story).used()).isEqualTo(ledger(story).settled());
        assertThat(ledger(story).unknown()).isEqualTo(Spending.NONE);
    }

    @Test
    void whatAWorkerDoesNotReport_countsAsItWasReserved() {
        var story = with(Budget.ofUsd("5")).step(0, dispatch(DOLLAR, "done"));

        reports(story, 0, story.grant(0, "anna"), ReportedCost.NONE);

        assertThat(ledger(story).settled().nanoUsd()).isEqualTo(1_000_000_000);
    }

    @Test
    void aTaskThatDoesNotFit_isNotBegun_andItsJobFails() {
        var story = with(Budget.ofUsd("1.5")).step(0, dispatch(DOLLAR.withCost("2"), "done"));

        withheld(story, 0);

        story.assertEnded(
                "failed",
                "RESOURCE_EXHAUSTED: of the budget of 1.50 USD, 0.00 USD are spent, 0.00 USD"
                        + " reserved and 0.00 USD granted to children; 2.00 USD more are needed; task 0"
                        + " (work) was not begun");
    }

    @Test
    void nothingMayBeSpentOfABudgetOfZero_butWhatCostsNothingRuns() {
        var story = with(Budget.ofUsd("0")).step(0, dispatch(Story.TASK, "free"));
        story.succeeds(0);
        story.step(0, dispatch(DOLLAR, "done"));

        withheld(story, 1);

        story.assertStatus("failed");
    }

    @Test
    void parallelTasks_cannotOverspendTogether() {
        var story = fanOut(Budget.ofUsd("2"), DOLLAR, 3);
        var first = story.grant(0, "anna");
        story.grant(1, "ben");

        withheld(story, 2);

        story.assertStatus("waiting_for_parallel_tasks");
        assertThat(ledger(story).withheld()).isEqualTo(1);
        assertThat(story.pending(Effect.Offer.class)).isEmpty();
        assertThat(reports(story, 0, first, ReportedCost.ofUsd("0")))
                .contains(new JobEvent.TasksAdmitted(List.of(2), story.now()));
        story.grant(2, "anna");
        assertThat(ledger(story).left().nanoUsd()).isZero();
    }

    /// Trap: each event of a job looks at all tasks that wait, and at all that do not.
    @Test
    void whatFitsBehindAThousandThatDoNot_waitsForOneOfThem() {
        var tasks = new ArrayList<>(List.of(Story.TASK.withCost("1.5")));
        tasks.addAll(Collections.nCopies(1_001, DOLLAR));
        tasks.add(Story.TASK.withCost("0.01"));
        var story = with(Budget.ofUsd("1.505"));
        story.step(0, Action.dispatchParallel(tasks, "joined").withWindow(tasks.size()));
        var first = story.grant(0, "anna");
        var offers = story.pending(Effect.Offer.class);
        JobState state = story.job();
        for (var offer : offers) {
            state = after(state, Story.grantOf(offer, "w" + offer.task(), "anna", story.now()));
        }
        var waiting = (Job) state;
        assertThat(waiting.budget().orElseThrow().withheld()).isEqualTo(offers.size());
        var report =
                new JobCommand.Report(
                        0,
                        first.token(),
                        first.worker(),
                        new TaskReport.Succeeded("success", Payload.EMPTY),
                        ReportedCost.ofUsd("0.4"),
                        0.5,
                        story.now());

        var admitted = (Decision.Accepted) Jobs.decide(waiting, report);

        // The one of a cent would fit too, but a thousand before it do not.
        assertThat(admitted.events()).contains(new JobEvent.TasksAdmitted(List.of(1), story.now()));
    }

    private static JobState after(JobState state, JobCommand command) {
        return ((Decision.Accepted) Jobs.decide(state, command)).after();
    }

    @Test
    void aWithheldTask_failsItsJob_whenNothingCanComeBackAnyMore() {
        var story = fanOut(Budget.ofUsd("2"), DOLLAR, 3);
        var first = story.grant(0, "anna");
        story.grant(1, "ben");
        withheld(story, 2);

        reports(story, 0, first, ReportedCost.ofUsd("1.5"));

        assertThat(story.job().errorMessage().orElseThrow()).startsWith("RESOURCE_EXHAUSTED");
        assertThat(story.events())
                .contains(
                        new JobEvent.BudgetExhausted(
                                BudgetLimit.MONEY, DOLLAR.worstCase(), story.now()));
    }

    @Test
    void anOverrun_stopsWhatComesNext() {
        var story = with(Budget.ofUsd("1")).step(0, dispatch(DOLLAR, "next"));
        reports(story, 0, story.grant(0, "anna"), ReportedCost.ofUsd("1.75"));
        assertThat(ledger(story).settled().nanoUsd()).isEqualTo(1_750_000_000);
        story.step(0, dispatch(Story.TASK, "done"));

        withheld(story, 1);

        story.assertStatus("failed");
    }

    @Test
    void theCostOfALostAttempt_isUnknown_andARetryReservesAnew() {
        var story = with(Budget.ofUsd("5")).step(0, dispatch(DOLLAR, "done"));
        story.ends(0, story.grant(0, "anna"), LeaseEnd.Lost.WORKER_GONE);

        assertThat(ledger(story).unknown().nanoUsd()).isEqualTo(1_000_000_000);
        story.grant(0, "ben");
        assertThat(ledger(story).used().nanoUsd()).isEqualTo(2_000_000_000);
    }

    @Test
    void whatComesBackUnstarted_costsNothing() {
        var story = with(Budget.ofUsd("5")).step(0, dispatch(DOLLAR, "done"));

        story.ends(0, story.grant(0, "anna"), LeaseEnd.Returned.RELEASED);

        assertThat(ledger(story).used()).isEqualTo(Spending.NONE);
    }

    @Test
    void aLateReport_ofARevokedAttempt_correctsWhatWasUnknown() {
        var story = fanOut(Budget.ofUsd("5"), DOLLAR, 2);
        var lease = story.grant(0, "anna");
        story.cancel();
        assertThat(ledger(story).unknown().nanoUsd()).isEqualTo(1_000_000_000);

        reports(story, 0, lease, ReportedCost.ofUsd("0.1"));

        assertThat(ledger(story).unknown().nanoUsd()).isZero();
        assertThat(ledger(story).settled().nanoUsd()).isEqualTo(100_000_000);
    }

    @Test
    void aSecondAttemptThatDoesNotFit_doesNotTakePlace() {
        var story =
                with(Budget.ofUsd("1"))
                        .step(0, dispatch(DOLLAR.hedgedAfter(Duration.ofSeconds(9)), "done"));
        story.grant(0, "anna");
        story.hedges(0);

        withheld(story, 0);

        assertThat(story.job().tasks().get(0).hedge()).isEmpty();
        story.succeeds(0);
        story.assertStatus("running");
    }

    @Test
    void aWarning_comesOnceForALimit() {
        var story = fanOut(Budget.ofUsd("10"), Story.TASK, 3);
        reports(story, 0, story.grant(0, "anna"), ReportedCost.ofUsd("8"));
        reports(story, 1, story.grant(1, "anna"), ReportedCost.ofUsd("1"));

        assertThat(story.events())
                .filteredOn(JobEvent.BudgetWarned.class::isInstance)
                .singleElement()
                .isEqualTo(
                        new JobEvent.BudgetWarned(
                                BudgetLimit.MONEY, 8_000_000_000L, 10_000_000_000L, story.now()));
    }

    @Test
    void aJobThatRequestsAnExtension_waitsForAPerson_andGoesOn() {
        var story =
                with(Budget.ofUsd("0.5").requestingExtension()).step(0, dispatch(DOLLAR, "done"));

        withheld(story, 0);

        assertThat(story.pending(Effect.AwaitExtension.class))
                .singleElement()
                .satisfies(wait -> assertThat(wait.limit()).isEqualTo(BudgetLimit.MONEY));
        story.assertStatus("waiting_for_human");
        story.accepted(
                new JobCommand.ExtendBudget(Spending.ofUsd("0.5"), "client anna", story.now()));
        assertThat(story.pending(Effect.AwaitExtension.class)).isEmpty();
        story.succeeds(0);
        story.assertStatus("running");
        assertThat(ledger(story).extended()).isEqualTo(Spending.ofUsd("0.5"));
    }

    @Test
    void aJobWithoutABudget_takesNoExtension() {
        assertThat(
                        Story.begun()
                                .give(
                                        new JobCommand.ExtendBudget(
                                                Spending.ofUsd("1"), "anna", Story.begun().now())))
                .isInstanceOfSatisfying(
                        Decision.Rejected.class,
                        refused ->
                                assertThat(refused.reason())
                                        .isEqualTo(Decision.Reason.NOT_AWAITED));
    }

    @Test
    void whatCompensates_isNeverWithheld() {
        var story = with(Budget.ofUsd("1")).step(0, dispatch(DOLLAR, "next").compensatedBy(DOLLAR));
        reports(story, 0, story.grant(0, "anna"), ReportedCost.NONE);
        story.step(0, dispatch(DOLLAR, "done"));
        withheld(story, 1);
        story.assertStatus("compensating");

        story.succeeds(2);

        assertThat(story.job().errorMessage().orElseThrow()).startsWith("RESOURCE_EXHAUSTED");
        assertThat(ledger(story).settled().nanoUsd()).isEqualTo(2_000_000_000);
    }

    // Children

    private static Action.RunBlueprint child() {
        return Action.runBlueprint(
                        "child", JsonObject.EMPTY, Outcomes.on(Outcomes.FINISHED, "done"))
                .otherwise("otherwise");
    }

    private static JobCommand.EndChild endOf(Child child, Spending spent, Story story) {
        return new JobCommand.EndChild(
                child.number(),
                child.start(),
                new ChildReport(Outcomes.FINISHED, Payload.EMPTY, 1, Optional.empty(), spent),
                story.now());
    }

    @Test
    void aChild_getsAShareOfWhatIsLeft_andReturnsTheRest() {
        var story = with(Budget.ofUsd("10")).step(0, child());
        var begun = story.job().children().children().get(0);

        assertThat(begun.spec().budget().orElseThrow().limits().nanoUsd())
                .isEqualTo(9_000_000_000L);
        assertThat(begun.spec().budget().orElseThrow().limits().tokens())
                .isEqualTo(Spending.UNLIMITED);
        assertThat(ledger(story).left().nanoUsd()).isEqualTo(1_000_000_000L);

        story.accepted(endOf(begun, Spending.ofUsd("4"), story));

        assertThat(ledger(story).granted()).isEqualTo(Spending.NONE);
        assertThat(ledger(story).settled()).isEqualTo(Spending.ofUsd("4"));
    }

    @Test
    void manyChildren_shareWhatIsLeft() {
        var story =
                with(Budget.ofUsd("10"))
                        .step(
                                0,
                                Action.runBlueprints(
                                        "child",
                                        Collections.nCopies(3, JsonObject.EMPTY),
                                        "joined"));

        assertThat(story.job().children().children().get(2).granted())
                .isEqualTo(Spending.ofUsd("3"));
        assertThat(ledger(story).granted()).isEqualTo(Spending.ofUsd("9"));
    }

    @Test
    void aFixedBudgetOfAChild_isTakenFromItsParents() {
        var story =
                with(Budget.ofUsd("10").withTokens(100))
                        .step(0, child().withBudget(Budget.ofUsd("7")));

        assertThat(ledger(story).granted())
                .isEqualTo(Spending.ofUsd("7").with(BudgetLimit.TOKENS, 90));
    }

    @Test
    void aFixedBudgetThatDoesNotFit_keepsTheChildFromBeginning() {
        var story = with(Budget.ofUsd("10")).step(0, child().withBudget(Budget.ofUsd("11")));

        assertThat(story.job().children().children().get(0).state())
                .isInstanceOfSatisfying(
                        Child.Refused.class,
                        refused -> assertThat(refused.reason()).startsWith("RESOURCE_EXHAUSTED"));
        assertThat(ledger(story).used()).isEqualTo(Spending.NONE);
        assertThat(story.branch(0).state()).isEqualTo("otherwise");
    }

    @Test
    void theSmallerBudget_counts() {
        var own = Budget.ofUsd("5").withTokens(10).requestingExtension();

        assertThat(Budget.least(Optional.of(own), Optional.of(Budget.ofUsd("7").withCalls(3))))
                .contains(Budget.ofUsd("5").withTokens(10).withCalls(3).requestingExtension());
        assertThat(Budget.least(Optional.empty(), Optional.of(own))).contains(own);
        assertThat(Budget.least(Optional.empty(), Optional.empty())).isEmpty();
    }
}
