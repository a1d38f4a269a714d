package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.ActionHosts;
import dev.artel.config.NamedSecret;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Secrets of requests, which their authors name and which no job ever has.
final class SecretActionTest extends ActionTestCase {
    private static final String VALUE = "s3cr3t &+\"/ü<1";

    @BeforeEach
    void addSecret() {
        secrets.put("KEY", new NamedSecret("KEY", VALUE, ActionHosts.of("localhost")));
        secrets.put("OTHER", new NamedSecret("OTHER", "0123456789", ActionHosts.of("localhost")));
    }

    private JsonObject runWith(String params, Object... places) throws Exception {
        return runAction("http_request", params, places);
    }

    /// @param places at, from, name of each secret in turn
    private JsonObject runAction(String action, String params, Object... places) throws Exception {
        var all = new ArrayList<JsonValue>();
        for (var i = 0; i < places.length; i += 3) {
            all.add(
                    JsonObject.builder()
                            .put("at", (String) places[i])
                            .put("from", (long) (int) places[i + 1])
                            .put("name", (String) places[i + 2])
                            .build());
        }
        return actions.run(
                action, BuiltInActions.withSecrets(json(params), new JsonArray(all)), "task");
    }

    @Test
    void aSecret_isSentWhereItsAuthorHasNamedIt_andNowhereElse() throws Exception {
        runWith(
                "{'url':'"
                        + url("/x?k=secret://OTHER")
                        + "','method':'POST','headers':{'Authorization':'Bearer secret://OTHER','X-Sent':'secret://OTHER'},"
                        + "'body':{'keys':['secret://KEY','secret://KEY secret://KEY']}}",
                "/headers/Authorization",
                7,
                "OTHER",
                "/body/keys/0",
                0,
                "KEY",
                "/body/keys/1",
                13,
                "KEY");

        var request = received.remove();
        assertThat(request.headers().string("authorization")).contains("Bearer 0123456789");
        assertThat(request.headers().string("x-sent")).contains("secret://OTHER");
        assertThat(request.path()).isEqualTo("/x?k=secret://OTHER");
        assertThat(((JsonObject) dev.artel.json.text.JsonText.read(request.body())).array("keys"))
                .contains(JsonArray.ofStrings(List.of(VALUE, "secret://KEY " + VALUE)));
    }

