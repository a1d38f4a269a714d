package dev.artel.architecture;

import static dev.artel.architecture.WrittenFiles.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Each benchmark has its row in `docs/benchmarks.md`.
final class BenchmarksDocumentTest {
    private static final Path SOURCES =
            ROOT.resolve("benchmarks/src/main/java/dev/artel/benchmarks");

    private static final Pattern NAME =
            Pattern.compile("String name\\(\\) \\{\\s*return \"(?<name>[a-z-]+)\";");

    @Test
    void eachBenchmark_hasItsRow() throws IOException {
        var document = Files.readString(ROOT.resolve("docs/benchmarks.md"));

        assertThat(names())
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(document).contains("\n| `" + name + "` | "));
    }

    private static List<String> names() throws IOException {
        try (var files = Files.list(SOURCES)) {
            return files.filter(file -> file.toString().endsWith("Benchmark.java"))
                    .map(BenchmarksDocumentTest::text)
                    .flatMap(source -> NAME.matcher(source).results())
                    .map(found -> found.group("name"))
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
