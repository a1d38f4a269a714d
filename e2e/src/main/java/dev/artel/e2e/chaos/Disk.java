package dev.artel.e2e.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// A small disk of its own for the orchestrator's data, which can be filled.
final class Disk implements AutoCloseable {
    private static final int BLOCK = 1 << 16;

    private final Path folder;

    private Disk(Path folder) {
        this.folder = folder;
    }

    /// Mounts a file system in memory at `folder`, which exists; empty if this process may not.
    static Optional<Disk> at(Path folder, int mebibytes) throws IOException, InterruptedException {
        var mounted =
                run(
                        "mount",
                        "-t",
                        "tmpfs",
                        "-o",
                        "size=" + mebibytes + "m",
                        "tmpfs",
                        folder.toString());
        return mounted ? Optional.of(new Disk(folder)) : Optional.empty();
    }

    /// Takes all the room that is left.
    void fill() throws IOException {
        try (var ballast =
                FileChannel.open(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (var size = BLOCK; size > 0; size /= 16) {
                fillBy(ballast, size);
            }
        }
    }

    private static void fillBy(FileChannel ballast, int size) {
        var zeros = ByteBuffer.allocate(size);
        try {
            while (true) {
                zeros.rewind();
                ballast.write(zeros);
            }
        } catch (IOException full) {
            // That is the aim.
        }
    }

    /// Gives it back.
    void free() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private Path ballast() {
        return folder.resolve("ballast");
    }

    @Override
    public void close() throws IOException {
        try {
            if (!run("umount", "-l", folder.toString())) {
                throw new IOException("cannot unmount " + folder);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
