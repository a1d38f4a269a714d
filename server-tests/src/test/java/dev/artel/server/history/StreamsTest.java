package dev.artel.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.EngineConfig;
import dev.artel.engine.shell.StallSettings;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.server.FullableStore;
import dev.artel.server.StreamReader;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StreamsTest {
    private ArtelNode node;
    private TestClient client;

    @BeforeEach
    void start() {
        node = TestNodes.inMemory();
        client = TestClient.of(node);
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String run(String blueprint, String task) {
        var id = client.submit("{\"blueprint\":\"" + blueprint + "\"}");
        var worker = new TestWorker(node, "w1", task);
        worker.report(worker.next(), JsonObject.EMPTY);
        client.get("/api/v1/jobs/" + id + "?wait=60");
        return id;
    }

    @Test
    void aJobIsFollowed_asItHappens_untilItIsClosed() throws IOException {
        var id = client.submit("{\"blueprint\":\"echo\",\"initial_data\":{\"x\":1}}");
        try (var stream = StreamReader.of(node, "/jobs/" + id + "/events")) {
            assertThat(stream.header("Content-Type")).startsWith("text/event-stream");
            assertThat(types(stream, 4))
                    .containsExactly("job.submitted", "state.entered", "step.done", "task.opened");

            var worker = new TestWorker(node, "w1", "echo");
            worker.report(worker.next(), JsonObject.EMPTY);

            assertThat(types(stream, 5))
                    .containsExactly(
                            "lease.granted",
                            "task.succeeded",
                            "state.entered",
                            "step.done",
                            "job.ended");
            assertThat(stream.next()).isNull();
        }
    }

    private static List<String> types(StreamReader stream, int count) throws IOException {
        var types = new ArrayList<String>();
        for (var i = 0; i < count; i++) {
            types.add(stream.require().type());
        }
        return types;
    }

    @Test
    void whoComesBack_goesOnBehindTheLastEventThatArrived() throws IOException {
        var id = run("echo", "echo");
        long third;
        long last;
        try (var stream = StreamReader.of(node, "/jobs/" + id + "/events")) {
            types(stream, 2);
            third = stream.require().id();
            types(stream, 5);
            last = stream.require().id();
        }

        try (var again =
                StreamReader.after(node, "/jobs/" + id + "/events", Long.toString(third))) {
            assertThat(again.require().type()).isEqualTo("task.opened");
        }
        try (var byQuery = StreamReader.of(node, "/jobs/" + id + "/events?after=" + third)) {
            assertThat(byQuery.require().type()).isEqualTo("task.opened");
        }
        try (var nothing =
                StreamReader.after(node, "/jobs/" + id + "/events", Long.toString(last))) {
            assertThat(nothing.status()).isEqualTo(204);
        }
    }

    /// Trap: a client that comes back again and again to a job with a million events has them all read each time.
    @Test
    void whoComesBack_costsWhatIsReadBehindTheLastEventThatArrived() throws IOException {
        node.close();
        var store = new FullableStore();
        var storage = new Storage(store, new InMemoryPayloadStore(), new InMemoryFleet());
        // What looks for stuck jobs reads those that have ended meanwhile.
        var engine =
                EngineConfig.DEFAULTS.withStalls(
                        StallSettings.DEFAULTS.withPause(Duration.ofHours(1)));
        node =
                ArtelNode.start(
                        TestNodes.CONFIG.withEngine(engine), SampleBlueprints.all(), storage);
        client = TestClient.of(node);
        var id = run("echo", "echo");
        long third;
        long last;
        try (var stream = StreamReader.of(node, "/jobs/" + id + "/events")) {
            types(stream, 2);
            third = stream.require().id();
            types(stream, 5);
            last = stream.require().id();
        }
        var before = store.reads();

        try (var again =
                StreamReader.after(node, "/jobs/" + id + "/events", Long.toString(third))) {
            assertThat(again.require().type()).isEqualTo("task.opened");
        }
        try (var nothing =
                StreamReader.after(node, "/jobs/" + id + "/events", Long.toString(last))) {
            assertThat(nothing.status()).isEqualTo(204);
        }

        assertThat(store.reads() - before).isZero();
    }

    @Test
    void allJobsAreFollowed_fromNowOn_orFromAPositionOn() throws IOException {
        var before = run("echo", "echo");
        long position;
        try (var stream = StreamReader.of(node, "/events")) {
            var first = client.submit("{\"blueprint\":\"chain3\",\"initial_data\":{\"x\":1}}");
            var submitted = stream.require();
            position = submitted.id();

            assertThat(submitted.type()).isEqualTo("job.submitted");
            assertThat(submitted.data().string("job_id")).contains(first);
            assertThat(submitted.data().string("blueprint")).contains("chain3");
            assertThat(submitted.data().string("client")).contains("default");
            assertThat(submitted.data().has("initial_data")).isFalse();
        }

        try (var all = StreamReader.of(node, "/events?after=0")) {
            assertThat(all.require().data().string("job_id")).contains(before);
        }
        try (var since = StreamReader.after(node, "/events", Long.toString(position))) {
            assertThat(since.require().type()).isEqualTo("state.entered");
        }
    }

    @Test
    void theFleetIsFollowed_andAReaderThatMissedTooMuchGetsAReset() throws IOException {
        try (var stream = StreamReader.of(node, "/fleet/events")) {
            var _ = new TestWorker(node, "w9", "echo");

            var joined = stream.require();
            assertThat(joined.type()).isEqualTo("worker.joined");
            assertThat(joined.data().string("worker_id")).contains("w9");

            try (var again =
                    StreamReader.after(node, "/fleet/events", Long.toString(joined.id() - 1))) {
                assertThat(again.require()).isEqualTo(joined);
            }
        }
        try (var long_ = StreamReader.after(node, "/fleet/events", "7")) {
            assertThat(long_.require().type()).isEqualTo("reset");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1.5", "9999999999999999999"})
    void aPositionThatIsNone_isRefused(String position) {
        for (var path : new String[] {"/events", "/fleet/events", "/jobs/x/events"}) {
            var answer = client.get("/api/v1" + path + "?after=" + position);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.error()).isEqualTo("Invalid Last-Event-ID");
        }
    }

    @Test
    void theStreamOfAnUnknownJob_isNotFound() {
        var answer = client.get("/api/v1/jobs/00000000-0000-7000-8000-000000000000/events");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.error()).isEqualTo("Job not found");
    }

    @Test
    void streamsEndWithTheOrchestrator() throws Exception {
        try (var stream = StreamReader.of(node, "/events")) {
            var end = Thread.ofVirtual().start(node::close);

            assertThat(stream.next()).isNull();
            assertThat(end.join(Await.longest())).isTrue();
        }
    }
}
