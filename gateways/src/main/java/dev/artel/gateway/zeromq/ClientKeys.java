package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.NamePatterns;
import dev.artel.gateway.access.WorkerNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The public keys of the workers that are let in, one on each line of a file, alone or with the names of the workers that it is for;
/// other lines let nobody in, and names on them are nobody's. The file is read again when it has changed. Safe for use by many threads.
final class ClientKeys {
    private static final Logger LOG = LoggerFactory.getLogger(ClientKeys.class);

    /// How often messages have the file looked at, at most.
    private static final long LOOK_NANOS = Duration.ofSeconds(1).toNanos();

    private final Path file;
    private volatile Content content;
    private volatile long looked = System.nanoTime();
    private volatile boolean isUnreadable;

    /// The file as it was read last.
    ///
    /// @param names the names behind each key; empty where it stands alone
    /// @param bound all names, also those of lines that let nobody in
    private record Content(
            FileTime changed,
            Map<String, List<NamePatterns>> names,
            List<Predicate<String>> bound) {
        boolean bind(String worker) {
            return bound.stream().anyMatch(names -> names.test(worker));
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
        var bound = new ArrayList<Predicate<String>>();
        var lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (var i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            var parts = line.split("\\s+", 2);
            var isKey = CurveKeys.isKey(parts[0]);
            // A key may begin with # as well.
            if (line.isEmpty() || (line.startsWith("#") && !isKey)) {
                continue;
            }
            if (!isKey) {
                ignored(file, i, "it does not begin with a public key, 40 characters of Z85");
                if (parts.length == 2) {
                    bound.add(literally(parts[1]));
                }
                continue;
            }
            if (parts.length == 1) {
                names.computeIfAbsent(parts[0], _ -> new ArrayList<>());
                continue;
            }
            try {
                var patterns = NamePatterns.of(parts[1]);
                names.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(patterns);
                bound.add(patterns::include);
            } catch (IllegalArgumentException wrong) {
                // It is not let in, rather than good for every name.
                ignored(file, i, "the names behind the key " + wrong.getMessage());
                bound.add(literally(parts[1]));
            }
        }
        return new Content(changed, names, bound);
    }

    private static void ignored(Path file, int index, String problem) {
        LOG.atWarn()
                .addKeyValue("file", file)
                .addKeyValue("line", index + 1)
                .addKeyValue("problem", problem)
                .log(
                        "a line of the keys of workers on ZeroMQ lets nobody in, and its names are nobody's until it is corrected");
    }

    /// The names of a line that lets nobody in: a `*` stands for any characters wherever it is.
    private static Predicate<String> literally(String names) {
        var entries =
                Stream.of(names.split(",", -1))
                        .map(String::strip)
                        .filter(entry -> !entry.isEmpty())
                        .toList();
        return worker -> entries.stream().anyMatch(entry -> WorkerNames.matches(entry, worker));
    }

    private Content current() {
        try {
            if (!Files.getLastModifiedTime(file).equals(content.changed())) {
                content = read(file);
            }
            isUnreadable = false;
        } catch (IOException unreadable) {
            if (!isUnreadable) {
                LOG.atWarn()
                        .addKeyValue("file", file)
                        .addKeyValue("cause", unreadable)
                        .log("the keys of workers on ZeroMQ cannot be read; the former ones stay");
            }
            isUnreadable = true;
        }
        return content;
    }

    /// The file as it was a second ago at most.
    private Content recent() {
        var now = System.nanoTime();
        if (now - looked < LOOK_NANOS) {
            return content;
        }
        looked = now;
        return current();
    }

    /// Whether the worker with this public key is let in.
    boolean contains(String key) {
        return current().names().containsKey(key);
    }

    /// Whether a line has `worker` as a name of its key, so that it is nobody's without that.
    boolean bind(String worker) {
        return recent().bind(worker);
    }

    /// Why the peer with `key` may not be `worker`; empty if it may. A key that stands alone is good for all names that no line has. One that
    /// the file does not have any more is good for none, also over a connection of before.
    ///
    /// @param key empty: that of the peer is not known
    Optional<String> refusal(String key, String worker) {
        var now = recent();
        var names = now.names().get(key);
        if (names == null) {
            return Optional.of(
                    (key.isEmpty() ? "the key of this peer" : "the key " + key + " of this peer")
                            + " is not in the file of zeromq.curve-clients, so that it is not that of the worker "
                            + worker
                            + "; write the key of the worker there, on a line that can be read");
        }
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
