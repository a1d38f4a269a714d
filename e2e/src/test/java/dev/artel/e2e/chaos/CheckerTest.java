package dev.artel.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.JobId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The checker against histories in which something was planted, over real HTTP.
final class CheckerTest {
    private static final String JOB = "01a1fdf1-0000-7000-8000-000000000001";
    private static final String SUBMITTED = event(1, "\"type\":\"job.submitted\"");
    private static final String GRANTED = granted(1, "w");
    private static final String SUCCEEDED = succeeded(1);
    private static final String ENDED = event(5, "\"type\":\"job.ended\"");

    @TempDir Path folder;

    private final Findings findings = new Findings();
    private final AcknowledgedJobs ledger = new AcknowledgedJobs();
    private HttpServer server;
    private String status = "finished";
    private boolean isLeaky;
    private List<String> history = List.of(SUBMITTED, GRANTED, SUCCEEDED, ENDED);

    private static String granted(int attempt, String worker) {
        return event(
                2,
                "\"type\":\"lease.granted\",\"task\":0,\"task_id\":\"%s.0.%d\",\"worker\":\"%s\""
                        .formatted(JOB, attempt, worker));
    }

    private static String succeeded(int attempt) {
        return event(
                3,
                "\"type\":\"task.succeeded\",\"task\":0,\"task_id\":\"%s.0.%d\""
                        .formatted(JOB, attempt));
    }

