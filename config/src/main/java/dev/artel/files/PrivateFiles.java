package dev.artel.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Folders (0700) and files (0600) that hold secrets or data of jobs. On a file system without such permissions they are
/// made as that file system makes them.
public final class PrivateFiles {
    private static final Set<PosixFilePermission> FOLDER =
            PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> FILE =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OF_OTHERS =
            PosixFilePermissions.fromString("---rwxrwx");

    private PrivateFiles() {}

    /// Makes `folder` unless it is there; its parents have the permissions that the system gives.
    public static void makeFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        var parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(folder, attributes(parent == null ? folder : parent, FOLDER));
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(folder)) {
                throw e;
            }
        }
    }

    /// Makes an empty `file` unless it is there.
    public static void makeFile(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        try {
            makeNewFile(file);
        } catch (FileAlreadyExistsException _) {
            // made by another meanwhile
        }
    }

    /// Makes an empty file that is its owner's alone.
    ///
    /// @throws FileAlreadyExistsException if there is one, or a link of this name
    public static void makeNewFile(Path file) throws IOException {
        var parent = file.toAbsolutePath().getParent();
        Files.createFile(file, attributes(parent == null ? file : parent, FILE));
    }

    /// Takes the rights of all others from `file`.
    public static void restrict(Path file) throws IOException {
        if (isPosix(file)) {
            Files.setPosixFilePermissions(file, FILE);
        }
    }

    /// Takes the rights of all others from `folder` and from all that is in it.
    public static void restrictTree(Path folder) throws IOException {
        if (!isPosix(folder)) {
            return;
        }
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes its)
                            throws IOException {
                        Files.setPosixFilePermissions(dir, FOLDER);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes its)
                            throws IOException {
                        if (its.isRegularFile()) {
                            Files.setPosixFilePermissions(file, FILE);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    /// The permissions of `path`, as `ls` shows them, if they give others than its owner anything.
    public static Optional<String> openTo(Path path) throws IOException {
        if (!Files.exists(path) || !isPosix(path)) {
            return Optional.empty();
        }
        var found = Files.getPosixFilePermissions(path);
        var others = EnumSet.copyOf(OF_OTHERS);
        others.retainAll(found);
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of(PosixFilePermissions.toString(found));
    }

    private static FileAttribute<?>[] attributes(Path near, Set<PosixFilePermission> permissions)
            throws IOException {
        return isPosix(near)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /// Whether `path`, which is there, has permissions for its owner, its group and others.
    public static boolean isPosix(Path path) throws IOException {
        if (Files.getFileAttributeView(path, PosixFileAttributeView.class) == null) {
            return false;
        }
        try {
            return Files.getFileStore(path).supportsFileAttributeView(PosixFileAttributeView.class);
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException hidden) {
            // After a chroot the mount point may not be seen; then it is a folder of the system's
            // own file system.
            return true;
        }
    }
}
