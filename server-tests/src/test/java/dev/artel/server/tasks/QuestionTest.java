package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Workers that ask before they go on, and those who know.
final class QuestionTest {
    private static final String WHICH =
            "{\"question\":\"Which account?\",\"choices\":[\"savings\",\"current\"]}";

    private static ArtelNode node;
    private static TestClient client;
    private static TestClient workers;

    @BeforeAll
    static void start() {
        var pay =
                Blueprint.named("pay")
                        .start(
                                "pay",
                                step ->
                                        Action.dispatch(
                                                TaskSpec.of("pay", step.initialData()),
                                                Outcomes.on("success", "done")))
                        .leadingTo("done")
                        .end("done")
                        .build();
        node =
                ArtelNode.start(
                        TestNodes.CONFIG,
                        Blueprints.of(pay),
                        new Storage(
                                new InMemoryEventStore(),
                                new InMemoryPayloadStore(),
                                new InMemoryFleet()));
        client = TestClient.of(node);
        workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /// A job whose only task a worker has, and what it asks of it, which waits for an answer.
    private static final class Asking {
        final String job = client.submit("{\"blueprint\":\"pay\"}");
        final TestWorker worker;
        final JsonObject task;
        final CompletableFuture<Answer> heard;

        Asking(String name) {
            worker = new TestWorker(node, name, "pay");
            task = worker.next();
            heard = CompletableFuture.supplyAsync(() -> ask(name, task, WHICH));
            await().untilAsserted(() -> assertThat(questions()).contains("\"status\":\"open\""));
        }

        String questions() {
            return client.get("/api/v1/jobs/" + job + "/questions").text();
        }

        Answer answer(String body) {
            return client.post("/api/v1/jobs/" + job + "/questions/" + number(), body);
        }

        String number() {
            return questions().replaceFirst(".*?\"question\":(\\d+).*", "$1");
        }

        void leave(String name) {
            workers.method("DELETE", "/_worker/workers/" + name);
        }
    }

    private static Answer ask(String worker, JsonObject task, String question) {
        var id = task.string("task_id").orElseThrow();
        return workers.post("/_worker/workers/" + worker + "/tasks/" + id + "/question", question);
    }

    @Test
    void whoAsks_isAnsweredAtOnceWhenSomebodyKnows_andGoesOn() {
        var it = new Asking("curious");
        assertThat(client.get("/api/v1/jobs/" + it.job).text())
                .contains("\"status\":\"waiting_for_human\"");
        assertThat(client.get("/api/v1/jobs/" + it.job + "/explain").text())
                .contains(
                        "curious waits in attempt 1 for the answer to question "
                                + it.number()
                                + ": Which account? [savings, current]; it takes up no slot",
                        "answer: POST /api/v1/jobs/" + it.job + "/questions/" + it.number());
        assertThat(client.get("/api/v1/jobs/" + it.job + "/tasks/0").text())
                .contains("\"status\":\"parked\"", "\"text\":\"Which account?\"");

        var number = it.number();
        assertThat(it.answer("{\"answer\":\"savings\"}").status()).isEqualTo(200);

        assertThat(it.heard.join().text())
                .isEqualTo("{\"status\":\"answered\",\"answer\":\"savings\"}");
        var done = it.worker.report(it.task, JsonObject.of("from", JsonValue.of("savings")));
        assertThat(done.text()).contains("result_accepted_success");
        assertThat(client.get("/api/v1/jobs/" + it.job + "?wait=60").text())
                .contains("\"status\":\"finished\"");
        assertThat(client.get("/api/v1/jobs/" + it.job + "/history").text())
                .contains(
                        "\"type\":\"question.asked\"",
                        "\"type\":\"question.answered\"",
                        "\"by\":\"client ");
        assertThat(it.questions())
                .contains("\"question\":" + number, "\"answer\":\"savings\"", "\"by\":\"client ");
    }

    /// Trap: a worker that dies while a person thinks takes the question along.
    @Test
    void theQuestionOfAWorkerThatIsGone_isAnsweredToTheNextOne() {
        var it = new Asking("mortal");
        it.leave("mortal");
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + it.job + "/explain").text())
                        .contains("mortal asked question", "and is gone since"));

        assertThat(it.answer("{\"answer\":\"current\"}").status()).isEqualTo(200);

        var heir = new TestWorker(node, "heir", "pay");
        var again = heir.next();
        assertThat(again.string("job_id")).contains(it.job);
        assertThat(again.toString())
                .contains("\"question\":\"Which account?\",\"answer\":\"current\"");
        assertThat(ask("heir", again, WHICH).text())
                .isEqualTo("{\"status\":\"answered\",\"answer\":\"current\"}");
        heir.report(again, JsonObject.EMPTY);
        assertThat(client.get("/api/v1/jobs/" + it.job + "?wait=60").text())
                .contains("\"status\":\"finished\"");
        it.leave("heir");
    }

    @Test
    void aQuestionAndAnAnswerThatMakeNoSense_areRefused_andTheRightOneIsTakenOnce() {
        var it = new Asking("careful");
        var number = it.number();

        assertThat(it.answer("{\"answer\":\"hers\"}").text())
                .contains(
                        "\"error\":\"Invalid answer\"",
                        "it has no choice 'hers'; choose one of [savings, current]");
        assertThat(it.answer("{\"answer\":7}").text())
                .contains("answer must be a text of 1 to 16000 characters");
        assertThat(it.answer("{\"answer\":\"savings\",\"comment\":\"x\"}").status()).isEqualTo(400);
        assertThat(client.post("/api/v1/jobs/" + it.job + "/questions/99", "{\"answer\":\"x\"}"))
                .satisfies(answer -> {
                    assertThat(answer.status()).isEqualTo(409);
                    assertThat(answer.text())
                            .contains(
                                    "\"error\":\"No task waits for this answer\"",
                                    "question 99 cannot be answered: it has no such question that is"
                                            + " open; list those that it waits for");
                });
        assertThat(ask("careful", it.task, "{\"question\":\"And when?\"}").text())
                .contains(
                        "\"status\":\"ignored\"",
                        "the attempt waits for the answer to question "
                                + number
                                + "; ask one thing after the other");
        assertThat(ask("somebody", it.task, WHICH).text())
                .isEqualTo("{\"status\":\"ignored\",\"reason\":\"stale\"}");

        assertThat(it.answer("{\"answer\":\"savings\"}").status()).isEqualTo(200);
        var path = "/api/v1/jobs/" + it.job + "/questions/" + number;
        assertThat(client.post(path, "{\"answer\":\"savings\"}").status()).isEqualTo(200);
        assertThat(client.post(path, "{\"answer\":\"current\"}"))
                .satisfies(answer -> {
                    assertThat(answer.status()).isEqualTo(409);
                    assertThat(answer.text()).contains("it was answered at", "once and for all");
                });
        it.leave("careful");
        client.post("/api/v1/jobs/" + it.job + "/cancel", "{}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | question: expected a string, found nothing",
                "{\"question\":\"?\",\"choices\":[\"a\",\"a\"]} | choices: expected choices that differ",
                "{\"question\":\"?\",\"answer_within_ms\":-1} | answer_within_ms: expected",
                "[] | expected an object",
            })
    void aQuestionThatIsNone_isRefused(String body, String error) {
        var answer = workers.post("/_worker/workers/nobody/tasks/t1/question", body);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains(error);
    }

    @Test
    void aWorkerThatIsCancelledWhileItWaits_isNotified_andNobodyCanAnswerAnyMore() {
        var it = new Asking("patient");
        var number = it.number();

        client.post("/api/v1/jobs/" + it.job + "/cancel", "{}");

        assertThat(ask("patient", it.task, WHICH).text())
                .isEqualTo("{\"status\":\"ignored\",\"reason\":\"stale\"}");
        it.leave("patient");
        client.get("/api/v1/jobs/" + it.job + "?wait=60");
        var late =
                client.post(
                        "/api/v1/jobs/" + it.job + "/questions/" + number,
                        "{\"answer\":\"savings\"}");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.text()).contains("the job does not wait for it");
    }
}
