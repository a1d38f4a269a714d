package dev.artel.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.TlsSettings;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.StreamReader;
import dev.artel.server.TestCertificate;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Logins at the dashboard, over HTTP, as browsers send them and as pages from elsewhere try to have them sent.
final class DashboardLoginTest {
    private static final String ALICE = "token-of-alice-0123456";
    private static final String VIEWER = "token-of-the-viewer-01";
    private static final String OPERATOR = "token-of-the-operator1";
    private static final String CLIENTS =
            """
            [alice]
            token = "%s"
            [watcher]
            token = "%s"
            role = "viewer"
            [oncall]
            token = "%s"
            role = "operator"
            """
                    .formatted(ALICE, VIEWER, OPERATOR);

    @TempDir private Path data;
    private ArtelNode node;
    private TestClient anybody;

    @BeforeEach
    void start() throws IOException {
        Files.writeString(data.resolve("clients.toml"), CLIENTS);
        node = ArtelNode.start(TestNodes.CONFIG.withData(data), SampleBlueprints.all());
        anybody = new TestClient(node.uri(), "", "");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Answer logIn(String token) {
        return anybody.post("/ui/session", "{\"token\":\"" + token + "\"}");
    }

    private static String cookie(Answer login) {
        assertThat(login.status()).as(login.text()).isEqualTo(200);
        return login.header("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
    }

    private static String csrf(Answer login) {
        return login.object().string("csrf").orElseThrow();
    }

    /// A page of the dashboard in a browser that has logged in.
    private TestClient browser(Answer login) {
        return new TestClient(node.uri(), "Cookie", cookie(login))
                .with("X-Artel-CSRF", csrf(login))
                .with("Origin", node.uri().toString());
    }

    @Test
    void aLogin_setsACookie_thatScriptsAndOtherSitesDoNotGet() {
        var login = logIn(ALICE);

        assertThat(login.header("Set-Cookie").orElseThrow())
                .matches("artel_session=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict");
        assertThat(login.header("Cache-Control")).contains("no-store");
        assertThat(login.object().string("client")).contains("alice");
        assertThat(login.object().string("role")).contains("client");
        var again = new TestClient(node.uri(), "Cookie", cookie(login)).get("/ui/session");
        assertThat(again.object()).isEqualTo(login.object());
        var secure =
                anybody.with("Origin", "https://" + node.uri().getAuthority())
                        .post("/ui/session", "{\"token\":\"" + ALICE + "\"}");
        assertThat(secure.header("Set-Cookie").orElseThrow())
                .matches(
                        "__Host-artel_session=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Secure");
    }

    /// Trap: another host of the domain, or an answer without HTTPS, puts a cookie of its own session there.
    @Test
    void overHttps_onlyTheCookieCounts_thatNoOtherHostCanPutThere() throws Exception {
        var certificate = TestCertificate.make(data, "login", "-1d", 30);
        var ingress = TestNodes.CONFIG.ingress();
        var config =
                TestNodes.CONFIG
                        .withData(data.resolve("tls"))
                        .withIngress(
                                ingress.withTls(
                                        new TlsSettings(
                                                certificate.certificate(), certificate.key())));
        try (var node = ArtelNode.start(config, SampleBlueprints.all());
                var http = HttpClient.newBuilder().sslContext(certificate.trusting()).build()) {
            var page = node.uri().resolve("/ui/session");
            var login =
                    http.send(
                            HttpRequest.newBuilder(page)
                                    .header("Content-Type", "application/json")
                                    .POST(
                                            BodyPublishers.ofString(
                                                    "{\"token\":\"" + node.clientToken() + "\"}"))
                                    .build(),
                            BodyHandlers.ofString());
            assertThat(login.statusCode()).as(login.body()).isEqualTo(200);
            var cookie =
                    login.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");

            assertThat(status(http, page, cookie)).isEqualTo(200);
            assertThat(status(http, page, cookie.replace("__Host-", ""))).isEqualTo(401);
        }
    }

    private static int status(HttpClient http, URI page, String cookie) throws Exception {
        return http.send(
                        HttpRequest.newBuilder(page).header("Cookie", cookie).build(),
                        BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void theCookie_standsInPlaceOfTheToken() {
        var browser = browser(logIn(ALICE));

        var job = browser.submit("{\"blueprint\":\"echo\"}");

        assertThat(browser.get("/api/v1/jobs/" + job).status()).isEqualTo(200);
        assertThat(browser.get("/api/v1/jobs").header("Cache-Control")).contains("no-store");
        assertThat(browser.get("/api/v1/whoami").object().string("client")).contains("alice");
        assertThat(browser.get("/api/v1/admin/keys").status()).isEqualTo(403);
        assertThat(browser.post("/api/v1/jobs/" + job + "/cancel", "{}").status())
                .isBetween(200, 202);
    }

    @Test
    void aChange_withoutWhatShowsThatItIsFromTheDashboard_isRefused() {
        var login = logIn(ALICE);
        var cookie = new TestClient(node.uri(), "Cookie", cookie(login));
        var own = node.uri().toString();
        var csrf = cookie.with("X-Artel-CSRF", csrf(login));

        assertRefused(cookie.with("Origin", own), "X-Artel-CSRF");
        assertRefused(cookie.with("Origin", own).with("X-Artel-CSRF", "guessed"), "X-Artel-CSRF");
        assertRefused(csrf, "Origin or a Sec-Fetch-Site");
        assertRefused(csrf.with("Origin", "https://evil.example"), "https://evil.example");
        assertRefused(csrf.with("Origin", "null"), "null");
        assertRefused(csrf.with("Origin", own + ".evil.example"), "evil.example");
        assertRefused(csrf.with("Sec-Fetch-Site", "cross-site"), "cross-site");
        assertRefused(csrf.with("Sec-Fetch-Site", "same-site"), "same-site");
        assertRefused(csrf.with("Origin", own).with("Sec-Fetch-Site", "cross-site"), "cross-site");

        assertAccepted(csrf.with("Origin", own));
        assertAccepted(csrf.with("Sec-Fetch-Site", "same-origin"));
        assertThat(cookie.with("Origin", "https://evil.example").get("/api/v1/whoami").status())
                .isEqualTo(200);
        assertThat(
                        cookie.with("Origin", own)
                                .with("X-Artel-CSRF", csrf(logIn(ALICE)))
                                .post("/api/v1/jobs", "{\"blueprint\":\"echo\"}")
                                .status())
                .as("the csrf of another session")
                .isEqualTo(403);
    }

    private static void assertRefused(TestClient client, String detail) {
        var answer = client.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.object().string("code")).contains("csrf_refused");
        assertThat(answer.detail()).contains(detail);
    }

    private static void assertAccepted(TestClient client) {
        assertThat(client.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}").status()).isEqualTo(202);
    }

    /// Trap: a page from elsewhere logs a person in as somebody else, who then sees what the person does.
    @Test
    void aLogin_fromAPageOfElsewhere_isRefused() {
        var answer =
                anybody.with("Origin", "https://evil.example")
                        .post("/ui/session", "{\"token\":\"" + ALICE + "\"}");

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.object().string("code")).contains("csrf_refused");
        assertThat(answer.header("Set-Cookie")).isEmpty();
    }

    @Test
    void aToken_needsNoProof_alsoBesideACookie() {
        var both =
                new TestClient(node.uri(), "Authorization", "Bearer " + ALICE)
                        .with("Cookie", cookie(logIn(VIEWER)));

        assertThat(both.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}").status()).isEqualTo(202);
        assertThat(both.get("/api/v1/whoami").object().string("client")).contains("alice");
    }

    @Test
    void aViewer_seesAndLogsOut_andChangesNothing() {
        var login = logIn(VIEWER);
        var browser = browser(login);
        var job =
                new TestClient(node.uri(), "Authorization", "Bearer " + ALICE)
                        .submit("{\"blueprint\":\"echo\"}");

        assertThat(browser.get("/api/v1/jobs/" + job).status()).isEqualTo(200);
        assertThat(browser.post("/api/v1/jobs/" + job + "/cancel", "{}").object().string("code"))
                .contains("forbidden");
        assertThat(browser.method("DELETE", "/ui/session").status()).isEqualTo(204);

        assertThat(browser.get("/api/v1/jobs/" + job).status()).isEqualTo(401);
        assertThat(browser.get("/ui/session").status()).isEqualTo(401);
    }

    @Test
    void aLogout_needsTheProof_andTakesTheCookieBack() {
        var login = logIn(ALICE);
        var cookie = new TestClient(node.uri(), "Cookie", cookie(login));
        assertThat(cookie.method("DELETE", "/ui/session").status()).isEqualTo(403);

        var out = browser(login).method("DELETE", "/ui/session");

        assertThat(out.header("Set-Cookie").orElseThrow())
                .startsWith("artel_session=;")
                .endsWith("; Max-Age=0");
    }

    @Test
    void anotherLogin_endsTheSessionBefore() {
        var first = logIn(ALICE);

        var second =
                new TestClient(node.uri(), "Cookie", cookie(first))
                        .post("/ui/session", "{\"token\":\"" + VIEWER + "\"}");

        assertThat(cookie(second)).isNotEqualTo(cookie(first));
        assertThat(browser(first).get("/ui/session").status()).isEqualTo(401);
        assertThat(browser(second).get("/ui/session").object().string("client"))
                .contains("watcher");
    }

    @Test
    void aTokenThatIsGone_endsItsSessions_andTheirStreams() throws IOException {
        var browser = browser(logIn(ALICE));
        assertThat(browser.get("/api/v1/whoami").status()).isEqualTo(200);
        Files.writeString(data.resolve("clients.toml"), CLIENTS.replace(ALICE, "x".repeat(22)));
        assertThat(node.reload("a test")).isEmpty();

        assertThat(browser.get("/api/v1/whoami").status()).isEqualTo(401);
        Files.writeString(data.resolve("clients.toml"), CLIENTS);
        assertThat(node.reload("a test")).isEmpty();
        assertThat(browser.get("/api/v1/whoami").error()).contains("The session has ended");
    }

    @Test
    void aLogout_endsTheStreamsOfTheSession_andNoOthers() throws IOException {
        var login = logIn(ALICE);
        try (var own = StreamReader.by(cookie(login), node, "/events");
                var other = StreamReader.by(cookie(logIn(VIEWER)), node, "/events")) {
            assertThat(browser(login).method("DELETE", "/ui/session").status()).isEqualTo(204);

            assertEnds(own);
            new TestClient(node.uri(), "Authorization", "Bearer " + ALICE)
                    .submit("{\"blueprint\":\"echo\"}");
            assertThat(other.require().type()).isEqualTo("job.submitted");
        }
    }

    private static void assertEnds(StreamReader stream) throws SocketTimeoutException {
        try {
            assertThat(stream.next()).isNull();
        } catch (SocketTimeoutException stays) {
            throw stays;
        } catch (IOException cut) {
            assertThat(cut).isNotNull();
        }
    }

    @Test
    void aLink_logsInOnce_asTheClientThatMadeIt() {
        var link =
                new TestClient(node.uri(), "Authorization", "Bearer " + OPERATOR)
                        .post("/ui/session/links", "")
                        .object();
        var code = codeOf(link.string("url").orElseThrow());

        var login = anybody.post("/ui/session", "{\"code\":\"" + code + "\"}");

        assertThat(login.object().string("client")).contains("oncall");
        assertThat(browser(login).get("/api/v1/admin/keys").status()).isEqualTo(200);
        var again = anybody.post("/ui/session", "{\"code\":\"" + code + "\"}");
        assertThat(again.status()).isEqualTo(401);
        assertThat(again.detail()).contains("works once");
        assertThat(codeOf(browser(login).post("/ui/session/links", "").object().toString()))
                .isNotEqualTo(code);
    }

    @Test
    void aCode_namesItsClient_andIsStillGood() {
        var code = link(ALICE);

        var look = anybody.post("/ui/session/links/look", code);

        assertThat(look.object().string("client")).contains("alice");
        assertThat(look.object().names()).containsExactly("client", "role");
        assertThat(look.header("Set-Cookie")).isEmpty();
        assertThat(anybody.post("/ui/session", code).status()).isEqualTo(200);
        assertThat(anybody.post("/ui/session/links/look", code).status()).isEqualTo(401);
        assertThat(anybody.post("/ui/session/links/look", "{}").status()).isEqualTo(400);
        assertThat(
                        anybody.with("Origin", "https://evil.example")
                                .post("/ui/session/links/look", link(ALICE))
                                .status())
                .isEqualTo(403);
    }

    private String link(String token) {
        var maker = new TestClient(node.uri(), "Authorization", "Bearer " + token);
        var link = maker.post("/ui/session/links", "").object().string("url").orElseThrow();
        return "{\"code\":\"" + codeOf(link) + "\"}";
    }

    /// Trap: a person opens a link of somebody else, and from then on works as that client without knowing.
    @Test
    void aLinkOfAnotherClient_takesNoSessionsPlace_unlessThePageAgrees() {
        var login = logIn(OPERATOR);
        var cookie =
                new TestClient(node.uri(), "Cookie", cookie(login))
                        .with("Origin", node.uri().toString());
        var code = link(ALICE);

        var refused = cookie.post("/ui/session", code);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.object().string("code")).contains("session_open");
        assertThat(refused.header("Set-Cookie")).isEmpty();
        assertThat(cookie.with("X-Artel-CSRF", "guessed").post("/ui/session", code).status())
                .isEqualTo(409);
        assertThat(browser(login).get("/ui/session").object().string("client")).contains("oncall");

        var replaced = browser(login).post("/ui/session", code);
        assertThat(replaced.object().string("client")).contains("alice");
        assertThat(browser(login).get("/ui/session").status()).isEqualTo(401);
    }

    @Test
    void aLinkOfTheSameClient_isNoQuestion() {
        var cookie = new TestClient(node.uri(), "Cookie", cookie(logIn(ALICE)));

        assertThat(cookie.post("/ui/session", link(ALICE)).object().string("client"))
                .contains("alice");
        assertThat(cookie.post("/ui/session", link(OPERATOR)).object().string("client"))
                .as("the session of the cookie has ended")
                .contains("oncall");
    }

    private static String codeOf(String url) {
        return url.replaceFirst(".*/#code=([\\w-]{43}).*", "$1");
    }

    @Test
    void theNode_makesALink_forTheDefaultClient() {
        var link = node.dashboardLink().map(URI::toString).orElseThrow();

        assertThat(link).startsWith(node.uri() + "/#code=");
        var login = anybody.post("/ui/session", "{\"code\":\"" + codeOf(link) + "\"}");
        assertThat(login.object().string("client")).contains("default");
    }

    /// Trap: a proxy ends TLS and changes the name, so that the dashboard's own requests look like those of a page from elsewhere.
    @Test
    void behindAProxy_thePublicAddressIsTheOwnOne() {
        var ingress = TestNodes.CONFIG.ingress();
        var config =
                TestNodes.CONFIG
                        .withData(data.resolve("proxied"))
                        .withIngress(
                                ingress.withProxy(
                                        ingress.proxy()
                                                .withPublicUrl("https://artel.example.org")));
        try (var proxied = ArtelNode.start(config, SampleBlueprints.all())) {
            var page =
                    new TestClient(proxied.uri(), "", "")
                            .with("Origin", "https://artel.example.org");
            var login = page.post("/ui/session", "{\"token\":\"" + proxied.clientToken() + "\"}");
            assertThat(login.header("Set-Cookie").orElseThrow()).endsWith("; Secure");
            var browser =
                    new TestClient(proxied.uri(), "Cookie", cookie(login))
                            .with("X-Artel-CSRF", csrf(login));

            assertAccepted(browser.with("Origin", "https://artel.example.org"));
            assertRefused(browser.with("Origin", "https://example.org"), "proxy.public-url");
            assertThat(proxied.dashboardLink().map(URI::toString).orElseThrow())
                    .startsWith("https://artel.example.org/#code=");
        }
    }

    @Test
    void whoGuesses_getsSlower() {
        assertThat(logIn("wrong-token-0123456789").status()).isEqualTo(401);
        assertThat(anybody.post("/ui/session", "{\"code\":\"wrong\"}").status()).isEqualTo(401);

        var statuses = new TreeSet<Integer>();
        // The limit is one of a minute.
        for (var i = 0; i < 2_000 && !statuses.contains(429); i++) {
            statuses.add(anybody.post("/ui/session", "{\"code\":\"wrong\"}").status());
        }

        assertThat(statuses).containsExactly(401, 429);
        assertThat(logIn(ALICE).status()).isEqualTo(200);
    }

    /// Trap: a page that is opened before a login counts as a guess, and the login is refused for that.
    @Test
    void askingWhoIsLoggedIn_isNoGuess() {
        for (var i = 0; i < 150; i++) {
            assertThat(anybody.get("/ui/session").status()).isEqualTo(401);
        }

        assertThat(logIn("wrong-token-0123456789").status()).isEqualTo(401);
    }

    @Test
    void whatIsNoLogin_isRefused() {
        for (var body : List.of("{}", "{\"token\":\"a\",\"code\":\"b\"}", "{\"token\":7}", "[]")) {
            assertThat(anybody.post("/ui/session", body).status()).as(body).isEqualTo(400);
        }
    }

    @Test
    void whatIsDone_isInTheAudit_withItsAuthorAndTheDashboard() throws IOException {
        var browser = browser(logIn(OPERATOR));
        assertThat(browser.send("PUT", "/api/v1/admin/pauses/blueprints/echo", "{}").status())
                .isEqualTo(200);
        node.close();

        assertThat(Files.readAllLines(data.resolve("audit.jsonl")))
                .anySatisfy(line ->
                        assertThat(line)
                                .contains("\"caller\":\"oncall\"")
                                .contains("\"via\":\"dashboard\"")
                                .contains("/api/v1/admin/pauses/blueprints/echo"))
                .anySatisfy(line ->
                        assertThat(line)
                                .contains("\"caller\":\"oncall\"")
                                .contains("\"method\":\"POST\",\"path\":\"/ui/session\""))
                .noneMatch(line -> line.contains(OPERATOR));
    }
}
