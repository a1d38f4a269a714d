package dev.artel.maintenance;

import dev.artel.files.Instance;
import dev.artel.files.PrivateFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Files of data folders and of backups.
final class DataFiles {
    static final String DATABASE = "artel.db";
    static final String PAYLOADS = "payloads";
    static final String MANIFEST = "backup.json";

    /// The files at the top of a data folder that give somebody rights.
    static final List<String> WITH_TOKENS =
            List.of(
                    "tokens.json",
                    "clients.toml",
                    "workers.toml",
                    "secrets.toml",
                    "access-tokens.json");

    /// The files at the top of a data folder that begin jobs, or bound them.
    static final List<String> WITH_SETTINGS =
            List.of("limits.toml", "prices.toml", "schedules.toml");

    /// Folders in which Artel alone makes files.
    private static final Set<String> OF_ARTEL = Set.of("blueprints", PAYLOADS);

    /// Where it makes those that are not whole yet.
    private static final Set<Path> UNFINISHED =
            Set.of(Path.of("unfinished"), Path.of(PAYLOADS, "unfinished"));

    private DataFiles() {}

    /// `file`, which is relative to a data folder, as backups name it: with `/` between folders.
    static String name(Path file) {
        return file.toString().replace(File.separatorChar, '/');
    }

    static boolean isArchive(Path place) {
        return place.toString().toLowerCase(Locale.ROOT).endsWith(".zip");
    }

    /// The files of `folder` that a backup takes as they are, relative to it, in order. The database is not one of them:
    /// it is copied by itself.
    ///
    /// @throws UnreadableName if the name of one cannot be written down
    static List<Path> plainFiles(Path folder) throws IOException {
        var files = new ArrayList<Path>();
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes its) {
                        return UNFINISHED.contains(folder.relativize(dir))
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes its) {
                        var relative = folder.relativize(file);
                        if (its.isRegularFile() && isKept(relative)) {
                            UnreadableName.check(relative);
                            files.add(relative);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException gone) {
                        return FileVisitResult.CONTINUE; // written and moved away meanwhile
                    }
                });
        files.sort(null);
        return files;
    }

    /// Only where Artel chooses the names: those of the files of actions are for cards to choose.
    private static boolean isKept(Path relative) {
        var name = relative.getFileName().toString();
        if (relative.getNameCount() > 1) {
            return !(name.endsWith(".new") && OF_ARTEL.contains(relative.getName(0).toString()));
        }
        return !name.startsWith(DATABASE)
                && !name.endsWith(".new")
                && !name.equals(MANIFEST)
                && !name.equals(Instance.NAME);
    }

    /// A folder that only its owner may look into, since there are tokens in it.
    static Path privateFolder(Path folder) throws IOException {
        PrivateFiles.makeFolder(folder);
        return folder;
    }

    /// Removes `folder` with all that is in it, if it is there.
    static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes its)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path dir, @org.jspecify.annotations.Nullable IOException failure)
                            throws IOException {
                        Files.delete(dir);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
