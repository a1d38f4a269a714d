package dev.artel.e2e.kill;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.blueprint.BlueprintProvider;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.BlueprintSource;
import dev.artel.server.ArtelServer;
import dev.artel.testkit.port.FreePort;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An orchestrator whose memory runs out, kept running by a supervisor.
@Tag("kill")
@Tag("long")
final class FilledHeapTest {
    private static final String TOKEN = "client-token-of-the-heap-test-0123456789";
    private static final int GOOD_JOBS = 40;

    @TempDir Path folder;

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Duration.ofSeconds(5))
                    .build();
    private final List<Integer> exits = new CopyOnWriteArrayList<>();
    private final int port = FreePort.next();
    private volatile @Nullable Jvm process;
    private volatile boolean isOver;

    @AfterEach
    void end() {
        isOver = true;
        var last = process;
        if (last != null) {
            last.kill();
        }
        http.shutdownNow();
    }

    private static ConditionFactory patiently() {
        return await().pollInterval(Duration.ofMillis(200));
    }

    private Path data() {
        return folder.resolve("data");
    }

    private Jvm launch(String classPath) throws IOException {
        return Jvm.start(
                "128m",
                classPath,
                ArtelServer.class,
                Map.of("ARTEL_CLIENT_TOKEN", TOKEN, "ARTEL_WORKER_TOKEN", "w" + TOKEN),
                folder.resolve("orchestrator.log"),
                List.of("--port", Integer.toString(port), "--data", data().toString()));
    }

    /// Starts it again whenever it ends, as a service manager does.
    private void supervise() {
        try {
            while (!isOver) {
                var started = launch(System.getProperty("java.class.path"));
                process = started;
                var code = started.awaitEnd();
                if (!isOver) {
                    exits.add(code);
                }
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (IOException cannotStart) {
            throw new AssertionError("the orchestrator cannot be started", cannotStart);
        }
    }

    private void writeJar() throws IOException {
        BlueprintJar.write(
                data(),
                Map.of(
                        BlueprintSource.class, HeapBlueprints.class,
                        BlueprintProvider.class, FatalFunctions.class));
    }

    private Optional<JsonValue> ask(HttpRequest.Builder request) throws InterruptedException {
        try {
            var response =
                    http.send(
                            request.timeout(Duration.ofSeconds(20))
                                    .header("Authorization", "Bearer " + TOKEN)
                                    .build(),
                            HttpResponse.BodyHandlers.ofByteArray());
            return response.statusCode() / 100 == 2
                    ? Optional.of(JsonText.read(response.body()))
                    : Optional.empty();
        } catch (IOException away) {
            return Optional.empty();
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private String submit(String blueprint) {
        return submit(blueprint, JsonObject.EMPTY);
    }

    private String submit(String blueprint, JsonObject initialData) {
        var body =
                JsonObject.builder()
                        .put("blueprint", blueprint)
                        .put("initial_data", initialData)
                        .put("idempotency_key", UUID.randomUUID().toString())
                        .build();
        var bytes = HttpRequest.BodyPublishers.ofByteArray(JsonText.write(body));
        return patiently()
                .until(() -> ask(request("/api/v1/jobs").POST(bytes)), Optional::isPresent)
                .flatMap(answer -> ((JsonObject) answer).string("job_id"))
                .orElseThrow();
    }

    private String status(String job) throws InterruptedException {
        return ask(request("/api/v1/jobs/" + job))
                .flatMap(document -> ((JsonObject) document).string("status"))
                .orElse("unknown");
    }

    private String document(String job) {
        return patiently()
                .until(() -> ask(request("/api/v1/jobs/" + job)), Optional::isPresent)
                .orElseThrow()
                .toString();
    }

    private List<String> deaths() throws IOException {
        var file = data().resolve("deaths.txt");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /// Trap: the handler holds what it has taken and reports nothing; the errors come out wherever else memory is wanted, and
    /// nobody there knows of the job. It begins anew with each start, while other jobs are still taken up.
    @ParameterizedTest
    @ValueSource(strings = {HeapBlueprints.FILLS, FatalFunctions.FILLS})
    void aHandlerThatFillsTheHeap_endsTheProcessTwice_thenItsJobIsSetAside_andAllOthersFinish(
            String fills) throws Exception {
        writeJar();
        Thread.ofPlatform().daemon().name("supervisor").start(this::supervise);
        var good = new ArrayList<String>();
        for (var i = 0; i < GOOD_JOBS; i++) {
            good.add(submit(HeapBlueprints.GOOD));
        }

        var poison = submit(fills);

        patiently().until(() -> deaths().size() >= 2);
        good.add(submit(HeapBlueprints.GOOD));
        for (var job : good) {
            patiently().until(() -> status(job).equals("finished"));
        }
        assertThat(deaths()).hasSize(2).allMatch(line -> line.contains(" " + poison + " "));
        // The second process may outlast the job that it took last.
        patiently().untilAsserted(() -> assertThat(exits).containsExactly(70, 70));
        var unreadable = patiently().until(this::unreadable, text -> text.contains(poison));
        assertThat(unreadable).contains("ended 2 times while it worked on this job");
        assertThat(Files.readString(folder.resolve("orchestrator.log")))
                .contains("artel: ends with exit code 70", "handlers ran for jobs", poison + " (");
    }

    /// Trap: the exit is looked for on the stack of the handler, which waits for the thread of its function.
    @Test
    void aFunctionThatEndsTheProcess_isRemembered_andItsJobIsSetAsideAfterTheSecondTime()
            throws Exception {
        writeJar();
        Thread.ofPlatform().daemon().name("supervisor").start(this::supervise);

        var fatal = submit(FatalFunctions.EXITS);

        patiently().until(this::unreadable, text -> text.contains(fatal));
        assertThat(deaths())
                .hasSize(2)
                .allMatch(line -> line.contains(" " + fatal + " its handler: called System.exit"));
        assertThat(exits).containsExactly(FatalFunctions.EXIT_CODE, FatalFunctions.EXIT_CODE);
        var good = submit(HeapBlueprints.GOOD);
        patiently().until(() -> status(good).equals("finished"));
    }

    /// Trap: all results of a job are in memory until its join, and a fan-out with many of some kilobytes ends the process twice.
    @Test
    void resultsThatAreTogetherLargerThanTheHeap_areKeptApart_andTheJoinReadsThemOneByOne()
            throws Exception {
        writeJar();
        Thread.ofPlatform().daemon().name("supervisor").start(this::supervise);

        var wide = submit(HeapBlueprints.RESULTS);
        try (var worker =
                Worker.named("writer")
                        .orchestrator(URI.create("http://127.0.0.1:" + port), "w" + TOKEN)
                        .maxConcurrentTasks(16)
                        .handle(
                                HeapBlueprints.LONG_TEXT,
                                JsonObject.class,
                                (task, _) -> Result.success(longText(task)))
                        .build()) {
            worker.start();
            patiently()
                    .atMost(Await.longest().multipliedBy(4))
                    .until(() -> status(wide).equals("finished"));
        }

        assertThat(document(wide))
                .contains(
                        "\"characters\":"
                                + (long) HeapBlueprints.TASKS * HeapBlueprints.CHARACTERS);
        assertThat(exits).isEmpty();
    }

    /// Trap: the list fills the heap before its handler returns it, and whatever else wants memory meanwhile ends the process.
    @Test
    void fanOutsThatAreTooLargeForTheHeap_areRefusedWithTheirSize_andOthersBegin()
            throws Exception {
        writeJar();
        Thread.ofPlatform().daemon().name("supervisor").start(this::supervise);

        var tooWide = new ArrayList<String>();
        var wide = new ArrayList<String>();
        for (var i = 0; i < 4; i++) {
            tooWide.add(submit(HeapBlueprints.WIDE, tasks(100_000)));
            wide.add(submit(HeapBlueprints.WIDE, tasks(5_000)));
        }
        for (var job : tooWide) {
            patiently().until(() -> status(job).equals("quarantined"));
        }
        for (var job : wide) {
            patiently().until(() -> status(job).equals("waiting_for_parallel_tasks"));
        }
        assertThat(exits).isEmpty();
        Objects.requireNonNull(process).kill();

        for (var job : tooWide) {
            assertThat(document(job))
                    .contains(
                            "tasks or children whose parameters take",
                            "a quarter of the heap of",
                            "let the state make fewer at once");
        }
        assertThat(exits).doesNotContain(70);
    }

    private static JsonObject tasks(int count) {
        return JsonObject.of("tasks", JsonValue.of(count), "characters", JsonValue.of(2 * 1024));
    }

    /// Trap: the results of tasks have a share of the heap, those of children have all of it.
    @Test
    void resultsOfChildrenThatAreTogetherLargerThanTheHeap_areKeptApart_andJoined()
            throws Exception {
        writeJar();
        Thread.ofPlatform().daemon().name("supervisor").start(this::supervise);

        var parent =
                submit(
                        HeapBlueprints.CHILDREN,
                        JsonObject.of(
                                "children",
                                JsonValue.of(HeapBlueprints.TASKS),
                                "characters",
                                JsonValue.of(HeapBlueprints.CHARACTERS)));
        patiently()
                .atMost(Await.longest().multipliedBy(4))
                .until(() -> status(parent).equals("finished"));

        var digits =
                IntStream.range(0, HeapBlueprints.TASKS)
                        .mapToLong(i -> Integer.toString(i).length())
                        .sum();
        assertThat(document(parent))
                .contains(
                        "\"characters\":"
                                + (digits
                                        + (long) HeapBlueprints.TASKS * HeapBlueprints.CHARACTERS));
        assertThat(exits).isEmpty();
    }

    /// No two are alike, so that each is kept.
    private static JsonObject longText(JsonObject task) {
        var number = task.number("number").orElseThrow() + " ";
        var text = number + "y".repeat(HeapBlueprints.CHARACTERS - number.length());
        return JsonObject.of("text", JsonValue.of(text));
    }

    private String unreadable() throws InterruptedException {
        return ask(request("/api/v1/unreadable")).map(Object::toString).orElse("");
    }

    /// Trap: the port is open already when the start meets an error, and nobody is ever ready behind it.
    @Test
    void aStartThatMeetsAnError_endsTheProcess_andSaysWhy() throws Exception {
        var withoutJavalin =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                        .filter(entry -> !entry.contains("javalin"))
                        .collect(Collectors.joining(File.pathSeparator));

        try (var started = launch(withoutJavalin)) {
            assertThat(started.await()).isEqualTo(70);
        }

        assertThat(Files.readString(folder.resolve("orchestrator.log")))
                .contains(
                        "artel: ends with exit code 70: the start failed with"
                                + " java.lang.NoClassDefFoundError");
    }
}
