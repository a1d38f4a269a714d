package dev.artel.cli;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Opens addresses in the browser of the person at the terminal, where there is one.
final class WebBrowser {
    private WebBrowser() {}

    /// Opens `address`, a page on the web, and does not wait for it. An orchestrator chose it: whatever else it may be, the program that opens
    /// addresses would hand it to programs of the desktop.
    ///
    /// @return whether that program was started; false where no display or no such program is, or where it is no such address
    static boolean open(String address, Map<String, String> environment) {
        return isPage(address)
                && program(environment).filter(program -> starts(program, address)).isPresent();
    }

    private static boolean isPage(String address) {
        try {
            var uri = new URI(address);
            return uri.getHost() != null
                    && ("http".equalsIgnoreCase(uri.getScheme())
                            || "https".equalsIgnoreCase(uri.getScheme()));
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static boolean starts(Path program, String address) {
        try {
            new ProcessBuilder(program.toString(), address)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException _) {
            // It is printed in any case.
            return false;
        }
    }

    private static Optional<Path> program(Map<String, String> environment) {
        var isMac =
                System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("mac")
                        && !environment.containsKey("SSH_CONNECTION");
        var hasDisplay =
                Stream.of("DISPLAY", "WAYLAND_DISPLAY")
                        .anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
        if (!isMac && !hasDisplay) {
            return Optional.empty();
        }
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, isMac ? "open" : "xdg-open"))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
