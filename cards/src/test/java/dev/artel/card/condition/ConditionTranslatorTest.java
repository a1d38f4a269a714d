package dev.artel.card.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.artel.card.read.CardVariables;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Conditions;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.JobId;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConditionTranslatorTest {
    private static final JsonObject DATA =
            (JsonObject)
                    JsonText.read(
                            """
                            {"score": 9, "half": 8.5, "name": "ok", "five": 5, "yes": true, "no": false, "nothing": null,
                             "check": {"score": 9, "flagged": false}}\
                            """
                                    .getBytes(StandardCharsets.UTF_8));

    private static String cel(String condition) {
        return ConditionTranslator.translate(condition, CardVariables::inCel).cel();
    }

    private static boolean holds(String condition) {
        return Conditions.installed()
                .compile(cel(condition))
                .holds(
                        new Step(
                                new JobId("j1"),
                                "gate",
                                1,
                                0,
                                "anna",
                                new LinkedHashMap<>(),
                                JsonObject.EMPTY,
                                DATA,
                                List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " ;; ",
            quoteCharacter = '`',
            textBlock =
                    """
                    ${score} >= 8 ;; true
                    ${score} >= 8 && !${check.flagged} ;; true
                    ${score} > ${half} ;; true
                    ${five} >= ${score} ;; false
                    ${five} >= ${score} && !${check.flagged} || ${no} == true ;; false
                    ${check.score} >= ${score} ;; true
                    ${half} == 8.5 ;; true
                    ${check.score} >= ${five} && !${check.flagged} || ${yes} == true ;; true
                    ${name} == 'ok' ;; true
                    'ok' != ${name} ;; false
                    '${name}' == 'ok' ;; true
                    '${name}-${five}' == "ok-5" ;; true
                    ${five} == '5' ;; true
                    ${five} != '5' ;; false
                    ${yes} ;; true
                    ${name} ;; false
                    !${no} ;; true
                    !${no} == true ;; true
                    !(${no} || ${yes}) ;; false
                    ${no} && ${score} > 100 || ${yes} ;; true
                    ${nothing} == null ;; true
                    ${name} == null ;; false
                    ${nothing} != 'ok' ;; true
                    ${yes} || ${missing.member} > 1 ;; true
                    -1 < 0 ;; true
                    true ;; true
                    """)
    void aCondition_means(String condition, boolean holds) {
        assertThat(holds(condition)).as(cel(condition)).isEqualTo(holds);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " ;; ",
            quoteCharacter = '`',
            textBlock =
                    """
                    ${a} and ${b} ;; write && for 'and' (at character 6)
                    ${a} == None ;; write null for 'None' (at character 9)
                    ${a} == approved ;; 'approved' is neither a reference nor a text; write ${approved} or 'approved' (at character 9)
                    ${a} > ;; a value is missing at the end (at character 7)
                    (${a} == 1 ;; '(' has no ')' (at character 1)
                    ${a} == 'x ;; the text that begins with ' has no end (at character 9)
                    ${a} = 1 ;; '=' has no meaning in a condition; there are == != >= <= && || > < ! ( ) (at character 6)
                    1 < 2 < 3 ;; comparisons are joined by && or || (at character 7)
                    ${a} ${b} ;; an operator is missing between two values (at character 6)
                    ${ a } == 1 ;; '${ a }' is no reference; write ${name} or ${name.member} (at character 1)
                    ${a[0]} == 1 ;; '${a[0]}' is no reference; write ${name} or ${name.member} (at character 1)
                    1.2.3 == 1 ;; '1.2.3' is no number (at character 1)
                    {{ input.x }} ;; '{{ ... }}' is the notation of another system; write ${name.member} (at character 1)
                    """)
    void whatIsNoCondition_isRefusedWithItsPlace(String condition, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> cel(condition)).withMessage(message);
    }
}
