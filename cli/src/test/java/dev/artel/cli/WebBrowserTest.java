package dev.artel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WebBrowserTest {
    @TempDir Path folder;

    private Map<String, String> withABrowser() throws IOException {
        var browser = folder.resolve("xdg-open");
        Files.writeString(browser, "#!/bin/sh\n");
        Files.setPosixFilePermissions(browser, PosixFilePermissions.fromString("rwx------"));
        return Map.of("PATH", folder.toString(), "DISPLAY", ":0");
    }

    /// Trap: what an orchestrator answers is handed to whatever program of the desktop opens it.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "--help",
                "file:///etc/passwd",
                "javascript:alert(1)",
                "ssh://host/",
                "http:",
                "http:///path",
                "https://a b/"
            })
    void whatIsNoPageOnTheWeb_isNotOpened(String address) throws IOException {
        assertThat(WebBrowser.open(address, withABrowser())).isFalse();
    }

    @Test
    void aPageOnTheWeb_isOpened() throws IOException {
        assertThat(WebBrowser.open("https://artel.example/#code=1", withABrowser())).isTrue();
        assertThat(WebBrowser.open("http://127.0.0.1:8080/#code=1", withABrowser())).isTrue();
    }
}
