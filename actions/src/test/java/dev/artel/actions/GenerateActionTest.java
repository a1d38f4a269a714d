package dev.artel.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.ActionSettings;
import dev.artel.waits.Await;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The language model is a script behind its real API over HTTP.
final class GenerateActionTest extends ActionTestCase {
    private static final String ANSWER =
            ("{'id':'c1','object':'chat.completion','created':1,'model':'small-2','choices':[{'index':0,'message':"
                            + "{'role':'assistant','content':'TEXT'},'finish_reason':'stop'}],"
                            + "'usage':{'prompt_tokens':12,'completion_tokens':5,'total_tokens':17}}")
                    .replace('\'', '"');

    private void says(String text) {
        answers(200, "application/json", ANSWER.replace("TEXT", text.replace('\'', '"')));
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

    /// Trap: an answer without end, of a model or of what is between, fills the memory.
    @ParameterizedTest
    @ValueSource(ints = {200, 500})
    @Timeout(Await.HUNG)
    void anAnswerWithoutEnd_isReadToItsBound_andNoFurther(int status) throws Exception {
        var isCutOff = new CountDownLatch(1);
        server.createContext(
                "/endless",
                exchange -> {
                    exchange.sendResponseHeaders(status, 0);
                    try (var body = exchange.getResponseBody()) {
                        while (true) {
                            body.write(new byte[1_000]);
                        }
                    } finally {
                        isCutOff.countDown();
                    }
                });
        try (var endless =
                new BuiltInActions(
                        ActionSettings.DEFAULTS
                                .withMaxBytes(MAX_BYTES)
                                .withModelUri(URI.create(url("/endless/v1")))
                                .withModelName("small"),
                        folder,
                        Map::of)) {
            assertThatThrownBy(() -> endless.run("llm_generate", json("{'prompt':'p'}"), "task"))
                    .isInstanceOf(PermanentFailure.class)
                    .hasMessage(
                            "llm_generate: the answer of the model has more than 10000 bytes (actions.max-bytes)");
        }
        isCutOff.await();
    }

    @Test
    void anAnswerAtItsBound_isRead_andOneByteMoreIsNot() throws Exception {
        var around = MAX_BYTES - ANSWER.replace("TEXT", "").length();

        says("x".repeat(around));
        assertThat(run("llm_generate", "{'prompt':'p'}").string("text"))
                .contains("x".repeat(around));

        says("x".repeat(around + 1));
        assertThatThrownBy(() -> run("llm_generate", "{'prompt':'p'}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("actions.max-bytes");
    }

    @Test
    void aLongRefusal_isCutOff() {
        answers(400, "text/plain", "no".repeat(2_000));

        assertThatThrownBy(() -> run("llm_generate", "{'prompt':'p'}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageEndingWith("no...")
                .message()
                .hasSizeLessThan(1_200);
    }

    @Test
    void aModelThatIsAway_mayBeAskedAgain() {
        server.stop(0);

        assertThatThrownBy(() -> run("llm_generate", "{'prompt':'p'}"))
                .isNotInstanceOf(PermanentFailure.class)
                .isNotInstanceOf(InvalidInput.class)
                .hasMessageContaining("no answer of the model");
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