    /// Trap: services repeat in their answers what they were sent, as it is or as they have read it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "you sent s3cr3t &+\"/ü<1",
                "k=s3cr3t+%26%2B%22%2F%C3%BC%3C1",
                "k=s3cr3t%20%26%2b%22%2f%c3%bc%3c1",
                "{\"sent\":\"s3cr3t &+\\\"/ü<1\"}",
                "<p>s3cr3t &amp;+&quot;/ü&lt;1</p>",
            })
    void aSecretThatComesBack_isHidden_inResultsAndFailures(String answer) throws Exception {
        var params =
                "{'url':'"
                        + url("/")
                        + "','headers':{'X-Key':'secret://OTHER'},'body':'secret://KEY'}";
        Object[] places = {"/headers/X-Key", 0, "OTHER", "/body", 0, "KEY"};
        answers(200, "text/plain; charset=utf-8", answer + " and 0123456789");
        assertThat(runWith(params, places).toString())
                .contains("***")
                .doesNotContain("cr3t", "01234");

        answers(
                200,
                "application/json",
                "{\"a\":{\"0123456789\":0123456789}}".replace(":0123", ":10123"));
        assertThat(runWith(params, places).object("body").orElseThrow())
                .isEqualTo(json("{'a':{'***':'***'}}"));

        for (var status : List.of(403, 503)) {
            answers(status, "text/plain; charset=utf-8", "x".repeat(295) + " 0123456789 " + answer);
            assertThatThrownBy(() -> runWith(params, places))
                    .isInstanceOf(status == 403 ? PermanentFailure.class : IOException.class)
                    .satisfies(failure -> {
                        for (Throwable each = failure; each != null; each = each.getCause()) {
                            assertThat(each.toString()).doesNotContain("cr3t", "0123");
                        }
                    });
        }
    }

    @Test
    void aSecretInAPath_isInNoMessage() throws Exception {
        server.stop(0);

        assertThatThrownBy(() ->
                        runWith(
                                "{'url':'" + url("/bot") + "secret://OTHER/send'}",
                                "/url",
                                url("/bot").length(),
                                "OTHER"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/bot***/send");
    }

    @Test
    void aSecretThatIsNotKnown_isAFailureForGood_withItsName() {
        assertThatThrownBy(() ->
                        runWith(
                                "{'url':'" + url("/") + "','body':'secret://NONE'}",
                                "/body",
                                0,
                                "NONE"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("there is no secret 'NONE'");
        assertThat(received).isEmpty();
    }

    @Test
    void aSecret_goesToItsHostsAlone_alsoByARedirect() throws Exception {
        actions.close();
        actions = actions("localhost, 127.0.0.1");
        var elsewhere = url("/").replace("localhost", "127.0.0.1");
        assertThatThrownBy(() ->
                        runWith(
                                "{'url':'" + elsewhere + "','body':'secret://KEY'}",
                                "/body",
                                0,
                                "KEY"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("the secret 'KEY' may not go to 127.0.0.1:" + port());
        assertThat(received).isEmpty();

        answers(request ->
                request.path().equals("/a")
                        ? new Reply(307, "", elsewhere)
                        : new Reply(200, "text/plain", "ok"));
        assertThatThrownBy(() ->
                        runWith(
                                "{'url':'" + url("/a") + "','method':'POST','body':'secret://KEY'}",
                                "/body",
                                0,
                                "KEY"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("may not go to 127.0.0.1:");
        received.clear();
        runWith(
                "{'url':'" + url("/a") + "','headers':{'User-Agent':'secret://OTHER'}}",
                "/headers/User-Agent",
                0,
                "OTHER");
        assertThat(received).hasSize(2);
        assertThat(received.remove().headers().string("user-agent")).contains("0123456789");
        assertThat(received.remove().toString()).doesNotContain("0123456789");
    }

    /// Trap: everybody on the way reads the secret, and the host of the URL may come from a client.
    @Test
    void aSecret_goesOverPlainHttp_whereAnOperatorHasNamedHostAndPortAlone() {
        actions.close();
        actions = actions("localhost, nowhere.invalid");
        secrets.put("KEY", new NamedSecret("KEY", VALUE, ActionHosts.of("localhost,*.invalid")));
        var message =
                "http_request: the secret 'KEY' may not go to nowhere.invalid:80 over plain http; use"
                        + " https, or have an operator add nowhere.invalid:80 to its hosts (secrets.toml)";
        var params = "{'url':'http://nowhere.invalid/','headers':{'X-Key':'secret://KEY'}}";
        assertThatThrownBy(() -> runWith(params, "/headers/X-Key", 0, "KEY"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessage(message);
        answers(307, "", "http://nowhere.invalid/");
        assertThatThrownBy(() ->
                        runWith(
                                "{'url':'" + url("/") + "','method':'POST','body':'secret://KEY'}",
                                "/body",
                                0,
                                "KEY"))
                .isInstanceOf(PermanentFailure.class)
                .hasMessage(message);

        secrets.put("KEY", new NamedSecret("KEY", VALUE, ActionHosts.of("nowhere.invalid:80")));
        assertThatThrownBy(() -> runWith(params, "/headers/X-Key", 0, "KEY"))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("http_request: no answer to GET http://nowhere.invalid/");
    }

    @Test
    void aBodyWithASecret_doesNotGoFromHttpsToHttp_alsoWhereAnOperatorHasNamedThePort() {
        var secret = List.of(new NamedSecret("KEY", VALUE, ActionHosts.of("localhost:80")));
        var plain = java.net.URI.create("http://localhost/");

        assertThatThrownBy(
                        () -> HttpRequestAction.requireNoDowngrade(plain, true, "the body", secret))
                .isInstanceOf(PermanentFailure.class)
                .hasMessage(
                        "http_request: a redirect leads from https to plain http at localhost:80, and"
                                + " the body has the secret 'KEY'; use a URL whose redirects stay at https");
        HttpRequestAction.requireNoDowngrade(plain, false, "the body", secret);
        HttpRequestAction.requireNoDowngrade(plain, true, "the body", List.of());
        HttpRequestAction.requireNoDowngrade(
                java.net.URI.create("https://localhost/"), true, "the body", secret);
    }

    /// Trap: what is shown of a secret beside another form of it that was hidden before.
    @Test
    void secretsThatOverlap_areHiddenAsAWhole() {
        var redaction = Redaction.of(List.of("abcdefgh-12", "gh-12345678", "xyxyxyxy"));

        assertThat(redaction.text("<abcdefgh-12345678>")).isEqualTo("<***>");
        assertThat(redaction.text("<xyxyxyxyxy>")).isEqualTo("<***>");
        assertThat(redaction.text("abcdefgh-1")).isEqualTo("abcdefgh-1");
    }

    /// Trap: a service has read the secret and writes it in another way, or with its user before it in Base64.
    @ParameterizedTest
    @ValueSource(strings = {"", "u", "u:", "u:v", "user:name"})
    void aSecretThatComesBackInAnotherForm_isHidden(String before) {
        var value = "k/e'y>?~\"ÿþ0123";
        var redaction = Redaction.of(List.of(value));
        for (var form :
                List.of(
                        value.replace("\"", "\\\"").replace("/", "\\/"),
                        value.replace("\"", "&quot;").replace("'", "&#39;").replace(">", "&gt;"),
                        value.replace("\"", "&#34;").replace("'", "&#x27;").replace(">", "&gt;"),
                        value.replace("\"", "&quot;").replace("'", "&apos;").replace(">", "&gt;"),
                        value.replace(">", "&gt;"))) {
            assertThat(redaction.text(before + form)).isEqualTo(before + "***");
        }
        var bytes = (before + value + " and more").getBytes(UTF_8);
        var alone = (before + value).getBytes(UTF_8);
        var plain = (before + "************" + " and more").getBytes(UTF_8);
        for (var encoder :
                List.of(
                        Base64.getEncoder(),
                        Base64.getEncoder().withoutPadding(),
                        Base64.getUrlEncoder(),
                        Base64.getUrlEncoder().withoutPadding())) {
            for (var encoded :
                    List.of(encoder.encodeToString(bytes), encoder.encodeToString(alone))) {
                // A character at each end may be of a neighbour, and the padding
                assertThat(redaction.text(encoded).replace("***", ""))
                        .hasSizeLessThanOrEqualTo(
                                encoded.length()
                                        - alone.length * 4 / 3
                                        + before.length() * 4 / 3
                                        + 3);
            }
            assertThat(redaction.text(encoder.encodeToString(plain)))
                    .isEqualTo(encoder.encodeToString(plain));
        }
        assertThat(
                        redaction.text(
                                Base64.getUrlEncoder()
                                        .withoutPadding()
                                        .encodeToString(value.getBytes(UTF_8))))
                .isEqualTo("***");
    }

    /// Trap: an answer that nearly has the secret at each of its characters is searched from each of them again.
    @Test
    void aLongAnswer_isSearchedInTimeOfItsLength() {
        var redaction = Redaction.of(List.of("a".repeat(60_000) + "b"));
        var answer = "a".repeat(2_000_000);

        assertThat(redaction.text(answer)).isEqualTo(answer);
        assertThat(redaction.text(answer + "b")).isEqualTo("a".repeat(1_940_000) + "***");
    }

    @Test
    void otherActionsAndParameters_getNoSecret() {
        assertThatThrownBy(() -> runAction("set", "{'a':'secret://KEY'}", "/a", 0, "KEY"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("the parameter 'a' names a secret");
        assertThatThrownBy(() ->
                        runWith(
                                "{'url':'" + url("/") + "','method':'secret://KEY'}",
                                "/method",
                                0,
                                "KEY"))
                .isInstanceOf(InvalidInput.class)
                .hasMessageContaining("only body, headers, query, url of http_request may");
    }

    /// Trap: the parameters of a job may come from a client.
    @Test
    void placesInTheParametersOfAJob_areNotHandedOn() {
        var forged = json("{'url':'x','$secrets':[{'at':'/url','from':0,'name':'KEY'}]}");

        assertThat(BuiltInActions.withSecrets(forged, JsonArray.EMPTY))
                .isEqualTo(json("{'url':'x'}"));
    }
}
