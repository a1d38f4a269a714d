package dev.artel.e2e.kill;

import dev.artel.server.AotTraining;
import dev.artel.waits.Await;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the JVM has worked out of the classes of an orchestrator, in a file that all processes of the tests map: each of them starts in
/// two thirds of the processor time. A rehearsal of the orchestrator makes it, once for a build.
final class ClassData {
    private static final Path TARGET =
            Path.of(System.getProperty("basedir", "."), "target").toAbsolutePath();

    private ClassData() {}

    /// `classPath` with its folders behind its jars: class data hold for the jars alone, and for what begins with them.
    static String ordered(String classPath) {
        return entries(classPath)
                .sorted((one, other) -> Boolean.compare(isFolder(one), isFolder(other)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /// The flags with which a process of `classPath`, which is [#ordered], uses the class data; none if it is not that of the tests, or
    /// the orchestrator is not in a jar.
    static synchronized List<String> flags(String classPath) throws IOException {
        if (!classPath.equals(ordered(System.getProperty("java.class.path")))) {
            return List.of();
        }
        var jars = entries(classPath).filter(it -> !isFolder(it)).toList();
        if (jars.stream()
                .noneMatch(it -> Path.of(it).getFileName().toString().startsWith("artel-server"))) {
            return List.of();
        }
        var archive = TARGET.resolve("class-data-" + Integer.toHexString(key(jars)) + ".jsa");
        try (var lock =
                        FileChannel.open(
                                TARGET.resolve("class-data.lock"),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                var _ = lock.lock()) {
            if (!Files.exists(archive)) {
                rehearse(String.join(File.pathSeparator, jars), archive);
            }
        }
        return List.of(
                "-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    }

    private static void rehearse(String classPath, Path archive) throws IOException {
        var made = archive.resolveSibling("class-data.new");
        var log = TARGET.resolve("class-data.log");
        var process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:ArchiveClassesAtExit=" + made,
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                classPath,
                                AotTraining.class.getName(),
                                TARGET.resolve("class-data").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            if (!process.waitFor(Await.seconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError("the rehearsal has not made class data, see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while class data were made", e);
        } finally {
            process.destroyForcibly();
        }
        Files.move(made, archive, StandardCopyOption.ATOMIC_MOVE);
    }

    private static int key(List<String> jars) {
        return jars.stream()
                .map(Path::of)
                .map(jar -> {
                    try {
                        return Objects.hash(
                                jar, Files.size(jar), Files.getLastModifiedTime(jar).toMillis());
                    } catch (IOException e) {
                        throw new UncheckedIOException("cannot look at " + jar, e);
                    }
                })
                .toList()
                .hashCode();
    }

    private static Stream<String> entries(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator)).filter(it -> !it.isEmpty());
    }

    private static boolean isFolder(String entry) {
        return Files.isDirectory(Path.of(entry));
    }
}
