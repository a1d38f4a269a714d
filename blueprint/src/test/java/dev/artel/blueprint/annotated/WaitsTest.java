package dev.artel.blueprint.annotated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.ApprovalCall;
import dev.artel.blueprint.ApprovalDecision;
import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.ChildResult;
import dev.artel.blueprint.On;
import dev.artel.blueprint.Signal;
import dev.artel.blueprint.SignalCall;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.TaskResult;
import dev.artel.blueprint.Verdict;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.InvalidBlueprint;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Annotated classes that wait for people and signals.
final class WaitsTest {
    enum Way {
        TRAIN,
        PLANE
    }

    static final Approval<Way> WAY = Approval.of(Way.class);

    record Seat(String number) {}

    record Booked(Way way, String by, String seat) {}

    static final Signal<Seat> CONFIRMED = Signal.of("confirmed", Seat.class);

    @BlueprintDefinition(name = "travel", data = "confirmed", failedEnds = "late")
    static final class Travel {
        @StateHandler(
                value = "ask",
                start = true,
                on = {
                    @On(value = "train", state = "confirm"),
                    @On(value = "plane", state = "confirm"),
                    @On(value = "timeout", state = "late")
                })
        ApprovalCall<Way> ask(String jobId) {
            return ApprovalCall.of(WAY, "Which way for " + jobId + "?")
                    .by(it -> it.orUser("ada"))
                    .within(Duration.ofDays(2));
        }

        @StateHandler(
                value = "confirm",
                leadsTo = "end",
                on = @On(value = "timeout", state = "late"))
        SignalCall<Seat> confirm() {
            return SignalCall.of(CONFIRMED).within(Duration.ofDays(1));
        }

        @StateHandler("end")
        Booked end(ApprovalDecision<Way> approval, Seat confirmed) {
            return new Booked(approval.decision(), approval.by(), confirmed.number());
        }
    }

    private final dev.artel.kernel.blueprint.Blueprint travel =
            Blueprint.annotated(Travel.class).definition();

    @Test
    void anApproval_isAskedFor_withAStateForEachChoice() throws Exception {
        assertThat(act(travel, "ask", JsonObject.EMPTY))
                .isInstanceOfSatisfying(
                        Action.AwaitApproval.class,
                        ask -> {
                            assertThat(ask.message()).isEqualTo("Which way for job-1?");
                            assertThat(ask.approvers().users()).containsExactly("ada");
                            assertThat(ask.choices().states())
                                    .isEqualTo(Map.of("train", "confirm", "plane", "confirm"));
                            assertThat(ask.deadline().orElseThrow().state()).isEqualTo("late");
                        });
    }

    @Test
    void aSignal_isWaitedFor() throws Exception {
        assertThat(act(travel, "confirm", JsonObject.EMPTY))
                .isEqualTo(
                        Action.awaitSignal("confirmed", "end").within(Duration.ofDays(1), "late"));
    }

    @Test
    void whatWasDecided_andWhatTheSignalBrought_areParameters() throws Exception {
        var data =
                JsonObject.of(
                        "approval",
                        decision("plane"),
                        "confirmed",
                        JsonObject.of("number", JsonValue.of("7A")));

        assertThat(act(travel, "end", data).toString()).contains("PLANE", "client shop", "7A");
        assertThat(travel.state("end").orElseThrow().handler().orElseThrow().reads())
                .hasValueSatisfying(read -> assertThat(read).contains("approval", "confirmed"));
        assertThatExceptionOfType(MissingValue.class)
                .isThrownBy(() -> act(travel, "end", data.with("approval", decision("ship"))))
                .withMessageContaining("parameter 'approval'")
                .withMessageContaining("ship");
        assertThatExceptionOfType(MissingValue.class)
                .isThrownBy(() -> act(travel, "end", JsonObject.EMPTY))
                .withMessageContaining("no approval of the job has a decision");
    }

    private static JsonObject decision(String word) {
        return JsonObject.of("decision", JsonValue.of(word), "by", JsonValue.of("client shop"));
    }

    @BlueprintDefinition(name = "crooked")
    static final class Crooked {
        @StateHandler(
                value = "ask",
                start = true,
                resultAs = "way",
                on = {
                    @On(value = "train", state = "confirm"),
                    @On(value = "plan", state = "confirm"),
                    @On(value = "time_out", state = "confirm")
                })
        ApprovalCall<Way> ask() {
            return ApprovalCall.of(WAY, "?");
        }

        @StateHandler(value = "confirm", on = @On(value = "success", state = "end"))
        SignalCall<Seat> confirm() {
            return SignalCall.of(CONFIRMED);
        }

        @StateHandler("end")
        void end(Way approval, List<TaskResult<Object>> results) {}
    }

    @Test
    void everythingThatIsWrong_isReportedTogether() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() -> Blueprint.annotated(Crooked.class))
                .withMessageContainingAll(
                        "handler ask has resultAs and returns no task and no child",
                        "handler ask does not define what follows 'plane'",
                        "handler ask defines what follows 'plan', which is none of [train, plane, timeout]; the nearest is"
                                + " 'plane'",
                        "handler ask defines what follows 'time_out', which is none of [train, plane, timeout]; the"
                                + " nearest is 'timeout'",
                        "handler confirm does not define what follows 'received'",
                        "parameter 'approval' is the last decision of a person; its type must be ApprovalDecision<C>",
                        "parameter 'results' cannot be injected");
    }

    @BlueprintDefinition(name = "open", ends = "end")
    static final class Open {
        @StateHandler(value = "words", start = true, on = @On(value = "yes", state = "joined"))
        ApprovalCall<String> words() {
            return ApprovalCall.of(Approval.of("yes", "no"), "?");
        }

        @StateHandler(
                value = "joined",
                on = {@On(value = "approve", state = "end"), @On(value = "reject", state = "end")})
        ApprovalCall<Verdict> joined(
                ApprovalDecision<String> approval,
                List<TaskResult<Seat>> results,
                List<ChildResult<Seat>> children) {
            return ApprovalCall.of(approval.decision() + " " + results + " " + children)
                    .within(Duration.ofDays(1));
        }
    }

    @Test
    void aWaitThatMayEndInAWordWithoutAState_isRefusedWhenItIsReturned() {
        var open = Blueprint.annotated(new Open()).definition();

        assertThatIllegalStateException()
                .isThrownBy(() -> act(open, "words", JsonObject.EMPTY))
                .withMessageContaining("may end with 'no'")
                .withMessageContaining("add @On(value = \"no\"");
        assertThatIllegalStateException()
                .isThrownBy(
                        () -> act(open, "joined", JsonObject.of("approval", decision("whatever"))))
                .withMessageContaining("may end with 'timeout'");
    }

    private static Action act(
            dev.artel.kernel.blueprint.Blueprint blueprint, String state, JsonObject data)
            throws Exception {
        var step =
                new Step(
                        new JobId("job-1"),
                        state,
                        1,
                        0,
                        "anna",
                        ClientPlan.UNKNOWN,
                        new LinkedHashMap<>(),
                        JsonObject.EMPTY,
                        data,
                        List.of(),
                        List.of(),
                        new LinkedHashMap<>(),
                        "1");
        return blueprint.state(state).orElseThrow().handler().orElseThrow().handle(step);
    }
}
