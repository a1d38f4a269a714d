package dev.artel.maintenance;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What `backup.json` says of a backup: when it was made, and each file with its size and digest.
///
/// @param made an instant
/// @param files by their names in the data folder, with `/` between folders; the database is one of them. None in a
///     backup of a version that did not name them
/// @param database the SHA-256 of the database in hexadecimal, which some of those versions wrote; empty where the files are named
record Manifest(
        String made, Optional<SequencedMap<String, Content>> files, Optional<String> database) {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    private static final String DATABASE = "database_sha256";

    /// How much of the memory the text of a manifest takes at most: in memory it is several times as large.
    private static final int PART_OF_MEMORY = 16;

    /// What is in a file.
    ///
    /// @param sha256 in hexadecimal
    record Content(String sha256, long bytes) {
        Content {
            if (!DIGEST.matcher(sha256).matches() || bytes < 0) {
                throw new IllegalArgumentException(sha256 + " of " + bytes + " bytes");
            }
        }
    }

    static Manifest of(String made, SequencedMap<String, Content> files) {
        return new Manifest(made, Optional.of(files), Optional.empty());
    }

    byte[] write() {
        var named = JsonObject.builder();
        files.orElseGet(Collections::emptySortedMap)
                .forEach((name, content) ->
                        named.put(
                                name,
                                JsonObject.builder()
                                        .put("bytes", content.bytes())
                                        .put("sha256", content.sha256())
                                        .build()));
        return JsonText.write(
                JsonObject.builder()
                        .put("artel_backup", 2)
                        .put("made", made)
                        .put("files", named.build())
                        .build());
    }

    /// Reads it from `in`, which the caller closes.
    ///
    /// @throws IOException if it cannot be read, or is not what a backup writes
    static Manifest read(InputStream in) throws IOException {
        var most = (int) Math.min(1 << 30, Runtime.getRuntime().maxMemory() / PART_OF_MEMORY);
        var text = in.readNBytes(most + 1);
        if (text.length > most) {
            throw new IOException(
                    DataFiles.MANIFEST
                            + " has more than the "
                            + most
                            + " bytes that this much memory (-Xmx) allows");
        }
        try {
            if (JsonText.read(text) instanceof JsonObject json) {
                var files = json.object("files");
                var made = Instant.parse(json.string("made").orElseThrow()).toString();
                return files.isEmpty()
                        ? new Manifest(made, Optional.empty(), database(json))
                        : of(made, contents(files.get()));
            }
        } catch (MalformedJson
                | java.util.NoSuchElementException
                | java.time.DateTimeException
                | IllegalArgumentException wrong) {
            throw new IOException(
                    DataFiles.MANIFEST + " cannot be read: " + wrong.getMessage(), wrong);
        }
        throw new IOException(DataFiles.MANIFEST + " is no object");
    }

    private static Optional<String> database(JsonObject json) {
        if (!json.has(DATABASE)) {
            return Optional.empty();
        }
        var digest = json.string(DATABASE).filter(text -> DIGEST.matcher(text).matches());
        if (digest.isEmpty()) {
            throw new IllegalArgumentException(DATABASE + " is no SHA-256 in hexadecimal");
        }
        return digest;
    }

    private static SequencedMap<String, Content> contents(JsonObject files) {
        var contents = new TreeMap<String, Content>();
        for (var name : files.names()) {
            var file = files.object(name).orElseThrow();
            contents.put(
                    name,
                    new Content(
                            file.string("sha256").orElseThrow(),
                            file.number("bytes")
                                    .filter(JsonNumber::isLong)
                                    .orElseThrow()
                                    .asLong()));
        }
        return contents;
    }

    /// The bytes of all files.
    ///
    /// @throws ArithmeticException if they are more than a `long` holds
    long bytes() {
        var sum = 0L;
        for (var content : files.orElseGet(Collections::emptySortedMap).values()) {
            sum = Math.addExact(sum, content.bytes());
        }
        return sum;
    }
}
