package dev.artel.server.wiring;

import dev.artel.files.PrivateFiles;
import dev.artel.gateway.http.PutValues;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.store.VerifiedBytes;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps in a file which values were put under which leases, those of the leases that were put under last: a restart between a value
/// and its result does no harm. What is lost of it after a power failure is put again. Safe for use by many threads.
final class PutValuesFile implements PutValues {
    private static final Logger LOG = LoggerFactory.getLogger(PutValues.class);

    /// A worker that has put this many under one lease, and reports an earlier one, has to put it again.
    private static final int OF_A_LEASE = 16;

    static final String NAME = "values-put.jsonl";

    private final Path file;
    private final int mostValues;
    private final SequencedMap<String, SequencedMap<String, Long>> byLease = new LinkedHashMap<>();

    /// How many there are in [#byLease].
    private int values;

    /// Held to write the file, and for `lines` and `rewriteAbove`. Nobody takes it who has the monitor of this object.
    private final Object writing = new Object();

    private int lines;
    private int rewriteAbove;

    /// Those that `file` has, if it is there.
    ///
    /// @param mostValues of more, those of the leases are forgotten under which a value was put longest ago
    PutValuesFile(Path file, int mostValues) {
        this.file = file;
        this.mostValues = mostValues;
        rewriteAbove = 2 * mostValues;
        read();
    }

    @Override
    public void add(String lease, String digest, long bytes) {
        var known = digest(lease);
        remember(known, digest, bytes);
        try {
            synchronized (writing) {
                PrivateFiles.makeFile(file);
                Files.write(file, line(known, digest, bytes), StandardOpenOption.APPEND);
                lines++;
                if (lines > rewriteAbove) {
                    // Where it fails, it is not tried with each value.
                    rewriteAbove = lines + mostValues;
                    lines = rewrite(kept());
                    rewriteAbove = 2 * mostValues;
                }
            }
        } catch (IOException unwritten) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .setCause(unwritten)
                    .log("values that were put may be known until the next restart only");
        }
    }

    @Override
    public synchronized boolean has(String lease, String digest, long bytes) {
        return byLease.getOrDefault(digest(lease), new LinkedHashMap<>()).getOrDefault(digest, -1L)
                == bytes;
    }

    private synchronized void remember(String lease, String digest, long bytes) {
        var ofLease = byLease.computeIfAbsent(lease, _ -> new LinkedHashMap<>());
        byLease.putLast(lease, ofLease);
        values -= ofLease.size();
        ofLease.putLast(digest, bytes);
        if (ofLease.size() > OF_A_LEASE) {
            ofLease.pollFirstEntry();
        }
        values += ofLease.size();
        while (values > mostValues && byLease.size() > 1) {
            values -= byLease.pollFirstEntry().getValue().size();
        }
    }

    /// @param bytes how many it has
    private record Kept(String lease, String digest, long bytes) {}

    private synchronized List<Kept> kept() {
        var all = new ArrayList<Kept>(values);
        byLease.forEach((lease, ofLease) ->
                ofLease.forEach((digest, bytes) -> all.add(new Kept(lease, digest, bytes))));
        return all;
    }

    private void read() {
        if (!Files.exists(file)) {
            return;
        }
        try (var all = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (var line = all.readLine(); line != null; line = all.readLine()) {
                lines++;
                read(line);
            }
        } catch (IOException unreadable) {
            LOG.atWarn()
                    .addKeyValue("file", file)
                    .setCause(unreadable)
                    .log("values that were put before the restart are put again by their workers");
        }
    }

    private void read(String line) {
        try {
            if (JsonText.read(line) instanceof JsonObject put) {
                remember(
                        put.string("lease").orElse(""),
                        put.string("sha256").orElse(""),
                        put.number("bytes")
                                .filter(JsonNumber::isLong)
                                .map(JsonNumber::asLong)
                                .orElse(-1L));
            }
        } catch (MalformedJson torn) {
            LOG.atDebug().addKeyValue("file", file).setCause(torn).log("a line was torn");
        }
    }

    /// @return how many lines it has now
    private int rewrite(List<Kept> kept) throws IOException {
        var beside = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(beside);
        PrivateFiles.makeFile(beside);
        try (var out = new BufferedOutputStream(Files.newOutputStream(beside))) {
            for (var value : kept) {
                out.write(line(value.lease(), value.digest(), value.bytes()));
            }
        }
        Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
        return kept.size();
    }

    private static byte[] line(String lease, String digest, long bytes) {
        var json =
                JsonObject.builder()
                        .put("lease", lease)
                        .put("sha256", digest)
                        .put("bytes", bytes)
                        .build();
        return (json + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /// Who reads the file cannot report under the lease.
    private static String digest(String lease) {
        return VerifiedBytes.digestOf(lease.getBytes(StandardCharsets.UTF_8));
    }
}
