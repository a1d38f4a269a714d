package dev.artel.kernel.blueprint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.json.JsonObject;
import dev.artel.kernel.task.RetryPolicy;
import org.junit.jupiter.api.Test;

final class BlueprintTest {
    private static final StepHandler HANDLER = step -> Action.finish(JsonObject.EMPTY);

    @Test
    void aSoundDefinition_isBuilt() {
        var blueprint =
                Blueprint.named("order")
                        .start("check", HANDLER)
                        .leadingTo("pay", "refuse")
                        .state("pay", HANDLER)
                        .leadingTo("done")
                        .failedEnd("refuse")
                        .end("done")
                        .build();

        assertThat(blueprint.start().name()).isEqualTo("check");
        assertThat(blueprint.states())
                .extracting(State::name)
                .containsExactly("check", "pay", "refuse", "done");
        assertThat(blueprint.state("refuse"))
                .hasValueSatisfying(state -> assertThat(state.failed()).isTrue());
        assertThat(blueprint.ref().version()).isEqualTo("1");
    }

    @Test
    void onlyAHandlerCanBePure() {
        var builder =
                Blueprint.named("order")
                        .start("check", HANDLER)
                        .leadingTo("done")
                        .pure()
                        .end("done")
                        .pure();

        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(builder::build)
                .satisfies(invalid ->
                        assertThat(invalid.problems())
                                .containsExactly(
                                        "state 'done' is an end and pure; only a handler can be"
                                                + " pure"));
    }

    @Test
    void allProblems_comeInOneReport() {
        var builder =
                Blueprint.named("no good")
                        .start("a", HANDLER)
                        .leadingTo("b", "nowhere")
                        .start("b", HANDLER)
                        .state("b", HANDLER)
                        .state("lonely", HANDLER)
                        .state("", HANDLER);

        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(builder::build)
                .satisfies(invalid ->
                        assertThat(invalid.problems())
                                .containsExactly(
                                        "its name must have 1 to 100 letters, digits, '-',"
                                                + " '_' or '.'",
                                        "state 'b' is defined twice",
                                        "state '': a name must have 1 to 100 letters,"
                                                + " digits, '-', '_' or '.'",
                                        "it has 2 start states: a, b",
                                        "state 'a' leads to 'nowhere', which is not" + " defined",
                                        "state 'lonely' cannot be reached; some state must"
                                                + " name it in leadingTo",
                                        "state '' cannot be reached; some state must name"
                                                + " it in leadingTo"))
                .withMessageStartingWith("blueprint 'no good' has 7 problems:\n  its name");
    }

    @Test
    void aDefinitionWithoutAStart_isRefused() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() -> Blueprint.named("order").end("done").build())
                .withMessage(
                        "blueprint 'order' has 1 problem:\n"
                                + "  it has no start state; begin with start(name, handler), or set start = true");
    }

    @Test
    void anEndThatLeadsOn_isRefused() {
        var builder =
                Blueprint.named("order")
                        .start("check", HANDLER)
                        .leadingTo("done")
                        .end("done")
                        .leadingTo("check");

        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(builder::build)
                .withMessage(
                        "blueprint 'order' has 1 problem:\n"
                                + "  state 'done' is an end and leads to 'check'; give it a handler"
                                + " or let it lead nowhere");
    }

    @Test
    void leadingToBeforeAnyState_isRefused() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> Blueprint.named("order").leadingTo("done"))
                .withMessage(
                        "blueprint 'order': leadingTo sets where a state leads; add the state"
                                + " first");
    }

    @Test
    void theDigest_isOfTheGraph_andNotOfTheHandlers() {
        var one = order(HANDLER).leadingTo("done").end("done").build();
        var two = order(step -> Action.transitionTo("done")).leadingTo("done").end("done").build();
        var three = order(HANDLER).leadingTo("done").failedEnd("done").build();

        assertThat(one.ref()).isEqualTo(two.ref()).isNotEqualTo(three.ref());
    }

    private static Blueprint.Builder order(StepHandler handler) {
        return Blueprint.named("order").start("check", handler);
    }

    @Test
    void anEnd_hasNoHandlerToLimit() {
        var draft =
                Blueprint.named("b")
                        .start("start", _ -> Action.transitionTo("done"))
                        .leadingTo("done")
                        .end("done")
                        .retry(RetryPolicy.NEVER);

        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(draft::build)
                .withMessageContaining("state 'done' is an end and has limits for its handler");
    }
}
