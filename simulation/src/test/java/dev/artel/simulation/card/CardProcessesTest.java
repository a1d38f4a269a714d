package dev.artel.simulation.card;

import static dev.artel.simulation.card.CardTexts.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.card.Cards;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.FakeWorker;
import dev.artel.simulation.ScriptedAnswer;
import dev.artel.simulation.ScriptedEvent;
import dev.artel.simulation.SimulatedJob;
import dev.artel.simulation.world.Trait;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Cards at work, with scripted workers and a clock of their own.
final class CardProcessesTest {
    private static ScriptedAnswer success(String json) {
        return ScriptedAnswer.success(json(json));
    }

    private static ScriptedAnswer echo() {
        return ScriptedAnswer.computed(params -> params);
    }

    private static ArtelSimulation simulation(String card, FakeWorker... workers) {
        return ArtelSimulation.of(Cards.read(card).orElseThrow().blueprint())
                .child(Cards.read(card).orElseThrow())
                .workers(workers);
    }

    private static JsonValue result(SimulatedJob job) {
        job.assertFinished();
        return job.outcome().orElseThrow() instanceof JobOutcome.Finished(Payload.Inline(var value))
                ? value
                : JsonObject.EMPTY;
    }

    static ArtelSimulation supportReply() {
        var agents =
                FakeWorker.named("agents")
                        .doing(
                                "lookup_facts",
                                ScriptedAnswer.failure("no index"),
                                success("{'items':['a','b']}"))
                        .doing("draft_reply", success("{'text':'first'}"))
                        .doing("grade_reply", ScriptedAnswer.computed(params -> grade(params)))
                        .doing("revise_reply", success("{'text':'second'}"))
                        .doing("save_to_storage", echo());
        return ArtelSimulation.of(CardTexts.file("support-reply.yaml"))
                .workers(agents)
                .initialData(json("{'question':'how?','force':false}"))
                .at(Duration.ofMinutes(5), ScriptedEvent.decision("approve"));
    }

    private static JsonObject grade(JsonValue params) {
        return ((JsonObject) params).string("text").equals(Optional.of("first"))
                ? json("{'score':5,'flagged':false,'hints':'warmer'}")
                : json("{'score':9,'flagged':false,'hints':''}");
    }

    @Test
    void aCardOfTheFirstFormat_retries_loops_asks_waits_andEnds() {
        var job = supportReply().run(1);

        assertThat(result(job)).isEqualTo(json("{'text':'second','score':9}"));
        job.assertAttempts("lookup_facts", 2)
                .assertAttempts("grade_reply", 2)
                .assertWentThrough(
                        "gather", "write", "check", "gate", "rework", "check", "gate", "approve",
                        "settle", "store", "end");
        assertThat(job.data().object("store.output").orElseThrow().string("key").orElseThrow())
                .startsWith("reply_");
        assertThat(job.data().object("store.output").orElseThrow().object("value"))
                .contains(json("{'text':'second'}"));
    }

    @Test
    void aProcessOfACard_outlivesADeathAtEachAppend() {
        assertThat(supportReply().killedAtEachAppend(1)).isGreaterThan(25);
    }

    @Test
    void aRejectedCheckpoint_failsTheProcess() {
        ArtelSimulation.of(
                        Cards.read(
                                        CardTexts.steps(
                                                "- {id: ask, type: human_checkpoint, message: 'Release ${input.what}?'}"))
                                .orElseThrow())
                .initialData(json("{'what':'it'}"))
                .at(Duration.ofMinutes(1), ScriptedEvent.decision("reject"))
                .run(1)
                .assertFailed("step 'ask' failed:");
    }

    private static final String NOTES =
            """
            metadata: {name: transport-notes, version: "1.0.0", spec_version: "2.0"}
            spec:
              steps:
                - {id: modes, action: list_modes, params: {city: "${input.city}"}, output: modes}
                - {id: end, type: complete, result: {notes: "${modes}", seen: "${input}"}}
            """;

