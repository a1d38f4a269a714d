package dev.artel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.BlueprintSettings;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Commands against an orchestrator over HTTP.
@Timeout(Await.HUNG)
final class ArtelCommandTest {
    private static final String WRONG_TOKEN = "wrong-token-0123456789";

    @TempDir private static Path folder;
    private static ArtelNode node;

    /// How a command ended.
    private record Ran(int code, String out, String err) {}

    @BeforeAll
    static void start() {
        var blueprints =
                Blueprints.of(
                        Blueprint.named("greet")
                                .version("1.0.0")
                                .start("begin", step -> Action.finish(step.initialData()))
                                .build(),
                        Blueprint.named("greet")
                                .version("0.9")
                                .start("older", step -> Action.finish(step.initialData()))
                                .build(),
                        Blueprint.named("fail").start("begin", _ -> Action.fail("no luck")).build(),
                        Blueprint.named("break")
                                .start(
                                        "begin",
                                        _ -> {
                                            throw new IllegalStateException("broken");
                                        })
                                .leadingTo("end")
                                .end("end")
                                .build(),
                        Blueprint.named("work")
                                .start(
                                        "begin",
                                        _ ->
                                                Action.dispatch(
                                                        TaskSpec.of("paint", JsonObject.EMPTY),
                                                        Outcomes.on("success", "end")))
                                .leadingTo("end")
                                .end("end")
                                .build(),
                        Blueprint.named("pay")
                                .start(
                                        "begin",
                                        _ ->
                                                Action.dispatch(
                                                        TaskSpec.of("pay", JsonObject.EMPTY)
                                                                .notIdempotent()
                                                                .withExecutionTimeout(
                                                                        Duration.ofMillis(200)),
                                                        Outcomes.on("success", "end")))
                                .leadingTo("end")
                                .end("end")
                                .build(),
                        Blueprint.named("tint")
                                .start(
                                        "begin",
                                        _ ->
                                                Action.dispatch(
                                                        TaskSpec.of("tint", JsonObject.EMPTY),
                                                        Outcomes.on("success", "end")))
                                .leadingTo("end")
                                .end("end")
                                .build(),
                        Blueprint.named("costly")
                                .budget(Budget.ofUsd("0.5").requestingExtension())
                                .start(
                                        "begin",
                                        _ ->
                                                Action.dispatch(
                                                        TaskSpec.of("tint", JsonObject.EMPTY)
                                                                .withCost("1.25"),
                                                        Outcomes.on("success", "end")))
                                .leadingTo("end")
                                .end("end")
                                .build(),
                        Blueprint.named("wait")
                                .start("begin", _ -> Action.awaitSignal("go", "end"))
                                .leadingTo("end")
                                .end("end")
                                .build(),
                        Blueprint.named("ask")
                                .start(
                                        "begin",
                                        _ ->
                                                Action.awaitApproval(
                                                        "Release it?",
                                                        Outcomes.on("yes", "end").and("no", "no")))
                                .leadingTo("end", "no")
                                .end("end")
                                .end("no")
                                .build());
        node =
                ArtelNode.start(
                        ServerConfig.DEFAULTS
                                .withPort(0)
                                .withData(folder.resolve("data"))
                                .withBlueprints(BlueprintSettings.DEFAULTS.withUpload(true)),
                        blueprints);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

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
        return Map.of(
                "ARTEL_URL",
                node.uri().toString(),
                "ARTEL_TOKEN",
                node.clientToken(),
                "HOME",
                folder.toString());
    }

    private static Ran run(String... arguments) {
        return run(environment(), arguments);
    }

    private static String submitted(String blueprint) {
        return run("job", "submit", blueprint).out();
    }

    @Test
    void aJobIsSubmitted_awaited_andShown() {
        var ran =
                run(
                        "job",
                        "submit",
                        "greet",
                        "city=Oslo",
                        "count=3",
                        "--label",
                        "team=red",
                        "--wait");

        assertThat(ran.code()).as(ran.err()).isZero();
        assertThat(ran.out()).contains("finished").contains("{\"city\":\"Oslo\",\"count\":3}");
        assertThat(run("job", "list", "--label", "team=red", "--status", "finished").out())
                .contains("greet");
    }

