package dev.artel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// An author imports one package for blueprints, one for workers and one for clients, and the values of `dev.artel.json` where they want
/// JSON. The examples show it.
final class AuthorImportsTest {
    private static final Path EXAMPLES =
            Path.of(System.getProperty("basedir", "."), "../examples").toAbsolutePath().normalize();

    private static final Pattern PACKAGE = Pattern.compile("\\bdev\\.artel((?:\\.[a-z]\\w*)+)");

    private static final Set<String> OF_AUTHORS =
            Set.of(
                    ".blueprint",
                    ".worker",
                    ".worker.server",
                    ".worker.server.hub",
                    ".client",
                    ".json",
                    ".json.text");

    /// A program that embeds an orchestrator registers blueprints with `Blueprints` and starts an `ArtelNode`.
    private static final Set<String> OF_PROGRAMS =
            Set.of(".engine.shell", ".server", ".config", ".server.wiring");

    private static final Pattern KERNEL = Pattern.compile("\\bdev\\.artel\\.kernel\\b");

    /// The tests of examples that name the kernel, and why.
    private static final Map<String, String> TESTS_WITH_KERNEL =
            Map.of(
                    "CatalogueTest.java", "a simulated job has the outcome of the kernel",
                    "GeneratedBlueprintGuideTest.java", "a program that generates blueprints");

    @Test
    void examples_useThePackagesOfAuthorsAlone() throws IOException {
        var sources = sources("/src/main/java/");
        assertThat(sources).hasSizeGreaterThan(20);

        var found = new ArrayList<String>();
        for (var source : sources) {
            for (var name : foreign(Files.readString(source))) {
                found.add(EXAMPLES.relativize(source) + ": dev.artel" + name);
            }
        }

        assertThat(found).as("packages that are not for authors, in examples").isEmpty();
    }

    /// Tests may start an orchestrator and simulate it; what they test is for authors.
    @Test
    void testsOfExamples_needNothingOfTheKernel_butForThoseOfTheList() throws IOException {
        var found = new ArrayList<String>();
        for (var source : sources("/src/test/java/")) {
            var kernel = KERNEL.matcher(Files.readString(source));
            if (kernel.find()) {
                found.add(source.getFileName().toString());
            }
        }

        assertThat(found).containsExactlyInAnyOrderElementsOf(TESTS_WITH_KERNEL.keySet());
    }

    @Test
    void aForeignPackage_isFound_inAnImportAndInANameAsAWhole() {
        assertThat(foreign("import dev.artel.kernel.blueprint.Action;"))
                .containsExactly(".kernel.blueprint");
        assertThat(foreign("import static dev.artel.blueprint.annotated.Types.raw;"))
                .containsExactly(".blueprint.annotated");
        assertThat(foreign("var spec = dev.artel.kernel.task.TaskSpec.of(type, params);"))
                .containsExactly(".kernel.task");
        assertThat(foreign("import dev.artel.engine.shell.Blueprints;"))
                .containsExactly(".engine.shell");
        assertThat(
                        foreign(
                                "import dev.artel.engine.shell.Blueprints;\nimport dev.artel.server.ArtelNode;"))
                .isEmpty();
        assertThat(foreign("import dev.artel.blueprint.Blueprint;")).isEmpty();
    }

    /// The packages that `source` names and that are not for what it is.
    private static List<String> foreign(String source) {
        var startsAnOrchestrator = source.contains("import dev.artel.server.ArtelNode;");
        return PACKAGE.matcher(source)
                .results()
                .map(match -> match.group(1))
                .filter(name -> !name.startsWith(".examples"))
                .filter(name -> !OF_AUTHORS.contains(name))
                .filter(name -> !(startsAnOrchestrator && OF_PROGRAMS.contains(name)))
                .distinct()
                .toList();
    }

    private static List<Path> sources(String folder) throws IOException {
        try (var files = Files.walk(EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains(folder))
                    .sorted()
                    .toList();
        }
    }
}
