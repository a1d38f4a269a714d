package dev.artel.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.CommandLine.Problems;
import dev.artel.config.CommandLine.Settings;
import dev.artel.gateway.http.GatewayConfig;
import dev.artel.kernel.fleet.BreakerPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConfigFileTest {
    @TempDir private Path folder;

    @Test
    void aFlag_winsOverAVariable_andThatOverTheFile() throws IOException {
        var file =
                write(
                        """
                        http:
                          port: 1
                          idle-timeout: 5m
                          max-body-bytes: 2MiB
                        http.max-connections: 100
                        data: from-file
                        """);

        var config =
                config(
                        Map.of("ARTEL_PORT", "2", "ARTEL_HTTP_IDLE_TIMEOUT", "90s"),
                        "--config",
                        file,
                        "--port",
                        "3");

        assertThat(config.http().port()).isEqualTo(3);
        assertThat(config.http().idleTimeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(config.http().maxBodyBytes()).isEqualTo(2 << 20);
        assertThat(config.http().maxConnections()).isEqualTo(100);
        assertThat(config.data()).isEqualTo(Path.of("from-file"));
    }

    @Test
    void variables_areFilledIn_withTheirDefaults_andNeverReadAsYaml() throws IOException {
        var file =
                write(
                        """
                        data: ${ARTEL_TEST_DATA}/jobs
                        http.host: ${NOT_SET:-localhost}
                        proxy:
                          base-path: ${BASE}
                          trusted: [127.0.0.1, "10.0.0.0/8"]
                        """);

        var config =
                config(Map.of("ARTEL_TEST_DATA", "a: b", "BASE", "/artel"), "--config=" + file);

        assertThat(config.data()).isEqualTo(Path.of("a: b/jobs"));
        assertThat(config.http().host()).isEqualTo("localhost");
        assertThat(config.ingress().proxy())
                .isEqualTo(
                        ProxySettings.DEFAULTS
                                .withTrusted(List.of("127.0.0.1", "10.0.0.0/8"))
                                .withBasePath("/artel"));
    }

    /// Trap: a mistyped setting means nothing, and its default stays in force unnoticed.
    @Test
    void everythingThatIsWrong_isReportedTogether_withWhatWasMeant() throws IOException {
        var file =
                write(
                        """
                        http:
                          prot: 80
                          idle-timeout: soon
                        tls.certificate: cert.pem
                        proxy.base-path: artel/
                        proxy.trusted: proxy.example
                        access.rates.polls: -1
                        data: ${NOWHERE}
                        session.hold: 35s
                        """);

        var problems = problems(Map.of("ARTEL_HTPP_PORT", "1"), "--config", file);

        var in = " in " + file + ":";
        assertThat(problems)
                .containsExactlyInAnyOrder(
                        "unknown setting http.prot" + in + 2 + "; did you mean http.port?",
                        "data"
                                + in
                                + 8
                                + " names the variable NOWHERE, which is not set; set it, or write"
                                + " ${NOWHERE:-value}",
                        "unknown variable ARTEL_HTPP_PORT; did you mean ARTEL_PORT?",
                        "data" + in + 8 + " must not be blank",
                        "http.idle-timeout"
                                + in
                                + 3
                                + " must be a time such as 30s, 5m, 12h or 30d, was 'soon'",
                        "proxy.trusted"
                                + in
                                + 6
                                + " must be addresses or networks such as 10.0.0.0/8, was"
                                + " 'proxy.example'",
                        "proxy.base-path" + in + 5 + " must look like /artel, was 'artel/'",
                        "access.rates.polls" + in + 7 + " must be from 0 to 2147483647, was '-1'",
                        "session.hold" + in + 9 + " must be positive and below PT35S, was PT35S",
                        "tls.certificate" + in + 4 + " needs tls.key as well");
    }

    @Test
    void limitsOfWorkers_andTheFolderOfBlueprints_areSettings() throws IOException {
        var jars = Files.createDirectory(folder.resolve("jars"));
        var file =
                write(
                        """
                        gateway:
                          max-body-bytes: 16MiB
                          max-sockets: 0
                        blueprints.folder: %s
                        """
                                .formatted(jars));

        var config = config(Map.of("ARTEL_GATEWAY_MAX_BATCH", "7"), "--config", file);

        assertThat(config.gateway()).isEqualTo(new GatewayConfig(16 << 20, 16 << 20, 7, 0));
        assertThat(config.blueprints().folderIn(config.data())).isEqualTo(jars);
        assertThat(ServerConfig.DEFAULTS.blueprints().folderIn(Path.of("d")))
                .isEqualTo(Path.of("d/blueprints"));
    }

    @Test
    void theWatchOverStuckJobs_canBeSet_withinReason() throws IOException {
        var config =
                config(
                        Map.of("ARTEL_ENGINE_STUCK_PAUSE", "5s"),
                        "--engine.stuck-grace=10m",
                        "--config",
                        write("# nothing\n"));

        assertThat(config.engine().stalls().pause()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.engine().stalls().grace()).isEqualTo(Duration.ofMinutes(10));
        var file = write("engine:\n  stuck-pause: 1ms\n  stuck-grace: 0s\n");
        assertThat(problems(Map.of(), "--config", file))
                .containsExactly(
                        "engine.stuck-pause in " + file + ":2 must be from 100ms to 1h, was '1ms'",
                        "engine.stuck-grace in " + file + ":3 must be from 5s to 24h, was '0s'");
    }

    @Test
    void limitsOfWorkersThatContradict_areReportedWithTheOthers() throws IOException {
        var file =
                write(
                        """
                        gateway:
                          max-body-bytes: 2MiB
                          max-batch-bytes: 1MiB
                          max-batch: 0
                        blueprints.folder: /nowhere/jars
                        """);

        assertThat(problems(Map.of(), "--config", file, "--gateway.max-sockets=-1"))
                .containsExactly(
                        "blueprints.folder in "
                                + file
                                + ":5 must be a folder that is there, was '/nowhere/jars'",
                        "gateway.max-batch-bytes in "
                                + file
                                + ":3 (1048576) is below gateway.max-body-bytes (2097152)",
                        "gateway.max-batch in " + file + ":4 must be from 1 to 100000, was '0'",
                        "--gateway.max-sockets must be from 0 to 2147483647, was '-1'");
    }

    @Test
    void aSecret_isTakenFromTheFile_butNeverFromTheCommandLine_andNeverShown() throws IOException {
        var file =
                write(
                        """
                        tokens:
                          client: ${CLIENT_SECRET}
                          worker: too-short
                        """);

        var problems =
                problems(
                        Map.of("CLIENT_SECRET", "a-client-token-0123"),
                        "--config",
                        file,
                        "--tokens.worker",
                        "a-worker-token-0123");

        assertThat(problems)
                .containsExactly(
                        "--tokens.worker is a secret, which others could read on a command line;"
                                + " set ARTEL_WORKER_TOKEN instead",
                        "tokens.worker in "
                                + file
                                + ":3 must have 16 to 256 visible ASCII characters, had 9");
        assertThat(problems.toString()).doesNotContain("too-short").doesNotContain("a-client");
    }

    /// Trap: everybody on the machine reads it with `ps`.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis.uri=redis://artel:hidden-word@host:6379/0",
                "redis.uri=redis://:hidden-word@host",
                "redis.uri=rediss://hidden-word@host",
                "mindbus.uri=amqp://artel:hidden-word@host:5672/%2f",
                "mindbus.uri=amqp://artel:hidden-word@more@host",
                "actions.llm-url=https://artel:hidden-word@host/v1",
                "traces.otlp-endpoint=https://artel:hidden-word@host/v1/traces"
            })
    void anAddressWithAPassword_isRefusedOnTheCommandLine(String setting) {
        var name = setting.substring(0, setting.indexOf('='));
        var variable = "ARTEL_" + name.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_");

        assertThat(problems(Map.of(), "--" + setting))
                .singleElement()
                .asString()
                .isEqualTo(
                        "--"
                                + name
                                + " has a user or a password in its address, which others could"
                                + " read on a command line; set "
                                + variable
                                + ", or "
                                + name
                                + " in the file of --config, instead");
    }

    @Test
    void theKeyOfTheLanguageModel_isRefusedOnTheCommandLine() {
        assertThat(problems(Map.of(), "--actions.llm-key=hidden-word"))
                .containsExactly(
                        "--actions.llm-key is a secret, which others could read on a command line;"
                                + " set ARTEL_ACTIONS_LLM_KEY instead");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tokens: {client: a-client-token-0123}",
                "redis.uri: redis://artel:hidden-word@host",
                "actions.llm-key: hidden-word",
                "webhooks.subscriptions.a: {url: 'https://x.example', secret: hidden-word}"
            })
    void aFileWithASecretInIt_isKnown(String text) throws IOException {
        var file = write(text + "\n");

        assertThat(CommandLine.fileWithSecrets(new String[] {"--config", file}, Map.of()))
                .contains(Path.of(file));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tokens: {client: '${SECRET}'}",
                "redis.uri: redis://artel:${SECRET}@host",
                "http.port: 8081",
                "redis.uri: redis://host:6379"
            })
    void aFileWithVariablesForSecrets_hasNone(String text) throws IOException {
        var file = write(text + "\n");

        assertThat(CommandLine.fileWithSecrets(new String[] {"--config", file}, Map.of()))
                .isEmpty();
    }

    @Test
    void whatIsNoYaml_isReportedWithItsPlace_andNothingOfIt() throws IOException {
        var file = write("tokens: {client: \"secret-secret-secret\n");

        assertThat(problems(Map.of(), "--config", file))
                .singleElement()
                .asString()
                .startsWith(file + " is no YAML at line ")
                .doesNotContain("secret");
        assertThat(problems(Map.of("ARTEL_CONFIG", "/nowhere/artel.yaml")))
                .singleElement()
                .asString()
                .startsWith("cannot read /nowhere/artel.yaml");
    }

    @Test
    void aSettingGivenTwice_isRefused() throws IOException {
        var file = write("http: {port: 1}\nhttp.port: 2\n");

        assertThat(problems(Map.of(), "--config", file))
                .containsExactly("http.port in " + file + ":1 is given twice");
    }

    @Test
    void workersOnZeroMq_areServedWhereTheyAreSwitchedOn_withBothKeysOrNone() {
        var key = "k".repeat(40);
        var served =
                config(
                        Map.of("ARTEL_ZEROMQ_CURVE_SECRET_KEY", key),
                        "--zeromq.enabled=true",
                        "--zeromq.registration-port=0",
                        "--zeromq.heartbeat-interval=2s",
                        "--zeromq.heartbeat-timeout=10s",
                        "--zeromq.curve-public-key=" + key);

        var zeromq = served.ingress().zeromq();
        assertThat(ServerConfig.DEFAULTS.ingress().zeromq().isEnabled()).isFalse();
        assertThat(zeromq.isEnabled()).isTrue();
        assertThat(zeromq.sockets().ports().registration()).isZero();
        assertThat(zeromq.sockets().ports().tasks()).isEqualTo(5556);
        assertThat(zeromq.sockets().terms().heartbeatTimeout()).hasSeconds(10);
        assertThat(zeromq.sockets().curve()).isPresent();
        assertThat(zeromq.toString()).doesNotContain("secretKey=" + key);
        assertThat(problems(Map.of(), "--zeromq.curve-public-key=" + key))
                .singleElement()
                .asString()
                .contains("zeromq.curve-secret-key", "one is missing");
        assertThat(problems(Map.of(), "--zeromq.heartbeat-timeout=500ms"))
                .singleElement()
                .asString()
                .contains("must be at least twice zeromq.heartbeat-interval");
        assertThat(problems(Map.of(), "--zeromq.curve-secret-key=" + key))
                .singleElement()
                .asString()
                .contains("is a secret");
    }

    @Test
    void agentsOnRabbitMq_areServedAtAnAddress_whoseLoginIsNotShown() {
        var config =
                config(
                        Map.of("ARTEL_MINDBUS_URI", "amqp://artel:hidden@broker:5671/%2f"),
                        "--mindbus.exchange=ai_team",
                        "--mindbus.nodes=agent.a=echo, generate; agent.b=write");

        var bus = config.ingress().mindbus().bus().orElseThrow();
        assertThat(ServerConfig.DEFAULTS.ingress().mindbus().bus()).isEmpty();
        assertThat(bus.exchange()).isEqualTo("ai_team");
        assertThat(bus.replyQueue()).isEqualTo("orchestrator.responses.orchestrator-main");
        assertThat(bus.seeds())
                .containsEntry("agent.a", List.of("echo", "generate"))
                .containsEntry("agent.b", List.of("write"));
        assertThat(bus.toString() + config.ingress()).doesNotContain("hidden");
        assertThat(problems(Map.of(), "--mindbus.uri=http://broker"))
                .singleElement()
                .asString()
                .contains("must be an address such as amqp://USER:PASSWORD@HOST:PORT/VHOST");
        assertThat(problems(Map.of(), "--mindbus.nodes=agent.a"))
                .singleElement()
                .asString()
                .contains("must be agent=capability,capability");
    }

    @Test
    void agentsThatFail_areSuspended_asTheSettingsHaveIt_orNever() {
        var uri = Map.of("ARTEL_MINDBUS_URI", "amqp://broker");

        assertThat(config(uri).ingress().mindbus().breaker()).contains(BreakerPolicy.DEFAULTS);
        assertThat(
                        config(uri, "--mindbus.breaker-failures=5", "--mindbus.breaker-pause=10s")
                                .ingress()
                                .mindbus()
                                .breaker())
                .contains(new BreakerPolicy(5, Duration.ofSeconds(10), Duration.ofHours(1)));
        assertThat(config(uri).ingress().mindbus().bus().orElseThrow().commandsPerSecond())
                .isEqualTo(100);
        assertThat(
                        config(uri, "--mindbus.commands-per-second=7")
                                .ingress()
                                .mindbus()
                                .bus()
                                .orElseThrow()
                                .commandsPerSecond())
                .isEqualTo(7);
        assertThat(config(uri, "--mindbus.breaker-failures=0").ingress().mindbus().breaker())
                .isEmpty();
        assertThat(problems(uri, "--mindbus.breaker-longest=1s"))
                .singleElement()
                .asString()
                .contains("mindbus.breaker-longest must be at least mindbus.breaker-pause");
    }

    @Test
    void filesOfClientsAndWorkers_areAsGoodAsChosenTokens() {
        var config =
                config(
                        Map.of(),
                        "--host=0.0.0.0",
                        "--access.clients=c.toml",
                        "--access.workers=w.toml");

        assertThat(config.ingress().access().clients()).contains(Path.of("c.toml"));
    }

    private String write(String text) throws IOException {
        return Files.writeString(folder.resolve("artel.yaml"), text).toString();
    }

    private static ServerConfig config(Map<String, String> environment, String... arguments) {
        return ((Settings) CommandLine.read(arguments, new HashMap<>(environment))).config();
    }

    private static List<String> problems(Map<String, String> environment, String... arguments) {
        return ((Problems) CommandLine.read(arguments, new HashMap<>(environment))).problems();
    }
}
