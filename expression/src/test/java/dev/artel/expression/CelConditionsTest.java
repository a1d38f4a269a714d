package dev.artel.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.ConditionFailed;
import dev.artel.kernel.blueprint.Conditions;
import dev.artel.kernel.blueprint.InvalidBlueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.ClientPlan;
import dev.artel.kernel.job.JobId;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CelConditionsTest {
    private static final String INITIAL =
            "{'amount':150,'price':1.5,'vip':true,'text':'5','city':'New York','nothing':null,"
                    + "'lines':[{'qty':1},{'qty':7}]}";

    private static Step step() {
        var labels = new LinkedHashMap<String, String>();
        labels.put("team", "blue");
        return new Step(
                new JobId("job-1"),
                "check",
                2,
                0,
                "anna",
                new ClientPlan("gold", JsonObject.of("region", JsonValue.of("eu"))),
                labels,
                (JsonObject) JsonText.read(INITIAL.replace('\'', '"')),
                (JsonObject) JsonText.read("{\"score\":3,\"word\":\"ok\"}"),
                List.of(),
                List.of(),
                new LinkedHashMap<>(),
                "1");
    }

    private static boolean holds(String text) {
        return new CelConditions().compile(text).holds(step());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "initial_data.amount > 100",
                "initial_data.price > 1",
                "initial_data.vip",
                "initial_data.vip && data.score <= 3",
                "state_history.word == 'ok' || false",
                "initial_data.lines.exists(line, line.qty > 5)",
                "size(initial_data.lines) == 2",
                "labels.team == 'blue' && client == 'anna' && attempt == 2",
                "has(data.score) && !has(data.missing)",
                "client_plan == 'gold' && client_params.region == 'eu'",
                "initial_data.nothing == null",
                "context.initial_data.amount > 100 && context.state_history.score == 3",
                "job_id.startsWith('job-') && state == 'check'"
            })
    void cel_isUnderstood(String text) {
        assertThat(holds(text)).isTrue();
    }

    /// Trap: in the simple syntax of the first orchestrator `True` was a text that never matched, a missing area or
    /// field was an error somewhere else, and a comparison of different types broke the step.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "context.initial_data.amount > 100          | true",
                "context.initial_data.amount >= 150         | true",
                "context.initial_data.amount < 150          | false",
                "context.initial_data.amount != 150         | false",
                "context.initial_data.price == 1.5          | true",
                "context.initial_data.vip == True           | true",
                "context.initial_data.vip == false          | false",
                "context.initial_data.nothing == None       | true",
                "context.initial_data.text == '5'           | true",
                "context.initial_data.amount == '150'       | true",
                "context.initial_data.city == New York      | true",
                "context.initial_data.city == 'New York'    | true",
                "context.state_history.word == ok           | true",
                "context.state_history.word != ok           | false",
                "context.state_history.missing == 1         | false",
                "context.state_history.missing != 1         | false",
                "context.elsewhere.field == 1               | false",
                "context.initial_data.city > 5              | false",
                "context.initial_data.amount > many         | false",
            })
    void theSimpleSyntax_isTranslated(String text, boolean expected) {
        assertThat(holds(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "initial_data.amount >                      | mismatched input",
                "amount > 100                               | undeclared reference to 'amount'",
                "initial_data.amount ~ 100                  | token recognition error",
                "'text'                                     | it gives a string, not true or false",
                "initial_data.amount > 1 ? 1 : 2            | it gives a int, not true or false",
                "context.initial_data.a == 1 and b == 2     | it joins comparisons by words",
            })
    void whatMakesNoSense_isRefused(String text, String problem) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CelConditions().compile(text))
                .withMessageContaining(problem);
    }

    @Test
    void aBlankCondition_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CelConditions().compile(" "))
                .withMessageContaining("it is blank");
    }

    /// Trap: a condition on data that is missing is silently false.
    @Test
    void celOnMissingData_isAFailureThatNamesIt() {
        assertThatExceptionOfType(ConditionFailed.class)
                .isThrownBy(() -> holds("data.missing > 3"))
                .withMessageContaining("state 'check': the condition \"data.missing > 3\"")
                .withMessageContaining("missing")
                .withMessageContaining("has(...)");
    }

    @Test
    void theKernelFindsIt() {
        assertThat(Conditions.installed()).isInstanceOf(CelConditions.class);
    }

    @Test
    void theFirstConditionThatHolds_decides_andThenTheHandlerWithout() throws Exception {
        var start =
                Blueprint.named("choice")
                        .start("check")
                        .otherwise(_ -> Action.transitionTo("low"))
                        .when("initial_data.amount > 1000", _ -> Action.transitionTo("high"))
                        .when("initial_data.amount > 100", _ -> Action.transitionTo("middle"))
                        .when("initial_data.amount > 10", _ -> Action.transitionTo("low"))
                        .leadingTo("low", "middle", "high")
                        .end("low")
                        .end("middle")
                        .end("high")
                        .build()
                        .start();

        assertThat(start.handler().orElseThrow().handle(step()))
                .isEqualTo(Action.transitionTo("middle"));
    }

    /// Trap: a state with conditions and no handler without one calls what is not there.
    @Test
    void whereNothingHolds_theFailureNamesTheConditions() {
        var start =
                Blueprint.named("choice")
                        .start("check")
                        .when("initial_data.amount > 1000", _ -> Action.endBranch())
                        .build()
                        .start();

        assertThatExceptionOfType(ConditionFailed.class)
                .isThrownBy(() -> start.handler().orElseThrow().handle(step()))
                .withMessageContaining(
                        "state 'check': none of its conditions holds (initial_data.amount > 1000)");
    }

    @Test
    void aBrokenCondition_isAProblemOfTheBlueprint() {
        assertThatExceptionOfType(InvalidBlueprint.class)
                .isThrownBy(() ->
                        Blueprint.named("broken")
                                .start("one")
                                .when("amount >", _ -> Action.endBranch())
                                .when("oops", _ -> Action.endBranch())
                                .build())
                .satisfies(invalid -> assertThat(invalid.problems()).hasSize(2));
    }

    /// Trap: a comparison with many words takes the stack of the thread that reads it.
    @Test
    void aComparisonWithManyWords_isReadAsOneText() {
        var words = "word ".repeat(10_000).strip();

        assertThat(holds("context.initial_data.city == " + words)).isFalse();
        assertThat(holds("context.initial_data.city == New York")).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holds("context.initial_data.city == " + words + " and more"))
                .withMessageContaining("joins comparisons by words");
    }
}
