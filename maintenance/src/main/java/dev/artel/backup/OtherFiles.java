package dev.artel.backup;

import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The other files of a data folder: those at its top, the jars of blueprints, and the files of actions.
final class OtherFiles {
    private static final Logger LOG = LoggerFactory.getLogger(ContinuousBackup.class);
    private static final String BLUEPRINTS = "blueprints";

    /// Where actions keep files, whose names and number are for cards to choose.
    private static final String FILES = "files";

    /// How a file of actions is called while it is written.
    private static final String UNFINISHED = ".unfinished-";

    /// How much memory the names of the files of actions may take, about; the rest is not copied.
    static final int ROOM_FOR_NAMES = 16 << 20;

    /// What a file takes beside its name: a digest, and what is around it.
    private static final int BESIDE_A_NAME = 80;

    private final Path data;
    private final int roomForNames;
    private final TreeMap<String, Seen> seen = new TreeMap<>();
    private boolean hasWarned;

    /// @param key which file of the disk it was; null where the disk has none
    private record Seen(long bytes, Instant changed, @Nullable Object key, String digest) {
        boolean is(BasicFileAttributes its) {
            return bytes == its.size()
                    && changed.equals(its.lastModifiedTime().toInstant())
                    && Objects.equals(key, its.fileKey());
        }
    }

    OtherFiles(Path data, int roomForNames) {
        this.data = data;
        this.roomForNames = roomForNames;
    }

    /// Whether `name` is that of a file beside the database that a copy has.
    static boolean has(String name) {
        if (name.startsWith(FILES + "/")) {
            return isBelowAFolder(name);
        }
        var file =
                name.startsWith(BLUEPRINTS + "/") ? name.substring(BLUEPRINTS.length() + 1) : name;
        return !file.isEmpty()
                && file.chars().noneMatch(each -> each == '/' || each == '\\' || each == 0)
                && !file.equals(".")
                && !file.equals("..")
                && isKept(file);
    }

    /// Whether each part of `name` is one of a file or of a folder.
    private static boolean isBelowAFolder(String name) {
        return (File.separatorChar == '/' || name.indexOf(File.separatorChar) < 0)
                && name.indexOf(0) < 0
                && Stream.of(name.split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
    }

    interface Keeping {
        String keep(Path file, long length) throws IOException;
    }

    /// Their digests, after those that changed were kept.
    SequencedMap<String, String> look(Keeping keeping) throws IOException {
        var found = new TreeMap<String, String>();
        for (var folder : List.of(data, data.resolve(BLUEPRINTS))) {
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (var entries = Files.newDirectoryStream(folder)) {
                for (var file : entries) {
                    if (Files.isRegularFile(file) && has(name(file))) {
                        look(file, keeping).ifPresent(digest -> found.put(name(file), digest));
                    }
                }
            }
        }
        lookAtFilesOfActions(found, keeping);
        seen.keySet().retainAll(found.keySet());
        return found;
    }

    private String name(Path file) {
        return data.relativize(file).toString().replace(File.separatorChar, '/');
    }

    private void lookAtFilesOfActions(Map<String, String> found, Keeping keeping)
            throws IOException {
        var folder = data.resolve(FILES);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        var walk =
                new SimpleFileVisitor<Path>() {
                    private long room = roomForNames;

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes its)
                            throws IOException {
                        var name = name(file);
                        if (!its.isRegularFile()
                                || file.getFileName().toString().startsWith(UNFINISHED)
                                || !has(name)) {
                            return FileVisitResult.CONTINUE;
                        }
                        room -= JsonText.write(new JsonString(name)).length + BESIDE_A_NAME;
                        if (room < 0) {
                            return FileVisitResult.TERMINATE;
                        }
                        look(file, keeping).ifPresent(digest -> found.put(name, digest));
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException failure)
                            throws IOException {
                        if (failure instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE; // deleted meanwhile
                        }
                        throw failure;
                    }
                };
        Files.walkFileTree(folder, walk);
        warn(walk.room < 0, folder, found.size());
    }

    /// Once, until there are fewer again.
    private void warn(boolean areTooMany, Path folder, int copied) {
        if (areTooMany && !hasWarned) {
            LOG.atWarn()
                    .addKeyValue("folder", folder)
                    .addKeyValue("copied", copied)
                    .log(
                            "the folder of the actions has more files than the backup takes; remove some,"
                                    + " or copy the folder by other means");
        }
        hasWarned = areTooMany;
    }

    private Optional<String> look(Path file, Keeping keeping) throws IOException {
        var name = name(file);
        try {
            var its = Files.readAttributes(file, BasicFileAttributes.class);
            var before = seen.get(name);
            if (before != null && before.is(its)) {
                return Optional.of(before.digest());
            }
            var digest = keeping.keep(file, its.size());
            seen.put(
                    name,
                    new Seen(
                            its.size(), its.lastModifiedTime().toInstant(), its.fileKey(), digest));
            return Optional.of(digest);
        } catch (IllegalArgumentException changing) {
            // The next look takes it; until then the copy has it as it was.
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("found", changing.getMessage())
                    .log("a file changed while it was copied to the backup");
            return Optional.ofNullable(seen.get(name)).map(Seen::digest);
        } catch (NoSuchFileException gone) {
            return Optional.empty(); // replaced meanwhile; the next look sees it
        }
    }

    /// Neither the database nor logs, which change all the time, nor what is unfinished.
    private static boolean isKept(String name) {
        return !name.startsWith("artel.db")
                && !name.contains(".jsonl")
                && !name.endsWith(".new")
                && !name.endsWith(".unfinished");
    }
}
