package dev.artel.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.CommandLine.Problems;
import dev.artel.config.CommandLine.Settings;
import dev.artel.store.s3.S3Settings;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CommandLineTest {
    private static final String CLIENT = "client-token-0123";
    private static final String WORKER = "worker-token-0123";

    @Test
    void nothingSet_isTheDefaults_andTheProgramDoesActionsItself() {
        assertThat(config(Map.of()))
                .isEqualTo(
                        ServerConfig.DEFAULTS.withActions(
                                ActionSettings.DEFAULTS.withEnabled(true)));
    }

    @Test
    void aFlag_winsOverAVariable() {
        var config = config(Map.of("ARTEL_PORT", "1", "ARTEL_DATA", "d"), "--port=2");

        assertThat(config.http().port()).isEqualTo(2);
        assertThat(config.data()).isEqualTo(Path.of("d"));
    }

    @Test
    void aSwitch_needsNoValue_andTakesOne() {
        assertThat(config(Map.of(), "--strict", "--port", "2").blueprints().strict()).isTrue();
        assertThat(config(Map.of(), "--strict=false").blueprints().strict()).isFalse();
        assertThat(config(Map.of("ARTEL_BLUEPRINTS_STRICT", "yes")).blueprints().strict()).isTrue();
    }

    @Test
    void allProblems_areReportedTogether() {
        var outcome =
                CommandLine.read(
                        new String[] {"--prot", "--port", "70000", "--data"},
                        Map.of("ARTEL_HOST", " ", "ARTEL_CLIENT_TOKEN", CLIENT));

        assertThat(outcome)
                .isEqualTo(
                        new Problems(
                                List.of(
                                        "unknown argument --prot; did you mean --port?",
                                        "--data needs a value",
                                        "ARTEL_HOST must not be blank",
                                        "--port must be from 0 to 65535, was '70000'",
                                        "ARTEL_WORKER_TOKEN is missing beside ARTEL_CLIENT_TOKEN; set both"
                                                + " tokens or none")));
    }

    /// Trap: the orchestrator's own client has no certificate, and each task from Redis fails.
    @Test
    void certificatesThatAreRequired_areRefusedBesideTasksFromRedis() {
        var tls =
                Map.of(
                        "ARTEL_TLS_CERTIFICATE", "cert.pem",
                        "ARTEL_TLS_KEY", "key.pem",
                        "ARTEL_TLS_CLIENT_AUTHORITIES", "authorities.pem",
                        "ARTEL_REDIS_URI", "redis://localhost:6379");

        assertThat(CommandLine.read(new String[] {"--tls.client-certificates=required"}, tls))
                .isEqualTo(
                        new Problems(
                                List.of(
                                        "--tls.client-certificates is required beside ARTEL_REDIS_URI: the"
                                                + " orchestrator submits the tasks from Redis over its own API, and"
                                                + " has no certificate there; set it to optional, or take these tasks"
                                                + " with another orchestrator")));
        assertThat(config(tls, "--tls.client-certificates=optional").ingress().redis().uri())
                .isPresent();
    }

    @Test
    void anAddressThatOthersReach_needsChosenTokens() {
        assertThat(CommandLine.read(new String[] {"--host", "0.0.0.0"}, Map.of()))
                .isEqualTo(
                        new Problems(
                                List.of(
                                        "--host 0.0.0.0 can be reached from other machines: choose tokens and set"
                                                + " ARTEL_CLIENT_TOKEN and ARTEL_WORKER_TOKEN")));

        var tokens = Map.of("ARTEL_CLIENT_TOKEN", CLIENT, "ARTEL_WORKER_TOKEN", WORKER);
        assertThat(config(tokens, "--host", "0.0.0.0").tokens())
                .isEqualTo(new TokenSettings.Given(new Secret(CLIENT), new Secret(WORKER)));
    }

    @Test
    void aGuessableToken_isRefused_andNeverShown() {
        var outcome =
                CommandLine.read(
                        new String[0],
                        Map.of("ARTEL_CLIENT_TOKEN", "short", "ARTEL_WORKER_TOKEN", WORKER));

        assertThat(outcome)
                .isEqualTo(
                        new Problems(
                                List.of(
                                        "ARTEL_CLIENT_TOKEN must have 16 to 256 visible ASCII characters, had 5")));
        assertThat(new Secret(WORKER)).hasToString("***");
    }

    @Test
    void sessionsOfTheDashboard_haveTheirTimes() {
        var times =
                config(Map.of("ARTEL_ACCESS_SESSIONS_IDLE", "30m"), "--access.sessions.longest=1d")
                        .ingress()
                        .access()
                        .sessions();

        assertThat(times)
                .isEqualTo(
                        new AccessSettings.SessionTimes(
                                Duration.ofMinutes(30), Duration.ofDays(1)));
        assertThat(CommandLine.read(new String[] {"--access.sessions.idle=0s"}, Map.of()))
                .isEqualTo(
                        new Problems(
                                List.of(
                                        "--access.sessions.idle must be from 60s to 87600h, was '0s'")));
    }

    @Test
    void closedJobs_areKeptForTheTimeOfTheirBlueprint() {
        var kept =
                config(
                                Map.of("ARTEL_ENGINE_KEEP_CLOSED", "10d"),
                                "--engine.keep-closed-of=order=7d, nightly.run = 3650d")
                        .engine()
                        .keepClosed();

        assertThat(kept.time()).isEqualTo(Duration.ofDays(10));
        assertThat(kept.ofBlueprints())
                .containsExactly(
                        Map.entry("order", Duration.ofDays(7)),
                        Map.entry("nightly.run", Duration.ofDays(3650)));
    }

    @Test
    void timesOfBlueprints_thatNobodyCanRead_areRefused_withWhatTheyMustBe() {
        assertThat(problemsOfKept("order"))
                .containsExactly(
                        "--engine.keep-closed-of must name blueprints and their times such as order=7d,"
                                + " invoice=90d, was 'order', of which 'order' is none");
        assertThat(problemsOfKept("order=7d,invoice=soon"))
                .containsExactly(
                        "--engine.keep-closed-of of blueprint 'invoice' must be a time such as 30s, 5m,"
                                + " 12h or 30d, was 'soon'");
        assertThat(problemsOfKept("order=7d,order=8d"))
                .containsExactly("--engine.keep-closed-of names the blueprint 'order' twice");
        assertThat(problemsOfKept("order=0s"))
                .containsExactly(
                        "--engine.keep-closed-of of blueprint 'order' must be from 1ms to 36500d, was PT0S");
        assertThat(problemsOfKept(","))
                .containsExactly(
                        "--engine.keep-closed-of must name at least one blueprint; leave it out");
    }

    private static List<String> problemsOfKept(String value) {
        var outcome = CommandLine.read(new String[] {"--engine.keep-closed-of=" + value}, Map.of());
        assertThat(outcome).isInstanceOf(Problems.class);
        return ((Problems) outcome).problems();
    }

    @Test
    void aBucket_isSetByVariables_andItsSecretByNothingElse() {
        var s3 =
                config(
                                Map.of(
                                        "ARTEL_PAYLOADS_S3_BUCKET", "values",
                                        "ARTEL_PAYLOADS_S3_ENDPOINT", "http://10.0.0.7:9000",
                                        "ARTEL_PAYLOADS_S3_ACCESS_KEY", "us",
                                        "ARTEL_PAYLOADS_S3_SECRET_KEY", "hush"),
                                "--payloads.s3.path-style",
                                "true",
                                "--payloads.max-bytes",
                                "8MiB")
                        .payloads();

        assertThat(s3.maxBytes()).isEqualTo(8 << 20);
        assertThat(s3.s3().orElseThrow().pathStyle()).isTrue();
        assertThat(s3.s3().orElseThrow().keys()).contains(new S3Settings.Keys("us", "hush"));
        assertThat(s3.toString()).doesNotContain("hush");
        assertThat(CommandLine.read(new String[] {"--payloads.s3.secret-key", "hush"}, Map.of()))
                .asString()
                .contains("set ARTEL_PAYLOADS_S3_SECRET_KEY instead")
                .doesNotContain("hush");
    }

    @Test
    void halfABucket_isRefused() {
        assertThat(
                        CommandLine.read(
                                new String[] {
                                    "--payloads.s3.endpoint",
                                    "10.0.0.7:9000",
                                    "--payloads.s3.access-key",
                                    "us",
                                    "--payloads.grace",
                                    "1m"
                                },
                                Map.of()))
                .isEqualTo(
                        new Problems(
                                List.of(
                                        "--payloads.grace must be at least 10m, since a value is kept"
                                                + " before its job names it; was PT1M",
                                        "--payloads.s3.endpoint must be an address such as"
                                                + " http://10.0.0.7:9000, was '10.0.0.7:9000'",
                                        "payloads.s3.bucket is missing, since other settings of a"
                                                + " bucket are set: --payloads.s3.endpoint,"
                                                + " --payloads.s3.access-key",
                                        "payloads.s3.secret-key is missing beside"
                                                + " --payloads.s3.access-key; set both keys or none")));
    }

    private static ServerConfig config(Map<String, String> environment, String... arguments) {
        return ((Settings) CommandLine.read(arguments, environment)).config();
    }

    /// Trap: the variables that all programs of an operator share have no effect, or go before those of Artel.
    @Test
    void theVariablesOfOpenTelemetry_nameTheCollector_andOurOwnGoBeforeThem() {
        var shared =
                Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "http://collector:4318/",
                        "OTEL_EXPORTER_OTLP_HEADERS",
                        "api-key=a%20b,tenant=7",
                        "OTEL_SERVICE_NAME",
                        "orders",
                        "OTEL_TRACES_SAMPLER",
                        "parentbased_traceidratio",
                        "OTEL_TRACES_SAMPLER_ARG",
                        "0.25");

        var read = traces(shared);

        assertThat(read.endpoint()).contains(URI.create("http://collector:4318/v1/traces"));
        assertThat(read.headers()).containsEntry("api-key", "a b").containsEntry("tenant", "7");
        assertThat(read.service()).isEqualTo("orders");
        assertThat(read.ratio()).isEqualTo(0.25);
        assertThat(read.toString()).doesNotContain("a b");
        var own = new HashMap<>(shared);
        own.put("ARTEL_TRACES_OTLP_ENDPOINT", "https://own.example.org/take");
        assertThat(traces(own).endpoint()).contains(URI.create("https://own.example.org/take"));
        own.clear();
        own.putAll(shared);
        own.put("OTEL_SDK_DISABLED", "true");
        assertThat(traces(own).endpoint()).isEmpty();
    }

    private static TraceSettings traces(Map<String, String> environment) {
        var outcome = CommandLine.read(new String[0], environment);
        return ((CommandLine.Settings) outcome).config().ingress().operations().traces();
    }
}
