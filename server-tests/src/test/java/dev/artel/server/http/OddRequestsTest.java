package dev.artel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.server.ArtelNode;
import dev.artel.server.DescribedRoute;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.waits.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whatever is sent to a route is answered, with a reason where it is refused, and never as a bug of the orchestrator.
/// The routes are those of the description of the API.
final class OddRequestsTest {
    private static final List<String> ODD =
            List.of(
                    "null",
                    "true",
                    "0",
                    "-1",
                    "1e999",
                    "-1e-999",
                    "1e999999999999",
                    "123456789012345678901234567890",
                    "0.1",
                    "\"\"",
                    "\" \"",
                    "\"\\u0000\"",
                    "\"\\ud800\"",
                    "\"\\u202e\\ud83d\\ude00\"",
                    "\"NaN\"",
                    "\"../../etc/passwd\"",
                    "\"" + "x".repeat(70_000) + "\"",
                    "[]",
                    "[null]",
                    "[[[]]]",
                    "{}",
                    "{\"\":null}",
                    "{\"a\":{\"a\":{\"a\":1}},\"$artel\":1}");

    private static final List<String> ODD_BODIES =
            List.of(
                    "",
                    " ",
                    "{",
                    "nul",
                    "NaN",
                    "{\"a\":1,\"a\":2}",
                    "[".repeat(100_000),
                    "{\"a\":".repeat(100_000),
                    "\ufeff{}",
                    "{}{}",
                    "{\"\\u0000\":\"\\ud800\"}",
                    "{\"x\":" + "9".repeat(200_000) + "}",
                    "[" + "0,".repeat(200_000) + "0]");

    private static final List<String> ODD_WORDS =
            List.of(
                    "",
                    "-1",
                    "0",
                    "9223372036854775808",
                    "99999999999999999999999",
                    "1e9",
                    "NaN",
                    "Infinity",
                    "null",
                    "%",
                    "*\"'--",
                    "../..",
                    "\u0000",
                    "\ud83d\ude00",
                    "x".repeat(3_000),
                    "+1000000000-12-31T23:59:59Z",
                    "-1000000000-01-01T00:00:00Z");

    private static ArtelNode node;
    private static TestClient client;
    private static TestClient worker;
    private static List<String> jobs;

