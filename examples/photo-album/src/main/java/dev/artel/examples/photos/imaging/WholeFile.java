package dev.artel.examples.photos.imaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/// Writes files so that a reader sees the old file or the whole new one, never a part: a worker may die while it writes, and
/// two workers may write the same file when a lease has expired.
public final class WholeFile {
    private WholeFile() {}

    /// Fills an empty file.
    public interface Content {
        /// Writes everything into `file`.
        void writeTo(Path file) throws IOException;
    }

    /// Writes `target`, making missing directories.
    ///
    /// @throws UncheckedIOException if it cannot be written; `target` is then as it was
    public static void write(Path target, Content content) {
        try {
            var directory =
                    Objects.requireNonNull(
                            target.toAbsolutePath().getParent(), "a file is in a directory");
            Files.createDirectories(directory);
            var part =
                    directory.resolve(
                            "."
                                    + target.getFileName()
                                    + "."
                                    + ProcessHandle.current().pid()
                                    + "-"
                                    + Thread.currentThread().threadId()
                                    + ".part");
            try {
                content.writeTo(part);
                Files.move(
                        part,
                        target,
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(part);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "cannot write " + target + ": " + failed.getMessage(), failed);
        }
    }
}
