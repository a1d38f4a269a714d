package dev.artel.examples.photos.album;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.examples.photos.album.ContactSheet.Entry;
import dev.artel.examples.photos.imaging.Swatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A JDK of its own whose fontconfig knows no font, as on a server.
@EnabledOnOs(value = OS.LINUX, disabledReason = "only there Java asks fontconfig for fonts")
final class MachineWithoutFontsTest {
    @TempDir private Path folder;

    @Test
    void theContactSheetIsWritten() throws IOException, InterruptedException {
        var nothing =
                Files.writeString(
                        folder.resolve("fonts.conf"),
                        "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig></fontconfig>");
        var png = folder.resolve("sheet.png");
        var java =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Djava.awt.headless=true",
                                "-Duser.home=" + folder,
                                "-cp",
                                System.getProperty("java.class.path"),
                                Drawing.class.getName(),
                                png.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
        java.environment().put("FONTCONFIG_FILE", nothing.toString());
        java.environment().put("HOME", folder.toString());

        var process = java.start();
        var isDone = process.waitFor(3, TimeUnit.MINUTES);
        process.destroyForcibly();

        assertThat(isDone).isTrue();
        assertThat(Files.readString(folder.resolve("log"))).contains("PixelLetters");
        assertThat(process.exitValue()).isZero();
        assertThat(png).isNotEmptyFile();
    }

    /// What that JDK runs.
    static final class Drawing {
        private Drawing() {}

        public static void main(String[] arguments) {
            System.out.println(Letterings.ofThisMachine().title().getClass());
            var photo = Path.of("photos", "fig.jpg");
            var entry = new Entry(photo, "Fig", "a note", List.of(new Swatch("#d03020", 1)));
            ContactSheet.write("Without fonts", List.of(entry), Path.of(arguments[0]));
        }
    }
}
