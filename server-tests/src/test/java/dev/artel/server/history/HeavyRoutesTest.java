package dev.artel.server.history;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobLogs;
import dev.artel.kernel.store.JobQuery;
import dev.artel.server.AliceAndBob;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.DescribedRoute;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.waits.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What costs much waits for the turn of its client. The routes are those of the description of the API; each has a
/// line in one of the tables, so that somebody thinks about one of tomorrow.
final class HeavyRoutesTest {
    private static final int AT_ONCE = 4;

    private enum Kind {
        READ,
        SEARCH,
        BULK,
        CHANGE,
        LIGHT
    }

    /// Of clients, by what they are; each without `/api/v1`.
    private static final Map<Kind, Set<String>> TABLE =
            Map.of(
                    Kind.READ,
                    Set.of(
                            "GET /jobs/{id}",
                            "POST /jobs/{id}/fork",
                            "POST /jobs/{id}/rewind",
                            "GET /jobs/{id}/approvals",
                            "GET /jobs/{id}/questions",
                            "GET /jobs/{id}/history",
                            "GET /jobs/{id}/tasks",
                            "GET /jobs/{id}/children",
                            "GET /jobs/{id}/tasks/{task}",
                            "GET /jobs/{id}/tasks/{task}/why",
                            "GET /jobs/{id}/explain",
                            "GET /jobs/{id}/values/{sha256}",
                            "GET /jobs/{id}/logs",
                            "GET /jobs/{id}/tasks/{task}/logs",
                            "GET /jobs/{id}/webhooks",
                            "GET /schedules",
                            "GET /schedules/{name}",
                            "GET /schedules/{name}/runs",
                            "GET /schedules/{name}/next",
                            "POST /jobs/{id}/webhooks/{call}/redeliver"),
                    Kind.SEARCH,
                    Set.of(
                            "GET /jobs",
                            "GET /quarantine",
                            "GET /stuck",
                            "GET /needs",
                            "GET /unreadable",
                            "GET /workers",
                            "GET /_public/jobs/quarantined"),
                    Kind.BULK,
                    Set.of(
                            "POST /bulk",
                            "POST /bulk/cancel",
                            "POST /bulk/pause",
                            "POST /bulk/resume",
                            "POST /bulk/signals/{signal}",
                            "DELETE /jobs/{id}",
                            "POST /quarantine/{act}",
                            "POST /jobs/{id}/cancel?tree=true"),
                    Kind.CHANGE,
                    Set.of(
                            "PATCH /jobs/{id}",
                            "POST /jobs/{id}/cancel",
                            "POST /jobs/{id}/pause",
                            "POST /jobs/{id}/resume",
                            "POST /jobs/{id}/budget/extend",
                            "POST /jobs/{id}/tasks/{task}/resolve",
                            "POST /jobs/{id}/quarantine/{act}",
                            "POST /jobs/{id}/questions/{question}",
                            "POST /jobs/{id}/approvals/{approval}",
                            "PUT /schedules/{name}",
                            "DELETE /schedules/{name}",
                            "POST /schedules/{name}/pause",
                            "POST /schedules/{name}/run",
                            "POST /schedules/{name}/resume",
                            "POST /schedules/{name}/backfill"),
                    Kind.LIGHT,
                    Set.of(
                            "POST /jobs",
                            "POST /jobs/{id}",
                            "POST /jobs/{id}/signals/{signal}",
                            "GET /jobs/{id}/events",
                            "GET /events",
                            "GET /fleet/events",
                            "GET /webhook-secret",
                            "GET /webhooks",
                            "POST /webhooks",
                            "GET /webhooks/{id}",
                            "DELETE /webhooks/{id}",
                            "GET /webhooks/{id}/deliveries",
                            "POST /webhooks/{id}/rotate",
                            "GET /dashboard",
                            "GET /overview",
                            "GET /overview/events",
                            "GET /admin/audit",
                            "GET /admin/system",
                            "GET /blueprints",
                            "GET /blueprints/{name}",
                            "GET /blueprints/{name}/graph",
                            "GET /blueprints/{name}/statistics",
                            "GET /admin/jars",
                            "PUT /admin/jars/{name}",
                            "DELETE /admin/jars/{name}",
                            "GET /admin/cards",
                            "POST /admin/cards",
                            "POST /admin/cards/validate",
                            "POST /admin/cards/plan",
                            "GET /admin/cards/{name}",
                            "GET /admin/cards/{name}/versions/{version}",
                            "DELETE /admin/cards/{name}/versions/{version}",
                            "GET /admin/pauses",
                            "GET /admin/secrets",
                            "PUT /admin/pauses/{scope}/{name}",
                            "DELETE /admin/pauses/{scope}/{name}",
                            "GET /admin/keys",
                            "POST /admin/keys/{name}/rotate",
                            "POST /admin/reload",
                            "GET /workers/{id}",
                            "POST /workers/{id}/drain",
                            "POST /workers/{id}/undrain",
                            "POST /bulk/workers/drain",
                            "POST /bulk/workers/undrain",
                            "GET /whoami"));

