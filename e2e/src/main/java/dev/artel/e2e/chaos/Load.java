package dev.artel.e2e.chaos;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import java.net.URI;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// One client thread: submits jobs of all kinds, each under a key until it is acknowledged, does what the job waits for, and
/// sometimes waits for its end.
final class Load {
    private final String client;
    private final Api api;
    private final AcknowledgedJobs ledger;
    private final Secrecy secrecy;
    private final Findings findings;
    private final URI receiver;
    private final SplittableRandom random;

    /// @param receiver whom webhooks call
    Load(String client, Api api, Shared shared, URI receiver, SplittableRandom random) {
        this.client = client;
        this.api = api;
        ledger = shared.ledger();
        secrecy = shared.secrecy();
        findings = shared.findings();
        this.receiver = receiver;
        this.random = random;
    }

    /// What all clients write down together.
    record Shared(AcknowledgedJobs ledger, Secrecy secrecy, Findings findings) {}

    /// Submits one job after another while `going` holds.
    void run(Going going) throws InterruptedException {
        while (going.isGoing()) {
            var jobKind = JobKind.at(random.nextInt(JobKind.weights()));
            var job = submit(jobKind, going);
            if (job.isPresent()) {
                decide(jobKind, job.get(), going);
                if (random.nextInt(3) == 0) {
                    var _ = api.get("/api/v1/jobs/" + job.get() + "?wait=5");
                }
            }
            pause(random.nextInt(50, 300));
        }
    }

    /// Says whether to go on.
    @FunctionalInterface
    interface Going {
        boolean isGoing();
    }

    /// The id of the job, unless chaos ends before it is acknowledged.
    Optional<String> submit(JobKind jobKind, Going going) throws InterruptedException {
        var declined = jobKind.mayBeDeclined() && random.nextBoolean();
        var webhook = random.nextInt(5) == 0;
        var key = UUID.randomUUID().toString();
        var data = JsonObject.builder().put("mark", Secrecy.markOf(client));
        if (declined) {
            data.put("declined", true);
        }
        if (jobKind.hasExpectedCalls()) {
            data.put("n", random.nextInt(1_000));
        }
        var body =
                JsonObject.builder()
                        .put("blueprint", jobKind.blueprint())
                        .put("idempotency_key", key)
                        .put("initial_data", data.build());
        if (webhook) {
            body.put("webhook_url", receiver.resolve("/" + client).toString());
        }
        var request = body.build();
        // The same key: whether an earlier try came through or not, it is one job.
        while (going.isGoing()) {
            var reply = api.post("/api/v1/jobs", request);
            if (reply.isPresent() && reply.get().status() == 202) {
                var id = reply.get().object().string("job_id").orElseThrow();
                secrecy.owns(client, id);
                ledger.acknowledged(
                                key,
                                new AcknowledgedJobs.Entry(id, jobKind, client, declined, webhook))
                        .ifPresent(other ->
                                findings.add("one key gave two jobs: " + other + ", " + id));
                return Optional.of(id);
            }
            reply.filter(answer -> answer.status() / 100 == 4 && answer.status() != 429)
                    .ifPresent(answer ->
                            findings.add(
                                    "a good submission was refused "
                                            + answer.status()
                                            + ": "
                                            + answer.body()));
            pause(50);
        }
        return Optional.empty();
    }

    private void decide(JobKind jobKind, String job, Going going) throws InterruptedException {
        switch (jobKind) {
            case APPROVAL -> approve(job, going);
            case SIGNAL, FUNCTION -> signal(job, going);
            case FUNCTION_PEOPLE -> {
                signal(job, going);
                approve(job, going);
            }
            case CHAIN,
                    FAN,
                    SAGA,
                    FAMILY,
                    TIMER,
                    FLAKY,
                    LARGE,
                    FUNCTION_CALLS,
                    FUNCTION_ALL,
                    FUNCTION_MAP,
                    FUNCTION_SLEEP,
                    FUNCTION_CHILDREN,
                    FUNCTION_SAGA,
                    ENDLESS_LOOP,
                    DEAF,
                    HOARD -> {}
        }
    }

    /// Approves once the job asks; twice, to see that the second time changes nothing.
    void approve(String job, Going going) throws InterruptedException {
        while (going.isGoing()) {
            var list = api.get("/api/v1/jobs/" + job + "/approvals");
            var open = list.filter(Api.Reply::isGood).map(Api.Reply::items).flatMap(Load::number);
            if (open.isPresent()) {
                var path = "/api/v1/jobs/" + job + "/approvals/" + open.get();
                var body = JsonObject.builder().put("decision", "yes").build();
                if (api.post(path, body).filter(Load::isSettled).isPresent()) {
                    var _ = api.post(path, body);
                    return;
                }
            }
            pause(50);
        }
    }

    private static Optional<Long> number(JsonArray approvals) {
        return approvals.stream()
                .map(JsonObject.class::cast)
                .flatMap(approval -> approval.number("approval").stream())
                .map(number -> number.asLong())
                .findFirst();
    }

    /// Sends the same signal until it is taken.
    void signal(String job, Going going) throws InterruptedException {
        var body = JsonObject.builder().put("id", "go-" + job).build();
        while (going.isGoing()) {
            var reply = api.post("/api/v1/jobs/" + job + "/signals/go", body);
            if (reply.filter(Load::isSettled).isPresent()) {
                return;
            }
            pause(50);
        }
    }

    private static boolean isSettled(Api.Reply reply) {
        return reply.isGood() || reply.status() == 409;
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }
}
