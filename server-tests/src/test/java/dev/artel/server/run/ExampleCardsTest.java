package dev.artel.server.run;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.artel.client.ArtelClient;
import dev.artel.client.JobRef;
import dev.artel.config.ActionHosts;
import dev.artel.config.ActionSettings;
import dev.artel.config.BlueprintSettings;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The cards of `examples/cards`, run as a person runs them.
final class ExampleCardsTest {
    private static final Path CARDS = Path.of("../examples/cards");

    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private HttpServer server;
    private Iterator<Reply> replies = List.<Reply>of().iterator();

    private record Reply(int status, String body) {}

    @BeforeEach
    void begin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        exchange.getRequestBody().readAllBytes();
                        var reply = replies.next();
                        var body = reply.body().getBytes(UTF_8);
                        exchange.getResponseHeaders().set("Content-Type", "application/json");
                        exchange.sendResponseHeaders(reply.status(), body.length);
                        exchange.getResponseBody().write(body);
                    }
                });
        server.start();
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private String url(String path) {
        return "http://localhost:" + server.getAddress().getPort() + path;
    }

    private int run(String card, String... options) {
        return runWith("", card, options);
    }

    /// @param typed what the person types
    private int runWith(String typed, String card, String... options) {
        var arguments = new ArrayList<>(List.of(CARDS.resolve(card).toString()));
        arguments.addAll(List.of(options));
        var terminal =
                new Terminal(
                        new PrintStream(out, true, UTF_8),
                        new PrintStream(err, true, UTF_8),
                        new BufferedReader(new StringReader(typed)),
                        !typed.isEmpty());
        return new CardRunner(RunArguments.read(arguments), this::start, terminal).run();
    }

    private CardRunner.Started start(Blueprints blueprints) {
        var node = node(blueprints);
        return new CardRunner.Started(node.uri(), node.clientToken(), node::close);
    }

    private ArtelNode node(Blueprints blueprints) {
        return ArtelNode.start(
                ServerConfig.DEFAULTS
                        .withBlueprints(BlueprintSettings.DEFAULTS.withUpload(true))
                        .withPort(0)
                        .withData(folder.resolve("data"))
                        .withActions(
                                ActionSettings.DEFAULTS
                                        .withEnabled(true)
                                        .withHosts(ActionHosts.of("localhost"))
                                        .withFolder(folder.resolve("files"))
                                        .withModelUri(URI.create(url("/v1")))
                                        .withModelName("small")),
                blueprints);
    }

    private JsonObject result() {
        return (JsonObject) JsonText.read(out.toString(UTF_8));
    }

    private static JsonObject json(String text) {
        return (JsonObject) JsonText.read(text.replace('\'', '"'));
    }

    private String shown() {
        return err.toString(UTF_8);
    }

    @Test
    void eachCard_hasATest() throws IOException {
        try (Stream<Path> files = Files.list(CARDS)) {
            assertThat(
                            files.map(file -> file.getFileName().toString())
                                    .filter(name -> name.endsWith(".yaml")))
                    .containsExactlyInAnyOrderElementsOf(
                            new TreeSet<>(
                                    List.of(
                                            "hello.yaml",
                                            "fetch.yaml",
                                            "approval.yaml",
                                            "order.yaml",
                                            "each.yaml",
                                            "receipt.yaml",
                                            "signal.yaml",
                                            "undo.yaml",
                                            "article.yaml")));
        }
    }

    @Test
    void hello_greetsATeam() throws IOException {
        assertThat(run("hello.yaml")).as(shown()).isZero();

        assertThat(result().object("greetings"))
                .contains(json("{'hello':['Ada','Grace'],'terve':['Linus']}"));
        assertThat(Files.readString(folder.resolve("files/hello/greetings.json"))).contains("Ada");
        assertThat(shown()).contains("english: json_query with artel-actions", "artel: finished");
    }

    @Test
    void fetch_triesAgainWhileTheServerIsBusy() {
        replies =
                List.of(
                                new Reply(503, "{}"),
                                new Reply(
                                        200,
                                        "{\"items\":[{\"name\":\"pen\",\"price\":2},{\"name\":\"bag\",\"price\":40}]}"))
                        .iterator();

        assertThat(run("fetch.yaml", "--input", "url=" + url("/items.json"))).as(shown()).isZero();

        assertThat(result()).isEqualTo(json("{'status':200,'cheap':['pen']}"));
        assertThat(shown()).contains("was answered with 503", "is tried again", "attempt 2");
    }

    @Test
    void approval_asksThePerson() {
        assertThat(runWith("maybe\napprove\n", "approval.yaml", "--input", "amount=1200"))
                .as(shown())
                .isZero();

        assertThat(result()).isEqualTo(json("{'paid':1200}"));
        assertThat(shown()).contains("Pay 1200 EUR? [approve / reject]", "approve by");
    }

    @Test
    void approval_isCancelledByAPersonWhoRejects() {
        assertThat(runWith("reject\n", "approval.yaml", "--input", "amount=1200")).isEqualTo(1);

        assertThat(shown()).contains("artel: cancelled");
    }

    @Test
    void approval_ofASmallAmountAsksNobody_andOneMayApproveAll() {
        assertThat(run("approval.yaml", "--input", "amount=5")).as(shown()).isZero();
        assertThat(shown()).doesNotContain("asks");

        assertThat(run("approval.yaml", "--input", "amount=5000", "--approve"))
                .as(shown())
                .isZero();
        assertThat(shown()).contains("asks: Pay 5000 EUR?");
    }

    @Test
    void approval_withoutAPerson_endsTheRun_andNamesTheOption() {
        assertThat(run("approval.yaml", "--input", "amount=1200")).as(shown()).isEqualTo(1);

        assertThat(shown())
                .contains(
                        "artel: waits for a person: Pay 1200 EUR? [approve / reject]; run with --approve");
        assertThat(out.toString(UTF_8)).isEmpty();
    }

    @Test
    void approval_thatThePersonLeavesOpen_endsTheRun() {
        assertThat(runWith("maybe\n", "approval.yaml", "--input", "amount=1200")).isEqualTo(1);

        assertThat(shown()).contains("artel: waits for a person: Pay 1200 EUR?");
    }

    @Test
    void approval_thatIsTooLateSoon_isWaitedFor() throws IOException {
        // On a busy machine the approval may be over before anybody asks.
        for (var seconds = 1; !shown().contains("until ") && seconds < 100; seconds *= 4) {
            var card =
                    Files.writeString(
                            folder.resolve("own.yaml"),
                            "metadata: {name: own, version: 1.0.%1$d}\nspec: {steps: [{id: a, type: human_checkpoint, message: 'Go?', timeout: %1$ds}]}\n"
                                    .formatted(seconds));
            assertThat(run(card.toAbsolutePath().toString())).isEqualTo(1);
        }

        assertThat(shown())
                .contains("artel: waits for a person until ", "approval did not come in time")
                .doesNotContain("waits for a person: ");
    }

    @Test
    void order_waitsForBoth() {
        assertThat(run("order.yaml", "--input", "item=bread")).as(shown()).isZero();

        assertThat(result()).isEqualTo(json("{'item':'bread','price':4,'baked':true}"));
    }

    @Test
    void each_runsASubprocessForEachItem() {
        assertThat(
                        run(
                                "each.yaml",
                                "--input",
                                "orders=[{\"id\":1,\"total\":30},{\"id\":2,\"total\":12}]"))
                .as(shown())
                .isZero();

        assertThat(out.toString(UTF_8)).contains("order 1: 30 EUR", "order 2: 12 EUR");
    }

    @Test
    void receipt_runsAlone() {
        assertThat(
                        run(
                                "receipt.yaml",
                                "--input",
                                "order={\"id\":1,\"total\":30}",
                                "--input",
                                "number=0",
                                "--input",
                                "currency=EUR"))
                .as(shown())
                .isZero();

        assertThat(result()).isEqualTo(json("{'text':'order 1: 30 EUR','number':0}"));
    }

    @Test
    void signal_goesOnWithTheEvent() {
        assertThat(run("signal.yaml", "--event", "paid={\"amount\":7}")).as(shown()).isZero();

        assertThat(result()).isEqualTo(json("{'paid':7}"));
    }

    @Test
    void undo_compensatesWhatItDid() throws IOException {
        assertThat(run("undo.yaml", "--input", "fail=true")).isEqualTo(1);

        assertThat(shown()).contains("what was done is compensated", "artel: failed");
        assertThat(folder.resolve("files")).isEmptyDirectory();
        assertThat(run("undo.yaml", "--input", "fail=false")).as(shown()).isZero();
        try (var files = Files.list(folder.resolve("files/undo"))) {
            assertThat(files).hasSize(1);
        }
    }

    private static Reply completion(String text) {
        return new Reply(
                200,
                "{\"id\":\"c\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"small\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":"
                        + new dev.artel.json.JsonString(text)
                        + "},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,\"total_tokens\":15}}");
    }

    @Test
    void article_isWrittenAgainUntilItIsGood() {
        replies =
                List.of(
                                completion("Bees fly."),
                                completion("{\"score\":0.4,\"feedback\":\"too short\"}"),
                                completion("Bees dance."),
                                completion("{\"score\":0.95}"))
                        .iterator();

        assertThat(run("article.yaml", "--input", "topic=bees")).as(shown()).isZero();

        assertThat(result().string("text")).contains("Bees dance.");
        assertThat(folder.resolve("files/articles/bees.json")).content().contains("Bees dance.");
    }

    @Test
    void aCardThatIsWrong_isNotRun_andAllOfItIsNamed() throws IOException {
        var card =
                Files.writeString(
                        folder.resolve("wrong.yaml"),
                        "metadata: {name: x, version: 1.0.0}\nspec: {steps: [{id: a, action: b, next: c}]}\n");

        assertThat(run(card.toAbsolutePath().toString())).isEqualTo(2);
        assertThat(shown())
                .contains("wrong.yaml:2:")
                .contains("error: spec.steps.a: it leads to 'c'");
        assertThat(run("nothing.yaml")).isEqualTo(2);
        assertThat(shown())
                .contains("artel: there is no file " + CARDS.resolve("nothing.yaml"))
                .doesNotContain("Exception");
        assertThatThrownBy(() -> run("hello.yaml", "--inputs", "none.json"))
                .hasMessage("--inputs: there is no file none.json");
    }

    @Test
    void anOrchestratorElsewhere_takesUpTheCard_andKeepsItsRevisions() throws IOException {
        var card = folder.resolve("own.yaml");
        try (var node = node(Blueprints.of())) {
            for (var answer : List.of("1", "2")) {
                Files.writeString(
                        card,
                        "metadata: {name: own, version: 1.0.0}\nspec: {steps: [{id: a, action: set, params: {n: %s}, output: o}, {id: b, type: complete, result: '${o}'}]}\n"
                                .formatted(answer));
                var terminal =
                        new Terminal(
                                new PrintStream(out, true, UTF_8),
                                new PrintStream(err, true, UTF_8),
                                new BufferedReader(new StringReader("")),
                                false);
                var arguments =
                        RunArguments.read(List.of(card.toString(), "--url", node.uri().toString()));
                assertThat(
                                new CardRunner(
                                                arguments,
                                                _ ->
                                                        new CardRunner.Started(
                                                                node.uri(),
                                                                node.clientToken(),
                                                                () -> {}),
                                                terminal)
                                        .run())
                        .as(shown())
                        .isZero();
            }
        }
        assertThat(shown())
                .contains("runs own version 1.0.0 as job", "runs own version 1.0.0.2 as job");
        assertThat(out.toString(UTF_8)).contains("\"n\": 1", "\"n\": 2");
    }

    @Test
    void anOrchestratorElsewhere_isWaitedForWhilePeopleDecideThere() throws Exception {
        var card = CARDS.resolve("approval.yaml").toString();
        try (var node = node(Blueprints.of());
                var client = ArtelClient.of(node.uri(), node.clientToken())) {
            var terminal =
                    new Terminal(
                            new PrintStream(out, true, UTF_8),
                            new PrintStream(err, true, UTF_8),
                            new BufferedReader(new StringReader("")),
                            false);
            var arguments =
                    RunArguments.read(
                            List.of(
                                    card,
                                    "--input",
                                    "amount=1200",
                                    "--url",
                                    node.uri().toString()));
            var runner =
                    new CardRunner(
                            arguments,
                            _ -> new CardRunner.Started(node.uri(), node.clientToken(), () -> {}),
                            terminal);
            var code = CompletableFuture.supplyAsync(runner::run);
            await().untilAsserted(() ->
                    assertThat(shown())
                            .contains(
                                    "artel: waits for a person, who decides at "
                                            + node.uri()
                                            + ": Pay 1200 EUR?"));
            var job = new JobRef(shown().lines().findFirst().orElseThrow().replaceAll(".* ", ""));
            client.decide(job, client.approvals(job).getFirst().number(), "approve");

            assertThat(code.get(Await.seconds(), TimeUnit.SECONDS)).as(shown()).isZero();
        }
        assertThat(result()).isEqualTo(json("{'paid':1200}"));
    }

    @Test
    void aProcessThatWaitsTooLong_isLeft_andSaysWhatItWaitsFor() throws IOException {
        var card =
                Files.writeString(
                        folder.resolve("own.yaml"),
                        "metadata: {name: own, version: 1.0.0}\nspec: {steps: [{id: a, action: strange_work}]}\n");

        // It reports what is missing after three seconds, for which a busy machine may take longer.
        for (var seconds = 4; !shown().contains("strange_work") && seconds < 120; seconds *= 3) {
            var code = run(card.toAbsolutePath().toString(), "--timeout", seconds + "s");
            assertThat(code).isEqualTo(3);
            assertThat(shown()).contains("artel: not over within " + seconds + " s; state a");
        }
        assertThat(shown()).contains("strange_work");
    }
}
