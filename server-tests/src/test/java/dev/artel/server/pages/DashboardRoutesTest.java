package dev.artel.server.pages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.dashboard.DashboardFiles;
import dev.artel.server.ArtelNode;
import dev.artel.server.RawHttp;
import dev.artel.server.TestNodes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The dashboard comes from the orchestrator alone, and runs nothing that it did not bring.
final class DashboardRoutesTest {
    private static final DashboardFiles FILES = DashboardFiles.load();
    private static final String ROOT = "/ui/" + FILES.digest() + "/";

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

    private static HttpResponse<byte[]> get(String path, String... headers)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(node.uri() + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    @Test
    void thePage_isServedWithoutAToken_underAStrictPolicy() throws Exception {
        var page = get("/");

        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/html");
        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-cache");
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .contains("default-src 'none'")
                .contains("script-src 'self'")
                .contains("frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(new String(page.body(), UTF_8)).contains(ROOT.substring(1) + "js/main.js");
    }

    @Test
    void eachFile_isServed_forever() throws Exception {
        for (var path : FILES.paths()) {
            var answer = get(ROOT + path);

            assertThat(answer.statusCode()).as(path).isEqualTo(200);
            assertThat(answer.body()).as(path).isEqualTo(FILES.find(path).orElseThrow().content());
            assertThat(answer.headers().firstValue("Cache-Control").orElseThrow())
                    .as(path)
                    .contains("immutable");
            assertThat(answer.headers().firstValue("Content-Security-Policy")).as(path).isPresent();
        }
    }

    @Test
    void whatTheBrowserHas_isNotSentAgain() throws Exception {
        var tag = get("/").headers().firstValue("ETag").orElseThrow();

        var again = get("/", "If-None-Match", tag);

        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
    }

    @Test
    void aModule_isCompressed() throws Exception {
        var answer = get(ROOT + "lib/uplot.js", "Accept-Encoding", "gzip");

        assertThat(answer.headers().firstValue("Content-Encoding")).hasValue("gzip");
        assertThat(answer.headers().firstValue("Vary")).hasValue("Accept-Encoding");
        assertThat(new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes())
                .isEqualTo(FILES.find("lib/uplot.js").orElseThrow().content());
    }

    @Test
    void aFont_whichIsCompressed_isSentAsItIs() throws Exception {
        var font = "fonts/geist-latin-wght-normal.woff2";

        var answer = get(ROOT + font, "Accept-Encoding", "gzip, zstd");

        assertThat(answer.headers().firstValue("Content-Encoding")).isEmpty();
        assertThat(answer.body()).isEqualTo(FILES.find(font).orElseThrow().content());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "js/none.js",
                "index.html",
                "files.txt",
                "VENDOR.md",
                "js/core/%2e%2e%2fmain.js",
                "%2e%2e/openapi.json"
            })
    void anythingElse_isNotFound(String path) throws Exception {
        var answer = get(ROOT + path);

        assertThat(answer.statusCode()).isIn(400, 404);
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).contains("json");
    }

    /// Trap: a page that is open while the orchestrator is replaced loads a module of another version.
    @Test
    void aFileOfAnotherVersion_isNotFound() throws Exception {
        var answer = get("/ui/0123456789abcdef/js/main.js");

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(new String(answer.body(), UTF_8)).contains("reload the page");
    }

    @Test
    void aPathThatClimbs_doesNotLeaveTheDashboard() throws Exception {
        try (var raw = new RawHttp(node)) {
            var answer =
                    raw.send(
                                    "GET "
                                            + ROOT
                                            + "../../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .hear();

            assertThat(answer).matches("(?s)HTTP/1.1 (400|404).*").doesNotContain("root:");
        }
    }
}
