package dev.artel.e2e.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.artel.kernel.attempt.LeaseToken;
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
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The checker against histories in which something was planted, over real HTTP.
final class CheckerTest {
    private static final String JOB = "01a1fdf1-0000-7000-8000-000000000001";
    private static final String SUBMITTED = event(1, "\"type\":\"job.submitted\"");
    private static final String GRANTED = event(2, "\"type\":\"lease.granted\",\"task\":0");
    private static final String SUCCEEDED = event(3, "\"type\":\"task.succeeded\",\"task\":0");
    private static final String ENDED = event(5, "\"type\":\"job.ended\"");

    @TempDir Path folder;

    private final Findings findings = new Findings();
    private final Ledger ledger = new Ledger();
    private HttpServer server;
    private String status = "finished";
    private List<String> history = List.of(SUBMITTED, GRANTED, SUCCEEDED, ENDED);

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
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private Set<String> check(JobKind jobKind, String... tokens) throws Exception {
        Files.write(
                folder.resolve("effects-w"),
                List.of(tokens).stream().map(t -> t + " note").toList());
        var job = new Ledger.Entry(JOB, jobKind, "alpha", false, false);
        assertThat(ledger.acknowledged("key", job)).isEmpty();
        var uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        try (var api = new Api(uri, "token", (_, _) -> {});
                var receiver = new Receiver(findings)) {
            var checker = new Checker(api, findings, receiver);
            var ended = checker.await(ledger, Duration.ofMillis(100));
            checker.check(ended, Effects.read(folder, findings));
        }
        return findings.all().keySet();
    }

    private static String token(int task, long nonce) {
        return LeaseToken.mint(new JobId(JOB), task, 1, nonce).value();
    }

    @Test
    void aJobThatEndedOnce_andWhoseEffectHasALease_isFine() throws Exception {
        assertThat(check(JobKind.CHAIN, token(0, 1))).isEmpty();
    }

    @Test
    void aSecondEnd_isFound() throws Exception {
        history = List.of(SUBMITTED, GRANTED, SUCCEEDED, ENDED, ENDED);

        assertThat(check(JobKind.CHAIN, token(0, 1)))
                .containsExactly("job " + JOB + " (CHAIN) ended 2 times");
    }

    @Test
    void anOutcomeThatWasAppliedTwice_isFound() throws Exception {
        history = List.of(SUBMITTED, GRANTED, SUCCEEDED, SUCCEEDED, ENDED);

        assertThat(check(JobKind.CHAIN, token(0, 1)))
                .containsExactly("job " + JOB + ": an outcome was applied twice");
    }

    @Test
    void anEffectWithoutALease_isFound() throws Exception {
        assertThat(check(JobKind.CHAIN, token(0, 1), token(0, 2)))
                .containsExactly("job " + JOB + ", task 0: 2 effects, 1 leases");
    }

    @Test
    void aTaskThatSucceededWithoutAnEffect_isFound() throws Exception {
        assertThat(check(JobKind.CHAIN))
                .containsExactly("job " + JOB + ", task 0 succeeded without an effect");
    }

    @Test
    void aJobThatDoesNotEnd_isFound_withWhatItWaitsFor() throws Exception {
        status = "running";

        assertThat(check(JobKind.CHAIN, token(0, 1)))
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
        var first = new Ledger.Entry(JOB, JobKind.CHAIN, "alpha", false, false);
        var second = new Ledger.Entry("another", JobKind.CHAIN, "alpha", false, false);

        assertThat(ledger.acknowledged("key", first)).isEmpty();
        assertThat(ledger.acknowledged("key", first)).isEmpty();
        assertThat(ledger.acknowledged("key", second)).contains(JOB);
    }
}
