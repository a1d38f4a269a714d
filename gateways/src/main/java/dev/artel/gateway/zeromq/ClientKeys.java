package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.NamePatterns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The public keys of the workers that are let in, one on each line of a file, alone or with the names of the workers that it is for;
/// other lines are ignored. The file is read again when it has changed. Safe for use by many threads.
final class ClientKeys {
    private static final Logger LOG = LoggerFactory.getLogger(ClientKeys.class);

    private final Path file;
    private volatile Content content;

    /// The file as it was read last.
    ///
    /// @param names the names behind each key; empty where it stands alone
    /// @param bound all names
    private record Content(
            FileTime changed, Map<String, List<NamePatterns>> names, List<NamePatterns> bound) {
        static Content of(FileTime changed, Map<String, List<NamePatterns>> names) {
            return new Content(
                    changed, names, names.values().stream().flatMap(List::stream).toList());
        }

        boolean bind(String worker) {
            return bound.stream().anyMatch(patterns -> patterns.include(worker));
        }
    }

    /// The keys in `file`.
    ///
    /// @throws IllegalStateException if it cannot be read
    ClientKeys(Path file) {
        this.file = file;
        try {
            content = read(file);
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

    private static Content read(Path file) throws IOException {
        var changed = Files.getLastModifiedTime(file);
        var names = new LinkedHashMap<String, List<NamePatterns>>();
        var lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (var i = 0; i < lines.size(); i++) {
            var parts = lines.get(i).strip().split("\\s+", 2);
            if (!CurveKeys.isKey(parts[0])) {
                continue;
            }
            if (parts.length == 1) {
                names.computeIfAbsent(parts[0], _ -> new ArrayList<>());
                continue;
            }
            try {
                var patterns = NamePatterns.of(parts[1]);
                names.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(patterns);
            } catch (IllegalArgumentException wrong) {
                // It is not let in, rather than good for every name.
                LOG.atWarn()
                        .addKeyValue("file", file)
                        .addKeyValue("line", i + 1)
                        .addKeyValue("problem", wrong.getMessage())
                        .log(
                                "a line of the keys of workers on ZeroMQ is ignored, as it has no names behind the key");
            }
        }
        return Content.of(changed, names);
    }

    private Content current() {
        try {
            if (!Files.getLastModifiedTime(file).equals(content.changed())) {
                content = read(file);
            }
        } catch (IOException unreadable) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .addKeyValue("cause", unreadable)
                    .log("the keys of workers on ZeroMQ cannot be read; the former ones stay");
        }
        return content;
    }

    /// Whether the worker with this public key is let in.
    boolean contains(String key) {
        return current().names().containsKey(key);
    }

    /// Whether a line has `worker` as a name of its key, so that it is nobody's without that.
    boolean bind(String worker) {
        return content.bind(worker);
    }

    /// Why the peer with `key` may not be `worker`; empty if it may. A key that stands alone is good for all names that no line has.
    Optional<String> refusal(String key, String worker) {
        var now = content;
        var names = now.names().getOrDefault(key, List.of());
        var isAllowed =
                names.isEmpty()
                        ? !now.bind(worker)
                        : names.stream().anyMatch(patterns -> patterns.include(worker));
        return isAllowed
                ? Optional.empty()
                : Optional.of(
                        "the key "
                                + key
                                + " of this peer is not that of the worker "
                                + worker
                                + " in the file of zeromq.curve-clients; write the name behind the key there, or give the worker its own key");
    }
}
