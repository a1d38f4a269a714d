package dev.artel.simulation.card;

import static dev.artel.simulation.card.CardTexts.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.card.Cards;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.SimulatedJob;
import org.junit.jupiter.api.Test;

/// What a subprocess of a card and the process that runs it can do to each other.
final class SubprocessIsolationTest {
    private static String parent(String budget) {
        return """
        metadata: {name: parent, version: 1.0.0, spec_version: "2.0"}
        spec:
          variables: {topic: rain, hidden: 42, answer: none}
          %s
          steps:
            - {id: run, subprocess_ref: child.yaml, subprocess_inputs: [topic], output: answer}
            - {id: end, type: complete, result: {answer: "${answer}", topic: "${topic}", hidden: "${hidden}"}}
        """
                .formatted(budget);
    }

    private static String child(String... lines) {
        return "metadata: {name: child, version: 1.0.0, spec_version: '2.0'}\nspec:\n"
                + String.join("\n", lines).indent(2);
    }

    private static SimulatedJob run(String budget, String child) {
        var worker =
                FakeWorker.named("worker").doing("work", ScriptedAnswer.computed(params -> params));
        return ArtelSimulation.of(Cards.read(parent(budget)).orElseThrow())
                .child(Cards.read(child).orElseThrow())
                .workers(worker)
                .initialData(json("{'user':'mary'}"))
                .run(1);
    }

    @Test
    void aSubprocessIsStartedWithTheInputsThatItsStepNames_andNothingElse() {
        var job =
                run(
                        "budget: {max_llm_calls: 9}",
                        child("steps: [{id: end, type: complete, result: {seen: '${input}'}}]"));

        job.assertFinished();
        assertThat(job.data().get("answer")).contains(json("{'seen':{'topic':'rain'}}"));
    }

    @Test
    void aSubprocessCannotReadTheVariablesOfItsParent() {
        var inner =
                CardTexts.spec(
                        "variables: {hidden: 42}",
                        "steps:",
                        "  - {id: run, subprocess: {steps: [{id: end, type: complete, result: '${hidden}'}]}}");

        assertThat(Cards.read(inner).card()).isEmpty();
        assertThat(Cards.read(inner).text())
                .contains("${hidden} refers to 'hidden', which is neither");

        var lenient =
                run(
                        "budget: {max_llm_calls: 9}",
                        child(
                                "lenient_templates: true",
                                "steps:",
                                "  - {id: end, type: complete, result: {text: 'a ${input.hidden} of ${input.user}'}}"));

        lenient.assertFinished();
        assertThat(lenient.data().get("answer"))
                .contains(json("{'text':'a ${input.hidden} of ${input.user}'}"));
    }

    @Test
    void aSubprocessCannotChangeTheVariablesOfItsParent() {
        var job =
                run(
                        "budget: {max_llm_calls: 9}",
                        child(
                                "variables: {topic: none}",
                                "steps:",
                                "  - {id: first, action: work, params: {text: sun}, output: topic}",
                                "  - {id: second, action: work, params: {text: none}, output: hidden}",
                                "  - {id: end, type: complete, result: {text: '${topic.text}'}}"));

        job.assertFinished();
        assertThat(job.data().get("topic")).isEmpty();
        assertThat(job.data().get("hidden")).isEmpty();
        assertThat(job.data().get("answer")).contains(json("{'text':'sun'}"));
    }

    @Test
    void aSubprocessReturnsOneObject_inTheVariableOfItsStep() {
        var job =
                run(
                        "budget: {max_llm_calls: 9}",
                        child(
                                "steps:",
                                "  - {id: first, action: work, params: {text: sun}, output: hidden}",
                                "  - {id: end, type: complete, result: {one: 1, two: [2]}}"));

        job.assertFinished();
        assertThat(job.data().names()).containsExactly("answer");
        assertThat(job.data().get("answer")).contains(json("{'one':1,'two':[2]}"));
    }

    @Test
    void aSubprocessSpendsNoMoreThanItsParentGrants_whateverItsCardAllows() {
        var greedy =
                child(
                        "budget: {max_llm_calls: 1000}",
                        "steps:",
                        "  - {id: first, action: work}",
                        "  - {id: second, action: work}",
                        "  - {id: third, action: work}",
                        "  - {id: end, type: complete}");

        run("budget: {max_llm_calls: 9}", greedy).assertFinished();
        run("budget: {max_llm_calls: 2}", greedy).assertFailed("RESOURCE_EXHAUSTED");
    }
}
