package dev.artel.blueprint.annotated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.BranchEnd;
import dev.artel.blueprint.ChildCall;
import dev.artel.blueprint.ForkCall;
import dev.artel.blueprint.NewRun;
import dev.artel.blueprint.Nothing;
import dev.artel.blueprint.On;
import dev.artel.blueprint.SleepCall;
import dev.artel.blueprint.StartCall;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskCall;
import dev.artel.blueprint.TaskType;
import dev.artel.blueprint.Variable;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.InvalidBlueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Annotated classes in which time passes, branches begin and end, other jobs are started, and new runs begin.
final class MovesTest {
    record Plan(String customer, int most) {}

    record Sum(int months, String customer) {}

    static final BlueprintType<Plan, Nothing> AUDIT = BlueprintType.of("audit", Plan.class);
    static final TaskType<Plan, Sum> BILL = TaskType.of("bill", Plan.class, Sum.class);
    static final TaskType<Plan, Nothing> REFUND = TaskType.of("refund", Plan.class);
    static final Variable<Integer> MONTHS = Variable.of("months", Integer.class);
    static final Variable<String> NOTE = Variable.of("note", String.class);
    static final Instant NEW_YEAR = Instant.parse("2030-01-01T00:00:00Z");

    @BlueprintDefinition(
            name = "subscription",
            initialData = Plan.class,
            data = "months",
            branchEnds = "billed",
            failedEnds = "sorry")
    static final class Subscription {
        @StateHandler(value = "month", start = true, leadsTo = "wait")
        SleepCall month() {
            return SleepCall.of(Duration.ofDays(30));
        }

        @StateHandler(value = "wait", leadsTo = "audit")
        SleepCall.Until hold() {
            return new SleepCall.Until(NEW_YEAR);
        }

        @StateHandler(
                value = "audit",
                leadsTo = "spread",
                on = @On(value = "failed", state = "sorry"))
        StartCall audit(Plan initialData) {
            return StartCall.of(ChildCall.of(AUDIT, initialData).version("2").label("by", "us"));
        }

        @StateHandler(
                value = "spread",
                branches = {"bill", "count"},
                leadsTo = "next",
                atLeast = 1,
                otherwise = "sorry")
        ForkCall spread(Step<Plan> step) {
            return step.input().most() > 1 ? ForkCall.of("bill", "count") : ForkCall.of("other");
        }

        @StateHandler(value = "bill", resultAs = "bill", leadsTo = "billed")
        TaskCall<Sum> bill(Plan initialData) {
            return TaskCall.of(BILL, initialData);
        }

        @StateHandler("count")
        BranchEnd count(Step<JsonObject> step) {
            return step.input().has("most")
                    ? BranchEnd.succeeded()
                    : BranchEnd.failed("nothing to count");
        }

        @StateHandler(
                value = "next",
                leadsTo = {"again", "end"})
        String next(Step<?> step) {
            return ((Plan) step.input()).most() > step.result(BILL).months() ? "again" : "end";
        }

        @StateHandler(value = "again", leadsTo = "month")
        NewRun again(Step<Plan> step) {
            return NewRun.empty()
                    .with(MONTHS, step.get(MONTHS).orElse(0) + 1)
                    .with(NOTE, step.job());
        }

        @StateHandler("end")
        Sum end(Step<Plan> step, int months) {
            return new Sum(months, step.input().customer());
        }
    }

    private final dev.artel.kernel.blueprint.Blueprint subscription =
            Blueprint.annotated(Subscription.class).definition();

    @Test
    void timePasses_forADuration_orUntilAnInstant() throws Exception {
        assertThat(act("month", JsonObject.EMPTY))
                .isEqualTo(Action.waitFor(Duration.ofDays(30), "wait"));
        assertThat(act("wait", JsonObject.EMPTY)).isEqualTo(Action.waitUntil(NEW_YEAR, "audit"));
    }

