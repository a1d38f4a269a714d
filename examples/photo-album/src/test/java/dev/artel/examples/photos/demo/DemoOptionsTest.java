package dev.artel.examples.photos.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DemoOptionsTest {
    @TempDir private Path folder;

    @Test
    void aFolderWithoutPictures_isRefused() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "Hello");
        var options = options("--photos", folder.toString());

        assertThatExceptionOfType(CannotRun.class)
                .isThrownBy(options::pictures)
                .withMessageStartingWith("there are no pictures in " + folder);
    }

    @Test
    void aFileInPlaceOfAFolder_isRefused() throws IOException {
        var file = Files.writeString(folder.resolve("notes.txt"), "Hello").toString();

        assertRefused(file + " is not a folder; name the one of", "--photos", file);
        assertRefused(file + " is not a folder; choose another with --out", "--out", file);
        assertRefused(file + " is not a folder; choose another with --data", "--data", file);
    }

    @Test
    void aPortThatIsNone_isRefused() {
        assertRefused("--port is a number from 0 to 65535, was 65536", "--port", "65536");
        assertRefused("--port is a number from 0 to 65535, was http", "--port", "http");
    }

    @Test
    void wordsThatSayNothing_areRefused() {
        assertRefused("there is no option --photo;", "--photo", "x");
        assertRefused("--port needs a value", "--port");
        assertRefused(
                "--wire is one of http, websocket, zeromq, mixed, was rope", "--wire", "rope");
    }

    @Test
    void picturesAreListedByName_withoutOtherFiles() throws IOException {
        for (var name : List.of("b.JPG", "a.png", ".hidden.jpg", "notes.txt")) {
            Files.createFile(folder.resolve(name));
        }
        Files.createDirectory(folder.resolve("c.jpg"));

        var options = options("--photos", folder.toString());

        assertThat(options.pictures())
                .containsExactly(folder.resolve("a.png"), folder.resolve("b.JPG"));
        assertThat(options.exits()).isFalse();
        assertThat(options.port()).isEmpty();
    }

    private void assertRefused(String message, String... words) {
        assertThatExceptionOfType(CannotRun.class)
                .isThrownBy(() -> options(words))
                .withMessageStartingWith(message);
    }

    private DemoOptions options(String... words) {
        var all = new ArrayList<String>();
        for (var key : List.of("--photos", "--out", "--data")) {
            if (!List.of(words).contains(key)) {
                all.addAll(List.of(key, folder.toString()));
            }
        }
        all.addAll(List.of(words));
        return DemoOptions.of(all);
    }
}
