package dev.artel.store.files;

import dev.artel.kernel.store.ObjectStore.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// Writes files so that they are there, whole, after a loss of power, or not at all.
final class DurableFiles {
    private static final int PIECE = 1 << 16;

    private DurableFiles() {}

    /// Writes `temporary`, which is gone afterwards, and gives it the name `target`.
    static void write(Bytes content, Path temporary, Path target) throws IOException {
        try {
            try (var channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
                var piece = new byte[PIECE];
                for (var read = content.read(piece, 0, PIECE);
                        read >= 0;
                        read = content.read(piece, 0, PIECE)) {
                    var left = ByteBuffer.wrap(piece, 0, read);
                    while (left.hasRemaining()) {
                        channel.write(left);
                    }
                }
                channel.force(true);
            }
            Files.createDirectories(target.getParent());
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /// Makes the names on the way from `root` to `file` durable.
    static void syncFolders(Path file, Path root) throws IOException {
        var folder = file.getParent();
        while (folder != null && folder.startsWith(root)) {
            try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
            folder = folder.getParent();
        }
    }
}
