package dev.artel.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.ActionSettings;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The language model is a script behind its real API over HTTP.
final class GenerateActionTest extends ActionTestCase {
    private void says(String text) {
        answers(
                200,
                "application/json",
                ("{'id':'c1','object':'chat.completion','created':1,'model':'small-2','choices':[{'index':0,'message':"
                                + "{'role':'assistant','content':'"
                                + text
                                + "'},'finish_reason':'stop'}],"
                                + "'usage':{'prompt_tokens':12,'completion_tokens':5,'total_tokens':17}}")
                        .replace('\'', '"'));
    }

    @Test
    void aPrompt_isAnswered_withWhatItCost() throws Exception {
        says("Hello Ada");

        var result =
                run(
                        "llm_generate",
                        "{'prompt':'Greet Ada','system':'Be short','temperature':0.5,'max_tokens':50}");

        assertThat(result)
                .isEqualTo(
                        json(
                                "{'text':'Hello Ada','model':'small-2','finish_reason':'stop','metrics':{'llm_calls':1,'tokens_used':17}}"));
        var request = received.remove();
        assertThat(request.path()).isEqualTo("/v1/chat/completions");
        var sent = json(request.body());
        assertThat(sent.string("model")).contains("small");
        assertThat(sent.array("messages").orElseThrow().toString())
                .isEqualTo(
                        "[{\"role\":\"system\",\"content\":\"Be short\"},{\"role\":\"user\",\"content\":\"Greet Ada\"}]");
        assertThat(sent.number("temperature").orElseThrow().asDouble()).isEqualTo(0.5);
    }

    @Test
    void anotherModel_aConversation_andFeedback_areSent() throws Exception {
        says("ok");

        run(
                "llm_generate",
                "{'model':'large','messages':[{'role':'user','content':'a'},{'role':'assistant','content':'b'}],'context':{'feedback':'too long'}}");

        var sent = json(received.remove().body());
        assertThat(sent.string("model")).contains("large");
        assertThat(sent.array("messages").orElseThrow().get(2))
                .isEqualTo(
                        json(
                                "{'role':'user','content':'Your last answer was not good enough: too long'}"));
    }

    @Test
    void json_isAskedForAndRead() throws Exception {
        says("{\\'score\\':1}");

        var result = run("llm_generate", "{'prompt':'p','json':true}");

        assertThat(result.get("json")).contains(json("{'score':1}"));
        assertThat(json(received.remove().body()).object("response_format"))
                .contains(json("{'type':'json_object'}"));
    }

    @Test
    void aModelThatAnswersTextForJson_mayBeAskedAgain() {
        says("sorry");

        assertThatThrownBy(() -> run("llm_generate", "{'prompt':'p','json':true}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was asked for JSON and answered with something else");
    }

    @ParameterizedTest
    @ValueSource(ints = {429, 500, 503})
    void aModelThatIsBusy_mayBeAskedAgain_andWasAskedOnce(int status) {
        answers(status, "application/json", "{}");

        assertThatThrownBy(() -> run("llm_generate", "{'prompt':'p'}"))
                .isNotInstanceOf(PermanentFailure.class)
                .isNotInstanceOf(InvalidInput.class);
        assertThat(received).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404})
    void aModelThatRefuses_isNotAskedAgain(int status) {
        answers(status, "application/json", "{\"error\":{\"message\":\"no such key\"}}");

        assertThatThrownBy(() -> run("llm_generate", "{'prompt':'p'}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageStartingWith("llm_generate: the model at " + url("/v1") + " refuses: ")
                .hasMessageContaining("no such key");
    }

    @Test
    void withoutAModel_theSettingsAreNamed() {
        try (var none = new BuiltInActions(ActionSettings.DEFAULTS, folder, java.util.Map::of)) {
            assertThatThrownBy(() -> none.run("llm_generate", json("{'prompt':'p'}"), "task"))
                    .isInstanceOf(PermanentFailure.class)
                    .hasMessageContaining("an operator names one with actions.llm-url");
        }
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "{}|llm_generate needs the parameter 'prompt', or 'messages' with one of the user",
                "{'messages':[{'role':'tool','content':'x'}]}|llm_generate: the parameter 'messages' must be a list of {role, content} with the roles system, user and assistant, was object",
                "{'prompt':'p','temperature':9}|llm_generate: the parameter 'temperature' must be a number from 0.0 to 2.0, was another number",
            },
            delimiter = '|',
            quoteCharacter = '`')
    void whatIsWrong_isNamed(String params, String message) {
        assertThatThrownBy(() -> run("llm_generate", params))
                .isInstanceOf(InvalidInput.class)
                .hasMessage(message);
    }

    @Test
    void aModel_judgesTheOutputOfAStep() throws Exception {
        says("{\\'score\\':0.75,\\'feedback\\':\\'too long\\'}");

        var verdict =
                run(
                        "quality_check",
                        "{'output':{'text':'x'},'criteria':[{'name':'tone','weight':1}],'thresholds':{},'action':'write'}");

        assertThat(verdict)
                .isEqualTo(
                        json(
                                "{'score':0.75,'feedback':'too long','metrics':{'llm_calls':1,'tokens_used':17}}"));
        assertThat(received.remove().body()).contains("The task was: write", "tone");
    }

    @Test
    void aModelThatGivesNoScore_mayBeAskedAgain() {
        says("{}");

        assertThatThrownBy(() -> run("quality_check", "{'output':'x'}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("quality_check: the model was asked for a score and answered \"{}\"");
    }
}
