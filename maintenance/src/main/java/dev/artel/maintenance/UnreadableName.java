package dev.artel.maintenance;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// The name of a file is none in the encoding in which this process names files: written down, it would be another one. Java takes that encoding
/// from the locale, and outside of UTF-8 it has few characters.
final class UnreadableName extends RuntimeException {
    private static final long serialVersionUID = 1;

    private UnreadableName(String name) {
        super(
                "the name of the file '"
                        + BackupFiles.shown(name)
                        + "' is none in "
                        + System.getProperty("sun.jnu.encoding")
                        + ", in which this process names files; run it with LC_ALL=C.UTF-8, or give the file another name");
    }

    /// A name that no file can have here.
    static UnreadableName of(String name, InvalidPathException cause) {
        var unreadable = new UnreadableName(name);
        unreadable.initCause(cause);
        return unreadable;
    }

    /// Checks that the text of `file` names it.
    ///
    /// @throws UnreadableName if it names another one or none
    static void check(Path file) {
        var name = file.toString();
        try {
            if (file.getFileSystem().getPath(name).equals(file)) {
                return;
            }
        } catch (InvalidPathException none) {
            throw of(name, none);
        }
        throw new UnreadableName(name);
    }
}
