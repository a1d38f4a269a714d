package dev.artel.gateway.zeromq;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The public keys of the workers that are let in, one on each line of a file; other lines are ignored. The file is read again
/// when it has changed. One thread at a time.
final class ClientKeys {
    private static final Logger LOG = LoggerFactory.getLogger(ClientKeys.class);

    private final Path file;
    private FileTime changed;
    private Set<String> keys;

    /// The keys in `file`.
    ///
    /// @throws IllegalStateException if it cannot be read
    ClientKeys(Path file) {
        this.file = file;
        try {
            changed = Files.getLastModifiedTime(file);
            keys = read(file);
        } catch (IOException unreadable) {
            throw new IllegalStateException(
                    "zeromq.curve-clients: the file "
                            + file
                            + " cannot be read ("
                            + unreadable
                            + "); it has the public keys of workers, one on a line",
                    unreadable);
        }
    }

    private static Set<String> read(Path file) throws IOException {
        var keys = new LinkedHashSet<String>();
        for (var line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (CurveKeys.isKey(line.strip())) {
                keys.add(line.strip());
            }
        }
        return keys;
    }

    /// Whether the worker with this public key is let in.
    boolean contains(String key) {
        try {
            var now = Files.getLastModifiedTime(file);
            if (!now.equals(changed)) {
                keys = read(file);
                changed = now;
            }
        } catch (IOException unreadable) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("cause", unreadable)
                    .log("the keys of workers on ZeroMQ cannot be read; the former ones stay");
        }
        return keys.contains(key);
    }
}
