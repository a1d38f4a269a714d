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

/// Each test that `docs/robustness.md` names is in the sources of tests, and no row stands there twice.
final class RobustnessTest {
    private static final Path DOCUMENT = ROOT.resolve("docs/robustness.md");

    /// A class of tests in code quotes, with or without one of its methods.
    private static final Pattern NAMED =
            Pattern.compile("`(?<class>[A-Z]\\w*(?:Test|IT|Contract))(?:\\.(?<method>\\w+))?`");

    @Test
    void eachTestThatTheDocumentNames_isThere() throws IOException {
        var document = Files.readString(DOCUMENT);
        assertThat(NAMED.matcher(document).results().count()).isGreaterThan(300);

        assertThat(missing(document, testSources()))
                .as("tests that docs/robustness.md names and that no source of tests has")
                .isEmpty();
    }

    @Test
    void noRow_standsTwice() throws IOException {
        assertThat(Files.readString(DOCUMENT).lines().flatMap(RobustnessTest::firstColumn))
                .hasSizeGreaterThan(150)
                .doesNotHaveDuplicates();
    }

    @Test
    void aClassOrAMethodThatIsNotThere_isNamed() {
        var sources = Map.of("ATest", "void itWorks() {}\n/// see itFails");

        assertThat(missing("`ATest`, `ATest.itWorks`, `ATest.itFails`, `BTest.itWorks`", sources))
                .containsExactly("ATest.itFails", "BTest.itWorks");
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
