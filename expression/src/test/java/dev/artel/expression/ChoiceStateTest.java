package dev.artel.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintDefinition;
import dev.artel.blueprint.ChoiceState;
import dev.artel.blueprint.StateHandler;
import dev.artel.blueprint.When;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/// States of annotated classes that only choose the next one.
final class ChoiceStateTest {
    record Order(int price) {}

    @BlueprintDefinition(name = "order", initialData = Order.class, failedEnds = "declined")
    @ChoiceState(
            value = "begin",
            start = true,
            when = {
                @When(value = "initial_data.price > 1000", state = "declined"),
                @When(value = "initial_data.price > 500", state = "check")
            },
            otherwise = "send")
    @ChoiceState(
            value = "check",
            when = @When(value = "client == 'anna'", state = "send"),
            otherwise = "declined")
    static final class Orders {
        @StateHandler("send")
        Order send(Order initialData) {
            return initialData;
        }
    }

    private final dev.artel.kernel.blueprint.Blueprint orders =
            Blueprint.annotated(Orders.class).definition();

    private Action choose(State state, int price, String client) throws Exception {
        return state.handler()
                .orElseThrow()
                .handle(
                        new Step(
                                new JobId("job-1"),
                                state.name(),
                                1,
                                0,
                                client,
                                ClientPlan.UNKNOWN,
                                new LinkedHashMap<>(),
                                JsonObject.builder().put("price", price).build(),
                                JsonObject.EMPTY,
                                List.of(),
                                List.of(),
                                new LinkedHashMap<>(),
                                "1"));
    }

    @Test
    void theFirstConditionThatHolds_decides() throws Exception {
        var begin = orders.start();
        var check = orders.state("check").orElseThrow();

        assertThat(begin.name()).isEqualTo("begin");
        assertThat(begin.next()).containsExactlyInAnyOrder("declined", "check", "send");
        assertThat(choose(begin, 2000, "anna")).isEqualTo(Action.transitionTo("declined"));
        assertThat(choose(begin, 600, "anna")).isEqualTo(Action.transitionTo("check"));
        assertThat(choose(begin, 5, "anna")).isEqualTo(Action.transitionTo("send"));
        assertThat(choose(check, 600, "anna")).isEqualTo(Action.transitionTo("send"));
        assertThat(choose(check, 600, "bob")).isEqualTo(Action.transitionTo("declined"));
        assertThat(begin.pure()).isTrue();
    }

    @BlueprintDefinition(name = "crooked")
    @ChoiceState(
            value = "begin",
            start = true,
            when = @When(value = "initial_data.price >", state = "nowhere"),
            otherwise = "end")
    static final class Crooked {
        @StateHandler("end")
        void end() {}
    }

    @Test
    void whatIsWrongWithAChoice_isInTheReport() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Blueprint.annotated(Crooked.class))
                .withMessageContainingAll(
                        "state 'begin': the condition \"initial_data.price >\"",
                        "state 'begin' leads to 'nowhere', which is not defined");
    }
}
