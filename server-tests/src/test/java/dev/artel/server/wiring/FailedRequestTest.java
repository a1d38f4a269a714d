package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.javalin.Javalin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

final class FailedRequestTest {
    private final OutOfMemoryError memory = new OutOfMemoryError("planted by the test");
    private final List<Error> fatal = new CopyOnWriteArrayList<>();

    /// Trap: a request runs out of memory, is answered with 500, and the process goes on without what its other threads have lost.
    @Test
    void anErrorOfTheMachine_endsTheProcess_andOneOfTheRequestDoesNot() throws Exception {
        var server =
                Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    HttpListener.reportErrors(config, fatal::add);
                    config.routes.get("/memory", _ -> fail(memory));
                    config.routes.get(
                            "/depth", _ -> fail(new StackOverflowError("planted by the test")));
                });
        try (var http = HttpClient.newHttpClient()) {
            server.start("127.0.0.1", 0);

            assertThat(status(http, server.port(), "/depth")).isEqualTo(500);
            assertThat(fatal).isEmpty();

            assertThat(status(http, server.port(), "/memory")).isEqualTo(500);
            assertThat(fatal).containsExactly(memory);
        } finally {
            server.stop();
        }
    }

    private static void fail(Error error) {
        throw error;
    }

    private static int status(HttpClient http, int port, String path) throws Exception {
        var uri = URI.create("http://127.0.0.1:" + port + path);
        return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding())
                .statusCode();
    }
}
