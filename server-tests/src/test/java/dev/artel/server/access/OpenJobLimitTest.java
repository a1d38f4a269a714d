package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenJobLimitTest {
    private static final int MOST = 3;
    private static final String JOB = "{\"blueprint\":\"waiting\"}";

    @TempDir private Path folder;
    private ArtelNode node;
    private TestClient alice;

    private static Blueprint waiting() {
        return Blueprint.named("waiting")
                .start("begin", _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    @BeforeEach
    void start() throws IOException {
        Files.writeString(
                folder.resolve("clients.toml"),
                """
                [alice]
                token = "token-of-alice-0123456"
                max_open_jobs = 3
                """);
        node = ArtelNode.start(TestNodes.CONFIG.withData(folder), Blueprints.of(waiting()));
        alice = new TestClient(node.uri(), "X-Client-Token", "token-of-alice-0123456");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void aClientWithAsManyOpenJobsAsItMayHave_isRefused_untilOneEnds() {
        var known = JOB.replace("}", ",\"idempotency_key\":\"k\"}");
        var first = alice.submit(known);
        alice.submit(JOB);
        alice.submit(JOB);

        var refused = alice.post("/api/v1/jobs", JOB);
        var fork = alice.post("/api/v1/jobs/" + first + "/fork", "{\"state\":\"begin\"}");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.object().string("code")).contains("too_many_open_jobs");
        assertThat(refused.detail()).contains("client alice may have 3 open jobs");
        assertThat(fork.object().string("code")).contains("too_many_open_jobs");
        assertThat(alice.submit(known)).isEqualTo(first);
        assertThat(TestClient.of(node).post("/api/v1/jobs", JOB).status()).isEqualTo(202);

        alice.post("/api/v1/jobs/" + first + "/cancel", "");

        await().until(() -> alice.post("/api/v1/jobs", JOB).status() == 202);
    }

    /// Trap: each of many requests finds that there is room for one more.
    @Test
    void manySubmissionsAtOnce_takeNoMorePlacesThanThereAre() throws Exception {
        var answers = new ArrayList<Future<Integer>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < 20; i++) {
                answers.add(threads.submit(() -> alice.post("/api/v1/jobs", JOB).status()));
            }
        }

        var statuses = new ArrayList<Integer>();
        for (var answer : answers) {
            statuses.add(answer.get());
        }
        assertThat(Collections.frequency(statuses, 202)).isEqualTo(MOST);
        assertThat(Collections.frequency(statuses, 429)).isEqualTo(20 - MOST);
    }

    @Test
    void jobsOfOneRequest_areRefusedEachForItself() {
        var jobs = String.join(",", Collections.nCopies(5, JOB));

        var answer = alice.post("/api/v1/bulk", "{\"jobs\":[" + jobs + "]}");

        assertThat(List.of(answer.object().get("accepted"), answer.object().get("refused")))
                .hasToString("[Optional[3], Optional[2]]");
    }
}
