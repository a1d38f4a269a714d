package dev.artel.examples.chat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

/// Runs the router with three workers, asks each model something, and asks again when a worker has gone.
public final class ChatRouterDemo {
    private static final String TOKEN = "secret-of-the-demo";
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private ChatRouterDemo() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (var router = new ChatRouter(0, TOKEN);
                var http = HttpClient.newHttpClient()) {
            router.start();
            try (var _ = worker(router, "mac-2", "sonnet");
                    var _ = worker(router, "linux-1", "haiku")) {
                try (var _ = worker(router, "mac-1", "sonnet")) {
                    awaitWorkers(router, 3);
                    System.out.println(ask(http, router, "sonnet", "hello"));
                    System.out.println(ask(http, router, "haiku", "hello"));
                    System.out.println(ask(http, router, "opus", "hello"));
                }
                awaitWorkers(router, 2);
                System.out.println(ask(http, router, "sonnet", "are you still there?"));
            }
        }
    }

    private static FakeModel worker(ChatRouter router, String id, String model) {
        return new FakeModel(
                URI.create("ws://127.0.0.1:" + router.port() + "/ws/worker"),
                TOKEN,
                id,
                model,
                2,
                Map.of("batch", 1),
                Duration.ofMillis(50));
    }

    private static void awaitWorkers(ChatRouter router, int count) throws InterruptedException {
        var deadline = System.nanoTime() + LONGEST.toNanos();
        while (router.server().hub().workerCount() != count) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "the router has %d workers after %s, and should have %d"
                                .formatted(router.server().hub().workerCount(), LONGEST, count));
            }
            Thread.sleep(Duration.ofMillis(10));
        }
    }

    private static String ask(HttpClient http, ChatRouter router, String model, String prompt)
            throws IOException, InterruptedException {
        var uri = URI.create("http://127.0.0.1:" + router.port() + "/v1/chat/completions");
        var body = "{\"model\":\"%s\",\"prompt\":\"%s\"}".formatted(model, prompt);
        var answer =
                http.send(
                        HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build(),
                        BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }
}
