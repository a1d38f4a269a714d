package dev.artel.server.jars;

import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Blueprint;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts jars of blueprints into their folder while the orchestrator runs, and takes up what is in them. A jar is read beside
/// the folder first; it gets its name, by a move that is done or not done, when all that is in it can be used. Classes that are loaded
/// stay, so a jar that was taken up is not replaced. Safe for use by many threads, which write what they read beside each other, and take up
/// one jar at a time.
public final class UploadedJars {
    private static final Logger LOG = LoggerFactory.getLogger(UploadedJars.class);

    /// A larger jar is refused.
    public static final long MOST_BYTES = 64L << 20;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,95}\\.jar");

    /// No name of a jar, so that what is in it is no part of the folder.
    private static final String INCOMING = ".incoming";

    /// The server cuts bodies long before.
    private static final Duration LONGEST_UPLOAD = Duration.ofDays(1);

    private final BlueprintFolder folder;
    private final Blueprints known;
    private final Function<Blueprints, Optional<String>> check;

    /// A version of a blueprint.
    public record Definition(String name, String version) {
        /// That of `blueprint`.
        public static Definition of(Blueprint blueprint) {
            return new Definition(blueprint.name(), blueprint.version());
        }
    }

    /// A jar of the folder.
    ///
    /// @param blueprints that were taken up from it since the start; none if it is of no use
    public record Line(String name, long bytes, Instant changed, List<Definition> blueprints) {}

    /// What becomes of a jar.
    public sealed interface Reply {}

    /// It is durable, and its blueprints can be used.
    public record Stored(Line jar) implements Reply {}

    /// The same jar was there before.
    public record Known(Line jar) implements Reply {}

    /// It is gone, and is not read at the next start. What was taken up from it can be used until then.
    public record Deleted(Line jar) implements Reply {}

    /// There is none of the name.
    public record Missing() implements Reply {}

    /// Nothing has changed.
    ///
    /// @param problems each in a text that names the jar
    public record Refused(Why why, String detail, List<String> problems) implements Reply {}

    /// Why nothing has changed.
    public enum Why {
        /// It cannot be the name of a jar.
        NAME,
        /// It is larger than [#MOST_BYTES].
        TOO_LARGE,
        /// Something in it cannot be used.
        UNUSABLE,
        /// Its name, or a version of a blueprint in it, is that of another.
        TAKEN,
        /// A job needs what is in it.
        NEEDED
    }

    /// @param check returns why some blueprints must not be taken up
    public UploadedJars(
            BlueprintFolder folder,
            Blueprints known,
            Function<Blueprints, Optional<String>> check) {
        this.folder = folder;
        this.known = known;
        this.check = check;
    }

    /// The jars of the folder, in the order of their names.
    ///
    /// @throws IOException if the folder cannot be read
    public synchronized List<Line> list() throws IOException {
        if (!Files.isDirectory(folder.path())) {
            return List.of();
        }
        var lines = new ArrayList<Line>();
        try (var files = Files.list(folder.path())) {
            for (var file :
                    files.filter(each -> each.toString().endsWith(".jar")).sorted().toList()) {
                lines.add(line(file));
            }
        }
        return lines;
    }

    /// Takes up a jar. When it is stored, it is durable.
    ///
    /// @param content read to its end, or until it is too large
    /// @throws IOException if the content or the folder cannot be used; nothing is taken up then
    public Reply put(String name, InputStream content) throws IOException {
        if (!NAME.matcher(name).matches()) {
            return badName(name);
        }
        // The network sets the pace of `content`, so that nothing else waits for it.
        var all = Files.createDirectories(folder.path().resolve(INCOMING));
        removeBroken(all);
        var own = Files.createTempDirectory(all, "");
        var incoming = own.resolve(name);
        try {
            return write(content, incoming) ? taken(name, incoming) : tooLarge(name);
        } finally {
            Files.deleteIfExists(incoming);
            Files.delete(own);
        }
    }

    /// What uploads have left whose process was killed. Others may end meanwhile.
    private static void removeBroken(Path all) throws IOException {
        var before = FileTime.from(Instant.now().minus(LONGEST_UPLOAD));
        try (var uploads = Files.newDirectoryStream(all)) {
            for (var upload : uploads) {
                try {
                    if (Files.getLastModifiedTime(upload).compareTo(before) < 0) {
                        remove(upload);
                    }
                } catch (NoSuchFileException ended) {
                    LOG.atDebug().addKeyValue("upload", upload).log("an upload has ended");
                }
            }
        }
    }

    private static void remove(Path upload) throws IOException {
        if (Files.isDirectory(upload, LinkOption.NOFOLLOW_LINKS)) {
            try (var files = Files.newDirectoryStream(upload)) {
                for (var file : files) {
                    Files.deleteIfExists(file);
                }
            }
        }
        Files.deleteIfExists(upload);
    }

    private synchronized Reply taken(String name, Path incoming) throws IOException {
        // A reload must not take up the jar between its move and its reading.
        synchronized (folder) {
            return take(name, incoming);
        }
    }

    /// Removes a jar from the folder.
    ///
    /// @param isNeeded whether an open job needs one of these
    /// @throws IOException if the folder cannot be used
    public synchronized Reply delete(String name, Predicate<List<Definition>> isNeeded)
            throws IOException {
        if (!NAME.matcher(name).matches()) {
            return badName(name);
        }
        var file = folder.path().resolve(name);
        if (!Files.isRegularFile(file)) {
            return new Missing();
        }
        var jar = line(file);
        if (isNeeded.test(jar.blueprints())) {
            return new Refused(
                    Why.NEEDED,
                    "jobs that are not over need a blueprint of "
                            + name
                            + "; let them end, or cancel them, and delete it then",
                    List.of());
        }
        Files.delete(file);
        sync(folder.path());
        return new Deleted(jar);
    }

    private Reply take(String name, Path incoming) throws IOException {
        var file = folder.path().resolve(name);
        if (folder.wasRead(name)) {
            return Files.isRegularFile(file) && Files.mismatch(file, incoming) < 0
                    ? new Known(line(file))
                    : new Refused(
                            Why.TAKEN,
                            "a jar "
                                    + name
                                    + " was taken up since the start, and its classes are"
                                    + " loaded; give this one another name, for instance with its"
                                    + " version",
                            List.of());
        }
        var tried = folder.tried(incoming);
        if (!tried.problems().isEmpty()) {
            return new Refused(Why.UNUSABLE, String.join("; ", tried.problems()), tried.problems());
        }
        var refused = objection(tried.blueprints());
        if (refused.isPresent()) {
            return new Refused(Why.TAKEN, name + ": " + refused.get(), List.of());
        }
        Files.move(
                incoming,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
        sync(folder.path());
        var wrong = new ArrayList<String>();
        var taken = folder.take(name, wrong);
        if (taken.isEmpty() || !wrong.isEmpty()) {
            Files.deleteIfExists(file);
            sync(folder.path());
            return new Refused(Why.UNUSABLE, String.join("; ", wrong), wrong);
        }
        taken.get().blueprints().forEach(known::register);
        return new Stored(line(file));
    }

    /// Why blueprints cannot stand beside those that are known.
    private Optional<String> objection(List<Blueprint> some) {
        var alone = new Blueprints();
        for (var blueprint : some) {
            if (known.isTaken(blueprint.name(), blueprint.version())) {
                return Optional.of(
                        "blueprint '"
                                + blueprint.name()
                                + "' is registered already in version "
                                + blueprint.version()
                                + "; give it another version and the jar another name");
            }
            try {
                alone.register(blueprint);
            } catch (IllegalArgumentException twice) {
                return Optional.of(String.valueOf(twice.getMessage()));
            }
        }
        return check.apply(alone);
    }

    private Line line(Path file) throws IOException {
        var name = String.valueOf(file.getFileName());
        return new Line(
                name,
                Files.size(file),
                Files.getLastModifiedTime(file).toInstant(),
                folder.blueprintsOf(name).stream().map(Definition::of).toList());
    }

    private static boolean write(InputStream content, Path file) throws IOException {
        try (var out =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            var stream = Channels.newOutputStream(out);
            var piece = new byte[1 << 16];
            var bytes = 0L;
            for (var read = content.read(piece); read >= 0; read = content.read(piece)) {
                bytes += read;
                if (bytes > MOST_BYTES) {
                    return false;
                }
                stream.write(piece, 0, read);
            }
            out.force(true);
            return true;
        }
    }

    private static void sync(Path folder) throws IOException {
        try (var entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private static Refused badName(String name) {
        return new Refused(
                Why.NAME,
                "a jar has a name of at most 100 letters, digits, '-', '_' and '.' that begins with a"
                        + " letter or a digit and ends with .jar, was '"
                        + (name.length() > 40 ? name.substring(0, 40) + "..." : name)
                        + "'",
                List.of());
    }

    private static Refused tooLarge(String name) {
        return new Refused(
                Why.TOO_LARGE, name + " has more than " + MOST_BYTES + " bytes", List.of());
    }
}
