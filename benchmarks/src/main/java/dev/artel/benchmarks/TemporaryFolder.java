package dev.artel.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/// A folder on the disk of the working directory, removed with all that is in it at the end: the system's temporary folder may
/// be memory.
record TemporaryFolder(Path path) implements AutoCloseable {
    /// @param prefix of its name
    static TemporaryFolder create(String prefix) throws IOException {
        var parent = Files.createDirectories(Path.of("target", "bench"));
        return new TemporaryFolder(Files.createTempDirectory(parent, prefix));
    }

    @Override
    public void close() throws IOException {
        try (var files = Files.walk(path)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
