package dev.artel.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.artel.config.CommandLine;
import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.server.ArtelNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Each block of code in a document is quoted from a file that tests run, is read or is run; or a mark on the line before it names
/// which test runs it (`<!-- run by: NameOfTest -->`), or why none does (`<!-- not run: reason -->`). A block of Java is quoted:
/// `DocumentsTest` compares it with its file. `RequestsTest` sends requests, `DocumentedJsonTest` compares JSON with what an
/// orchestrator sends and takes; both have marks of their own.
@Execution(ExecutionMode.CONCURRENT)
final class SnippetsTest {
    private static final Path ROOT = Snippet.ROOT;

    private static final List<String> MARKS =
            List.of(
                    "not run",
                    "settings",
                    "scene",
                    "refused",
                    "answer of",
                    "part of answer of",
                    "body of",
                    "call",
                    "schema");

    private static final Pattern SUBCOMMAND = Pattern.compile("\\./artel ([a-z]+)(.*)");
    @TempDir Path folder;

    static List<Snippet> all() throws IOException {
        return Snippet.all();
    }

    private static List<Snippet> of(String... languages) throws IOException {
        return all().stream()
                .filter(it -> List.of(languages).contains(it.language()) && it.mark().isEmpty())
                .toList();
    }

    static List<Snippet> yaml() throws IOException {
        return of("yaml");
    }

    static List<Snippet> settings() throws IOException {
        return all().stream().filter(it -> !it.marked("settings").isEmpty()).toList();
    }

    static List<Snippet> shell() throws IOException {
        return of("sh").stream().filter(it -> !it.isRequest()).toList();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aBlock_isOfAKindThatATestTakes_orSaysWhyNot(Snippet snippet) throws IOException {
        if (snippet.mark().isEmpty()) {
            assertThat(List.of("", "yaml", "sh"))
                    .as(
                            "%s: quote it from a file (<!-- path -->), or mark it with"
                                    + " <!-- run by: NameOfTest -->, <!-- settings: FILE -->, a mark of DocumentedJsonTest or"
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
            assertThat(MARKS)
                    .as("%s: the mark '%s' is not known", snippet, snippet.mark())
                    .contains(snippet.kindOfMark());
        }
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

    @ParameterizedTest
    @MethodSource("shell")
    void aCommand_isOneThatTheProgramHas(Snippet snippet) throws IOException {
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

    private static ArtelNode start(ServerConfig config) {
        return ArtelNode.start(config.withPort(0), Blueprints.of());
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
