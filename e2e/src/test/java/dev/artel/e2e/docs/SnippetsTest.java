package dev.artel.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobSubmission;
import dev.artel.config.CommandLine;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each block of code in a document is quoted from a file that tests run, is read or is run; or a mark on the line before it names
/// which test runs it (`<!-- run by: NameOfTest -->`), or why none does (`<!-- not run: reason -->`). A block of Java is quoted:
/// `DocumentsTest` compares it with its file.
@Execution(ExecutionMode.CONCURRENT)
final class SnippetsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

    /// Answers that a documented request may have, beside success, where it is sent to another job than that of its
    /// document: the job is in another state, or has no such task, question or call.
    private static final Set<String> OTHER_JOB =
            Set.of(
                    "task_not_found",
                    "webhook_call_not_found",
                    "subscription_not_found",
                    "job_in_wrong_state",
                    "job_not_over",
                    "not_awaited",
                    "state_never_entered",
                    "invalid_approval_token");

    private static final Pattern STATUS = Pattern.compile("(?m)^STATUS (\\d+)$");
    private static final Pattern CODE = Pattern.compile("\"code\":\"(\\w+)\"");
    private static final Pattern SUBCOMMAND = Pattern.compile("\\./artel ([a-z]+)(.*)");
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @TempDir Path folder;

    static List<Snippet> all() throws IOException {
        var found = new ArrayList<Snippet>();
        for (var file : documents()) {
            found.addAll(Snippet.of(ROOT, file));
        }
        return found;
    }

    private static List<Snippet> of(String... languages) throws IOException {
        return all().stream()
                .filter(it -> List.of(languages).contains(it.language()) && it.mark().isEmpty())
                .toList();
    }

    static List<Snippet> json() throws IOException {
        return of("json");
    }

    static List<Snippet> yaml() throws IOException {
        return of("yaml");
    }

    static List<Snippet> settings() throws IOException {
        return all().stream().filter(it -> !it.marked("settings").isEmpty()).toList();
    }

    static List<Snippet> shell() throws IOException {
        return of("sh");
    }

    @ParameterizedTest
    @MethodSource("all")
    void aBlock_isOfAKindThatATestTakes_orSaysWhyNot(Snippet snippet) throws IOException {
        if (snippet.mark().isEmpty()) {
            assertThat(List.of("", "json", "yaml", "sh"))
                    .as(
                            "%s: quote it from a file (<!-- path -->), or mark it with"
                                    + " <!-- run by: NameOfTest -->, <!-- settings: FILE --> or"
                                    + " <!-- not run: reason -->",
                            snippet)
                    .contains(snippet.language());
            return;
        }
        var test = snippet.marked("run by");
        if (!test.isEmpty()) {
            var sources = sources(test + ".java");
            assertThat(sources).as("%s names the test %s", snippet, test).hasSize(1);
            assertThat(Files.readString(sources.getFirst()))
                    .as("%s of %s", test, snippet)
                    .contains(
                            Path.of(snippet.document())
                                    .getFileName()
                                    .toString()
                                    .replace(".md", ""));
        } else if (!snippet.mark().contains(" ")) {
            assertThat(ROOT.resolve(snippet.mark())).as("quoted in %s", snippet).exists();
        } else {
            assertThat(snippet.marked("not run") + snippet.marked("settings"))
                    .as("%s: the mark '%s' is not known", snippet, snippet.mark())
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("json")
    void aBlockOfJson_isOneValue(Snippet snippet) {
        assertThat(JsonText.read(snippet.code().getBytes(StandardCharsets.UTF_8)))
                .as("%s", snippet)
                .isNotNull();
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void aBlockOfYaml_isAFileOfSettings(Snippet snippet) throws IOException {
        var file = Files.writeString(folder.resolve("artel.yaml"), snippet.code());
        var variables = new LinkedHashMap<String, String>();
        var names = Pattern.compile("\\$\\{(\\w+)").matcher(snippet.code());
        while (names.find()) {
            variables.put(names.group(1), secretFor(names.group(1)));
        }

        var outcome = CommandLine.read(new String[] {"--config", file.toString()}, variables);

        assertThat(outcome).as("%s", snippet).isInstanceOf(CommandLine.Settings.class);
    }

    /// A secret of a webhook has a form; tokens have none.
    private static String secretFor(String name) {
        return name.contains("SECRET")
                ? "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
                : "a-long-random-text-" + name;
    }

    @ParameterizedTest
    @MethodSource("settings")
    void aFileBesideTheDatabase_isTakenByAnOrchestrator(Snippet snippet) throws IOException {
        Files.writeString(folder.resolve(snippet.marked("settings")), snippet.code());

        try (var node = start(ServerConfig.DEFAULTS.withData(folder))) {
            assertThat(node.uri()).as("%s", snippet).isNotNull();
        }
    }

    /// Requests are sent to an orchestrator by curl, as they stand. It must understand each of them, also where the job
    /// of the test is not in the state that the document speaks of.
    @ParameterizedTest
    @MethodSource("shell")
    void aBlockOfCommands_isRun_orTheProgramHasTheCommand(Snippet snippet) throws Exception {
        if (snippet.code().startsWith("curl ")) {
            assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is missing");
            request(snippet);
            return;
        }
        for (var line : snippet.code().lines().filter(it -> !it.isBlank()).toList()) {
            if (line.startsWith("./mvnw ")) {
                namesATest(snippet, line);
            } else if (line.contains("./artel ")) {
                knowsCommand(snippet, line);
            } else if (!line.matches("\\w+=\\S+|\\w+=\".*\"|#.*")) {
                fail(
                        "%s: no test runs '%s'; mark the block with <!-- run by: NameOfTest --> or"
                                + " <!-- not run: reason -->",
                        snippet, line);
            }
        }
    }

    private static void namesATest(Snippet snippet, String line) {
        var named = Pattern.compile("-Dtest=(\\w+)").matcher(line);
        assertThat(named.find()).as("%s: %s names a test", snippet, line).isTrue();
        assertThat(sources(named.group(1) + ".java")).as("%s: %s", snippet, line).isNotEmpty();
    }

    private static void knowsCommand(Snippet snippet, String line) throws IOException {
        var command = SUBCOMMAND.matcher(line);
        assertThat(command.find()).as("%s: %s", snippet, line).isTrue();
        var name = command.group(1);
        var isKnown =
                Files.readString(ROOT.resolve("artel"))
                        .lines()
                        .anyMatch(it -> it.matches("  " + name + " .*"));
        assertThat(isKnown).as("%s: ./artel has a command '%s'", snippet, name).isTrue();
        if (name.equals("up")) {
            var arguments = command.group(2).replaceAll("#.*", "").strip();
            assertThat(
                            CommandLine.read(
                                    arguments.isEmpty() ? new String[0] : arguments.split(" +"),
                                    Map.of()))
                    .as("%s: %s", snippet, line)
                    .isInstanceOf(CommandLine.Settings.class);
        }
    }

    private void request(Snippet snippet) throws Exception {
        try (var node =
                        start(
                                ServerConfig.DEFAULTS.withData(folder),
                                waiting("hello"),
                                waiting("order"));
                var client = ArtelClient.of(node.uri(), node.clientToken())) {
            var job = client.submit(JobSubmission.of("hello", JsonObject.EMPTY)).id();
            var output =
                    bash(
                            "curl() { command curl -s --max-time 3 -w '\\nSTATUS %{http_code}\\n' \"$@\"; }\n"
                                    + snippet.code()
                                            .replace("http://127.0.0.1:8080", node.uri().toString())
                                            .replace(
                                                    "https://example.com/",
                                                    "https://receiver.invalid/")
                                            .replace("?wait=30", "?wait=1")
                                            .replace("01a1fdf1-...", job)
                                            .replace("curl -s ", "curl "),
                            Map.of(
                                    "API",
                                    node.uri() + "/api/v1",
                                    "AUTH",
                                    "X-Client-Token: " + node.clientToken(),
                                    "ORCHESTRATOR_URL",
                                    node.uri().toString(),
                                    "CLIENT_TOKEN",
                                    node.clientToken(),
                                    "TOKEN",
                                    "no-token",
                                    "JOB",
                                    job));
            var statuses = STATUS.matcher(output).results().map(it -> it.group(1)).toList();
            assertThat(statuses)
                    .as("requests of %s:\n%s", snippet, output)
                    .hasSize(
                            (int)
                                    Pattern.compile("\\bcurl ")
                                            .matcher(snippet.code())
                                            .results()
                                            .count())
                    .allSatisfy(status -> assertThat(status).matches("2..|401|403|404|409"));
            var codes = CODE.matcher(output).results().map(it -> it.group(1)).toList();
            assertThat(codes).as("refusals of %s:\n%s", snippet, output).isSubsetOf(OTHER_JOB);
        }
    }

    /// Waits from its first step on, so that a request finds its job as it was.
    private static Blueprint waiting(String name) {
        return Blueprint.named(name)
                .start("begin", _ -> Action.awaitSignal("never", "end"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private String bash(String script, Map<String, String> variables) throws Exception {
        var log = folder.resolve("output.txt");
        var builder = new ProcessBuilder("bash", "-c", script);
        builder.environment().putAll(variables);
        var process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            assertThat(process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(log);
    }

    private static ArtelNode start(ServerConfig config, Blueprint... blueprints) {
        return ArtelNode.start(config.withPort(0), Blueprints.of(blueprints));
    }

    /// The documents of the root, of `docs`, of each module and of each example; decisions are records of their time.
    private static List<Path> documents() throws IOException {
        try (var files = Files.walk(ROOT, 4)) {
            return files.filter(it -> it.toString().endsWith(".md"))
                    .filter(it ->
                            !ROOT.relativize(it)
                                    .toString()
                                    .matches("docs/adr/.*|.*target/.*|\\..*"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> sources(String name) {
        try (var files = Files.walk(ROOT)) {
            return files.filter(it -> it.endsWith(name) && !it.toString().contains("/target/"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for " + name + " in " + ROOT, e);
        }
    }
}
