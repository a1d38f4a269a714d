package dev.artel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ServerConfig;
import dev.artel.config.TlsSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands against an orchestrator that takes nobody without a certificate.
@Timeout(Await.HUNG)
final class CertificateOptionTest {
    private static final String PASSWORD = "for-tests-only";
    private static final String TRUST = "javax.net.ssl.trustStore";

    @TempDir private static Path folder;
    private static ArtelNode node;

    @BeforeAll
    static void start() throws Exception {
        makeCertificate();
        System.setProperty(TRUST, folder.resolve("trusted.p12").toString());
        System.setProperty(TRUST + "Password", PASSWORD);
        var data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(data.resolve("clients.toml"), "[alice]\ncertificate = \"alice\"\n");
        var config = ServerConfig.DEFAULTS.withPort(0).withData(data);
        var tls =
                new TlsSettings(folder.resolve("alice.pem"), folder.resolve("alice.key"))
                        .withCallers(folder.resolve("alice.pem"), true);
        node =
                ArtelNode.start(
                        config.withIngress(config.ingress().withTls(tls)),
                        Blueprints.of(
                                Blueprint.named("greet")
                                        .start("begin", step -> Action.finish(step.initialData()))
                                        .build()));
    }

    @AfterAll
    static void stop() {
        System.clearProperty(TRUST);
        System.clearProperty(TRUST + "Password");
        node.close();
    }

    /// One that names the orchestrator and the caller alike.
    private static void makeCertificate() throws Exception {
        var store = folder.resolve("alice.p12");
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
                                "CN=alice",
                                "-ext",
                                "san=ip:127.0.0.1,dns:localhost",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .start();
        var output = new String(tool.getInputStream().readAllBytes(), UTF_8);
        assertThat(tool.waitFor()).as(output).isZero();
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        write("alice.pem", "CERTIFICATE", keys.getCertificate("a").getEncoded());
        write("alice.key", "PRIVATE KEY", keys.getKey("a", PASSWORD.toCharArray()).getEncoded());
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", keys.getCertificate("a"));
        try (var out = Files.newOutputStream(folder.resolve("trusted.p12"))) {
            trusted.store(out, PASSWORD.toCharArray());
        }
    }

    private static void write(String name, String kind, byte[] content) throws IOException {
        Files.writeString(
                folder.resolve(name),
                "-----BEGIN "
                        + kind
                        + "-----\n"
                        + Base64.getMimeEncoder().encodeToString(content)
                        + "\n-----END "
                        + kind
                        + "-----\n");
    }

    private record Ran(int code, String out, String err) {}

    private static Ran run(Map<String, String> environment, String... arguments) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        var code =
                ArtelCommand.run(
                        List.of(arguments),
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8),
                        environment,
                        false);
        return new Ran(code, out.toString(UTF_8).strip(), err.toString(UTF_8).strip());
    }

    private static Map<String, String> environment() {
        return Map.of("ARTEL_URL", node.uri().toString(), "HOME", folder.toString());
    }

    private static String file(String name) {
        return folder.resolve(name).toString();
    }

    @Test
    void aCommandWithACertificate_needsNoToken() {
        var ran =
                run(
                        environment(),
                        "job",
                        "submit",
                        "greet",
                        "city=Oslo",
                        "--wait",
                        "--client-certificate",
                        file("alice.pem"),
                        "--client-key",
                        file("alice.key"));

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("{\"city\":\"Oslo\"}");
        var byEnvironment =
                run(
                        Map.of(
                                "ARTEL_URL",
                                node.uri().toString(),
                                "HOME",
                                folder.toString(),
                                "ARTEL_CLIENT_CERTIFICATE",
                                file("alice.pem"),
                                "ARTEL_CLIENT_KEY",
                                file("alice.key")),
                        "job",
                        "list");
        assertThat(byEnvironment.code()).as(byEnvironment.err()).isZero();
        assertThat(byEnvironment.out()).contains("greet");
    }

    @Test
    void filesThatAreOfNoUse_areNamed_withWhatToDo() throws IOException {
        var list = new String[] {"job", "list", "--client-certificate", file("alice.pem"), "", ""};
        assertThat(run(environment(), "job", "list", "--client-certificate", file("alice.pem")))
                .satisfies(ran -> {
                    assertThat(ran.code()).isEqualTo(ArtelCommand.USAGE);
                    assertThat(ran.err()).contains("a certificate and its key go together");
                });
        list[4] = "--client-key";
        list[5] = file("none.key");
        assertThat(run(environment(), list).err()).contains("there is no file " + file("none.key"));
        list[5] = Files.writeString(folder.resolve("odd.key"), "no key").toString();
        assertThat(run(environment(), list).err())
                .contains("there is no plain PKCS#8 key", "openssl pkcs8 -topk8");
        list[5] = file("alice.key");
        list[3] = Files.writeString(folder.resolve("odd.pem"), "").toString();
        assertThat(run(environment(), list).err())
                .contains("there is no certificate (PEM) in " + file("odd.pem"));
    }
}
