package dev.artel.examples.chat;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(900)
final class ChatRouterTest {
    private static final String TOKEN = "secret";

    private final ChatRouter router = new ChatRouter(0, TOKEN);
    private final HttpClient http = HttpClient.newHttpClient();
    private final List<FakeModel> workers = new ArrayList<>();

    @BeforeEach
    void start() {
        router.start();
    }

    @AfterEach
    void stop() {
        workers.forEach(FakeModel::close);
        router.close();
        http.shutdownNow();
    }

    private FakeModel worker(String id, String model, Duration thinking) {
        var count = router.server().hub().workerCount();
        var worker =
                new FakeModel(
                        URI.create("ws://127.0.0.1:" + router.port() + "/ws/worker"),
                        TOKEN,
                        id,
                        model,
                        2,
                        Map.of("batch", 1),
                        thinking);
        workers.add(worker);
        await().until(() -> router.server().hub().workerCount() == count + 1);
        return worker;
    }

    private CompletableFuture<HttpResponse<String>> ask(String json) {
        var uri = URI.create("http://127.0.0.1:" + router.port() + "/v1/chat/completions");
        return http.sendAsync(
                HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(json)).build(),
                BodyHandlers.ofString());
    }

    private static String of(String model, String category) {
        return "{\"model\":\"%s\",\"prompt\":\"hello\",\"category\":\"%s\"}"
                .formatted(model, category);
    }

    @Test
    void aRequest_goesToAWorkerWithItsModel() {
        worker("mac-1", "sonnet", Duration.ZERO);
        worker("linux-1", "haiku", Duration.ZERO);

        var answer = ask(of("haiku", "interactive")).join();

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).contains("\"linux-1\"", "An answer to: hello");
        assertThat(ask(of("opus", "interactive")).join().statusCode()).isEqualTo(503);
    }

    /// A machine that stands still for longer than the workers think shows nothing: then again, with others that think longer.
    @Test
    void aCategory_hasNoMoreRoomThanTheWorkersGiveIt() {
        var thinking = Duration.ofSeconds(2);
        var third = thirdOfACategory(thinking);
        while (third.statusCode() != 503 && thinking.compareTo(Duration.ofMinutes(1)) < 0) {
            workers.forEach(FakeModel::close);
            await().until(() -> router.server().hub().workerCount() == 0);
            thinking = thinking.multipliedBy(3);
            third = thirdOfACategory(thinking);
        }

        assertThat(third.statusCode()).isEqualTo(503);
        assertThat(third.body()).contains("no worker for model sonnet has room for category batch");
    }

    /// While two workers that take one request of it each think about the first two.
    private HttpResponse<String> thirdOfACategory(Duration thinking) {
        worker("mac-1", "sonnet", thinking);
        worker("mac-2", "sonnet", thinking);

        var first = ask(of("sonnet", "batch"));
        var second = ask(of("sonnet", "batch"));
        await().until(() -> router.server().hub().availableSlots("sonnet") == 2 || first.isDone());
        var third = ask(of("sonnet", "batch")).join();
        var interactive = ask(of("sonnet", "interactive"));

        assertThat(List.of(first.join().statusCode(), second.join().statusCode()))
                .containsOnly(200);
        assertThat(interactive.join().statusCode()).isEqualTo(200);
        return third;
    }

    @Test
    void aRequestWhoseWorkerIsLost_isDoneByAnotherOne() {
        var lost = worker("a", "sonnet", Duration.ofMinutes(1));
        var answer = ask(of("sonnet", "interactive"));
        await().until(() -> router.server().hub().availableSlots("sonnet") == 1);
        worker("b", "sonnet", Duration.ZERO);

        lost.close();

        assertThat(answer.join().body()).contains("\"b\"", "An answer to: hello");
    }

    @Test
    void aBodyThatIsNone_isAnsweredWithWhatToSend() {
        for (var body : List.of("", "[]", "{}", "{\"model\":\"sonnet\"}")) {
            var answer = ask(body).join();
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("prompt");
        }
    }

    /// What the command of the README runs.
    @Test
    void theDemo_runs() throws Exception {
        ChatRouterDemo.main(new String[0]);
    }
}
