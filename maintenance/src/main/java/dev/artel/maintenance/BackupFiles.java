package dev.artel.maintenance;

import dev.artel.json.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeSet;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/// The files of a backup to read, whether it is a folder or an archive.
sealed interface BackupFiles extends AutoCloseable {
    /// Their names, relative to the data folder; [DataFiles#MANIFEST] is not one of them.
    SequencedSet<String> names();

    /// A stream of the file, which the caller closes.
    ///
    /// @throws IOException also if there is no such file
    InputStream open(String name) throws IOException;

    @Override
    void close() throws IOException;

    /// Opens the backup `place`, which is there.
    ///
    /// @throws UnreadableName if it has names that no file can have here
    /// @throws IOException if it is no backup, or has names that no data folder has
    static BackupFiles open(Path place) throws IOException {
        return Files.isDirectory(place) ? Folder.of(place) : Archive.of(place);
    }

    private static String checked(String name) throws IOException {
        try {
            var path = Path.of(name);
            if (!name.isEmpty()
                    && !path.isAbsolute()
                    && !path.startsWith("..")
                    && DataFiles.name(path.normalize()).equals(name)) {
                return name;
            }
        } catch (InvalidPathException none) {
            if (name.indexOf('\0') < 0) {
                throw UnreadableName.of(name, none);
            }
            throw new IOException(entry(name), none);
        }
        throw new IOException(entry(name));
    }

    private static String entry(String name) {
        return "it is no backup: it has an entry '" + shown(name) + "'";
    }

    /// `name` as it may be written to a terminal.
    static String shown(String name) {
        return Printable.text(name.replace('\n', '\0'));
    }

    /// A folder. Links are not followed.
    record Folder(Path place, SequencedSet<String> names) implements BackupFiles {
        static Folder of(Path place) throws IOException {
            var names = new TreeSet<String>();
            for (var file : DataFiles.plainFiles(place)) {
                names.add(checked(DataFiles.name(file)));
            }
            if (Files.isRegularFile(place.resolve(DataFiles.DATABASE), LinkOption.NOFOLLOW_LINKS)) {
                names.add(DataFiles.DATABASE);
            }
            return new Folder(place, names);
        }

        @Override
        public InputStream open(String name) throws IOException {
            return Files.newInputStream(place.resolve(name), LinkOption.NOFOLLOW_LINKS);
        }

        @Override
        public void close() {}
    }

    /// A zip archive.
    record Archive(ZipFile zip, SequencedMap<String, ZipEntry> entries) implements BackupFiles {
        static Archive of(Path place) throws IOException {
            ZipFile zip;
            try {
                zip = new ZipFile(place.toFile());
            } catch (ZipException other) {
                throw new IOException("it is no zip archive: " + other.getMessage(), other);
            }
            try {
                var entries = new LinkedHashMap<String, ZipEntry>();
                for (var all = zip.entries(); all.hasMoreElements(); ) {
                    var entry = all.nextElement();
                    if (entry.isDirectory()
                            || entries.put(checked(entry.getName()), entry) != null) {
                        throw new IOException(entry(entry.getName()));
                    }
                }
                return new Archive(zip, entries);
            } catch (IOException | RuntimeException wrong) {
                zip.close();
                throw wrong;
            }
        }

        @Override
        public SequencedSet<String> names() {
            var names = new TreeSet<>(entries.keySet());
            names.remove(DataFiles.MANIFEST);
            return names;
        }

        @Override
        public InputStream open(String name) throws IOException {
            var entry = entries.get(name);
            if (entry == null) {
                throw new java.nio.file.NoSuchFileException(name);
            }
            return zip.getInputStream(entry);
        }

        @Override
        public void close() throws IOException {
            zip.close();
        }
    }
}
