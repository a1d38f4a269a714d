package dev.artel.examples.own;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Step;
import dev.artel.blueprint.TaskType;
import dev.artel.client.ArtelClient;
import dev.artel.client.JobRef;
import dev.artel.client.JobStatus;
import dev.artel.client.JobSubmission;
import dev.artel.client.QuestionView;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import dev.artel.worker.Handles;
import dev.artel.worker.TaskContext;
import dev.artel.worker.Worker;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A worker that asks before it goes on, as in docs/howto/questions.md.
final class AskingWorkerTest {
    private static final TaskType<JsonObject, JsonObject> WRITE =
            TaskType.of("write", JsonObject.class, JsonObject.class);
    private static final Blueprint REPORT = report();

    private static Blueprint report() {
        var b = Blueprint.states(BlueprintType.of("report", JsonObject.class, JsonObject.class));
        var done = b.finish("done", step -> step.result(WRITE));
        b.start("write").call(WRITE, Step::input).then(done);
        return b.build();
    }

    /// Needs to know who will read what it writes.
    static final class Author {
        @Handles("write")
        Map<String, String> write(TaskContext task) throws InterruptedException {
            var audience = task.ask("Who is it for?", "board", "engineers");
            return Map.of("report", "for the " + audience);
        }
    }

    @TempDir Path folder;

    @Test
    void theWorkerWaitsForItsAnswer_alsoOverARestartOfTheOrchestrator() {
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder);
        JobRef job;
        try (var node = ArtelNode.start(config, Blueprints.of(REPORT));
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var worker = worker(node)) {
            worker.start();
            job = client.submit(JobSubmission.of("report", JsonObject.EMPTY));
            await().until(() -> client.questions(job).stream().anyMatch(QuestionView::isOpen));
        }
        try (var node = ArtelNode.start(config, Blueprints.of(REPORT));
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var worker = worker(node)) {
            for (var question : client.questions(job)) {
                assertThat(question.text()).isEqualTo("Who is it for?");
                assertThat(question.choices()).containsExactly("board", "engineers");
                client.answer(job, question.number(), "board");
            }
            worker.start();
            var done = client.awaitFinal(job, Await.longest());

            assertThat(done.status()).isEqualTo(JobStatus.FINISHED);
            assertThat(client.questions(job))
                    .singleElement()
                    .satisfies(question -> assertThat(question.answer()).contains("board"));
        }
    }

    private static Worker worker(ArtelNode node) {
        return Worker.named("author")
                .orchestrator(node.uri(), node.workerToken())
                .handlers(new Author())
                .withoutShutdownHook()
                .build();
    }
}
