package dev.artel.backup;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.store.sqlite.ChangedPages;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// What was committed between two moments: the pages that changed, and the digest of the segment before it, so that what is
/// missing or exchanged is noticed.
///
/// @param previous empty: the first of its chain
/// @param until when reading it began
/// @param files digests of the other files of the data folder, all of them; empty: none has changed
record Segment(
        String previous,
        Instant until,
        Optional<SequencedMap<String, String>> files,
        ChangedPages pages) {
    byte[] write() {
        var head =
                JsonObject.builder()
                        .put("artel_segment", 1)
                        .put("previous", previous)
                        .put("until", until.toString());
        files.ifPresent(all -> head.put("files", files(all)));
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(compressing(bytes))) {
            var text = JsonText.write(head.build());
            out.writeInt(text.length);
            out.write(text);
            out.writeInt(pages.pageSize());
            out.writeLong(pages.databasePages());
            out.writeInt(pages.pages().size());
            for (var page : pages.pages().entrySet()) {
                out.writeInt(page.getKey());
                out.write(page.getValue());
            }
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    static Segment read(byte[] bytes) {
        try (var in =
                new DataInputStream(
                        new BufferedInputStream(
                                new GZIPInputStream(new ByteArrayInputStream(bytes)), 1 << 16))) {
            var text = new byte[in.readInt()];
            in.readFully(text);
            if (!(JsonText.read(text) instanceof JsonObject head)) {
                throw unreadable(null);
            }
            var pageSize = in.readInt();
            var pages = new ChangedPages(pageSize);
            pages.committed(in.readLong());
            for (var left = in.readInt(); left > 0; left--) {
                var number = in.readInt();
                var page = new byte[pageSize];
                in.readFully(page);
                pages.put(number, page);
            }
            return new Segment(
                    head.string("previous").orElseThrow(),
                    Instant.parse(head.string("until").orElseThrow()),
                    head.object("files").map(Segment::files),
                    pages);
        } catch (IOException
                | MalformedJson
                | java.util.NoSuchElementException
                | java.time.DateTimeException
                | IllegalArgumentException wrong) {
            throw unreadable(wrong);
        }
    }

    static OutputStream compressing(ByteArrayOutputStream bytes) throws IOException {
        return new Quick(bytes);
    }

    private static final class Quick extends GZIPOutputStream {
        Quick(ByteArrayOutputStream bytes) throws IOException {
            super(bytes, 1 << 16);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    static JsonObject files(SequencedMap<String, String> files) {
        var json = JsonObject.builder();
        files.forEach(json::put);
        return json.build();
    }

    static SequencedMap<String, String> files(JsonObject json) {
        var files = new TreeMap<String, String>();
        json.members()
                .forEach((name, digest) -> {
                    if (digest instanceof JsonString(var text)) {
                        files.put(name, text);
                    }
                });
        return files;
    }

    private static StoreCorrupt unreadable(@Nullable Exception wrong) {
        return new StoreCorrupt(
                "reading a segment of a copy: found " + wrong + "; restore another backup", wrong);
    }
}