    static ArtelSimulation cityGuide(ScriptedAnswer... judgements) {
        var agents =
                FakeWorker.named("agents")
                        .label("capability.write_guide", "true")
                        .label("capability.translate", "true")
                        .label("language", "en")
                        .doing("collect_places", ScriptedAnswer.computed(params -> items(params)))
                        .doing("list_modes", success("{'modes':['tram']}"))
                        .doing("write_guide", ScriptedAnswer.computed(params -> guide(params)))
                        .doing("quality_check", judgements)
                        .doing("discard_draft", echo());
        return ArtelSimulation.of(CardTexts.file("city-guide.yaml"))
                .child(Cards.read(NOTES).orElseThrow())
                .workers(agents);
    }

    static JsonObject judge(JsonValue params) {
        return ((JsonObject) params)
                        .object("output")
                        .orElseThrow()
                        .string("id")
                        .equals(Optional.of("g0"))
                ? json("{'score':0.5,'feedback':{'tone':{'score':0.2}}}")
                : json("{'score':0.95}");
    }

    private static JsonObject items(JsonValue params) {
        return JsonObject.of("items", ((JsonObject) params).get("kind").orElseThrow());
    }

    private static JsonObject guide(JsonValue params) {
        var round =
                ((JsonObject) params)
                        .object("context")
                        .flatMap(context -> context.object("feedback"))
                        .flatMap(feedback -> feedback.number("attempt"))
                        .map(number -> number.asLong())
                        .orElse(0L);
        return JsonObject.builder().put("id", "g" + round).put("text", params.toString()).build();
    }

    @Test
    void aCardOfTheSecondFormat_runsBranches_aSubprocess_andARoundOfQuality() {
        var job = cityGuide(ScriptedAnswer.computed(params -> judge(params))).run(1);

        var guide = (JsonObject) result(job);
        assertThat(guide.string("id")).contains("g1");
        assertThat(guide.string("text").orElseThrow())
                .contains("\"food\":\"food\"", "\"sights\":\"sights\"", "\"previous_score\":0.5");
        job.assertAttempts("write_guide", 2).assertAttempts("collect_places", 2);
        assertThat(job.data().object("transport").orElseThrow().object("seen"))
                .contains(json("{'city':'Porto','constraints':['max 2 pages']}"));
    }

    @Test
    void whatIsNeverGoodEnough_failsTheProcess() {
        cityGuide(success("{'score':0.1}"))
                .run(1)
                .assertFailed("step 'compose' failed: its output is not good enough after 3 rounds")
                .assertAttempts("write_guide", 3);
    }

    static ArtelSimulation transportNotes() {
        var agents =
                FakeWorker.named("agents")
                        .doing("list_modes", success("{'modes':['tram']}"))
                        .doing("describe_mode", echo());

        return ArtelSimulation.of(CardTexts.file("transport-notes.yaml").blueprint())
                .child(CardTexts.file("transport-notes.yaml"))
                .workers(agents)
                .initialData(json("{'city':'Porto','constraints':['max 2 pages']}"))
                .at(
                        Duration.ofSeconds(30),
                        ScriptedEvent.signal("fares_published", JsonValue.of("2.50")));
    }

