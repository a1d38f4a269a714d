package dev.artel.server.api.http;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.waits.Await;
import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Answers that come when Jetty has recycled their request, as it does when a connection breaks.
@Timeout(Await.HUNG)
final class RecycledRequestTest {
    private final CompletableFuture<Context> asked = new CompletableFuture<>();
    private final CompletableFuture<Void> late = new CompletableFuture<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private Javalin server;

    @BeforeEach
    void start() {
        server =
                Javalin.create(
                                config -> {
                                    config.startup.showJavalinBanner = false;
                                    JsonErrors.mount(config.routes);
                                    config.routes.get(
                                            "/late",
                                            request -> {
                                                asked.complete(request);
                                                request.future(() -> late);
                                            });
                                    config.routes.get("/next", request -> request.result("here"));
                                    config.routes.get(
                                            "/broken",
                                            _ -> {
                                                throw new IOException("no such thing");
                                            });
                                    config.routes.after(
                                            "/late", request -> request.req().getHeader("Accept"));
                                })
                        .start("127.0.0.1", 0);
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop();
    }

    @Test
    void anAnswerForARecycledRequest_endsAndTheNextIsServed() throws Exception {
        var ended = client.sendAsync(get("/late"), HttpResponse.BodyHandlers.discarding());
        var request = asked.join().req();
        await().until(request::isAsyncStarted);
        request.getAsyncContext().complete();
        ended.join();
        await().untilAsserted(() ->
                assertThatThrownBy(() -> request.getHeader("Accept"))
                        .isInstanceOf(NullPointerException.class));

        var answering = Thread.ofPlatform().daemon().start(() -> late.complete(null));

        assertThat(answering.join(Await.longest())).isTrue();
        assertThat(client.send(get("/next"), HttpResponse.BodyHandlers.ofString(UTF_8)).body())
                .isEqualTo("here");
    }

    @Test
    void aFailureOfALivingRequest_isStillAnswered() throws Exception {
        var answer = client.send(get("/broken"), HttpResponse.BodyHandlers.ofString(UTF_8));

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("internal_error", "the log of the orchestrator");
    }

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .build();
    }
}
