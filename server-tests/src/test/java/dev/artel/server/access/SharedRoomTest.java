package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.SharedRoom;
import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.StreamReader;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedRoomTest {
    private static final List<String> NAMES = List.of("alice", "bob", "carol", "dave");

    @TempDir private Path folder;
    private ArtelNode node;

    private static Blueprint waiting() {
        return Blueprint.named("waiting")
                .start("begin", _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    @BeforeEach
    void start() throws IOException {
        var clients = new StringBuilder();
        for (var name : NAMES) {
            clients.append("[%s]\ntoken = \"%s\"\n".formatted(name, token(name)));
        }
        Files.writeString(folder.resolve("clients.toml"), clients);
        var http = TestNodes.CONFIG.http().withShared(new SharedRoom(4, 4));
        node =
                ArtelNode.start(
                        TestNodes.CONFIG.withData(folder).withHttp(http), Blueprints.of(waiting()));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private static String token(String name) {
        return "the-token-of-" + name + "-0123456";
    }

    private TestClient client(String name) {
        return new TestClient(node.uri(), "X-Client-Token", token(name));
    }

    private String submit(String name) {
        return client(name).submit("{\"blueprint\":\"waiting\"}");
    }

    private static void refused(Answer answer, int status, String code, String retryAfter) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.object().string("code")).contains(code);
        assertThat(answer.header("Retry-After")).contains(retryAfter);
    }

    /// Trap: a client that has its share takes the refusal for an overload of the orchestrator, and sends on.
    @Test
    void streamsBeyondAShare_areRefusedWith429_andWithoutRoomWith503() throws Exception {
        var job = submit("alice");
        var open = new ArrayList<StreamReader>();
        try {
            open.add(stream("alice", "/jobs/" + job + "/events"));
            open.add(stream("alice", "/jobs/" + job + "/events"));
            for (var path : List.of("/jobs/" + job + "/events", "/events", "/fleet/events")) {
                var answer = client("alice").get("/api/v1" + path);
                refused(answer, 429, "rate_limited", "5");
                assertThat(answer.detail()).contains("Client alice has as many streams");
            }
            open.add(stream("bob", "/events"));
            refused(client("bob").get("/api/v1/events"), 429, "rate_limited", "5");
            open.add(stream("carol", "/fleet/events"));

            for (var name : NAMES) {
                refused(client(name).get("/api/v1/events"), 503, "unavailable", "5");
            }

            client("alice").post("/api/v1/jobs/" + job + "/cancel", "{}");
            await().until(() -> {
                var reader = stream("dave", "/events");
                open.add(reader);
                return reader.status() == 200;
            });
        } finally {
            open.forEach(StreamReader::close);
        }
    }

    private StreamReader stream(String name, String path) {
        return StreamReader.as(token(name), node, path, "");
    }

    @Test
    void waitsBeyondAShare_areRefusedWith429_andWithoutRoomWith503() throws Exception {
        var jobs = NAMES.stream().map(this::submit).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = new ArrayList<Future<Integer>>();
            try {
                waiting.add(threads.submit(waiting("alice", jobs.get(0))));
                waiting.add(threads.submit(waiting("alice", jobs.get(0))));
                await().until(() -> ask("alice", jobs.get(0)).status() == 429);
                refused(ask("alice", jobs.get(0)), 429, "rate_limited", "1");
                assertThat(ask("alice", jobs.get(0)).detail())
                        .contains("Client alice has as many requests that wait");
                assertThat(client("alice").get("/api/v1/jobs/" + jobs.get(0)).status())
                        .isEqualTo(200);
                waiting.add(threads.submit(waiting("bob", jobs.get(1))));
                await().until(() -> ask("bob", jobs.get(1)).status() == 429);
                waiting.add(threads.submit(waiting("carol", jobs.get(2))));

                await().until(() -> ask("dave", jobs.get(3)).status() == 503);
                refused(ask("dave", jobs.get(3)), 503, "unavailable", "1");
                refused(ask("alice", jobs.get(0)), 503, "unavailable", "1");
            } finally {
                for (var i = 0; i < jobs.size(); i++) {
                    client(NAMES.get(i)).post("/api/v1/jobs/" + jobs.get(i) + "/cancel", "{}");
                }
            }
            for (var one : waiting) {
                assertThat(one.get(Await.seconds(), TimeUnit.SECONDS)).isEqualTo(200);
            }
        }
        assertThat(ask("dave", jobs.get(3)).status()).isEqualTo(200);
    }

    private Answer ask(String name, String job) {
        return client(name).get("/api/v1/jobs/" + job + "?wait=0.01");
    }

    /// Waits for the end, and comes back as long as another request has its place.
    private Callable<Integer> waiting(String name, String job) {
        return () -> {
            var status = 0;
            do {
                status = client(name).get("/api/v1/jobs/" + job + "?wait=60").status();
            } while (status == 429 || status == 503);
            return status;
        };
    }
}
