package dev.artel.dashboard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The files of the dashboard in the sources.
final class DashboardSources {
    static final Path ROOT =
            Path.of(System.getProperty("basedir", "."), "src/main/resources/dev/artel/dashboard");

    private DashboardSources() {}

    /// All files with one of the endings, as paths below [#ROOT], in order.
    static List<String> ending(String... endings) throws IOException {
        try (var files = Files.walk(ROOT)) {
            return files.filter(Files::isRegularFile)
                    .map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
                    .filter(name -> List.of(endings).stream().anyMatch(name::endsWith))
                    .sorted()
                    .toList();
        }
    }

    static String text(String name) throws IOException {
        return Files.readString(ROOT.resolve(name));
    }
}