    @Test
    void aCommandThatWaits_reportsWhatTheJobWaitsFor() throws InterruptedException {
        for (var isWatched : List.of(false, true)) {
            var err = new ByteArrayOutputStream();
            var out = new ByteArrayOutputStream();
            var label = "round=" + isWatched;
            var job = isWatched ? run("job", "submit", "wait", "--label", label).out() : "";
            var code = new AtomicInteger(-1);
            var command =
                    Thread.ofVirtual()
                            .start(() ->
                                    code.set(
                                            ArtelCommand.run(
                                                    isWatched
                                                            ? List.of("job", "watch", job)
                                                            : List.of(
                                                                    "job", "submit", "wait",
                                                                    "--wait", "--label", label),
                                                    new PrintStream(out, true, UTF_8),
                                                    new PrintStream(err, true, UTF_8),
                                                    environment(),
                                                    false)));

            Await.await()
                    .untilAsserted(() ->
                            assertThat(err.toString(UTF_8).strip().lines())
                                    .allMatch(line -> line.startsWith("waits: "))
                                    .filteredOn(line -> line.contains("signal"))
                                    .hasSize(1));
            var listed = run("job", "list", "--json", "--label", label).out();
            var id =
                    ((JsonObject)
                                    ((JsonArray) JsonText.read(listed))
                                            .stream().findFirst().orElseThrow())
                            .string("id")
                            .orElseThrow();
            assertThat(run("signal", id, "go").code()).isZero();
            command.join();
            assertThat(code).as(err.toString(UTF_8)).hasValue(0);
        }
    }

    @Test
    void whoWaits_waitsNoLongerThanTheTimeout() {
        // The job may not wait yet when the time is up.
        var ran =
                Await.await("a job that waits when the time is up")
                        .until(
                                () -> run("job", "submit", "wait", "--wait", "--timeout", "0.2s"),
                                it -> it.out().contains("waiting_for_signal"));

        assertThat(ran.code()).isEqualTo(ArtelCommand.LATE);
        assertThat(ran.err()).contains("the job has not ended within 0.2s");
        assertThat(run("job", "submit", "wait", "--wait", "--timeout", "soon").err())
                .contains("--timeout is a time such as 30s, 5m or 2h, was 'soon'");
        assertThat(run("job", "submit", "wait", "--timeout", "3s").code())
                .isEqualTo(ArtelCommand.USAGE);
    }

    @Test
    void aJobThatFails_isAnExitCode() {
        var ran = run("job", "submit", "fail", "--wait");

        assertThat(ran.code()).isEqualTo(ArtelCommand.ENDED_BADLY);
        assertThat(ran.out()).contains("failed").contains("no luck");
        var job = submitted("fail");
        assertThat(run("job", "watch", job).code()).isEqualTo(ArtelCommand.ENDED_BADLY);
    }

    @Test
    void explainAndWhy_stateWhatIsMissing() {
        var job = submitted("work");

        Await.await().until(() -> run("job", "explain", job).out().contains("paint"));
        assertThat(run("task", "list", job).out()).contains("paint");
        assertThat(run("task", "why", job, "0").out()).contains("paint");
        assertThat(run("job", "cancel", job).code()).isZero();
    }

    @Test
    void explain_printsTheCommandsThatLetTheJobGoOn_andTheyDo() {
        var asking = submitted("ask");
        var waiting = submitted("wait");
        var broken = submitted("break");
        var costly = submitted("costly");
        var questioning = submitted("tint");
        worker("register", "\"supported_tasks\":[\"tint\",\"pay\"]");
        var question = nextTask();
        Thread.ofVirtual()
                .start(() ->
                        worker(
                                "payer/tasks/" + question + "/question",
                                "\"question\":\"Which?\",\"choices\":[\"red\",\"light blue\"]"));
        var answer = command(questioning, "answer");
        var doubtful = submitted("pay");
        nextTask();
        var resolve = command(doubtful, "resolve");

        assertThat(answer.subList(0, 5))
                .isEqualTo(List.of("job", "answer", questioning, "red", "--number"));
        assertThat(run("job", "explain", questioning).out()).contains(" 'light blue' --number ");
        assertThat(resolve).isEqualTo(List.of("job", "resolve", doubtful, "0", "happened"));
        assertThat(command(waiting, "signal")).isEqualTo(List.of("job", "signal", waiting, "go"));
        assertThat(command(asking, "approve").subList(0, 4))
                .isEqualTo(List.of("job", "approve", asking, "yes"));
        assertThat(command(costly, "extend"))
                .isEqualTo(List.of("job", "extend", costly, "--cost-usd", "0.75"));
        assertThat(command(broken, "release")).isEqualTo(List.of("quarantine", "release", broken));
        for (var act :
                List.of(
                        answer,
                        resolve,
                        command(waiting, "signal"),
                        command(asking, "approve"),
                        command(costly, "extend"),
                        command(broken, "discard"))) {
            var ran = run(act.toArray(String[]::new));
            assertThat(ran.code()).as(ran.err()).isZero();
        }
        assertThat(run("job", "watch", doubtful).code()).isZero();
        assertThat(run("job", "history", doubtful).out())
                .as("watch has not waited for the lease of the task that was in doubt")
                .contains("job.ended")
                .doesNotContain("lease.released");
        assertThat(run("job", "history", questioning).out()).contains("question.answered");
        assertThat(run("job", "history", costly).out()).contains("budget.extended");
        assertThat(run("job", "cancel", questioning).code()).isZero();
        assertThat(run("job", "cancel", costly).code()).isZero();
        assertThat(run("job", "explain", asking).out().lines()).hasSize(1);
    }