    private static String event(int version, String members) {
        return "{\"version\":" + version + "," + members + "}";
    }

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var uri = exchange.getRequestURI();
            var isHistory = uri.getPath().endsWith("/history");
            var isFirst = isHistory && uri.getQuery().endsWith("after=0");
            var body =
                    isFirst
                            ? "{\"items\":[" + String.join(",", history) + "]}"
                            : isHistory ? "{\"items\":[]}" : "{\"status\":\"" + status + "\"}";
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            var caller = exchange.getRequestHeaders().getFirst("Authorization");
            var isForbidden = caller.endsWith("beta") && !isLeaky;
            exchange.sendResponseHeaders(isForbidden ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Set<String> check(JobKind jobKind, String... tokens) throws Exception {
        var job = new AcknowledgedJobs.Entry(JOB, jobKind, "alpha", false, false);
        assertThat(ledger.acknowledged("key", job)).isEmpty();
        return check(tokens);
    }

    private Set<String> check(String... tokens) throws Exception {
        Files.write(
                folder.resolve("effects-w"),
                List.of(tokens).stream().map(t -> t + " note").toList());
        var uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (var api = new Api(uri, "token", (_, _) -> {});
                var alpha = new Api(uri, "alpha", (_, _) -> {});
                var beta = new Api(uri, "beta", (_, _) -> {});
                var receiver = new Receiver(findings)) {
            var checker =
                    new Checker(api, Map.of("alpha", alpha, "beta", beta), findings, receiver);
            var ended = checker.await(ledger, Duration.ofMillis(100));
            checker.check(ledger, ended, Effects.read(folder, findings));
        }
        return findings.all().keySet();
    }

    private static String token(int attempt, long nonce) {
        return LeaseToken.mint(new JobId(JOB), 0, attempt, nonce).value();
    }

    @Test
    void aJobThatEndedOnce_andWhoseEffectHasALease_isFine() throws Exception {
        assertThat(check(JobKind.CHAIN, token(1, 1))).isEmpty();
    }

    @Test
    void aSecondEnd_isFound() throws Exception {
        history = List.of(SUBMITTED, GRANTED, SUCCEEDED, ENDED, ENDED);

        assertThat(check(JobKind.CHAIN, token(1, 1)))
                .containsExactly("job " + JOB + " (CHAIN) ended 2 times");
    }

    @ParameterizedTest
    @CsvSource({"ENDLESS_LOOP, cancelled", "DEAF, failed", "HOARD, cancelled"})
    void aJobThatDoesHarm_andEndedOnce_isFine(JobKind jobKind, String ended) throws Exception {
        status = ended;
        history = List.of(SUBMITTED, ENDED);

        assertThat(check(jobKind)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ENDLESS_LOOP, cancelled", "DEAF, failed", "HOARD, cancelled"})
    void aJobThatDoesHarm_andEndedTwiceOrNever_isFound(JobKind jobKind, String ended)
            throws Exception {
        status = ended;
        history = List.of(SUBMITTED, ENDED, ENDED);
        assertThat(check(jobKind))
                .containsExactly("job " + JOB + " (" + jobKind + ") ended 2 times");

        history = List.of(SUBMITTED);
        assertThat(check())
                .containsExactlyInAnyOrder(
                        "job " + JOB + " (" + jobKind + ") ended 2 times",
                        "job " + JOB + " (" + jobKind + ") ended 0 times");
    }

    @Test
    void aJobThatDoesHarm_andWaitsInQuarantine_hasNotEnded() throws Exception {
        status = "quarantined";
        history = List.of(SUBMITTED);
        assertThat(check(JobKind.DEAF)).isEmpty();

        history = List.of(SUBMITTED, ENDED);
        assertThat(check())
                .containsExactly("job " + JOB + " (DEAF) is quarantined, and ended 1 times");
    }

    @Test
    void aJobThatDoesHarm_andFinished_isFound() throws Exception {
        history = List.of(SUBMITTED, ENDED);

        assertThat(check(JobKind.HOARD))
                .singleElement()
                .asString()
                .startsWith("a job of HOARD is finished: " + JOB);
    }

    @Test
    void aJobThatIsSetAside_isNotRead() throws Exception {
        status = "unreadable";
        history = List.of();

        assertThat(check(JobKind.HOARD)).isEmpty();
    }

    @Test
    void anEffectOfAJobThatDoesHarm_isFound() throws Exception {
        status = "cancelled";
        history = List.of(SUBMITTED, ENDED);

        assertThat(check(JobKind.DEAF, token(1, 1)))
                .containsExactly(
                        "hand-out " + JOB + ".0.1 had an effect at w, its leases are of []");
    }

    @Test
    void anOutcomeThatWasAppliedTwice_isFound() throws Exception {
        history = List.of(SUBMITTED, GRANTED, SUCCEEDED, SUCCEEDED, ENDED);

        assertThat(check(JobKind.CHAIN, token(1, 1)))
                .containsExactly("job " + JOB + ", task 0: an outcome was applied twice");
    }

    @Test
    void anEffectWithoutALease_isFound() throws Exception {
        assertThat(check(JobKind.CHAIN, token(1, 1), token(2, 2)))
                .containsExactly(
                        "hand-out " + JOB + ".0.2 had an effect at w, its leases are of []");
    }

    @Test
    void asManyEffectsAsLeases_oneOfThemOfALeaseThatThereIsNot_isFound() throws Exception {
        history = List.of(SUBMITTED, GRANTED, granted(2, "w"), SUCCEEDED, ENDED);

        assertThat(check(JobKind.CHAIN, token(1, 1), token(3, 2)))
                .containsExactly(
                        "hand-out " + JOB + ".0.3 had an effect at w, its leases are of []");
    }

    @Test
    void aSecondEffectUnderOneLease_withAnotherToken_isFound() throws Exception {
        assertThat(check(JobKind.CHAIN, token(1, 1), token(1, 2)))
                .containsExactly(
                        "hand-out " + JOB + ".0.1 had an effect at w, its leases are of [w]");
    }

    @Test
    void anEffectAtAnotherWorkerThanThatOfTheLease_isFound() throws Exception {
        history = List.of(SUBMITTED, granted(1, "v"), SUCCEEDED, ENDED);

        assertThat(check(JobKind.CHAIN, token(1, 1)))
                .containsExactly(
                        "hand-out " + JOB + ".0.1 had an effect at w, its leases are of [v]");
    }

    @Test
    void theSuccessOfAnAttemptOtherThanThatWithTheEffect_isFound() throws Exception {
        history = List.of(SUBMITTED, GRANTED, granted(2, "w"), succeeded(2), ENDED);

        assertThat(check(JobKind.CHAIN, token(1, 1)))
                .containsExactly("hand-out " + JOB + ".0.2 succeeded without an effect");
    }

    @Test
    void aSuccessWithoutALease_isFound() throws Exception {
        history = List.of(SUBMITTED, SUCCEEDED, ENDED);

        assertThat(check(JobKind.CHAIN))
                .contains("hand-out " + JOB + ".0.1 succeeded without a lease");
    }

    @Test
    void theHistoryOfAJobThatNobodyAcknowledged_suchAsAChild_isReadToo() throws Exception {
        history = List.of(SUBMITTED, GRANTED, SUCCEEDED, ENDED, ENDED);

        assertThat(check(token(1, 1), token(2, 1)))
                .containsExactlyInAnyOrder(
                        "job " + JOB + " (not acknowledged) ended 2 times",
                        "hand-out " + JOB + ".0.2 had an effect at w, its leases are of []");
    }

    @Test
    void aJobThatAnotherClientSees_isFound() throws Exception {
        isLeaky = true;

        assertThat(check(JobKind.CHAIN, token(1, 1)))
                .containsExactly("beta sees job " + JOB + ", which is of alpha");
    }

    private static String submitted(int n) {
        return event(1, "\"type\":\"job.submitted\",\"initial_data\":{\"n\":" + n + "}");
    }

    private static String opened(String... calls) {
        var tasks =
                Stream.of(calls)
                        .map(call -> call.split(" "))
                        .map(words ->
                                "{\"task_type\":\"%s\",\"params\":{\"step\":%s,\"n\":%s}}"
                                        .formatted((Object[]) words))
                        .collect(Collectors.joining(","));
        return event(2, "\"type\":\"tasks.opened\",\"tasks\":[" + tasks + "]");
    }

    private static String ended(long result) {
        return event(5, "\"type\":\"job.ended\",\"result\":{\"n\":" + result + "}");
    }

    @Test
    void eachKindOfJob_hasABlueprint() {
        assertThat(new ChaosBlueprints().blueprints())
                .extracting(Blueprint::name)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(JobKind.values()).map(JobKind::blueprint).toList());
    }

    @Test
    void aFunctionThatMadeItsCallsOnceAndInOrder_isFine() throws Exception {
        history = List.of(submitted(5), opened("double 0 5"), opened("double 1 10"), ended(30));

        assertThat(check(JobKind.FUNCTION_SLEEP)).isEmpty();
    }

    @Test
    void aFunctionWithAnotherResult_isFound() throws Exception {
        history = List.of(submitted(5), opened("double 0 5"), opened("double 1 10"), ended(31));

        assertThat(check(JobKind.FUNCTION_SLEEP))
                .singleElement()
                .asString()
                .contains("result=Optional[30]")
                .contains("result=Optional[31]");
    }

    @Test
    void aCallOfAFunctionThatWasMadeTwice_orTooEarly_isFound() throws Exception {
        var one = opened("double 0 5");
        var two = opened("double 1 10");
        history = List.of(submitted(5), one, two, two, ended(30));
        assertThat(check(JobKind.FUNCTION_SLEEP)).hasSize(1);

        history = List.of(submitted(5), two, one, ended(30));
        assertThat(check()).hasSize(2);
    }

    @Test
    void aFunctionThatCompensatesInTheOrderOfItsCalls_isFound() throws Exception {
        status = "failed";
        var declined =
                event(1, "\"type\":\"job.submitted\",\"initial_data\":{\"n\":5,\"declined\":true}");
        var calls = opened("double 0 5", "double 1 6", "double 2 7");
        var job = new AcknowledgedJobs.Entry(JOB, JobKind.FUNCTION_SAGA, "alpha", true, false);
        assertThat(ledger.acknowledged("key", job)).isEmpty();

        history =
                List.of(
                        declined,
                        calls,
                        opened("release 2 14"),
                        opened("release 1 6"),
                        opened("release 0 10"),
                        ENDED);
        assertThat(check()).isEmpty();

        history =
                List.of(
                        declined,
                        calls,
                        opened("release 0 10"),
                        opened("release 1 6"),
                        opened("release 2 14"),
                        ENDED);
        assertThat(check()).hasSize(1);
    }

    @Test
    void aTaskThatSucceededWithoutAnEffect_isFound() throws Exception {
        assertThat(check(JobKind.CHAIN))
                .containsExactly("hand-out " + JOB + ".0.1 succeeded without an effect");
    }

    @Test
    void aJobThatDoesNotEnd_isFound_withWhatItWaitsFor() throws Exception {
        status = "running";

        assertThat(check(JobKind.CHAIN, token(1, 1)))
                .singleElement()
                .asString()
                .startsWith("a job of CHAIN is running: " + JOB);
    }

    @Test
    void whatBelongsToAnotherClient_isFoundInAnAnswer() {
        var secrecy = new Secrecy(List.of("alpha", "beta"), findings);
        secrecy.owns("alpha", JOB);

        secrecy.look("alpha", "/api/v1/jobs", JOB + Secrecy.markOf("alpha"));
        secrecy.look("beta", "/api/v1/jobs/" + JOB, "no job " + JOB);
        assertThat(findings.all()).isEmpty();

        secrecy.look("beta", "/api/v1/workers", JOB);
        secrecy.look("beta", "/api/v1/jobs", Secrecy.markOf("alpha"));
        assertThat(findings.all())
                .containsOnlyKeys(
                        "beta saw the id of a job of alpha at /api/v1/workers",
                        "beta saw data of alpha at /api/v1/jobs");
    }

    @Test
    void oneKeyForTwoJobs_isFound() {
        var first = new AcknowledgedJobs.Entry(JOB, JobKind.CHAIN, "alpha", false, false);
        var second = new AcknowledgedJobs.Entry("another", JobKind.CHAIN, "alpha", false, false);

        assertThat(ledger.acknowledged("key", first)).isEmpty();
        assertThat(ledger.acknowledged("key", first)).isEmpty();
        assertThat(ledger.acknowledged("key", second)).contains(JOB);
    }
}
