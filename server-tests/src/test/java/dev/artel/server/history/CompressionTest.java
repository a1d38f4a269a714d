package dev.artel.server.history;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdInputStream;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestNodes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

final class CompressionTest {
    private static ArtelNode node;
    private static HttpClient http;

    @BeforeAll
    static void start() {
        node = TestNodes.inMemory();
        http = HttpClient.newHttpClient();
    }

    @AfterAll
    static void stop() {
        http.close();
        node.close();
    }

    private static HttpResponse<byte[]> get(String path, String accepted)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(node.uri() + path))
                        .header("X-Client-Token", node.clientToken());
        if (!accepted.isEmpty()) {
            request.header("Accept-Encoding", accepted);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    @Test
    void aLargeAnswer_isMadeSmaller_asTheClientLikesIt() throws Exception {
        var plain = get("/_public/openapi.json", "");
        var gzip = get("/_public/openapi.json", "gzip, deflate");
        var zstd = get("/_public/openapi.json", "gzip, zstd");

        assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(gzip.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(zstd.headers().firstValue("Content-Encoding")).contains("zstd");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip.body())).readAllBytes())
                .isEqualTo(plain.body());
        assertThat(new ZstdInputStream(new ByteArrayInputStream(zstd.body())).readAllBytes())
                .isEqualTo(plain.body());
        assertThat(gzip.body().length).isLessThan(plain.body().length / 3);
        assertThat(JsonText.read(plain.body())).isNotNull();
        assertThat(gzip.headers().firstValue("Content-Type"))
                .isEqualTo(plain.headers().firstValue("Content-Type"));
    }

    /// Trap: strangers have the pages that are for all of them compressed anew with each request.
    @Test
    void aPageForAll_isCompressedOnce_andTheSameEachTime() throws Exception {
        for (var encoding : List.of("gzip", "zstd")) {
            var first = get("/_public/card.schema.json", encoding);
            var second = get("/_public/card.schema.json", encoding);

            assertThat(first.headers().firstValue("Content-Encoding")).contains(encoding);
            assertThat(first.headers().firstValue("Vary")).contains("Accept-Encoding");
            assertThat(second.body()).isEqualTo(first.body());
        }
    }

    /// Trap: figures are made by many threads at once, which find each other's halves, and some are answered with 500.
    @Test
    void figuresThatAreAskedForAtOnce_areAllAnswered() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers =
                    IntStream.range(0, 200)
                            .mapToObj(_ -> threads.submit(() -> get("/metrics", "gzip")))
                            .toList();
            for (var answer : answers) {
                assertThat(answer.get().statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void aSmallAnswer_staysAsItIs() throws Exception {
        var small = get("/healthz", "gzip, zstd");

        assertThat(small.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(new String(small.body(), ISO_8859_1)).isEqualTo("{\"status\":\"ok\"}");
    }

    @Test
    void figuresAndRefusals_areMadeSmallerToo() throws Exception {
        var figures = get("/metrics", "gzip");
        var refusal =
                get("/api/v1/jobs?" + "x".repeat(600) + "=1&fields=" + "y,".repeat(50), "gzip");

        assertThat(figures.headers().firstValue("Content-Encoding")).contains("gzip");
        assertThat(refusal.statusCode()).isEqualTo(400);
    }
}
