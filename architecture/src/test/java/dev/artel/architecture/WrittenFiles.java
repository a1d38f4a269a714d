package dev.artel.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// The files of the repository that people wrote: no output of a build, and nothing hidden but `.ci`.
final class WrittenFiles {
    /// The folder of the repository.
    static final Path ROOT =
            Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

    private WrittenFiles() {}

    /// Programs of a shell or of Python whose names have no suffix, such as `artel` and `dist/try`.
    static List<Path> scripts() {
        return named(name -> !name.contains(".")).stream().filter(WrittenFiles::isScript).toList();
    }

    /// Whether `file` begins with the line that names its interpreter. Other files without a suffix may be no text.
    private static boolean isScript(Path file) {
        try (var in = Files.newInputStream(file)) {
            return in.read() == '#' && in.read() == '!';
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /// Those whose names pass, sorted by their paths.
    static List<Path> named(Predicate<String> name) {
        var found = new ArrayList<Path>();
        try {
            Files.walkFileTree(
                    ROOT,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            var its = folder.getFileName().toString();
                            return (its.startsWith(".") && !its.equals(".ci"))
                                            || its.equals("target")
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            if (name.test(file.getFileName().toString())) {
                                found.add(file);
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for sources and documents in " + ROOT, e);
        }
        return found.stream().sorted().toList();
    }
}