    @BeforeAll
    static void start() {
        var asks =
                Blueprint.named("asks")
                        .start(
                                "ask",
                                step -> Action.awaitApproval("well?", Outcomes.on("yes", "end")))
                        .leadingTo("end")
                        .end("end")
                        .build();
        node =
                ArtelNode.start(
                        TestNodes.CONFIG,
                        Blueprints.of(SampleBlueprints.echo(), SampleBlueprints.fanout(), asks),
                        TestNodes.storage());
        client = TestClient.of(node);
        worker = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
        jobs =
                List.of(
                        client.submit("{\"blueprint\":\"echo\"}"),
                        client.submit("{\"blueprint\":\"asks\"}"),
                        client.submit("{\"blueprint\":\"fanout\"}"));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    private static TestClient asker(DescribedRoute route) {
        return route.path().startsWith("/_worker/") ? worker : client;
    }

    private static void check(DescribedRoute route, String path, String body) {
        var what = route.method() + " " + shortened(path) + " " + shortened(body);
        var answer = asker(route).send(route.method(), path, body);
        assertThat(answer.status()).as(what + ": " + answer.text()).isLessThan(500);
        assertThat(answer.text()).as(what).doesNotContain("\tat ", "Exception");
        if (answer.status() >= 400) {
            assertThat(answer.error()).as(what + ": " + answer.text()).isNotBlank();
        }
    }

    private static String shortened(String text) {
        return text.length() > 200 ? text.substring(0, 200) + "..." : text;
    }

    private static List<DescribedRoute> thatEnd() {
        return DescribedRoute.all(node).stream()
                .filter(route -> route.ends() && !route.path().contains("/ws"))
                .toList();
    }

    /// Trap: the answer to a GET with a body is destroyed by the reset of a connection that is closed while the body waits to be read.
    @Test
    void theBodyOfAGet_isReadBeforeItIsAnswered() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), node.uri().getPort())) {
            socket.setSoTimeout(500);
            var out = socket.getOutputStream();
            out.write(
                    "GET /_public/openapi.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);

            socket.setSoTimeout((int) Await.longest().toMillis());
            out.write("{}".getBytes(StandardCharsets.UTF_8));

            var in =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
            assertThat(in.lines().takeWhile(line -> !line.equals("}")))
                    .contains("  \"openapi\": \"3.1.0\",");
        }
    }

    /// Trap: the connection of a request that is answered before its body has come is closed behind the answer, and the client sends its next request over it.
    @ParameterizedTest
    @CsvSource({
        "/api/v1/jobs?odd=1, 400 Bad Request",
        "/api/v1/nothing, 404 Not Found",
        "/api/v1/bulk/cancel?status=failed, 200 OK"
    })
    void aBodyThatNobodyWants_isRead_andTheConnectionServesTheNextRequest(
            String path, String status) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), node.uri().getPort())) {
            socket.setSoTimeout(500);
            var out = socket.getOutputStream();
            var half = "x".repeat(100_000);
            out.write(
                    (head("POST " + path) + "Content-Length: 200000\r\n\r\n" + half)
                            .getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(() -> socket.getInputStream().read())
                    .isInstanceOf(SocketTimeoutException.class);

            socket.setSoTimeout((int) Await.longest().toMillis());
            out.write(
                    (half + head("GET /healthz") + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.UTF_8));

            var answers =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answers).startsWith("HTTP/1.1 " + status).contains("HTTP/1.1 200 OK\r\n");
            assertThat(answers.split("HTTP/1.1 ", -1)).hasSize(3);
            assertThat(answers.substring(0, answers.lastIndexOf("HTTP/1.1 200")))
                    .doesNotContainIgnoringCase("connection: close");
        }
    }

    @Test
    void aRefusedRequestWhoseBodyIsNotSent_endsItsConnection_asTheAnswerSays() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), node.uri().getPort())) {
            socket.setSoTimeout((int) Await.longest().toMillis());
            socket.getOutputStream()
                    .write(
                            (head("POST /api/v1/nothing")
                                            + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
                                    .getBytes(StandardCharsets.UTF_8));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 404")
                    .containsIgnoringCase("connection: close");
        }
    }

    /// Trap: the connection of a request that is no HTTP ends, and the client sends its next request over it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE /api/v1/admin/jars/a%00.jar HTTP/1.1",
                "GET /%zz HTTP/1.1",
                "GET /healthz HTTP/1.1\r\nno header",
                "GET /healthz HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
                "GET /healthz HTTP/9.9"
            })
    void aRequestThatIsNoHttp_endsItsConnection_asTheAnswerSays(String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), node.uri().getPort())) {
            socket.setSoTimeout((int) Await.longest().toMillis());
            socket.getOutputStream()
                    .write(
                            (request + "\r\nHost: localhost\r\n\r\n")
                                    .getBytes(StandardCharsets.UTF_8));

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .matches("(?s)HTTP/1.1 (400|505) .*")
                    .containsIgnoringCase("connection: close");
        }
    }

    private static String head(String request) {
        return request
                + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                + node.clientToken()
                + "\r\n";
    }

    @Test
    void noBody_isABugOfTheOrchestrator() {
        for (var route : thatEnd()) {
            if (route.hasBody()) {
                for (var id : idsFor(route)) {
                    for (var body : ODD_BODIES) {
                        check(route, route.filled(id), body);
                    }
                    for (var body : ODD) {
                        check(route, route.filled(id), body);
                    }
                }
            }
        }
    }

    @Test
    void noMemberOfABody_isABugOfTheOrchestrator() {
        for (var route : thatEnd()) {
            for (var name : route.members().names()) {
                for (var id : idsFor(route)) {
                    for (var value : ODD) {
                        check(route, route.filled(id), with(route, name, value));
                    }
                }
            }
        }
    }

    private static String with(DescribedRoute route, String name, String value) {
        var members = new LinkedHashMap<String, String>();
        route.body().members().forEach((each, example) -> members.put(each, example.toString()));
        members.put(name, value);
        var parts = new ArrayList<String>();
        members.forEach((each, text) -> parts.add("\"" + each + "\":" + text));
        return "{" + String.join(",", parts) + "}";
    }

    private static List<String> idsFor(DescribedRoute route) {
        return !route.namesAJob()
                ? List.of("x")
                : List.of(jobs.get(route.path().contains("approval") ? 1 : 0));
    }

    @Test
    void noParameter_isABugOfTheOrchestrator() {
        for (var route : thatEnd()) {
            for (var name : route.queries()) {
                for (var word : ODD_WORDS) {
                    var path = route.filled(jobs.getFirst()) + "?" + name + "=" + encoded(word);
                    check(route, path, route.method().equals("GET") ? "" : "{}");
                }
            }
        }
    }

    @Test
    void noPlaceInAPath_isABugOfTheOrchestrator() {
        for (var route : thatEnd()) {
            for (var word : ODD_WORDS) {
                if (!word.isEmpty() && !word.equals("../..") && !word.equals("\u0000")) {
                    var odd = encoded(word);
                    check(route, route.filled(odd), "{}");
                    var path =
                            route.path()
                                    .replace("{id}", jobs.getFirst())
                                    .replaceAll("\\{[^}]*}", odd);
                    check(route, path, route.hasBody() ? route.body().toString() : "");
                }
            }
        }
    }

    private static String encoded(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