    /// What holds all turns of a kind: its first requests stop in the store.
    private static final Map<Kind, String> HOLDING =
            Map.of(
                    Kind.READ,
                    "GET /jobs/{id}/logs",
                    Kind.SEARCH,
                    "GET /quarantine",
                    Kind.BULK,
                    "POST /quarantine/{act}",
                    Kind.CHANGE,
                    "POST /jobs/{id}/quarantine/{act}");

    @TempDir Path folder;

    private final AtomicBoolean holds = new AtomicBoolean();
    private final AtomicInteger held = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger counted = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private ExecutorService threads;
    private ArtelNode node;
    private TestClient alice;
    private TestClient bob;

    @BeforeEach
    void start() throws Exception {
        var clients = AliceAndBob.writeTo(folder);
        var ingress = TestNodes.CONFIG.ingress();
        threads = Executors.newVirtualThreadPerTaskExecutor();
        node =
                ArtelNode.start(
                        TestNodes.CONFIG.withIngress(
                                ingress.withAccess(ingress.access().withClients(clients))),
                        SampleBlueprints.all(),
                        slow(TestNodes.storage()));
        alice = AliceAndBob.alice(node);
        bob = AliceAndBob.bob(node);
    }

    @AfterEach
    void stop() {
        goOn.countDown();
        threads.close();
        node.close();
    }

    /// A storage in which reads of logs and of events of a job, and lists of quarantined jobs, stop while they are held.
    private Storage slow(Storage storage) {
        var events = storage.events();
        var logs =
                proxy(JobLogs.class, events.logs(), (method, _) -> method.equals("read"), Map.of());
        var slow = proxy(EventStore.class, events, HeavyRoutesTest::isSlow, Map.of("logs", logs));
        return new Storage(
                slow, storage.payloads(), storage.objects(), storage.fleet(), storage.dataStores());
    }

    private static boolean isSlow(String method, Object[] arguments) {
        return switch (method) {
            case "list" ->
                    ((JobQuery) arguments[0])
                            .filter()
                            .status()
                            .filter("quarantined"::equals)
                            .isPresent();
            case "page" -> true;
            case "read" -> arguments.length == 3;
            default -> false;
        };
    }

    private interface Slow {
        boolean is(String method, Object[] arguments);
    }