    private static String nextTask() {
        var answered = send(HttpRequest.newBuilder(workers("payer/tasks/next")).GET());
        return ((JsonObject) JsonText.read(answered.getBytes(UTF_8)))
                .string("task_id")
                .orElseThrow();
    }

    private static void worker(String path, String members) {
        send(
                HttpRequest.newBuilder(workers(path))
                        .POST(
                                HttpRequest.BodyPublishers.ofString(
                                        "{\"worker_id\":\"payer\"," + members + "}")));
    }

    private static URI workers(String path) {
        return node.uri().resolve("/_worker/workers/" + path);
    }

    private static String send(HttpRequest.Builder request) {
        try (var http = HttpClient.newHttpClient()) {
            return http.send(
                            request.header("X-Worker-Token", node.workerToken())
                                    .timeout(Await.longest())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a worker waits", e);
        }
    }

    /// The first command with the act that the explanation prints, without the name of the program.
    private static List<String> command(String job, String act) {
        return Await.await()
                .until(
                        () ->
                                run("job", "explain", job)
                                        .out()
                                        .lines()
                                        .map(String::strip)
                                        .filter(line -> line.matches("artel \\w+ " + act + " .*"))
                                        .map(line -> List.of(line.split(" ")))
                                        .map(words -> words.subList(1, words.size()))
                                        .findFirst()
                                        .orElse(List.of()),
                        words -> !words.isEmpty());
    }

    @Test
    void aSignal_letsAJobGoOn_andItsHistoryShowsIt() {
        var job = submitted("wait");

        assertThat(run("job", "signal", job, "go", "{\"amount\":7}").code()).isZero();

        var watched = run("job", "watch", job);
        assertThat(watched.code()).isZero();
        assertThat(watched.out()).contains("signal.received").contains("job.ended");
        assertThat(run("job", "history", job, "--json").out()).contains("\"amount\": 7");
    }

    @Test
    void anApproval_isListed_andDecided() {
        var job = submitted("ask");

        Await.await().until(() -> run("job", "approve", job).out().contains("Release it?"));
        assertThat(run("job", "approve", job, "yes").code()).isZero();

        assertThat(run("job", "watch", job).code()).isZero();
        var again = run("job", "approve", job, "no");
        assertThat(again.code()).isEqualTo(ArtelCommand.USAGE);
        assertThat(again.err()).contains("has 0 open approvals");
    }

    @Test
    void whatPeopleDoAboutAJob_needsNoWordJob() {
        var asking = submitted("ask");
        var waiting = submitted("wait");

        Await.await().until(() -> run("approve", asking, "yes").code() == 0);
        assertThat(run("signal", waiting, "go").code()).isZero();

        assertThat(run("job", "watch", asking).code()).isZero();
        assertThat(run("job", "watch", waiting).code()).isZero();
        var none = run("answer", waiting, "blue");
        assertThat(none.code()).isEqualTo(ArtelCommand.USAGE);
        assertThat(none.err()).isEqualTo("artel: job " + waiting + " has 0 open questions");
    }

    @Test
    void workersAreDrained_byNameOrByWhatTheyAre() {
        assertThat(run("worker", "drain", "nowhere").code()).isEqualTo(ArtelCommand.REFUSED);
        assertThat(run("worker", "drain", "--wire", "mindbus", "--mode", "emergency").out())
                .isEqualTo("0 workers");
        assertThat(run("worker", "undrain", "--all").code()).isZero();
        assertThat(run("worker", "drain").err()).contains("name one worker");
        assertThat(run("worker", "watch").out()).contains("worker_id");
    }

    @Test
    void top_showsWhyTasksWait() {
        var job = submitted("work");

        Await.await()
                .untilAsserted(() ->
                        assertThat(run("top", "--once").out())
                                .contains("waiting for worker")
                                .containsPattern("paint +1 .*start one that"));
        assertThat(run("top", "--json").out()).contains("\"task_type\": \"paint\"");
        assertThat(run("job", "cancel", job).code()).isZero();
    }

    @Test
    void aTaskThatIsNotInDoubt_isNotResolved() {
        var job = submitted("work");

        Await.await().until(() -> run("task", "list", job).out().contains("paint"));

        var ran = run("job", "resolve", job, "0", "happened", "--result", "{\"receipt\":7}");

        assertThat(ran.code()).isEqualTo(ArtelCommand.REFUSED);
        assertThat(ran.err()).contains("its outcome is not in question");
        assertThat(run("job", "cancel", job).code()).isZero();
    }

    @Test
    void aCardIsChecked_uploaded_andRuns() throws IOException {
        var card = folder.resolve("pair.yaml");
        Files.writeString(
                card,
                """
                metadata: {name: pair, version: 1.0.0, spec_version: "2.0"}
                spec:
                  steps:
                    - id: both
                      action: set
                      params: {sum: 5}
                """);
        var wrong = folder.resolve("wrong.yaml");
        Files.writeString(wrong, "metadata: {name: wrong}\nspec: {steps: []}\n");

        assertThat(run("blueprint", "upload", card.toString(), "--dry-run").code()).isZero();
        assertThat(run("blueprint", "list").out()).doesNotContain("pair");
        var uploaded = run("blueprint", "upload", card.toString());
        assertThat(uploaded.code()).as(uploaded.err()).isZero();
        assertThat(run("blueprint", "list").out()).contains("pair");
        assertThat(run("job", "submit", "pair").code()).isZero();
        assertThat(run("blueprint", "upload", wrong.toString()).code())
                .isEqualTo(ArtelCommand.REFUSED);
        assertThat(run("blueprint", "upload", "notes.txt").err())
                .contains("notes.txt is neither a jar (.jar) nor a process card");
    }

    @Test
    void aQuarantinedJob_isListed_andDiscarded() {
        var job = submitted("break");
        Await.await().until(() -> run("quarantine", "list").out().contains(job));

        assertThat(run("quarantine", "list").out()).contains("break");
        assertThat(run("quarantine", "discard", job, "--reason", "give up").code()).isZero();
        assertThat(run("job", "get", job).out()).contains("give up");
    }

    @Test
    void documents_areThoseOfTheApi() {
        var job = submitted("greet");

        var document = JsonText.read(run("job", "get", job, "--json").out().getBytes(UTF_8));

        assertThat(((JsonObject) document).string("id")).contains(job);
        assertThat(JsonText.read(run("blueprint", "list", "--json").out().getBytes(UTF_8)))
                .isInstanceOf(JsonArray.class);
        assertThat(run("blueprint", "graph", "work").out()).contains("digraph").contains("begin");
        assertThat(run("blueprint", "graph", "work", "--json").out()).contains("\"begin\"");
        assertThat(run("worker", "list").out()).contains("worker_id");
        assertThat(run("secret", "list").code()).isZero();
    }

    @Test
    void aBlueprint_isShown_inTheVersionThatIsNamed() {
        assertThat(run("blueprint", "graph", "greet").out()).contains("begin");
        assertThat(run("blueprint", "graph", "greet", "--blueprint-version", "0.9").out())
                .contains("older");
        assertThat(run("blueprint", "graph", "greet", "--blueprint-version", "0.9", "--json").out())
                .contains("\"older\"");
        assertThat(run("blueprint", "get", "greet", "--blueprint-version", "0.9").out())
                .contains("\"version\": \"0.9\"");
        assertThat(run("blueprint", "graph", "greet", "--blueprint-version", "7").err())
                .contains("there is no version 7 of blueprint 'greet'");
    }

    @Test
    void login_keepsAProfile_thatOnlyItsOwnerReads() throws IOException {
        var home = Files.createDirectories(folder.resolve("home"));
        var plain = Map.of("HOME", home.toString());

        var login =
                run(
                        plain,
                        "login",
                        node.uri().toString(),
                        "--token-file",
                        token(node.clientToken()));

        assertThat(login.code()).as(login.err()).isZero();
        var file = home.resolve(".config").resolve("artel").resolve("profiles.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(run(plain, "job", "list").code()).isZero();
        assertThat(run(plain, "profiles").out()).contains(node.uri().toString());
        assertThat(run(plain, "job", "list", "--profile", "other").err())
                .contains("there is no profile 'other'");
        assertThat(run(plain, "job", "list", "--url", "http://127.0.0.1:9").err())
                .as("a token goes to the orchestrator alone for which it was kept")
                .contains("no token for http://127.0.0.1:9");
    }

    @Test
    void aTokenThatIsWrong_isNotKept() throws IOException {
        var plain = Map.of("HOME", folder.resolve("empty").toString());

        var login = run(plain, "login", node.uri().toString(), "--token-file", token(WRONG_TOKEN));

        assertThat(login.code()).isEqualTo(ArtelCommand.UNAUTHORIZED);
        assertThat(login.err()).contains("the token came from --token-file. artel login URL keeps");
        assertThat(run(plain, "job", "list").err()).contains("no token for http://localhost:8080");
    }

    /// Trap: everybody on the machine reads it with `ps`.
    @Test
    void aTokenOnTheCommandLine_isRefused_andNotUsed() {
        var home = folder.resolve("untouched");
        var plain = Map.of("HOME", home.toString());

        for (var ran :
                List.of(
                        run(plain, "login", node.uri().toString(), "--token", node.clientToken()),
                        run("job", "list", "--token", node.clientToken()))) {
            assertThat(ran.code()).isEqualTo(ArtelCommand.USAGE);
            assertThat(ran.err())
                    .contains(
                            "--token is a secret, which others could read on a command line",
                            "--token-file",
                            "ARTEL_TOKEN")
                    .doesNotContain(node.clientToken());
        }
        assertThat(home).doesNotExist();
        assertThat(run("login", "--help").out()).doesNotContain("--token ", "--token=");
    }

    @Test
    void aFileWithoutAToken_isNamed() throws IOException {
        assertThat(run("job", "list", "--token-file", token("")).err())
                .startsWith("artel: there is no token in the first line of ");
        assertThat(run("job", "list", "--token-file", "nofile").err())
                .isEqualTo("artel: there is no file nofile");
        assertThat(run("job", "list", "--token-file", token(node.clientToken())).code()).isZero();
    }

    private String token(String token) throws IOException {
        var file = Files.createTempFile(folder, "token", "");
        return Files.writeString(file, token + "\n").toString();
    }

    @Test
    void aTokenThatIsRefused_isNamedByItsSource_andAnEmptyVariableIsNone() throws IOException {
        var home = Files.createDirectories(folder.resolve("outdated"));
        var environment = new HashMap<>(environment());
        environment.put("HOME", home.toString());
        new LoginProfiles(home.resolve(".config/artel/profiles.json"))
                .keep("old", new LoginProfiles.Profile(node.uri(), "outdated-token-0123456789"));
        var option = run(environment, "job", "list", "--token-file", token(WRONG_TOKEN));
        environment.put("ARTEL_TOKEN", WRONG_TOKEN);
        var variable = run(environment, "job", "list", "--profile", "old");
        environment.put("ARTEL_TOKEN", "");
        var profile = run(environment, "job", "list", "--profile", "old");

        assertThat(List.of(option, variable, profile))
                .extracting(Ran::code)
                .containsOnly(ArtelCommand.UNAUTHORIZED);
        assertThat(option.err())
                .contains("401", "the token came from --token-file. artel login URL");
        assertThat(variable.err()).contains("the token came from $ARTEL_TOKEN. artel login URL");
        assertThat(profile.err())
                .contains("the token came from profile old.", "artel token show client");
        assertThat(run(environment, "job", "list").err()).contains("no token for " + node.uri());
    }

    @Test
    void theDashboard_isALink_thatLogsInOnce() {
        var link = run("dashboard");

        assertThat(link.code()).as(link.err()).isZero();
        assertThat(link.out()).startsWith(node.uri() + "/#code=");
        assertThat(run("dashboard", "--json").out()).contains("\"expires_at\"");
    }

    /// Trap: where no display is, the command fails or waits for a browser.
    @Test
    void theDashboard_isOpened_onlyWhereADisplayAndABrowserAre() throws IOException {
        var bin = Files.createDirectories(folder.resolve("bin"));
        var opened = folder.resolve("opened");
        var browser = bin.resolve("xdg-open");
        Files.writeString(browser, "#!/bin/sh\nprintf %s \"$1\" >" + opened + "\n");
        Files.setPosixFilePermissions(browser, PosixFilePermissions.fromString("rwx------"));
        var headless = new HashMap<>(environment());
        headless.put("PATH", bin + ":/usr/bin:/bin");
        var display = new HashMap<>(headless);
        display.put("DISPLAY", ":0");
        var without = new HashMap<>(display);
        without.put("PATH", folder.toString());

        assertThat(run(headless, "dashboard").code()).isZero();
        assertThat(run(without, "dashboard").code()).isZero();
        assertThat(run(display, "dashboard", "--no-browser").code()).isZero();
        assertThat(opened).doesNotExist();

        var link = run(display, "dashboard").out();
        Await.await().untilAsserted(() -> assertThat(opened).hasContent(link));
    }

    @Test
    void whatCannotBeDone_isAnExitCodeAndASentence() {
        assertThat(run("job", "get", "none").code()).isEqualTo(ArtelCommand.REFUSED);
        assertThat(run("job", "frobnicate").code()).isEqualTo(ArtelCommand.USAGE);
        assertThat(run("job", "submit", "greet", "city").err())
                .contains("'city' is neither NAME=VALUE nor a JSON object nor @FILE");
        assertThat(run("job", "list", "--limit", "0").code()).isEqualTo(ArtelCommand.USAGE);
        assertThat(run("job", "submit", "greet", "@nofile").err())
                .isEqualTo("artel: there is no file nofile");
        assertThat(run("blueprint", "upload", "none.yaml").err())
                .isEqualTo("artel: there is no file none.yaml");
        assertThat(run("--help").code()).isZero();
        assertThat(run("completion").out()).contains("complete");
    }

    @Test
    void whereNothingListens_theCommandReportsIt_andWhatToDo() throws IOException {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        var url = "http://127.0.0.1:" + port;

        var ran = run("login", url, "--token-file", token("some-token-0123456789"));

        assertThat(ran.code()).isEqualTo(ArtelCommand.UNREACHABLE);
        assertThat(ran.err())
                .contains("nothing listens at " + url, "./artel up", "--url")
                .doesNotContain("Exception");
    }

    @Test
    void aSchedule_isMade_shown_steered_andDeleted() {
        var made =
                run(
                        "schedule",
                        "create",
                        "nightly",
                        "greet",
                        "city=Oslo",
                        "--cron",
                        "30 2 * * *",
                        "--zone",
                        "Europe/Oslo",
                        "--set",
                        "overlap=queue",
                        "--label",
                        "team=red");
        assertThat(made.code()).as(made.err()).isZero();
        assertThat(made.out())
                .startsWith("nightly: greet, 30 2 * * * Europe/Oslo, revision 1")
                .contains("The next run is at ");
        assertThat(run("schedule", "list").out()).contains("nightly").contains("active");
        assertThat(run("schedule", "get", "nightly", "--json").out())
                .contains("\"overlap\": \"queue\"");
        assertThat(run("schedule", "next", "nightly", "--count", "3").out().lines()).hasSize(3);

        assertThat(run("schedule", "pause", "nightly", "--reason", "a repair").out())
                .contains("Nothing runs: client default paused it at ")
                .endsWith(": a repair.");
        var job = run("schedule", "run", "nightly").out();
        assertThat(run("job", "get", job).out()).contains("greet");
        assertThat(run("schedule", "runs", "nightly").out()).contains("manual").contains(job);
        assertThat(run("schedule", "resume", "nightly").out()).contains("The next run is at ");
        var backfill =
                run(
                        "schedule",
                        "backfill",
                        "nightly",
                        "--from",
                        "2026-01-01T00:00:00Z",
                        "--until",
                        "2026-01-03T00:00:00Z");
        assertThat(backfill.code()).as(backfill.err()).isZero();

        assertThat(run("schedule", "delete", "nightly").out()).isEqualTo("deleted");
        assertThat(run("schedule", "get", "nightly").code()).isEqualTo(ArtelCommand.REFUSED);
    }

    @Test
    void aScheduleThatMakesNoSense_isRefusedWithTheReason() {
        assertThat(run("schedule", "create", "odd", "greet").code()).isEqualTo(ArtelCommand.USAGE);
        assertThat(run("schedule", "create", "odd", "greet", "--every", "5", "--at", "x").code())
                .isEqualTo(ArtelCommand.USAGE);
        var odd = run("schedule", "create", "odd", "greet", "--cron", "61 2 * * *");
        assertThat(odd.code()).isEqualTo(ArtelCommand.REFUSED);
        assertThat(odd.err()).contains("at character 1, the minute '61'");
    }
}