    @Test
    void aSubprocessLoop_runsTheChildOnceForEachIndex_andAwaitsAnEvent() {
        var job = transportNotes().run(1);

        assertThat(result(job)).isEqualTo(json("{'notes':{'modes':['tram']}}"));
        job.assertWentThrough("modes", "each", "each.gathered", "fares", "end");
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "5, 4"})
    void attemptsMayBeLost_asOftenAsTheCardSays(int maxLost, int attempts) {
        var crash = ScriptedAnswer.crash(Duration.ofSeconds(1));
        var card =
                CardTexts.steps(
                        "- {id: go, action: go, output: it, retry: {max_lost: %d}}"
                                .formatted(maxLost),
                        "- {id: end, type: complete, result: '${it}'}");
        var job =
                simulation(
                                card,
                                FakeWorker.named("agents")
                                        .doing("go", crash, crash, crash, success("{'a':1}")))
                        .run(1);

        job.assertAttempts("go", attempts);
        if (attempts < 4) {
            job.assertFailed("step 'go' failed: was lost 2 times (agents, agents)");
        } else {
            assertThat(result(job)).isEqualTo(json("{'a':1}"));
        }
    }

    @Test
    void whatWasDone_isCompensatedWithItsOutput() {
        var card =
                CardTexts.steps(
                        "- {id: book, action: book, output: booking, compensation: {action: cancel, params: {id:"
                                + " '${booking.id}'}}}",
                        "- {id: pay, action: pay, retry: {max_attempts: 1}}");
        var job =
                simulation(
                                card,
                                FakeWorker.named("agents")
                                        .doing("book", success("{'id':'b7'}"))
                                        .doing("pay", ScriptedAnswer.permanentFailure("no money"))
                                        .doing("cancel", echo()))
                        .run(1);

        job.assertFailed("step 'pay' failed: no money").assertAttempts("cancel", 1);
        assertThat(job.data().object("book.compensation")).contains(json("{'id':'b7'}"));
    }

    @Test
    void whatFails_isSkippedWhereTheCardGoesOn() {
        var card =
                CardTexts.spec(
                        "variables: {facts: none}",
                        "steps:",
                        "  - {id: gather, action: gather, output: facts, retry: {max_attempts: 1, on_failure: continue}}",
                        "  - {id: end, type: complete, result: '${facts}'}");

        assertThat(
                        result(
                                simulation(
                                                card,
                                                FakeWorker.named("agents")
                                                        .doing(
                                                                "gather",
                                                                ScriptedAnswer.permanentFailure(
                                                                        "no")))
                                        .run(1)))
                .isEqualTo(JsonValue.of("none"));
    }

    @Test
    void whatFails_isEscalatedToAPerson_whoHasItTriedAgain() {
        var card =
                CardTexts.steps(
                        "- {id: gather, action: gather, output: facts, retry: {max_attempts: 1, on_failure: escalate}}",
                        "- {id: end, type: complete, result: '${facts}'}");
        var job =
                simulation(
                                card,
                                FakeWorker.named("agents")
                                        .doing(
                                                "gather",
                                                ScriptedAnswer.permanentFailure("no"),
                                                success("{'n':1}")))
                        .at(Duration.ofMinutes(1), ScriptedEvent.decision("retry"))
                        .run(1);

        assertThat(result(job)).isEqualTo(json("{'n':1}"));
        job.assertWentThrough("gather", "gather.escalated", "gather");
    }

    @Test
    void stepsThatDependOnNothing_runAtTheSameTime() {
        var card =
                CardTexts.steps(
                        "- {id: a, action: slow, timeout: 20m}",
                        "- {id: b, action: slow, timeout: 20m}",
                        "- {id: c, action: quick, depends_on: [a, b], params: {a: '${input.n}'}, output: c}",
                        "- {id: end, type: complete, result: '${c}'}");
        var job =
                simulation(
                                card,
                                FakeWorker.named("agents")
                                        .slots(2)
                                        .doing(
                                                "slow",
                                                ScriptedAnswer.success()
                                                        .after(Duration.ofMinutes(10)))
                                        .doing("quick", echo()))
                        .initialData(json("{'n':1}"))
                        .run(1);

        assertThat(result(job)).isEqualTo(json("{'a':1}"));
        job.assertTookAtMost(Duration.ofMinutes(12)).assertWentThrough("fork.1", "c", "end");
    }

    @Test
    void aReferenceToNothing_failsItsStepAndNamesThePath() {
        simulation(
                        CardTexts.spec(
                                "variables: {facts: null}",
                                "steps:",
                                "  - {id: write, action: write, params: {items: '${facts.items}'}}"),
                        FakeWorker.named("agents").doing("write", echo()))
                .run(1)
                .assertFailed(
                        "step 'write' failed: ${facts.items} has no value: facts is null (INVALID_ARGUMENT)")
                .assertAttempts("write", 0);
    }

    @Test
    void aLenientCard_leavesAReferenceToNothingAsItIs() {
        var job =
                simulation(
                                CardTexts.spec(
                                        "variables: {facts: null}",
                                        "lenient_templates: true",
                                        "steps:",
                                        "  - {id: write, action: write, output: it, params: {a: '${facts.items}', b: 'x"
                                                + " ${facts.items}'}}"),
                                FakeWorker.named("agents").doing("write", echo()))
                        .run(1);

        assertThat(job.data().object("it"))
                .contains(json("{'a':'${facts.items}','b':'x ${facts.items}'}"));
    }

    @Test
    void aProcessEndsAsItsCardSays() {
        simulation(
                        CardTexts.steps(
                                "- {id: no, type: complete, status: failure, result: 'because of ${input.why}'}"))
                .initialData(json("{'why':'rain'}"))
                .run(1)
                .assertFailed("step 'no' ended the process as a failure: because of rain");
        simulation(CardTexts.steps("- {id: no, type: complete, status: cancelled}"))
                .run(1)
                .assertCancelled();
    }

    @Test
    void whateverFails_aCardReachesItsEnd() {
        cityGuide(success("{'score':0.95}"))
                .faults(
                        Duration.ofMinutes(1),
                        Trait.ORCHESTRATOR_CRASHES,
                        Trait.MESSAGES_LOST,
                        Trait.MESSAGES_DOUBLED)
                .runs(1, 10, SimulatedJob::assertFinished);
    }

    @Test
    void aCardThatHasSpentItsBudget_fails() {
        var card =
                CardTexts.spec(
                        "budget: {max_cost_usd: 5.00, max_llm_calls: 1, on_budget_exhausted: stop}",
                        "steps:",
                        "  - {id: first, action: work}",
                        "  - {id: second, action: work, params: {n: 2}}");

        simulation(card, FakeWorker.named("agents").doing("work", echo()))
                .run(1)
                .assertFailed("RESOURCE_EXHAUSTED: of the budget of 1 calls")
                .assertAttempts("work", 1);
    }

    private static String loopOverItems() {
        return CardTexts.steps(
                "- id: each",
                "  type: subprocess_loop",
                "  loop: {from_variable: input.items, max_parallel: 2}",
                "  inputs: {at: '${loop.index}', it: '${loop.item}'}",
                "  output: all",
                "  subprocess: {steps: [{id: work, action: work, params: {it: '${input.it}'}, output: done}, {id: end,"
                        + " type: complete, result: {at: '${input.at}', done: '${done.it}'}}]}",
                "- {id: end, type: complete, result: {all: '${all}'}}");
    }

    @Test
    void aLoopOverAList_gathersTheResultsInItsOrder_alsoOfNoItems() {
        var worker = FakeWorker.named("agents").slots(2).doing("work", echo());

        assertThat(
                        result(
                                simulation(loopOverItems(), worker)
                                        .initialData(json("{'items':['a','b','c']}"))
                                        .run(1)))
                .isEqualTo(
                        json(
                                "{'all':[{'at':0,'done':'a'},{'at':1,'done':'b'},{'at':2,'done':'c'}]}"));
        assertThat(
                        result(
                                simulation(loopOverItems(), worker)
                                        .initialData(json("{'items':[]}"))
                                        .run(1)))
                .isEqualTo(json("{'all':[]}"));
        simulation(loopOverItems(), worker)
                .initialData(json("{'items':'many'}"))
                .run(1)
                .assertFailed(
                        "step 'each' failed: a loop runs over a list of at most 10000 values");
    }

    /// Trap: what is too much for the engine is a fault of the handler, tried again and quarantined, whatever the step does on failure.
    @Test
    void aLoopOrAWaitThatIsTooLong_failsItsStep() {
        var worker = FakeWorker.named("agents").slots(2).doing("work", echo());
        simulation(loopOverItems(), worker)
                .initialData(
                        JsonObject.of(
                                "items",
                                new JsonArray(Collections.nCopies(10_001, JsonNumber.of(1)))))
                .run(1)
                .assertFailed(
                        "step 'each' failed: a loop runs over a list of at most 10000 values");
        var wait =
                CardTexts.steps(
                        "- {id: pause, type: wait, duration: '${input.time}'}",
                        "- {id: end, type: complete}");
        simulation(wait, worker)
                .initialData(json("{'time':'99999d'}"))
                .run(1)
                .assertFailed("is no time up to 36500 days");
    }

    @Test
    void aSubprocessThatFails_failsItsStepAndSaysWhy() {
        var card =
                CardTexts.steps(
                        "- id: part",
                        "  subprocess: {steps: [{id: work, action: work, retry: {max_attempts: 1}}]}");

        simulation(
                        card,
                        FakeWorker.named("agents")
                                .doing("work", ScriptedAnswer.permanentFailure("no paper")))
                .run(1)
                .assertFailed("step 'part' failed: process ")
                .assertFailed("no paper");
    }

    @Test
    void ofBranchesOneMaySuffice_andTheirOutputsAreGathered() {
        var card =
                CardTexts.steps(
                        "- id: both",
                        "  type: parallel",
                        "  wait_for: any",
                        "  output: got",
                        "  branches: [{id: quick, action: quick}, [{id: bad, action: bad, retry: {max_attempts: 1}}]]",
                        "- {id: end, type: complete, result: '${got}'}");

        assertThat(
                        result(
                                simulation(
                                                card,
                                                FakeWorker.named("agents")
                                                        .doing("quick", success("{'n':1}"))
                                                        .doing(
                                                                "bad",
                                                                ScriptedAnswer.permanentFailure(
                                                                        "no")))
                                        .run(1)))
                .isEqualTo(json("{'quick':{'n':1}}"));
    }

    @Test
    void aBranchThatFails_failsTheProcessWithItsReason() {
        var card =
                CardTexts.steps(
                        "- {id: both, type: parallel, branches: [{id: good, action: good}, {id: bad, action: bad, retry:"
                                + " {max_attempts: 1}}]}");

        simulation(
                        card,
                        FakeWorker.named("agents")
                                .doing("good", echo())
                                .doing("bad", ScriptedAnswer.permanentFailure("no luck")))
                .run(1)
                .assertFailed("step 'bad' failed: no luck");
    }

    @Test
    void whatNobodyAnswersInTime_isEscalated() {
        var card =
                CardTexts.steps(
                        "- {id: fares, type: wait, event: fares, timeout: 10m, on_timeout: escalate}",
                        "- {id: end, type: complete, result: done}");

        var job =
                simulation(card)
                        .at(Duration.ofMinutes(20), ScriptedEvent.decision("continue"))
                        .run(1);

        assertThat(result(job)).isEqualTo(JsonValue.of("done"));
        job.assertWentThrough("fares", "fares.escalated", "end");
    }

    @Test
    void whatComesWithAnEvent_isTheOutputOfItsStep() {
        var card =
                CardTexts.steps(
                        "- {id: payment, type: wait, event: paid, timeout: 10m, on_timeout: continue, output: money}",
                        "- {id: end, type: complete, result: '${money.amount}'}");

        var job =
                simulation(card)
                        .at(
                                Duration.ofMinutes(1),
                                ScriptedEvent.signal("paid", json("{'amount':7}")))
                        .run(1);

        assertThat(result(job)).isEqualTo(JsonValue.of(7));
        job.assertWentThrough("payment", "payment.received", "end");
    }

    /// A process that waits behind a subprocess, which returns a number.
    private static ArtelSimulation behindASubprocess(String step) {
        return simulation(
                        CardTexts.steps(
                                "- " + step,
                                "- {id: pause, event: go}",
                                "- {id: end, type: complete, result: '${notes}'}"))
                .at(Duration.ofMinutes(5), ScriptedEvent.signal("go", JsonObject.EMPTY));
    }

    private static final String INNER =
            "subprocess: {steps: [{id: end, type: complete, result: {n: 1}}]}, output: notes";

    @Test
    void aProcessThatIsTakenBackToWhereAResultIsGathered_runsItsSubprocessAgain() {
        var job =
                behindASubprocess("{id: run, " + INNER + "}")
                        .at(Duration.ofMinutes(1), ScriptedEvent.rewind("pause", "run.gathered"))
                        .run(1);

        assertThat(result(job)).isEqualTo(json("{'n':1}"));
        job.assertWentThrough(
                "run", "run.gathered", "pause", "run.gathered", "run", "pause", "end");
    }

    @Test
    void aProcessThatIsTakenBackToWhereALoopIsGathered_losesNoResult() {
        var job =
                behindASubprocess("{id: run, loop: {count: 2}, " + INNER + "}")
                        .at(Duration.ofMinutes(1), ScriptedEvent.rewind("pause", "run.gathered"))
                        .run(1);

        assertThat(result(job).toString()).isEqualTo("[{\"n\":1},{\"n\":1}]");
    }

    @Test
    void aSubprocessThatCannotBegin_failsForItsOwnReason_notForThatOfAnEarlierStep() {
        simulation(
                        CardTexts.spec(
                                "subprocess_config: {max_depth: 0}",
                                "steps:",
                                "  - {id: first, action: work, retry: {max_attempts: 1}, on_failure: continue}",
                                "  - {id: run, " + INNER + "}"),
                        FakeWorker.named("w").doing("work", ScriptedAnswer.failure("no luck")))
                .run(1)
                .assertFailed("step 'run' failed: its subprocess cannot begin");
    }

    @Test
    void aStepThatAPersonGivesUp_failsForItsOwnReason_alsoWhenAnotherBranchFailsMeanwhile() {
        simulation(
                        CardTexts.steps(
                                "- id: both",
                                "  branches:",
                                "    - [{id: asked, action: work, retry: {max_attempts: 1}, on_failure: escalate}]",
                                "    - - {id: pause, duration: 1m}",
                                "      - {id: late, action: work, retry: {max_attempts: 1}, on_failure: continue}",
                                "      - {id: more, event: go, timeout: 10m}"),
                        FakeWorker.named("w").doing("work", ScriptedAnswer.failure("no luck")))
                .at(Duration.ofMinutes(5), ScriptedEvent.decision("abort"))
                .run(1)
                .assertFailed("step 'asked' failed: no luck");
    }

    private static ArtelSimulation withLargeInput(String step) {
        return simulation(CardTexts.steps(step.formatted("${input.t}".repeat(4_000))))
                .initialData(JsonObject.of("t", JsonValue.of("x".repeat(900_000))));
    }

    /// Trap: a card of 40 KB repeats a value until there is more of it than memory.
    @Test
    void referencesThatComeToMoreThanMemory_areCutInMessages_andAFailureOfTheStepElsewhere() {
        withLargeInput("- {id: ask, type: human_checkpoint, message: '%s'}")
                .at(Duration.ofMinutes(5), ScriptedEvent.decision("approve"))
                .run(1)
                .assertFinished();
        withLargeInput("- {id: end, type: complete, status: failure, result: '%s'}")
                .run(1)
                .assertFailed("step 'end' ended the process as a failure: xxx");
        withLargeInput("- {id: end, type: complete, result: '%s'}")
                .run(1)
                .assertFailed("step 'end' failed: its references come to texts of more than");
        withLargeInput("- {id: go, action: walk, params: {all: '%s'}}")
                .run(1)
                .assertFailed("refer to large values less often (RESOURCE_EXHAUSTED)");
        withLargeInput("- {id: go, type: replan, card: '%s'}")
                .run(1)
                .assertFailed("the card of the plan has more than 1048576 characters");
        withLargeInput("- {id: go, type: wait, duration: '%s'}")
                .run(1)
                .assertFailed("x' is no time up to 36500 days");
    }
}
