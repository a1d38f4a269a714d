package dev.artel.maintenance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Names of files that are none in the encoding in which the process names files.
final class FileNamesTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @TempDir private Path folder;

    /// Trap: a backup names a file as another one, reports success, and cannot be restored.
    @Test
    void aNameThatCannotBeWrittenDown_isNamed_andThereIsNoBackup() throws Exception {
        var data = Files.createDirectories(folder.resolve("data"));
        // One byte, which begins a character of UTF-8 that does not go on.
        run("C", "sh", "-c", ": > \"$1/$(printf 'odd-\\351')\"", "sh", data.toString());

        assertThatThrownBy(() -> DataFiles.plainFiles(data))
                .isInstanceOf(UnreadableName.class)
                .hasMessageContaining("odd-")
                .hasMessageContaining("LC_ALL=C.UTF-8");
    }

    /// Trap: of a backup with one name that is none here the error is that it is no backup.
    @Test
    void aBackupWithANameThatIsNoneHere_isRefused_withWhatToDo() throws Exception {
        var backup = folder.resolve("backup.zip");
        try (var out = new ZipOutputStream(Files.newOutputStream(backup))) {
            out.putNextEntry(new ZipEntry("files/\u00e9"));
            out.closeEntry();
        }

        assertThat(restored("C", backup)).contains("LC_ALL=C.UTF-8").doesNotContain("no backup");
        assertThat(restored("C.UTF-8", backup)).contains("backup.json is missing");
    }

    private String restored(String locale, Path backup) throws Exception {
        return run(
                locale,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                RestoreIt.class.getName(),
                backup.toString(),
                folder.resolve("restored").toString());
    }

    /// Prints why a backup cannot be restored.
    static final class RestoreIt {
        private RestoreIt() {}

        static void main(String[] args) {
            try {
                new Restore(Path.of(args[1])).from(Path.of(args[0]), false, NOW);
            } catch (MaintenanceFailed failed) {
                System.out.println(failed.getMessage());
            }
        }
    }

    @Test
    void theLauncher_startsJavaWithUtf8_whateverTheLocaleIs() throws Exception {
        var launcher = Path.of("..", "dist", "bin", "artel");
        assumeTrue(Files.exists(launcher), "there is no launcher beside the module");
        var home = folder.resolve("home");
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib"));
        Files.createDirectories(home.resolve("runtime/bin"));
        var artel = Files.copy(launcher, home.resolve("bin/artel"));
        Files.writeString(home.resolve("lib/cli.jars"), "cli.jar\n");
        var java = home.resolve("runtime/bin/java");
        Files.writeString(java, "#!/bin/sh\necho \"$LC_ALL\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));

        for (var command : List.of("backup", "job")) {
            assertThat(run("C", "sh", artel.toString(), command)).isEqualTo("C.UTF-8\n");
            assertThat(run("POSIX", "sh", artel.toString(), command)).isEqualTo("C.UTF-8\n");
            assertThat(run("C.UTF-8", "sh", artel.toString(), command)).isEqualTo("C.UTF-8\n");
        }
    }

    private static String run(String locale, String... command)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", locale);
        var process = builder.start();
        try (var out = process.getInputStream()) {
            var text = new String(out.readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as(text).isZero();
            return text;
        }
    }
}
