package dev.artel.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class DashboardFilesTest {
    /// What a browser may load before the overview is there, compressed.
    private static final int BUDGET = 300_000;

    private static final Pattern IMPORT =
            Pattern.compile("(?:from|import)\\s*\\(?\\s*\"([^\"\\s]+)\"");

    private final DashboardFiles files = DashboardFiles.load();

    private static String text(DashboardFile file) {
        return new String(file.content(), UTF_8);
    }

    /// Trap: a file is added, works in the sources, and is missing in the program.
    @Test
    void everyFileOfTheSources_isListed_inOrder() throws IOException {
        assertThat(DashboardSources.text("files.txt").lines().toList())
                .as("files.txt lists what there is; add or remove lines")
                .containsExactlyElementsOf(
                        DashboardSources.ending(".js", ".css", ".svg", ".woff2"));
    }

    @Test
    void thePage_namesFilesThatAreThere_belowTheDigest() {
        var named =
                Pattern.compile("(?:src|href)=\"([^\"]+)\"").matcher(text(files.page())).results();

        assertThat(named.map(match -> match.group(1)).toList())
                .isNotEmpty()
                .allSatisfy(name -> {
                    assertThat(name).startsWith("ui/" + files.digest() + "/");
                    assertThat(files.find(name.substring(name.indexOf('/', 3) + 1)))
                            .as(name)
                            .isPresent();
                });
    }

    /// Trap: an import of a bare name works with a build step and in no browser.
    @Test
    void everyImport_isARelativePathToAFileThatIsThere() {
        for (var path : files.paths()) {
            if (path.endsWith(".js")) {
                imports(path)
                        .forEach(name ->
                                assertThat(files.find(name))
                                        .as(path + " imports " + name)
                                        .isPresent());
            }
        }
    }

    private List<String> imports(String path) {
        var source = text(files.find(path).orElseThrow());
        return IMPORT.matcher(source)
                .results()
                .map(match -> match.group(1))
                .filter(name -> path.startsWith("js/") || name.startsWith("."))
                .map(name -> Path.of(path).resolveSibling(name).normalize().toString())
                .toList();
    }

    @Test
    void librariesImportNoBareNames() {
        for (var library : List.of("lib/preact.js", "lib/hooks.js", "lib/htm.js", "lib/uplot.js")) {
            assertThat(text(files.find(library).orElseThrow()))
                    .as(library)
                    .doesNotContain("from\"preact\"")
                    .doesNotContain("require(");
        }
    }

    @Test
    void theOverview_needsLessThanItsBudget() throws IOException {
        var wanted = new LinkedHashSet<String>();
        follow("js/main.js", wanted);
        follow("js/pages/overview.js", wanted);
        wanted.addAll(
                Set.of(
                        "lib/uplot.js",
                        "js/theme.js",
                        "icon.svg",
                        "css/tokens.css",
                        "css/base.css",
                        "css/components.css",
                        "css/pages.css",
                        "fonts/geist-latin-wght-normal.woff2",
                        "fonts/geist-mono-latin-wght-normal.woff2"));
        var sum = gzipped(files.page().content());
        for (var name : wanted) {
            sum += gzipped(files.find(name).orElseThrow().content());
        }

        assertThat(sum).as("bytes of %s", wanted).isLessThan(BUDGET);
    }

    /// What `first` imports at once; what is imported when it is needed is not followed.
    private void follow(String first, Set<String> found) {
        var waiting = new ArrayDeque<>(List.of(first));
        while (!waiting.isEmpty()) {
            var path = waiting.remove();
            if (found.add(path)) {
                var source = text(files.find(path).orElseThrow());
                Pattern.compile("from\\s*\"(\\.[^\"]+)\"")
                        .matcher(source)
                        .results()
                        .map(match -> Path.of(path).resolveSibling(match.group(1)).normalize())
                        .forEach(next -> waiting.add(next.toString()));
            }
        }
    }

    private static int gzipped(byte[] content) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.size();
    }

    @Test
    void anotherPath_isNotFound_whateverItLooksLike() {
        assertThat(files.find("../DashboardFiles.class")).isEmpty();
        assertThat(files.find("index.html")).isEmpty();
        assertThat(files.find("files.txt")).isEmpty();
        assertThat(files.find("js/../js/main.js")).isEmpty();
    }
}
