package dev.artel.server.jobs;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The tasks and the children of a job that has more of them than its document shows.
final class PartsOfJobsTest {
    private static final int MANY = 45_000;

    @AutoClose private final ArtelNode node = TestNodes.inMemory();
    private final TestClient client = TestClient.of(node);

    private String submit(String blueprint, int count) {
        return client.submit(
                "{\"blueprint\":\"" + blueprint + "\",\"initial_data\":{\"count\":" + count + "}}");
    }

    private Answer page(String path) {
        var answer = client.get(path);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer;
    }

    /// All pages of a list.
    private List<Answer> pages(String path) {
        var pages = new ArrayList<Answer>();
        pages.add(page(path));
        while (pages.getLast().next().isPresent()) {
            pages.add(page(path + "&cursor=" + pages.getLast().next().get()));
        }
        return pages;
    }

    private static List<Long> numbers(List<Answer> pages, String member) {
        return pages.stream()
                .flatMap(page -> page.items().stream())
                .map(item -> ((JsonObject) item).number(member).orElseThrow())
                .map(JsonNumber::asLong)
                .toList();
    }

    private static List<Long> upTo(int count) {
        return IntStream.range(0, count).asLongStream().boxed().toList();
    }

    private void awaitTasks(String job, int count) {
        await().until(() ->
                client.get("/api/v1/jobs/" + job)
                        .object()
                        .object("task_counts")
                        .flatMap(counts -> counts.number("total"))
                        .filter(total -> total.asLong() == count)
                        .isPresent());
    }

    @Test
    void allTasks_areListed_inTheOrderOfTheirNumbers() {
        var job = submit("fanout", 250);
        awaitTasks(job, 250);
        var worker = new TestWorker(node, "w", "noop");
        var task = worker.next();

        var pages = pages("/api/v1/jobs/" + job + "/tasks?limit=99");

        assertThat(pages).hasSize(3);
        assertThat(numbers(pages, "task")).isEqualTo(upTo(250));
        var leased = page("/api/v1/jobs/" + job + "/tasks?status=leased&type=noop&branch=0");
        assertThat(leased.items().size()).isEqualTo(1);
        var line = (JsonObject) leased.items().get(0);
        assertThat(line.string("worker")).contains("w");
        assertThat(line.string("placed_because")).isPresent();
        worker.report(task, JsonObject.EMPTY);
        assertThat(pages("/api/v1/jobs/" + job + "/tasks?status=succeeded").getFirst().items())
                .hasToString(
                        "[{\"task\":0,\"type\":\"noop\",\"status\":\"succeeded\",\"attempt\":1,\"worker\":\"w\"}]");
        assertThat(page("/api/v1/jobs/" + job + "/tasks?type=other").items().size()).isZero();
        assertThat(page("/api/v1/jobs/" + job + "/tasks?branch=1").items().size()).isZero();
    }

    @Test
    void whyTheyWait_isShownForTheFirstHundredOfAPage() {
        var job = submit("fanout", 150);
        awaitTasks(job, 150);

        await().untilAsserted(() -> {
            var queued = page("/api/v1/jobs/" + job + "/tasks?status=queued&limit=1000").items();
            assertThat(queued.size()).isEqualTo(150);
            assertThat(queued.stream().filter(task -> ((JsonObject) task).has("waits_because")))
                    .hasSize(100);
        });
    }

    /// Trap: a filter that lets nothing through looks at every task of a large job with one request.
    @Test
    void aPageOfALargeJob_looksAtSomeOfItsTasksAlone() {
        var job = submit("fanout", MANY);
        awaitTasks(job, MANY);

        var pages = pages("/api/v1/jobs/" + job + "/tasks?status=failed");

        assertThat(pages).hasSize(3).allMatch(page -> page.items().size() == 0);
        assertThat(numbers(pages("/api/v1/jobs/" + job + "/tasks?limit=1000"), "task"))
                .isEqualTo(upTo(MANY));
    }

    @Test
    void tasksOfAJobThatIsOver_areListedFromTheStore() {
        var job = submit("fanout", 3);
        var worker = new TestWorker(node, "w", "noop");
        for (var i = 0; i < 3; i++) {
            worker.report(worker.next(), JsonObject.EMPTY);
        }
        page("/api/v1/jobs/" + job + "?wait=60");

        assertThat(numbers(pages("/api/v1/jobs/" + job + "/tasks?status=succeeded"), "task"))
                .isEqualTo(upTo(3));
    }

    @Test
    void allChildren_areListed_alsoThoseWhoseTurnHasNotCome() {
        var job = submit("map", 250);
        var children = "/api/v1/jobs/" + job + "/children";
        await().until(() -> page(children + "?status=running").items().size() == 50);

        assertThat(numbers(pages(children + "?limit=100"), "number")).isEqualTo(upTo(250));
        var planned = page(children + "?status=planned&blueprint=square&limit=1");
        assertThat(planned.items())
                .hasToString(
                        "[{\"number\":50,\"blueprint_name\":\"square\",\"branch\":0,\"mode\":\"awaited\",\"steps\":"
                                + ((JsonObject) planned.items().get(0))
                                        .number("steps")
                                        .orElseThrow()
                                + ",\"status\":\"planned\"}]");
        assertThat(page(children + "?blueprint=other").items().size()).isZero();
        assertThat(page("/api/v1/jobs/" + submit("fanout", 1) + "/children").text())
                .isEqualTo("{\"items\":[]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/tasks?status=done | Invalid status parameter",
                "/tasks?branch=-1 | Invalid branch parameter",
                "/tasks?cursor=x | Invalid cursor parameter",
                "/tasks?stat=queued | Unknown parameter",
                "/children?status=done | Invalid status parameter",
            })
    void whatMakesNoSense_isRefused(String query, String error) {
        var answer = client.get("/api/v1/jobs/" + submit("fanout", 1) + query);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.error()).isEqualTo(error);
    }
}