    private <T> T proxy(Class<T> type, T of, Slow slow, Map<String, Object> instead) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            var other = instead.get(method.getName());
                            if (other != null) {
                                return other;
                            }
                            if (method.getName().equals("countByStatus")) {
                                counted.incrementAndGet();
                            }
                            if (holds.get() && slow.is(method.getName(), arguments)) {
                                most.accumulateAndGet(held.incrementAndGet(), Math::max);
                                var _ = goOn.await(Await.seconds(), TimeUnit.SECONDS);
                                held.decrementAndGet();
                            }
                            try {
                                return method.invoke(of, arguments);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        }));
    }

    private static String pathOf(String line, String job) {
        var path = line.substring(line.indexOf(' ') + 1);
        var whole = path.startsWith("/_public") ? path : "/api/v1" + path;
        return whole.replace("{id}", job)
                .replace("{act}", line.contains("/jobs/") ? "retry" : "release")
                .replace("{call}", "1.0")
                .replace("{sha256}", "0".repeat(64))
                .replaceAll("\\{[^}]*}", "0");
    }

    private static Answer send(TestClient client, String line, String job) {
        var method = line.substring(0, line.indexOf(' '));
        var body =
                switch (line) {
                    case "POST /bulk" -> "{\"jobs\":[{\"blueprint\":\"echo\"}]}";
                    case "POST /jobs/{id}/fork", "POST /jobs/{id}/rewind" -> "{\"state\":\"send\"}";
                    case "POST /jobs/{id}/quarantine/{act}" -> "{\"data\":{\"a\":1}}";
                    default -> method.equals("GET") ? "" : "{}";
                };
        return client.send(method, pathOf(line, job), body);
    }

    private String jobThatIsOver() {
        var job = alice.submit("{\"blueprint\":\"echo\"}");
        assertThat(alice.post("/api/v1/jobs/" + job + "/cancel", "{}").status()).isEqualTo(200);
        await().until(() -> alice.get("/api/v1/jobs/" + job).text().contains("cancelled"));
        return job;
    }

    private List<Future<Answer>> hold(Kind kind, String job) {
        var before = held.get();
        holds.set(true);
        var answers = new ArrayList<Future<Answer>>();
        for (var i = 0; i < AT_ONCE; i++) {
            answers.add(threads.submit(() -> send(alice, HOLDING.getOrDefault(kind, ""), job)));
        }
        await().until(() -> held.get() == before + AT_ONCE);
        holds.set(false);
        return answers;
    }

    /// Trap: a route of tomorrow reads whole jobs, and nobody bounds how many of them one client has under way.
    @Test
    void eachRouteOfClients_isKnownAsHeavyOrLight() {
        var known =
                TABLE.values().stream()
                        .flatMap(Set::stream)
                        .filter(line -> !line.contains("?"))
                        .toList();

        var described =
                DescribedRoute.all(node).stream()
                        .filter(route ->
                                route.isOfClients()
                                        || route.path().equals("/_public/jobs/quarantined"))
                        .map(route -> route.method() + " " + route.path().replace("/api/v1", ""))
                        .toList();
        assertThat(known).containsExactlyInAnyOrderElementsOf(described);
    }

    /// While all turns of a client are taken each heavy route refuses it in the end, what is light goes on, and so does
    /// all of another client.
    @Test
    void eachHeavyRoute_waitsForTheTurnOfItsClient_andForNobodyElse() throws Exception {
        var job = jobThatIsOver();
        var bobs = bob.submit("{\"blueprint\":\"echo\"}");
        var holding = new ArrayList<Future<Answer>>();
        HOLDING.keySet().forEach(kind -> holding.addAll(hold(kind, job)));

        var asked = new LinkedHashMap<String, Future<Answer>>();
        for (var kind : HOLDING.keySet()) {
            for (var line : TABLE.getOrDefault(kind, Set.of())) {
                asked.put(line, threads.submit(() -> send(alice, line, job)));
                assertThat(send(bob, line, bobs).status()).as("another: " + line).isNotEqualTo(429);
            }
        }
        for (var line : TABLE.getOrDefault(Kind.LIGHT, Set.of())) {
            if (!line.endsWith("events")) {
                assertThat(send(alice, line, job).status()).as(line).isNotEqualTo(429);
            }
        }
        var others = new ArrayList<String>();
        for (var one : asked.entrySet()) {
            var answer = one.getValue().get(Await.seconds(), TimeUnit.SECONDS);
            if (answer.status() != 429 || answer.header("Retry-After").isEmpty()) {
                others.add(one.getKey() + ": " + answer.status() + " " + answer.text());
            }
        }
        assertThat(others).isEmpty();
        assertThat(holding).noneMatch(Future::isDone);
    }

    @Test
    void whatWaited_isAnsweredWhenItIsItsTurn() throws Exception {
        var job = jobThatIsOver();
        holds.set(true);
        var answers = new ArrayList<Future<Answer>>();
        for (var i = 0; i < 2 * AT_ONCE; i++) {
            answers.add(threads.submit(() -> alice.get("/api/v1/jobs/" + job + "/logs")));
        }
        await().until(() -> held.get() >= AT_ONCE);
        goOn.countDown();

        for (var answer : answers) {
            assertThat(answer.get(Await.seconds(), TimeUnit.SECONDS).status()).isEqualTo(200);
        }
        assertThat(most).hasValue(AT_ONCE);
    }

    /// Trap: a page that shows the dashboard and asks again and again keeps the store busy with counting.
    @Test
    void howeverOftenTheDashboardIsRead_jobsAreCountedOnceASecond() {
        var operator = TestClient.of(node);
        var begun = System.nanoTime();
        for (var i = 0; i < 50; i++) {
            assertThat(operator.get("/api/v1/dashboard").status()).isEqualTo(200);
        }
        var seconds = (int) Duration.ofNanos(System.nanoTime() - begun).toSeconds();

        assertThat(counted.get()).isBetween(1, seconds + 1);
    }

    /// Trap: a client opens hundreds of streams of a long history at once, and all of them are read together.
    @Test
    void streamsOfOneClient_readByTurns() throws Exception {
        var job = jobThatIsOver();
        holds.set(true);
        var streams = new ArrayList<Future<Answer>>();
        for (var i = 0; i < 3 * AT_ONCE; i++) {
            streams.add(threads.submit(() -> alice.get("/api/v1/jobs/" + job + "/events")));
        }
        await().until(() -> held.get() >= AT_ONCE);
        goOn.countDown();

        for (var stream : streams) {
            assertThat(stream.get(Await.seconds(), TimeUnit.SECONDS).text()).contains("event: ");
        }
        assertThat(most).hasValue(AT_ONCE);
    }
}
