package dev.artel.examples.photos.demo;

import dev.artel.examples.photos.job.PictureFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The options of the demo from the command line. Folders are absolute.
///
/// @param port empty: 8080 if nobody listens there
/// @param wire how the workers are connected
/// @param exits whether the demo ends when the album is done
/// @param opensBrowser whether it opens the dashboard where a browser is
public record DemoOptions(
        Path photos,
        Path out,
        Path data,
        OptionalInt port,
        DemoWire wire,
        boolean exits,
        boolean opensBrowser) {
    /// The options.
    public static final String USAGE =
            """
            usage: artel demo [OPTION]...
              --photos DIR  the photographs; ten that come with Artel by default
              --out DIR     where the album is written; artel-demo by default
              --data DIR    what the orchestrator remembers; .artel by default
              --port N      where it listens, 0 for any free port; 8080 if that is free
              --wire WIRE   how the workers are connected: http by default, websocket, zeromq, or mixed
              --exit        ends when the album is done, with exit code 0 if it is complete
              --no-browser  does not open the dashboard
            """;

    private static final String EXIT = "--exit";
    private static final String NO_BROWSER = "--no-browser";
    private static final Set<String> FLAGS = Set.of(EXIT, NO_BROWSER);

    private static final Set<String> KEYS =
            Set.of("--photos", "--out", "--data", "--port", "--wire");

    /// Reads the command line and looks at the folders.
    ///
    /// @throws CannotRun if something is wrong
    public static DemoOptions of(List<String> arguments) {
        var given = new LinkedHashMap<String, String>();
        var words = arguments.stream().filter(word -> !FLAGS.contains(word)).toList();
        for (var i = 0; i < words.size(); i += 2) {
            var key = words.get(i);
            if (!KEYS.contains(key)) {
                throw new CannotRun("there is no option " + key + "; --help names all", null);
            }
            if (i + 1 == words.size()) {
                throw new CannotRun(key + " needs a value; --help names them", null);
            }
            given.put(key, words.get(i + 1));
        }
        return new DemoOptions(
                photos(given),
                writable("--out", given.getOrDefault("--out", "artel-demo")),
                writable("--data", given.getOrDefault("--data", ".artel")),
                port(given),
                DemoWire.of(given.getOrDefault("--wire", "http")),
                arguments.contains(EXIT),
                !arguments.contains(EXIT) && !arguments.contains(NO_BROWSER));
    }

    /// The pictures of the folder, at least one.
    List<Path> pictures() {
        try {
            var pictures = PictureFolder.pictures(photos);
            if (pictures.isEmpty()) {
                throw new CannotRun(
                        "there are no pictures in "
                                + photos
                                + "; name a folder with JPEG, PNG, GIF, BMP or TIFF files",
                        null);
            }
            return pictures;
        } catch (IOException unreadable) {
            throw new CannotRun("cannot list the folder " + photos + ": " + unreadable, unreadable);
        }
    }

    private static Path photos(Map<String, String> given) {
        var bundled = Path.of(System.getProperty("artel.home", "."), "examples/photo-album/photos");
        var named = given.get("--photos");
        var folder = named == null ? bundled.toAbsolutePath().normalize() : path("--photos", named);
        if (!Files.isDirectory(folder)) {
            var found = Files.exists(folder) ? folder + " is not a folder" : "no folder " + folder;
            throw new CannotRun(found + "; name the one of your photographs with --photos", null);
        }
        return folder;
    }

    private static Path writable(String key, String named) {
        var folder = path(key, named);
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new CannotRun(folder + " is not a folder; choose another with " + key, null);
        }
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, ".artel", null));
            return folder;
        } catch (IOException refused) {
            throw new CannotRun(
                    "cannot write to the folder "
                            + folder
                            + " ("
                            + refused
                            + "); choose another with "
                            + key,
                    refused);
        }
    }

    private static Path path(String key, String named) {
        try {
            return Path.of(named).toAbsolutePath().normalize();
        } catch (InvalidPathException nonsense) {
            throw new CannotRun(key + ": " + nonsense.getMessage(), nonsense);
        }
    }

    private static OptionalInt port(Map<String, String> given) {
        var text = given.get("--port");
        if (text == null) {
            return OptionalInt.empty();
        }
        try {
            var port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return OptionalInt.of(port);
            }
        } catch (NumberFormatException none) {
            throw wrongPort(text, none);
        }
        throw wrongPort(text, null);
    }

    private static CannotRun wrongPort(String text, @Nullable Throwable why) {
        return new CannotRun("--port is a number from 0 to 65535, was " + text, why);
    }
}
