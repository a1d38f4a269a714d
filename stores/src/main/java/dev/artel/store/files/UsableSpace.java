package dev.artel.store.files;

import java.io.IOException;
import java.nio.file.Path;

/// How much room there is on a disk. Safe for use by many threads.
public final class UsableSpace {
    private UsableSpace() {}

    /// How many bytes this process can still write to the file system of `path`, which is there.
    ///
    /// The path is asked, not its [java.nio.file.FileStore]: the JDK finds that by its mount point, which a process whose root folder
    /// is no mount point (after a `chroot`) does not see.
    ///
    /// @throws IOException if the file system cannot be looked at
    public static long of(Path path) throws IOException {
        var file = path.toFile();
        var usable = file.getUsableSpace();
        // Both are 0 after an error.
        if (usable == 0 && file.getTotalSpace() == 0) {
            throw new IOException(
                    "finding out how much room there is for "
                            + path
                            + ": the system does not say; check that it is there");
        }
        return usable;
    }
}
