package dev.artel.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.config.AccessSettings;
import dev.artel.config.Secret;
import dev.artel.gateway.access.OwnWorkers;
import dev.artel.gateway.access.WorkerAuthentication.Decision;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.tokens.TokenDigest;
import dev.artel.tokens.TokenGrant;
import dev.artel.tokens.TokenHolder;
import dev.artel.tokens.TokenRegister;
import dev.artel.tokens.TokenRegisterFile;
import io.github.bucket4j.TimeMeter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AccessControlTest {
    private static final Secret CLIENT = new Secret("the-default-client-token");
    private static final Secret WORKER = new Secret("the-default-worker-token");

    /// Rates give nothing back while a test is slow.
    private static final TimeMeter STANDING =
            new TimeMeter() {
                @Override
                public long currentTimeNanos() {
                    return 0;
                }

                @Override
                public boolean isWallClockBased() {
                    return false;
                }
            };

    @TempDir private Path folder;
    private Instant now = Instant.parse("2026-11-30T23:59:50Z");
    private final InstantSource clock = () -> now;

    @Test
    void withoutFiles_theDefaultClientOperates() {
        var caller = caller(access(), CLIENT.value());

        assertThat(caller.name()).isEqualTo("default");
        assertThat(caller.role()).isEqualTo(Role.OPERATOR);
    }

    @Test
    void aClientOfTheFile_hasItsPlanItsParamsAndItsRole() throws IOException {
        clients(
                """
                [acme]
                token = "acme-token-0123456789"
                plan = "gold"
                monthly_attempts = 3
                [acme.params]
                region = "eu"
                limits = [1, 2]

                [watcher]
                token_sha256 = "%s"
                role = "viewer"
                """
                        .formatted(TokenDigest.of("watcher-token-012345").hex()));

        var accessControl = access();

        var acme = caller(accessControl, "acme-token-0123456789");
        assertThat(acme.plan()).isEqualTo("gold");
        assertThat(acme.role()).isEqualTo(Role.CLIENT);
        assertThat(acme.params()).hasToString("{\"region\":\"eu\",\"limits\":[1,2]}");
        assertThat(accessControl.left(acme)).hasValue(3);
        assertThat(caller(accessControl, "watcher-token-012345").role()).isEqualTo(Role.VIEWER);
        assertThat(accessControl.client("acme")).contains(acme);
    }

    /// Trap: tokens that begin alike are taken for one another.
    @Test
    void tokensOfEqualPrefix_areDifferentTokens() throws IOException {
        clients(
                """
                [a]
                token = "prefix-prefix-prefix"
                [b]
                token = "prefix-prefix-prefix-1"
                """);

        var accessControl = access();

        assertThat(caller(accessControl, "prefix-prefix-prefix").name()).isEqualTo("a");
        assertThat(caller(accessControl, "prefix-prefix-prefix-1").name()).isEqualTo("b");
        for (var wrong :
                List.of(
                        "",
                        "prefix-prefix-prefi",
                        "prefix-prefix-prefix-",
                        "prefix-prefix-prefix ")) {
            assertThat(refusal(accessControl, wrong).error())
                    .isEqualTo("Unauthorized: Invalid token");
            assertThat(refusal(accessControl, wrong).status()).isEqualTo(401);
        }
        assertThat(accessControl.unauthorized()).isEqualTo(8);
    }

    @Test
    void clientsHaveWeights_thatAreReadAgain() throws IOException {
        clients(
                """
                [gold]
                token = "token-of-gold-0123456789"
                weight = 4
                [plain]
                token = "token-of-plain-0123456789"
                """);
        var accessControl = access();
        assertThat(accessControl.weights()).containsExactly(Map.entry("gold", 4d));

        clients("[gold]\ntoken = \"token-of-gold-0123456789\"\nweight = 0.25\n");
        accessControl.reload();

        assertThat(accessControl.weights()).containsExactly(Map.entry("gold", 0.25));
    }

    @Test
    void aWeightOrPriorityThatMeansNothing_isRefused() throws IOException {
        clients(
                """
                [heavy]
                token = "token-of-heavy-0123456789"
                weight = 0
                max_priority = "high"
                """);

        assertThatThrownBy(this::access)
                .hasMessageContaining("heavy.weight must be a number from 0.001 to 1000, was 0")
                .hasMessageContaining(
                        "heavy.max_priority must be a number from -1000000000 to 1000000000, was"
                                + " string");
    }

    @Test
    void everythingThatIsWrongWithTheFiles_isReportedTogether_andNoTokenIsShown()
            throws IOException {
        clients(
                """
                plain = "a string"
                [nobody]
                plan = "gold"
                [number]
                token = 5
                [quota]
                token = "quota-token-012345678"
                monthly_attempts = "many"
                role = "king"
                params = 3
                [twin]
                token = "quota-token-012345678"
                [both]
                token = "x-token-0123456789"
                token_sha256 = "00"
                [spaces]
                token = "with spaces in it"
                """);
        workers(
                """
                [w1]
                tasks = "all"
                [w2]
                token = "worker-two-0123456789"
                clients = []
                """);

        assertThatThrownBy(this::access)
                .isInstanceOf(AccessControl.Unusable.class)
                .hasMessage(
                        "clients.toml:1: plain must be a table, was string; "
                                + "clients.toml:5: number.token must be a string, was"
                                + " number; clients.toml:9: quota.role must be client, viewer or"
                                + " operator, was 'king'; clients.toml:8: quota.monthly_attempts must be"
                                + " a whole number from 0 to 9223372036854775807, was string;"
                                + " clients.toml:10: quota.params must be a table, was number;"
                                + " clients.toml:13: both has token and token_sha256; keep one of them, or list both in tokens;"
                                + " clients.toml:17: spaces.token must have 1 to 256 visible ASCII"
                                + " characters; workers.toml:2:"
                                + " w1.tasks must be a list of names, at least one; workers.toml:5:"
                                + " w2.clients must be a list of names, at least one; client quota (clients.toml:6) and client twin (clients.toml:11) have the same token; give each its own");
    }

    @Test
    void whatIsNoToml_isReportedWithItsPlace_andNothingOfIt() throws IOException {
        clients("[a]\ntoken = \"never-show-this-token\n");

        assertThatThrownBy(this::access)
                .isInstanceOf(AccessControl.Unusable.class)
                .hasMessageStartingWith(folder.resolve("clients.toml") + " is no TOML at line 2")
                .hasMessageNotContaining("never-show");
    }

    @Test
    void aFileThatIsNamed_mustBeThere_andOneOfTheFolderNeedNot() {
        assertThat(caller(access(), CLIENT.value()).name()).isEqualTo("default");

        var named = AccessSettings.DEFAULTS.withClients(folder.resolve("nowhere.toml"));
        assertThatThrownBy(() -> access(named))
                .hasMessage(
                        "access.clients names "
                                + folder.resolve("nowhere.toml")
                                + ", which is not there; make it or correct the path");
    }

    /// Trap: reading the files again adds and never removes.
    @Test
    void readingAgain_addsAndRemoves_andWhatIsWrong_changesNothing() throws IOException {
        clients("[a]\ntoken = \"token-of-a-0123456789\"\n");
        var accessControl = access();
        assertThat(caller(accessControl, "token-of-a-0123456789").name()).isEqualTo("a");

        clients("[b]\ntoken = \"token-of-b-0123456789\"\n");
        assertThat(accessControl.reload()).isEqualTo(new AccessControl.Reload.Done(2, 0));
        assertThat(refusal(accessControl, "token-of-a-0123456789").status()).isEqualTo(401);
        assertThat(caller(accessControl, "token-of-b-0123456789").name()).isEqualTo("b");

        clients("[c]\ntoken = 5\n");
        assertThat(accessControl.reload())
                .isEqualTo(
                        new AccessControl.Reload.Refused(
                                List.of("clients.toml:2: c.token must be a string, was number")));
        assertThat(caller(accessControl, "token-of-b-0123456789").name()).isEqualTo("b");
    }

    @Test
    void aWorkerWithATokenOfItsOwn_canUseNoOther_andOthersUseTheShared() throws IOException {
        workers("[gpu-1]\ntoken = \"token-of-gpu-0123456\"\ntasks = [\"render\"]\n");
        var workers = access().workers();

        var gpu = new WorkerId("gpu-1");
        assertThat(workers.check("token-of-gpu-0123456", gpu)).isEqualTo(new Decision.Named(gpu));
        assertThat(workers.check(WORKER.value(), gpu))
                .isEqualTo(new Decision.Refused("Unauthorized: Invalid individual worker token"));
        assertThat(workers.check(WORKER.value(), new WorkerId("w")))
                .isInstanceOf(Decision.Unnamed.class);
        assertThat(workers.check("nonsense", new WorkerId("w")))
                .isEqualTo(new Decision.Refused("Unauthorized: No valid token found"));
        assertThat(workers.check("nonsense", null))
                .isEqualTo(
                        new Decision.Refused("Unauthorized: Invalid token or missing worker_id"));
        assertThat(access().tasksFor(gpu, List.of("echo", "render"))).containsExactly("render");
        assertThat(access().tasksFor(new WorkerId("w"), List.of("echo"))).containsExactly("echo");
    }

    @Test
    void aPattern_limitsItsWorkers_butNotThoseWithATable() throws IOException {
        workers(
                """
                ["gpu-*"]
                token = "token-of-gpus-0123456789"
                tasks = ["render"]
                clients = ["acme"]
                [gpu-7]
                token = "token-of-seven-0123456789"
                [gpu-9]
                tasks = ["render"]
                [limited]
                tasks = ["render"]
                [certified]
                certificate = "machine-7"
                """);
        var access = access();
        var gpu = new WorkerId("gpu-1");
        var seven = new WorkerId("gpu-7");

        assertThat(access.workers().check("token-of-gpus-0123456789", gpu))
                .isEqualTo(new Decision.Named(gpu));
        assertThat(access.tasksFor(gpu, List.of("echo", "render"))).containsExactly("render");
        assertThat(access.clientsFor(gpu)).containsExactly("acme");
        assertThat(access.hasOwnToken(gpu)).isTrue();
        assertThat(access.tokenOf(gpu)).isEqualTo("gpu-*");
        assertThat(access.tokenOf(seven)).isEqualTo(seven.value());
        assertThat(access.tokenOf(new WorkerId("cpu-1"))).isEmpty();
        assertThat(access.tasksFor(seven, List.of("echo", "render")))
                .containsExactly("echo", "render");
        assertThat(access.clientsFor(seven)).isEmpty();
        assertThat(access.hasOwnToken(new WorkerId("cpu-1"))).isFalse();
        assertThat(access.hasOwnToken(new WorkerId("certified"))).isTrue();
        assertThat(access.hasOwnToken(new WorkerId("gpu-9"))).as("the pattern has one").isTrue();
        assertThat(access.hasOwnToken(new WorkerId("limited"))).isFalse();
    }

    /// Trap: rotating the token of one worker lifts the limits of its pattern.
    @Test
    void aTokenThatIsAddedForANameOrALongerPattern_leavesTheLimitsOfThePattern()
            throws IOException {
        workers(
                """
                ["gpu-*"]
                token = "token-of-gpus-0123456789"
                tasks = ["render"]
                clients = ["acme"]
                """);
        issue("gpu-1", "token-of-gpu-1-0123456789");
        issue("gpu-eu-*", "token-of-europe-0123456789");
        issue("*-of-the-north", "token-of-north-0123456789");
        issue("cpu-1", "token-of-cpu-1-0123456789");
        var access = access();

        for (var limited :
                Map.of(
                                "gpu-1", "token-of-gpu-1-0123456789",
                                "gpu-eu-1", "token-of-europe-0123456789",
                                "gpu-1-of-the-north", "token-of-north-0123456789")
                        .entrySet()) {
            var worker = new WorkerId(limited.getKey());
            assertThat(access.workers().check(limited.getValue(), worker))
                    .isEqualTo(new Decision.Named(worker));
            assertThat(access.workers().check("token-of-gpus-0123456789", worker))
                    .isInstanceOf(Decision.Refused.class);
            assertThat(access.hasOwnToken(worker)).isTrue();
            assertThat(access.tasksFor(worker, List.of("echo", "render")))
                    .as(limited.getKey())
                    .containsExactly("render");
            assertThat(access.clientsFor(worker)).as(limited.getKey()).containsExactly("acme");
        }
        var cpu = new WorkerId("cpu-1");
        assertThat(access.tasksFor(cpu, List.of("echo"))).containsExactly("echo");
        assertThat(access.clientsFor(cpu)).isEmpty();
    }

    @Test
    void theSharedToken_canBeSwitchedOff() throws IOException {
        var settings = AccessSettings.DEFAULTS.withSharedWorkerToken(false);
        assertThatThrownBy(() -> access(settings))
                .hasMessageContaining("no worker could connect; name workers in workers.toml");

        workers("[w1]\ntoken = \"token-of-w1-012345678\"\n");
        assertThat(access(settings).workers().check(WORKER.value(), new WorkerId("w2")))
                .isEqualTo(new Decision.Refused("Unauthorized: No valid token found"));
    }

    /// Trap: without its table, a certificate is that of its common name, and has more rights than before.
    @Test
    void withoutTheSharedToken_aCertificateIsThatOfAWorkerOfTheFile_alone() throws IOException {
        workers(
                """
                ["gpu-*"]
                tasks = ["render"]
                [certified]
                certificate = "machine-7"
                [named]
                token = "token-of-named-0123456789"
                """);
        issue("added", "token-of-added-0123456789");
        var access = access(AccessSettings.DEFAULTS.withSharedWorkerToken(false));

        assertThat(workerOf(access, "machine-7")).contains(new WorkerId("certified"));
        assertThat(workerOf(access, "gpu-1")).contains(new WorkerId("gpu-1"));
        assertThat(workerOf(access, "named")).contains(new WorkerId("named"));
        for (var nobody : List.of("certified", "cpu-1", "added", "gpu-*")) {
            assertThat(workerOf(access, nobody)).as(nobody).isEmpty();
        }
        assertThat(workerOf(access(), "cpu-1")).contains(new WorkerId("cpu-1"));
        assertThat(workerOf(access(), "certified")).isEmpty();

        workers("[named]\ntoken = \"token-of-named-0123456789\"\n");
        access.reload();
        for (var nobody : List.of("machine-7", "gpu-1")) {
            assertThat(workerOf(access, nobody)).as(nobody).isEmpty();
        }
    }

    /// Trap: a worker takes the name of the one that does the built-in actions, by the token of all workers, or by a table, a token or a
    /// certificate that somebody has given out for this name, and gets their parameters with the secrets in them.
    @Test
    void theWorkerOfTheOrchestrator_isNobodyElse_withWhateverToken() throws IOException {
        var own = OwnWorkers.ACTIONS;
        var refused = new Decision.Refused(OwnWorkers.refusal(own));
        assertThat(access().workers().check(WORKER.value(), own)).isEqualTo(refused);
        assertThat(access().workers().judge(WORKER.value(), own)).isEqualTo(refused);
        assertThat(certified(access(), own.value(), null))
                .isNotInstanceOf(AccessControl.Certified.With.class);

        workers(
                """
                ["artel-*"]
                token = "token-of-the-pattern-0123"
                [artel-actions]
                token = "token-of-actions-0123456789"
                certificate = "machine-9"
                """);
        var workers = access().workers();

        for (var token :
                List.of(
                        WORKER.value(),
                        "token-of-the-pattern-0123",
                        "token-of-actions-0123456789")) {
            assertThat(workers.check(token, own)).as(token).isEqualTo(refused);
        }
        for (var claimed : Arrays.asList(null, new WorkerId("w"))) {
            assertThat(workers.check("token-of-actions-0123456789", claimed)).isEqualTo(refused);
        }
        assertThat(workerOf(access(), "machine-9")).isEmpty();
    }

    @Test
    void aTokenOfNobodyBesideACertificate_isNoFailedLogin() throws IOException {
        workers("[other]\ntoken = \"token-of-other-0123456789\"\n");
        var access = access();

        for (var token : List.of("of-nobody", "token-of-other-0123456789", WORKER.value())) {
            certified(access, "gpu-1", token);
        }

        assertThat(access.unauthorized()).isZero();
        access.workers().check("of-nobody", new WorkerId("gpu-1"));
        assertThat(access.unauthorized()).isEqualTo(1);
    }

    private AccessControl.Certified certified(
            AccessControl access, String name, @Nullable String token) {
        return access.certifiedWorker(
                List.of(name), now.plus(Duration.ofDays(1)), token, access.workers());
    }

    private Optional<WorkerId> workerOf(AccessControl access, String name) {
        return certified(access, name, null) instanceof AccessControl.Certified.With(var token)
                        && access.workers().check(token, null) instanceof Decision.Named(var worker)
                ? Optional.of(worker)
                : Optional.empty();
    }

    /// Trap: a restart fills the quota again, reading costs, and a month never ends.
    @Test
    void aQuota_countsJobs_outlivesRestarts_andBeginsAnewEachMonth() throws IOException {
        clients("[a]\ntoken = \"token-of-a-0123456789\"\nmonthly_attempts = 2\n");
        var accessControl = access();
        var a = caller(accessControl, "token-of-a-0123456789");
        for (var i = 0; i < 10; i++) {
            assertThat(accessControl.admit("token-of-a-0123456789", "192.0.2.1"))
                    .isInstanceOf(AuthDecision.Admitted.class);
        }
        assertThat(accessControl.spend(a, 1)).isEmpty();
        assertThat(accessControl.spend(a, 2)).isPresent();
        accessControl.giveBack(a, 1);
        assertThat(accessControl.spend(a, 1)).isEmpty();

        var again = access(); // without closing the one before: a crash
        assertThat(again.left(a)).hasValue(1);
        assertThat(again.spend(a, 1)).isEmpty();
        var refused = again.spend(a, 1).orElseThrow();
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.error()).isEqualTo("Quota exceeded or not configured");
        assertThat(refused.retryAfter()).contains(Duration.ofSeconds(10));

        now = Instant.parse("2026-12-01T00:00:00Z");
        assertThat(again.spend(a, 2)).isEmpty();

        now = Instant.parse("2026-11-15T00:00:00Z");
        assertThat(again.spend(a, 1)).isPresent();
        assertThat(access().spend(a, 1)).isPresent();
    }

    /// Trap: a client without a quota can do nothing.
    @Test
    void withoutAQuota_aClientSubmitsAsItLikes() throws IOException {
        clients("[a]\ntoken = \"token-of-a-0123456789\"\n");
        var accessControl = access();

        assertThat(accessControl.spend(caller(accessControl, "token-of-a-0123456789"), 1_000_000))
                .isEmpty();
    }

    @Test
    void damagedQuotas_areReportedAtTheStart() throws IOException {
        Files.writeString(folder.resolve("quota.json"), "{\"month\":\"soon\"");

        assertThatThrownBy(this::access)
                .hasMessageStartingWith("cannot read the used quotas (")
                .hasMessageEndingWith("or remove it to begin the month anew");
    }

    private static int statusOf(AuthDecision decision) {
        return ((AuthDecision.Refused) decision).status();
    }

    /// Trap: a stranger sends wrong tokens, each from another address of its network, and each has a budget of its own.
    @Test
    void wrongTokensFromANetworkOfIpv6_haveOneBudget() {
        var accessControl = access();
        for (var i = 0; i < RateLimiter.REFUSED_PER_MINUTE; i++) {
            var from = "2001:db8:0:1:" + Integer.toHexString(i) + "::7";
            assertThat(statusOf(accessControl.admit("wrong-" + i, from))).isEqualTo(401);
        }

        assertThat(statusOf(accessControl.admit("wrong", "2001:db8:0:1:ffff::1"))).isEqualTo(429);
        assertThat(statusOf(accessControl.admit("wrong", "2001:db8:0:2::1"))).isEqualTo(401);
        var workers = accessControl.workerLimits();
        for (var i = 0; i < RateLimiter.REFUSED_PER_MINUTE; i++) {
            assertThat(workers.refused("2001:db8:0:1::" + Integer.toHexString(i), "wrong"))
                    .isEmpty();
        }
        assertThat(workers.refused("2001:db8:0:1:ffff::1", "wrong")).isPresent();
    }

    @Test
    void aClientThatAsksTooOften_waits() throws IOException {
        clients("[a]\ntoken = \"token-of-a-0123456789\"\nrequests_per_minute = 2\n");
        var accessControl = access();
        accessControl.admit("token-of-a-0123456789", "192.0.2.1");
        accessControl.admit("token-of-a-0123456789", "192.0.2.1");

        var refused = refusal(accessControl, "token-of-a-0123456789");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.error()).isEqualTo("Too Many Requests");
        assertThat(refused.retryAfter().orElseThrow()).isEqualTo(Duration.ofSeconds(30));
        assertThat(accessControl.limited()).isEqualTo(1);
        assertThat(caller(accessControl, CLIENT.value()).name()).isEqualTo("default");
    }

    /// Trap: what nobody has set limits nobody, so that one client takes all there is.
    @Test
    void aClientWhoseTableSaysNothing_hasARate_andAnOperatorHasNone() throws IOException {
        clients("[a]\ntoken = \"token-of-a-0123456789\"\n");
        var accessControl =
                access(
                        AccessSettings.DEFAULTS.withRates(
                                AccessSettings.Rates.DEFAULTS.withClients(2)));
        assertThat(AccessSettings.Rates.DEFAULTS.clients()).isPositive();
        for (var i = 0; i < 2; i++) {
            assertThat(caller(accessControl, "token-of-a-0123456789").name()).isEqualTo("a");
        }

        assertThat(refusal(accessControl, "token-of-a-0123456789").status()).isEqualTo(429);
        for (var i = 0; i < 10; i++) {
            assertThat(caller(accessControl, CLIENT.value()).name()).isEqualTo("default");
        }
    }

    private AccessControl access() {
        return access(AccessSettings.DEFAULTS);
    }

    private AccessControl access(AccessSettings settings) {
        return new AccessControl(
                settings,
                Optional.of(folder),
                new OrchestratorTokens(
                        Optional.of(CLIENT), Optional.of(WORKER), "the settings", Optional.empty()),
                clock,
                STANDING);
    }

    private void clients(String text) throws IOException {
        Files.writeString(folder.resolve("clients.toml"), text);
    }

    private void workers(String text) throws IOException {
        Files.writeString(folder.resolve("workers.toml"), text);
    }

    private void issue(String worker, String token) throws IOException {
        new TokenRegisterFile(folder)
                .change(register ->
                        register.with(
                                new TokenRegister.Issued(
                                        new TokenHolder.Worker(worker),
                                        new TokenGrant(TokenDigest.of(token), Optional.empty()),
                                        now,
                                        "a test")));
    }

    private static Caller caller(AccessControl accessControl, String token) {
        return ((AuthDecision.Admitted) accessControl.admit(token, "192.0.2.1")).caller();
    }

    private static AuthDecision.Refused refusal(AccessControl accessControl, String token) {
        return (AuthDecision.Refused) accessControl.admit(token, "192.0.2.1");
    }
}
