package dev.artel.server.blueprints;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the launchers print as the version, from a checkout and from a release.
final class VersionTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir private Path folder;

    private String run(Path program, String argument) throws Exception {
        var output = folder.resolve("output");
        var process =
                new ProcessBuilder(program.toString(), argument)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).as("it ends").isTrue();
            assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output, UTF_8);
    }

    private Path copy(String file, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        return Files.copy(ROOT.resolve(file), to, StandardCopyOption.COPY_ATTRIBUTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-v", "version"})
    void aCheckout_saysVersionCommitAndJava_andBuildsNothing(String argument) throws Exception {
        assertThat(run(ROOT.resolve("artel"), argument))
                .matches(
                        "artel \\d+\\.\\d+\\.\\d+\\S*( \\(commit [0-9a-f]{12}\\))?, Java \\d\\S+\n");

        var copied = copy("artel", folder.resolve("sources/artel"));
        var pom = folder.resolve("sources/pom.xml");
        Files.writeString(pom, "<project>\n    <version>9.8.7</version>\n</project>\n");
        assertThat(run(copied, argument)).matches("artel 9\\.8\\.7, Java \\d\\S+\n");
        assertThat(folder.resolve("sources")).isDirectoryNotContaining("glob:**target");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "-v", "version"})
    void aRelease_saysVersionCommitAndJava_andStartsNothing(String argument) throws Exception {
        var release = folder.resolve("artel-9.8.7");
        var program = copy("dist/bin/artel", release.resolve("bin/artel"));
        Files.writeString(release.resolve("VERSION"), "9.8.7 (commit 0123456789ab), Java 25.0.9\n");
        var java = Files.createDirectories(release.resolve("runtime/bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\ntouch " + folder.resolve("started") + "\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(run(program, argument))
                .isEqualTo("artel 9.8.7 (commit 0123456789ab), Java 25.0.9\n");
        assertThat(folder.resolve("started")).doesNotExist();
    }

    /// Trap: the launcher of a release reads what the build does not write.
    @Test
    void theBuildOfARelease_writesVersionCommitAndJava() throws IOException {
        assertThat(Files.readString(ROOT.resolve("dist/make")))
                .contains(
                        "echo \"$version${commit:+ (commit $commit)}, Java $java\" >\"$out/VERSION\"");
    }
}
