package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonString;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpRequestActionTest extends ActionTestCase {
    private String to(String path) {
        return "{'url':'" + url(path) + "'}";
    }

    @Test
    void aGet_hasStatusHeadersAndBody() throws Exception {
        var answer = run("http_request", to("/x"));

        assertThat(answer.number("status").orElseThrow().asLong()).isEqualTo(200);
        assertThat(answer.string("body")).contains("hello");
        assertThat(answer.object("headers").orElseThrow().string("content-type"))
                .contains("text/plain");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/problem+json; charset=utf-8"})
    void jsonIsRead(String type) throws Exception {
        answers(200, type, "{\"n\":[1,2]}");

        assertThat(run("http_request", to("/")).get("body")).contains(json("{'n':[1,2]}"));
    }

    @Test
    void whatSaysJsonAndIsNone_isText() throws Exception {
        answers(200, "application/json", "oops");

        assertThat(run("http_request", to("/")).get("body")).contains(new JsonString("oops"));
    }

    @Test
    void aPost_sendsJsonHeadersAndQuery() throws Exception {
        run(
                "http_request",
                "{'url':'"
                        + url("/a?b=c")
                        + "','method':'POST','query':{'q':'x y','n':1},'headers':{'X-Key':'k'},'body':{'a':1}}");

        var request = received.remove();
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/a?b=c&q=x+y&n=1");
        assertThat(request.headers().string("x-key")).contains("k");
        assertThat(request.headers().string("content-type"))
                .contains("application/json; charset=UTF-8");
        assertThat(request.body()).isEqualTo("{\"a\":1}");
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 429, 500, 503})
    void afterAnAnswerForNow_anotherAttemptMaySucceed(int status) {
        answers(status, "text/plain", "busy");

        assertThatThrownBy(() -> run("http_request", to("/x?secret=1")))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "http_request: GET "
                                + url("/x")
                                + " was answered with "
                                + status
                                + ": busy");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 404, 422})
    void afterARefusal_noAttemptSucceeds(int status) {
        answers(status, "text/plain", "no");

        assertThatThrownBy(() -> run("http_request", to("/"))).isInstanceOf(PermanentFailure.class);
    }

    @Test
    void aStatusThatIsAccepted_isAnAnswer() throws Exception {
        answers(404, "text/plain", "not there");

        var answer = run("http_request", "{'url':'" + url("/") + "','accept_status':[404,410]}");

        assertThat(answer.string("body")).contains("not there");
    }

    @Test
    void redirectsAreFollowed_toAllowedHostsAlone() throws Exception {
        answers(request ->
                request.path().equals("/a")
                        ? new Reply(302, "", "/b")
                        : new Reply(200, "text/plain", "at " + request.path()));
        assertThat(run("http_request", to("/a")).string("body")).contains("at /b");

        answers(302, "", "http://169.254.169.254/latest");
        assertThatThrownBy(() -> run("http_request", to("/a")))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("may not reach 169.254.169.254:80");

        answers(302, "", "/a");
        assertThatThrownBy(() -> run("http_request", to("/a")))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("redirects more than 5 times");
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "none|http_request may not reach localhost:",
                "api.example.com, *.example.org|which has api.example.com, *.example.org",
                "*|http_request must not reach localhost:",
                "localhost:1, *|its address is not public",
            },
            delimiter = '|')
    void aHostThatIsNotAllowed_isNotReached(String hosts, String message) {
        actions = actions(hosts.equals("none") ? "" : hosts);

        assertThatThrownBy(() -> run("http_request", to("/")))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining(message);
        assertThat(received).isEmpty();
    }

    @Test
    void anAddressThatIsNotPublic_isNotReachedByItsNumbers() {
        actions = actions("*");

        assertThatThrownBy(() -> run("http_request", "{'url':'http://127.0.0.1:" + port() + "/'}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("must not reach 127.0.0.1:")
                .hasMessageContaining("its address is not public");
        assertThat(received).isEmpty();
    }

    @Test
    void whatIsForOneOrigin_isNotSentToAnother() throws Exception {
        actions = actions("localhost, 127.0.0.1");
        answers(request ->
                request.path().equals("/a")
                        ? new Reply(302, "", "http://127.0.0.1:" + port() + "/b")
                        : new Reply(200, "text/plain", "ok"));

        run(
                "http_request",
                "{'url':'"
                        + url("/a")
                        + "','headers':{'Authorization':'Bearer s','X-Api-Key':'o','Accept':'a/b'}}");

        var first = received.remove();
        assertThat(first.headers().string("authorization")).contains("Bearer s");
        assertThat(first.headers().string("x-api-key")).contains("o");
        var second = received.remove();
        assertThat(second.headers().string("authorization")).isEmpty();
        assertThat(second.headers().string("x-api-key")).isEmpty();
        assertThat(second.headers().string("accept")).contains("a/b");
    }

    /// Trap: an allowed name leads to whatever host of the same server another header names.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "host",
                "Connection",
                "Content-Length",
                "Content_Length",
                "Transfer-Encoding",
                "TE",
                "Forwarded",
                "X-Forwarded-Host",
                "x_forwarded_host",
                "X-Forwarded-For",
                "X-Original-Host",
                "X-Real-IP"
            })
    void whatFollowsFromTheRequest_isNotSet(String header) {
        assertThatThrownBy(() ->
                        run(
                                "http_request",
                                "{'url':'" + url("/a") + "','headers':{'" + header + "':'x'}}"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("may not set the header " + header);
        assertThat(received).isEmpty();
    }

    @Test
    void anAnswerThatIsTooLarge_isRefused() {
        answers(200, "text/plain", "x".repeat(MAX_BYTES + 1));

        assertThatThrownBy(() -> run("http_request", to("/")))
                .isInstanceOf(PermanentFailure.class)
                .hasMessage(
                        "http_request: the answer has more than 10000 bytes (actions.max-bytes)");
    }

    /// Trap: a server sends a line of a header that never ends, and all of it is kept.
    @Test
    void theHeadOfAnAnswer_hasABound() throws Exception {
        try (var endless = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            actions = actions("localhost:" + endless.getLocalPort());
            var answering =
                    Thread.ofVirtual()
                            .start(() -> {
                                try (var connection = endless.accept()) {
                                    var out = connection.getOutputStream();
                                    out.write("HTTP/1.1 200 OK\r\nX: ".getBytes(UTF_8));
                                    while (true) {
                                        out.write("x".repeat(1_000).getBytes(UTF_8));
                                    }
                                } catch (IOException over) {
                                    // the client has closed the connection
                                }
                            });

            assertThatThrownBy(() ->
                            run(
                                    "http_request",
                                    "{'url':'http://localhost:" + endless.getLocalPort() + "/'}"))
                    .isInstanceOf(IOException.class)
                    .hasStackTraceContaining("line length limit");
            assertThat(answering.join(Duration.ofMinutes(3))).isTrue();
        }
    }

    @Test
    void anAnswerThatDoesNotCome_isNotAwaitedForever() throws Exception {
        var asked = new java.util.concurrent.CountDownLatch(1);
        answers(_ -> {
            try {
                asked.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            return new Reply(200, "text/plain", "late");
        });

        assertThatThrownBy(() -> run("http_request", "{'url':'" + url("/") + "','timeout':0.2}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no whole answer within");
        asked.countDown();
    }

    @Test
    void aServerThatIsNotThere_isAFailureForNow() throws Exception {
        server.stop(0);

        assertThatThrownBy(() -> run("http_request", to("/")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("http_request: no answer to GET " + url("/"));
    }

    @ParameterizedTest
    @CsvSource(
            value = {
                "{}|http_request needs the parameter 'url'",
                "{'url':1}|http_request: the parameter 'url' must be a text, was number",
                "{'url':'ftp://localhost/'}|http_request: the parameter 'url' must look like https://example.com/path and have no user name",
                "{'url':'http://a:b@localhost/'}|http_request: the parameter 'url' must look like https://example.com/path and have no user name",
                "{'url':'http://x/','metod':'GET'}|http_request has no parameter 'metod'; it has url, method, headers, query, body, timeout, accept_status",
                "{'url':'http://x/','method':'BREW'}|http_request: the parameter 'method' must be one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, was another text",
                "{'url':'http://x/','timeout':1000}|http_request: the parameter 'timeout' must be a number from 0.1 to 300.0, was another number",
                "{'url':'http://x/','accept_status':'404'}|http_request: the parameter 'accept_status' must be a status or several, was string",
            },
            delimiter = '|',
            quoteCharacter = '`')
    void whatIsWrong_isNamed(String params, String message) {
        assertThatThrownBy(() -> run("http_request", params))
                .isInstanceOf(InvalidInput.class)
                .hasMessage(message);
    }

    /// Trap: many see why a job failed, and a parameter may be a secret.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'url':'http://localhost/ x?api_key=hidden-1'}",
                "{'url':'hidden-1'}",
                "{'url':['hidden-1']}",
                "{'url':'http://localhost/','headers':'Authorization: Bearer hidden-1'}",
                "{'url':'http://localhost/','headers':{'hidden-1 x':'y'}}",
                "{'url':'http://localhost/','headers':{'X':'hidden-1\\nY: b'}}",
                "{'url':'http://localhost/','method':'hidden-1 bad'}",
                "{'url':'http://localhost/','timeout':'hidden-1'}",
            })
    void whatIsWrong_isNamedWithoutItsValue(String params) {
        actions = actions("localhost");

        assertThatThrownBy(() -> run("http_request", params))
                .isInstanceOf(InvalidInput.class)
                .satisfies(failure -> {
                    for (Throwable each = failure; each != null; each = each.getCause()) {
                        assertThat(each.toString()).doesNotContain("hidden-1");
                    }
                });
    }

    @Test
    void aHeaderThatHidesAnother_isRefused() {
        assertThatThrownBy(() ->
                        actions.run(
                                "http_request",
                                json("{'url':'" + url("/") + "','headers':{'X':'a\\r\\nY: b'}}"),
                                "task"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("the parameter 'headers'");
    }

    @Test
    void aRedirectWhoseBodyIsTooLarge_isFollowed_sinceNobodyReadsIt() throws Exception {
        answers(request ->
                request.path().equals("/to")
                        ? new Reply(200, "text/plain", "there")
                        : new Reply(302, "text/plain", "x".repeat(MAX_BYTES + 1), url("/to")));

        assertThat(run("http_request", "{'url':'" + url("/") + "'}").string("body"))
                .contains("there");
        assertThatThrownBy(
                        () -> run("http_request", "{'url':'" + url("/") + "','accept_status':302}"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("actions.max-bytes");
    }
}
