package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.Supervision;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.JobId;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.supervision.Launch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What cannot be read keeps nothing else from running.
final class UnreadableJobsTest {
    private static final Blueprint WAITS =
            Blueprint.named("waits")
                    .start("wait", _ -> Action.awaitSignal("go", "done"))
                    .leadingTo("done")
                    .state("done", _ -> Action.finish(JsonObject.EMPTY))
                    .build();

    private static final Blueprint QUICK =
            Blueprint.named("quick").start("only", _ -> Action.finish(JsonObject.EMPTY)).build();

    @TempDir Path folder;

    private ArtelNode node(Launch launch) {
        return TestNodes.launched(
                TestNodes.CONFIG.withData(folder), Blueprints.of(WAITS, QUICK), launch);
    }

    private void corrupt(String job) throws Exception {
        Path database;
        try (var files = Files.list(folder)) {
            database =
                    files.filter(file -> file.toString().endsWith(".db")).findFirst().orElseThrow();
        }
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                var statement =
                        connection.prepareStatement(
                                "UPDATE append SET events = X'5B7B' WHERE position = (SELECT max(position)"
                                        + " FROM append JOIN job ON append.job_key = job.job_key WHERE"
                                        + " job.id = ?)")) {
            statement.setString(1, job);
            assertThat(statement.executeUpdate()).isOne();
        } catch (SQLException e) {
            throw new AssertionError("corrupting " + job, e);
        }
    }

    /// Lets a job that waits go on to its end.
    private static void goOn(TestClient client, String job) {
        var signal = client.post("/api/v1/jobs/" + job + "/signals/go", "{\"id\":\"1\"}");
        assertThat(signal.status()).as(signal.text()).isEqualTo(202);
        awaitEnd(client, job);
    }

    private static void awaitEnd(TestClient client, String job) {
        await().untilAsserted(() ->
                assertThat(client.get("/api/v1/jobs/" + job).text())
                        .contains("\"status\":\"finished\""));
    }

    /// Trap: one open job whose events cannot be read prevents the start of all.
    @Test
    void anOpenJobThatCannotBeRead_isSetAside_andTheOthersGoOn() throws Exception {
        List<String> jobs;
        try (var node = node(Launch.EMBEDDED)) {
            var client = TestClient.of(node);
            var waits = "{\"blueprint\":\"waits\"}";
            jobs = List.of(client.submit(waits), client.submit(waits), client.submit(waits));
            await().untilAsserted(() ->
                    assertThat(client.get("/api/v1/jobs/" + jobs.get(1)).text())
                            .contains("\"status\":\"waiting_for_signal\""));
        }
        corrupt(jobs.get(1));
        try (var node = node(Launch.EMBEDDED)) {
            var client = TestClient.of(node);

            assertThat(client.get("/readyz").status()).isEqualTo(200);
            assertThat(client.get("/readyz").text()).contains("1 jobs were set aside");
            assertThat(client.get("/api/v1/unreadable").text())
                    .contains(jobs.get(1))
                    .contains("reading")
                    .doesNotContain(jobs.get(0));
            assertThat(client.get("/metrics").text()).contains("artel_unreadable 1");
            var read = client.get("/api/v1/jobs/" + jobs.get(1));
            assertThat(read.status()).isEqualTo(500);
            assertThat(read.text()).contains("cannot be read").doesNotContain("Internal error");
            assertThat(client.post("/api/v1/jobs/" + jobs.get(1) + "/cancel", "{}").text())
                    .contains("cannot be read");
            goOn(client, jobs.get(0));
            goOn(client, jobs.get(2));
        }
    }

    /// Trap: who asks for the approvals of a job of somebody else, which could name it, learns that the job is there and
    /// cannot be read.
    @Test
    void aJobOfSomebodyElseThatCannotBeRead_isNotThere() throws Exception {
        Files.writeString(
                folder.resolve("clients.toml"), "[bob]\ntoken = \"token-of-bob-012345678\"\n");
        String job;
        try (var node = node(Launch.EMBEDDED)) {
            var client = TestClient.of(node);
            job = client.submit("{\"blueprint\":\"waits\"}");
            await().untilAsserted(() ->
                    assertThat(client.get("/api/v1/jobs/" + job).text())
                            .contains("\"status\":\"waiting_for_signal\""));
        }
        corrupt(job);
        try (var node = node(Launch.EMBEDDED)) {
            var bob = new TestClient(node.uri(), "X-Client-Token", "token-of-bob-012345678");
            var approvals = "/api/v1/jobs/" + job + "/approvals";
            for (var answer :
                    List.of(
                            bob.get(approvals),
                            bob.post(approvals + "/1", "{\"decision\":\"approve\"}"))) {
                assertThat(answer.status()).isEqualTo(404);
                assertThat(answer.error()).isEqualTo("Job not found");
                assertThat(answer.detail()).isEmpty();
            }
        }
    }

    /// Trap: a request for a job whose events cannot be read gets an error that names no cause.
    @Test
    void aClosedJobThatCannotBeRead_saysWhy() throws Exception {
        String job;
        try (var node = node(Launch.EMBEDDED)) {
            var client = TestClient.of(node);
            job = client.submit("{\"blueprint\":\"quick\"}");
            awaitEnd(client, job);
        }
        corrupt(job);
        try (var node = node(Launch.EMBEDDED)) {
            var client = TestClient.of(node);
            for (var path : List.of("", "/history", "/explain")) {
                var answer = client.get("/api/v1/jobs/" + job + path);
                assertThat(answer.status()).isEqualTo(500);
                assertThat(answer.text())
                        .contains("What is stored of this cannot be read")
                        .doesNotContain("Internal error");
            }
        }
    }

    /// Trap: one who only looks on throws, and what the events of a job ask for is not done.
    @Test
    void anObserverThatThrows_keepsNothingFromHappening() {
        try (var node = node(Launch.EMBEDDED)) {
            node.engine()
                    .observedBy((_, _) -> {
                        throw new IllegalStateException("planted by the test");
                    });
            var client = TestClient.of(node);

            goOn(client, client.submit("{\"blueprint\":\"waits\"}"));
        }
    }

    /// Trap: a job that ends the process is taken up again at each start, and ends it again.
    @Test
    void aJobThatIsSetAside_isNotTakenUp_andTheOthersGoOn() {
        List<String> jobs;
        try (var node = node(Launch.EMBEDDED)) {
            var client = TestClient.of(node);
            var waits = "{\"blueprint\":\"waits\"}";
            jobs = List.of(client.submit(waits), client.submit(waits));
        }
        var poison = jobs.getFirst();
        try (var node =
                node(
                        new Launch(
                                List.of("broken.jar: no"),
                                _ -> new SetsAside(poison),
                                Optional.empty()))) {
            var client = TestClient.of(node);

            goOn(client, jobs.get(1));
            assertThat(client.get("/api/v1/unreadable").text())
                    .contains(poison)
                    .contains("it ended the process twice");
            assertThat(client.get("/readyz").text()).contains("broken.jar: no");
            assertThat(client.post("/api/v1/jobs/" + poison + "/cancel", "{}").text())
                    .contains("it ended the process twice");
            assertThat(client.get("/api/v1/jobs/" + poison).text()).doesNotContain("finished");
            assertThat(client.get("/api/v1/jobs/" + poison + "/explain").text())
                    .contains("could not read this job")
                    .contains("it ended the process twice");
        }
    }

    private record SetsAside(String poison) implements Supervision {
        @Override
        public void fatal(String part, Throwable error, List<JobId> workedOn) {
            throw new AssertionError(part, error);
        }

        @Override
        public Optional<String> setAside(JobId job) {
            return job.value().equals(poison)
                    ? Optional.of("it ended the process twice")
                    : Optional.empty();
        }

        @Override
        public boolean setsAsideAny() {
            return true;
        }
    }
}
