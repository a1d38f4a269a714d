package dev.artel.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Jobs with as many labels as they may have, each as long as it may be.
final class HeavyRowsTest {
    private static final int JOBS = 80;
    private static final int MOST_BYTES = 4 << 20;

    private static ArtelNode node;
    private static TestClient client;

    @BeforeAll
    static void start() {
        node = TestNodes.inMemory();
        client = TestClient.of(node);
        var labels = JsonObject.builder();
        for (var i = 0; i < 50; i++) {
            labels.put("label" + i, "\u20ac".repeat(200));
        }
        var submission =
                JsonObject.builder().put("blueprint", "echo").put("labels", labels.build()).build();
        for (var i = 0; i < JOBS * 2; i++) {
            client.submit(submission.toString());
        }
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static List<String> ids(Answer answer) {
        return answer.items().stream()
                .map(job -> ((JsonObject) job).string("id").orElseThrow())
                .toList();
    }

    /// Trap: a page of a thousand jobs has sixty megabytes, and ten of them end the process.
    @Test
    void aPage_endsWithTheRowThatMakesItFourMegabytes() {
        var first = client.get("/api/v1/jobs?limit=1000");
        var second = client.get("/api/v1/jobs?limit=1000&cursor=" + first.next().orElseThrow());

        assertThat(first.text().length()).isLessThan(MOST_BYTES);
        var all = new HashSet<>(ids(first));
        all.addAll(ids(second));
        var third = second.next().map(cursor -> client.get("/api/v1/jobs?cursor=" + cursor));
        third.ifPresent(page -> all.addAll(ids(page)));
        assertThat(all).hasSize(JOBS * 2);
    }

    /// Trap: a client of the first generation takes a short list for the end.
    @Test
    void aListWithoutCursors_isRefusedWithTheLimitThatIsPossible() {
        assertThat(client.get("/api/jobs?limit=1000").detail())
                .contains("ask for at most", "or use /api/v1/jobs");
        assertThat(client.get("/api/jobs?limit=50").status()).isEqualTo(200);
        assertThat(client.get("/api/jobs?limit=10&offset=" + (JOBS * 2 - 1)).status())
                .isEqualTo(200);
    }

    /// Trap: a client's jobs are counted page by page, and where pages are full sooner, only a part of them.
    @Test
    void allJobsOfAClient_areCounted() {
        var counts = client.get("/api/v1/dashboard").object().object("jobs").orElseThrow();

        var counted =
                counts.members().entrySet().stream()
                        .filter(count -> !count.getKey().equals("queued"))
                        .mapToLong(count -> ((JsonNumber) count.getValue()).asLong())
                        .sum();
        assertThat(counted).isEqualTo(JOBS * 2);
    }

    /// Trap: an answer of megabytes is compressed on a thread that carries requests, and written when the turn of its client is over.
    @Test
    void aVeryLargeAnswer_isSentAsItIs() throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            for (var limit : List.of(2, 50)) {
                var request =
                        HttpRequest.newBuilder(
                                        URI.create(node.uri() + "/api/v1/jobs?limit=" + limit))
                                .header("X-Client-Token", node.clientToken())
                                .header("Accept-Encoding", "zstd, gzip")
                                .build();

                var answer = http.send(request, BodyHandlers.ofByteArray());

                assertThat(answer.statusCode()).isEqualTo(200);
                assertThat(answer.headers().firstValue("Content-Encoding").isPresent())
                        .isEqualTo(limit == 2);
            }
        }
    }
}