    @Test
    void aJobThatLivesByItself_isStarted_withItsOptions() throws Exception {
        assertThat(act("audit", JsonObject.EMPTY))
                .isEqualTo(
                        Action.startBlueprint("audit", PLAN, "spread")
                                .withVersion("2")
                                .withLabel("by", "us")
                                .otherwise("sorry"));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        StartCall.of(
                                ChildCall.of(AUDIT, new Plan("Ada", 3))
                                        .compensatedBy(REFUND, new Plan("Ada", 3))))
                .withMessageContaining("blueprint 'audit' was to be started by itself");
    }

    @Test
    void aFork_startsItsBranches_andIsJoined() throws Exception {
        assertThat(act("spread", JsonObject.EMPTY))
                .isEqualTo(
                        Action.fork(List.of("bill", "count"), "next")
                                .withPolicy(JoinPolicy.atLeast(1))
                                .otherwise("sorry"));
        assertThat(subscription.state("spread").orElseThrow().next())
                .containsExactly("bill", "count", "next", "sorry");
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> act("spread", PLAN.with("most", JsonValue.of(1)), JsonObject.EMPTY))
                .withMessageContaining("a branch that begins in 'other'")
                .withMessageContaining("add it to branches");
    }

    @Test
    void aBranch_ends_wellOrBadly_orInAStateWithoutAHandler() throws Exception {
        assertThat(act("count", JsonObject.EMPTY)).isEqualTo(Action.endBranch());
        assertThat(act("count", JsonObject.EMPTY, JsonObject.EMPTY))
                .isEqualTo(Action.failBranch("nothing to count"));
        assertThat(act("billed", JsonObject.EMPTY)).isEqualTo(Action.endBranch());
        assertThat(subscription.state("billed").map(State::pure)).contains(true);
    }

    @Test
    void aStep_isTypedByTheInput_andReadsTheConstants() throws Exception {
        var billed =
                JsonObject.of(
                        "bill",
                        JsonObject.builder().put("months", 2).put("customer", "Ada").build());

        assertThat(act("next", billed)).isEqualTo(Action.transitionTo("again"));
        assertThat(subscription.state("next").orElseThrow().handler().orElseThrow().reads())
                .as("a step reads everything")
                .isEmpty();
    }

    @Test
    void aNewRun_beginsWithTheVariablesThatAreSet_andNothingElse() throws Exception {
        assertThat(act("again", JsonObject.of("months", JsonValue.of(4), "old", JsonValue.of(1))))
                .isEqualTo(
                        Action.continueAsNew(
                                "month",
                                JsonObject.builder()
                                        .put("months", 5)
                                        .put("note", "job-1")
                                        .build()));
    }

    @Test
    void theResult_isThatOfTheHandlersThatEndTheJob_notOfABranch() {
        assertThat(subscription.result().orElseThrow().schema().toString()).contains("\"months\"");
    }

    @BlueprintDefinition(name = "crooked", initialData = Plan.class, failedEnds = "sorry")
    static final class Crooked {
        @StateHandler(value = "one", start = true)
        SleepCall one(Step<Sum> step) {
            return SleepCall.of(Duration.ofSeconds(step.input().months()));
        }

        @StateHandler(
                value = "two",
                leadsTo = {"one", "three"})
        NewRun two() {
            return NewRun.empty();
        }

        @StateHandler(value = "three", leadsTo = "one")
        ForkCall three() {
            return ForkCall.of("one");
        }

        @StateHandler(value = "four", leadsTo = "one")
        BranchEnd four() {
            return BranchEnd.succeeded();
        }

        @StateHandler(value = "five", leadsTo = "one", branches = "two")
        String five() {
            return "one";
        }

        @StateHandler(
                value = "six",
                branches = "two",
                leadsTo = "one",
                atLeast = 2,
                policy = StateHandler.Policy.SETTLED)
        ForkCall six() {
            return ForkCall.of("two");
        }
    }

    @Test
    void everythingThatIsWrong_isReportedTogether() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() -> Blueprint.annotated(Crooked.class))
                .withMessageContainingAll(
                        "handler one: a parameter is a Step<Sum>, and jobs are submitted with a Plan; make it a"
                                + " Step<Plan>",
                        "handler one returns a SleepCall; leadsTo must name the one state that follows, is []",
                        "handler two returns a NewRun; leadsTo must name the one state in which the new run begins,"
                                + " is [one, three]",
                        "handler three returns a ForkCall and does not name the states in which branches begin; add"
                                + " branches",
                        "handler four returns a BranchEnd, which ends the branch, and leads to [one]",
                        "handler five has branches and returns no ForkCall",
                        "handler six has atLeast = 2 and policy = SETTLED");
    }

    private static final JsonObject PLAN =
            JsonObject.builder().put("customer", "Ada").put("most", 3).build();

    private Action act(String state, JsonObject data) throws Exception {
        return act(state, PLAN, data);
    }

    private Action act(String state, JsonObject initialData, JsonObject data) throws Exception {
        var step =
                new dev.artel.kernel.blueprint.Step(
                        new JobId("job-1"),
                        state,
                        1,
                        0,
                        "anna",
                        ClientPlan.UNKNOWN,
                        new LinkedHashMap<>(),
                        initialData,
                        data,
                        List.of(),
                        List.of(),
                        new LinkedHashMap<>(),
                        "1");
        return subscription.state(state).orElseThrow().handler().orElseThrow().handle(step);
    }
}
