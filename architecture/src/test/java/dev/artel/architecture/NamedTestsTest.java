package dev.artel.architecture;

import static dev.artel.architecture.WrittenFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Each test that a document names is in the sources of tests, and no row of `docs/robustness.md` stands there twice.
final class NamedTestsTest {
    private static final Path ROBUSTNESS = ROOT.resolve("docs/robustness.md");

    /// A class of tests in code quotes, with or without one of its methods.
    private static final Pattern NAMED =
            Pattern.compile(
                    "`(?<class>[A-Z]\\w*[a-z0-9](?:Test|IT|Contract))(?:\\.(?<method>\\w+))?`");

    @Test
    void eachTestThatADocumentNames_isThere() throws IOException {
        var sources = testSources();
        var missing = new ArrayList<String>();
        var named = 0L;
        for (var document : documents()) {
            var text = Files.readString(document);
            named += NAMED.matcher(text).results().count();
            missing(text, sources)
                    .forEach(test -> missing.add(ROOT.relativize(document) + ": " + test));
        }

        assertThat(named).isGreaterThan(600);
        assertThat(missing)
                .as("tests that a document names and that no source of tests has")
                .isEmpty();
    }

    @Test
    void noRow_standsTwice() throws IOException {
        assertThat(Files.readString(ROBUSTNESS).lines().flatMap(NamedTestsTest::firstColumn))
                .hasSizeGreaterThan(150)
                .doesNotHaveDuplicates();
    }

    @Test
    void aClassOrAMethodThatIsNotThere_isNamed() {
        var sources = Map.of("OneTest", "void itWorks() {}\n/// see itFails");

        assertThat(
                        missing(
                                "`OneTest`, `OneTest.itWorks`, `OneTest.itFails`, `OtherTest.itWorks`, `WAIT`",
                                sources))
                .containsExactly("OneTest.itFails", "OtherTest.itWorks");
    }

    /// All but the changelog, which names tests as they were.
    private static List<Path> documents() {
        return WrittenFiles.named(name -> name.endsWith(".md") && !name.equals("CHANGELOG.md"));
    }

    private static List<String> missing(String document, Map<String, String> sources) {
        var missing = new ArrayList<String>();
        for (var named : NAMED.matcher(document).results().toList()) {
            var source = sources.getOrDefault(named.group("class"), "");
            var method = named.group("method");
            if (source.isEmpty() || (method != null && !declares(source, method))) {
                missing.add(named.group().replace("`", ""));
            }
        }
        return missing;
    }

    private static boolean declares(String source, String method) {
        return Pattern.compile("\\bvoid " + method + "\\(").matcher(source).find();
    }

    /// What could go wrong, from a row; empty for rows of a bound, which begin with who uses it, heads and all else.
    private static Stream<String> firstColumn(String line) {
        var cells = line.split("\\|", -1);
        return cells.length == 5 && !cells[1].isBlank() && !cells[1].matches("-+| what could.*")
                ? Stream.of(cells[1].strip())
                : Stream.empty();
    }

    /// The texts of all sources of tests, and of contracts that tests of several modules extend, by class.
    private static Map<String, String> testSources() throws IOException {
        var sources = new HashMap<String, String>();
        for (var file : WrittenFiles.named(name -> name.matches("\\w+(Test|IT|Contract)\\.java"))) {
            var type = file.getFileName().toString().replace(".java", "");
            sources.merge(type, Files.readString(file), (one, two) -> one + two);
        }
        return sources;
    }
}
