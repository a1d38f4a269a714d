package dev.artel.worker.link;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps unconfirmed results in a directory, one file each, named so that the oldest comes first.
final class PendingResultFiles {
    private static final Logger LOG = LoggerFactory.getLogger(PendingResultFiles.class);
    private static final String SUFFIX = ".json";

    private final Path directory;
    private final AtomicLong next;

    /// Files in `directory`, which is made if need be.
    ///
    /// @throws UncheckedIOException if it cannot be made
    PendingResultFiles(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot keep unconfirmed results in " + directory, e);
        }
        next = new AtomicLong(System.currentTimeMillis() * 1_000);
    }

    /// What is left of an earlier process. Files that cannot be read stay where they are.
    List<PendingResult> load() {
        try (var files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted()
                    .map(PendingResultFiles::read)
                    .flatMap(Optional::stream)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read unconfirmed results in " + directory, e);
        }
    }

    private static Optional<PendingResult> read(Path file) {
        try {
            return Optional.of(PendingResult.read(Files.readAllBytes(file), file));
        } catch (IOException | RuntimeException e) {
            LOG.atError()
                    .addKeyValue("file", file)
                    .setCause(e)
                    .log("a kept result cannot be read and is not delivered; look at the file");
            return Optional.empty();
        }
    }

    /// Writes a result. A disk that fails costs the protection against the worker's own death, not the result.
    PendingResult store(PendingResult pendingResult) {
        var name = "%020d".formatted(next.getAndIncrement());
        var file = directory.resolve(name + SUFFIX);
        var draft = directory.resolve(name + ".draft");
        try (var channel = FileChannel.open(draft, CREATE_NEW, WRITE)) {
            var bytes = ByteBuffer.wrap(pendingResult.envelope());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
            Files.move(draft, file, ATOMIC_MOVE);
            return pendingResult.in(file);
        } catch (IOException e) {
            LOG.atError()
                    .addKeyValue("file", file)
                    .setCause(e)
                    .log("a result is not on disk and would not survive this process");
            return pendingResult;
        }
    }

    void discard(PendingResult pendingResult) {
        var file = pendingResult.file();
        if (file == null) {
            return;
        }
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .setCause(e)
                    .log("a delivered result is still on disk and will be sent again");
        }
    }
}
