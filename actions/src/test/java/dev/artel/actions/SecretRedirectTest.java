package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.artel.config.ActionHosts;
import dev.artel.config.NamedSecret;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.worker.PermanentFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A server over HTTPS that redirects a request with a secret to one that must not get it.
final class SecretRedirectTest extends ActionTestCase {
    private static final String VALUE = "0123456789/abc";
    private static final String TRUST = "javax.net.ssl.trustStore";
    private static final String TRUST_PASSWORD = "javax.net.ssl.trustStorePassword";
    private static final String PASSWORD = "for-tests-only";

    @TempDir private static Path certificates;

    private final ConcurrentLinkedQueue<String> receivedOverTls = new ConcurrentLinkedQueue<>();
    private volatile int status = 307;
    private volatile String location = "";
    private @Nullable String trusted;
    private @Nullable String trustPassword;
    private HttpsServer secure;

    @BeforeAll
    static void makeCertificate() throws Exception {
        makeCertificate(store());
    }

    private static Path store() {
        return certificates.resolve("server.p12");
    }

    @BeforeEach
    void beginOverTls() throws Exception {
        var store = store();
        trusted = System.getProperty(TRUST);
        trustPassword = System.getProperty(TRUST_PASSWORD);
        System.setProperty(TRUST, store.toString());
        System.setProperty(TRUST_PASSWORD, PASSWORD);
        secure = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        secure.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        secure.setHttpsConfigurator(new HttpsConfigurator(showing(store)));
        secure.createContext("/", this::redirect);
        secure.start();
        actions.close();
        actions = actions("localhost, 127.0.0.1");
        // Also where an operator has named the plain port
        secrets.put(
                "KEY",
                new NamedSecret("KEY", VALUE, ActionHosts.of("localhost, localhost:" + port())));
        location = url("/plain");
    }

    @AfterEach
    void endOverTls() {
        secure.stop(0);
        restore(TRUST, trusted);
        restore(TRUST_PASSWORD, trustPassword);
    }

    private static void restore(String property, @Nullable String value) {
        if (value == null) {
            System.clearProperty(property);
        } else {
            System.setProperty(property, value);
        }
    }

    private static void makeCertificate(Path store) throws Exception {
        var tool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "a",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-ext",
                                "san=dns:localhost,ip:127.0.0.1",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .start();
        var output = new String(tool.getInputStream().readAllBytes(), UTF_8);
        assertThat(tool.waitFor()).as(output).isZero();
        // What is trusted is a certificate without its key
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        keys.setCertificateEntry("trusted", keys.getCertificate("a"));
        try (var out = Files.newOutputStream(store)) {
            keys.store(out, PASSWORD.toCharArray());
        }
    }

    private static SSLContext showing(Path store) throws Exception {
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD.toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), null, null);
        return context;
    }

    private void redirect(HttpExchange exchange) throws IOException {
        try (exchange) {
            receivedOverTls.add(
                    exchange.getRequestURI()
                            + " "
                            + exchange.getRequestHeaders().entrySet()
                            + " "
                            + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            exchange.getResponseHeaders().set("Location", location);
            exchange.sendResponseHeaders(status, -1);
        }
    }

    /// @param at where its author has named the secret
    private JsonObject send(String params, String at, int from) throws Exception {
        var url = "https://localhost:" + secure.getAddress().getPort() + "/x";
        var place = JsonObject.builder().put("at", at).put("from", (long) from).put("name", "KEY");
        return actions.run(
                "http_request",
                BuiltInActions.withSecrets(
                        json("{'url':'" + url + "'," + params + "}"),
                        new JsonArray(List.of(place.build()))),
                "task");
    }

    private JsonObject sendInBody() throws Exception {
        return send("'method':'POST','body':{'key':'secret://KEY'}", "/body/key", 0);
    }

    private void assertThatOnlyTheFirstServerHasTheSecret() {
        assertThat(receivedOverTls).hasSize(1).first().asString().contains("0123456789");
        assertThat(received).noneMatch(request -> request.toString().contains("0123456789"));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void aSecretInAHeader_doesNotGoFromHttpsToHttp(int redirect) throws Exception {
        status = redirect;

        for (var header : List.of("Authorization", "X-Key", "User-Agent", "Cookie")) {
            receivedOverTls.clear();
            var answer =
                    send(
                            "'method':'POST','headers':{'" + header + "':'secret://KEY'}",
                            "/headers/" + header,
                            0);

            assertThat(answer.toString()).contains("200");
            assertThatOnlyTheFirstServerHasTheSecret();
        }
        assertThat(received).hasSize(4);
    }

    @ParameterizedTest
    @CsvSource({"301,true", "302,true", "303,true", "307,false", "308,false"})
    void aSecretInABody_doesNotGoFromHttpsToHttp(int redirect, boolean isFollowedWithoutBody)
            throws Exception {
        status = redirect;

        if (isFollowedWithoutBody) {
            sendInBody();
            assertThat(received).hasSize(1).allMatch(request -> request.body().isEmpty());
        } else {
            assertThatThrownBy(this::sendInBody)
                    .isInstanceOf(PermanentFailure.class)
                    .hasMessageContaining("a redirect leads from https to plain http at localhost")
                    .hasMessageContaining("the body has the secret 'KEY'");
            assertThat(received).isEmpty();
        }
        assertThatOnlyTheFirstServerHasTheSecret();
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 307})
    void aSecret_doesNotGoToAnotherHost(int redirect) throws Exception {
        status = redirect;
        location = location.replace("localhost", "127.0.0.1");

        send("'headers':{'X-Key':'secret://KEY'}", "/headers/X-Key", 0);

        assertThatOnlyTheFirstServerHasTheSecret();
        assertThat(received).hasSize(1);
        receivedOverTls.clear();
        if (redirect == 307) {
            assertThatThrownBy(this::sendInBody)
                    .isInstanceOf(PermanentFailure.class)
                    .hasMessageContaining("the secret 'KEY' may not go to 127.0.0.1:" + port());
        } else {
            sendInBody();
        }
        assertThatOnlyTheFirstServerHasTheSecret();
    }

    /// Trap: many servers lead to the same path and query elsewhere, and so repeat the secret in the address.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/x?key=0123456789%2Fabc",
                "/x?key=0123456789/abc",
                "/0123456789%2fabc/x",
                "/x?key=MDEyMzQ1Njc4OS9hYmM%3D",
            })
    void aSecretInTheAddressOfARedirect_goesNeitherToHttpNorToAnotherHost(String address) {
        location = url(address);
        assertThatThrownBy(() -> send("'query':{'key':'secret://KEY'}", "/query/key", 0))
                .isInstanceOf(PermanentFailure.class)
                .hasMessage(
                        "http_request: a redirect leads from https to plain http at localhost:"
                                + port()
                                + ", and its address has the secret 'KEY'; use a URL whose redirects stay"
                                + " at https");
        assertThat(received).isEmpty();

        location = url(address).replace("localhost", "127.0.0.1");
        assertThatThrownBy(() -> send("'query':{'key':'secret://KEY'}", "/query/key", 0))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("the secret 'KEY' may not go to 127.0.0.1:" + port());
        assertThat(received).isEmpty();
    }

    @Test
    void aSecretInTheAddressOfARedirect_goesToTheSameServerAgain() {
        location = "/x?key=0123456789%2Fabc";

        assertThatThrownBy(() -> send("'query':{'key':'secret://KEY'}", "/query/key", 0))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("redirects more than 5 times");
        assertThat(receivedOverTls).hasSize(6);
        assertThat(received).isEmpty();
    }
}
