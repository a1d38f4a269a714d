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
/// @param files digests of the other files of the data folder, all of them, as earlier versions wrote them; empty: `changed` has what is new
/// @param changed digests of those other files that are new or changed, empty for one that is gone
record Segment(
        String previous,
        Instant until,
        Optional<SequencedMap<String, String>> files,
        SequencedMap<String, String> changed,
        ChangedPages pages) {
    private static final int LONGEST_HEAD = 64 << 20;
    private static final int LARGEST_PAGE = 1 << 16;

    /// How much of the memory the pages of a segment take at most.
    private static final int PART_OF_MEMORY = 2;

    /// What has changed from `before` to `after`, as [#changed] has it.
    static SequencedMap<String, String> changes(
            SequencedMap<String, String> before, SequencedMap<String, String> after) {
        var changes = new TreeMap<String, String>();
        before.keySet().stream()
                .filter(name -> !after.containsKey(name))
                .forEach(name -> changes.put(name, ""));
        after.forEach((name, digest) -> {
            if (!digest.equals(before.get(name))) {
                changes.put(name, digest);
            }
        });
        return changes;
    }

    /// The other files at its end, if there were `before` at its beginning.
    SequencedMap<String, String> filesAfter(SequencedMap<String, String> before) {
        var all = new TreeMap<>(files.orElse(before));
        changed.forEach((name, digest) -> {
            if (digest.isEmpty()) {
                all.remove(name);
            } else {
                all.put(name, digest);
            }
        });
        return all;
    }

    byte[] write() {
        var head =
                JsonObject.builder()
                        .put("artel_segment", 1)
                        .put("previous", previous)
                        .put("until", until.toString());
        files.ifPresent(all -> head.put("files", files(all)));
        if (!changed.isEmpty()) {
            head.put("changed", files(changed));
        }
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
            var text = in.readNBytes(within(in.readInt(), LONGEST_HEAD, "bytes of its head"));
            if (!(JsonText.read(text) instanceof JsonObject head)) {
                throw unreadable(null);
            }
            var pageSize = within(in.readInt(), LARGEST_PAGE, "bytes of a page");
            var pages = new ChangedPages(pageSize);
            pages.committed(in.readLong());
            var most = Runtime.getRuntime().maxMemory() / PART_OF_MEMORY / Math.max(1, pageSize);
            var count = within(in.readInt(), most, "pages, for this much memory (-Xmx)");
            for (var left = count; left > 0; left--) {
                var number = in.readInt();
                var page = new byte[pageSize];
                in.readFully(page);
                pages.put(number, page);
            }
            return new Segment(
                    head.string("previous").orElseThrow(),
                    Instant.parse(head.string("until").orElseThrow()),
                    head.object("files").map(Segment::files),
                    head.object("changed").map(Segment::files).orElseGet(TreeMap::new),
                    pages);
        } catch (IOException
                | MalformedJson
                | java.util.NoSuchElementException
                | java.time.DateTimeException
                | IllegalArgumentException wrong) {
            throw unreadable(wrong);
        }
    }

    private static int within(int found, long most, String of) throws IOException {
        if (found < 0 || found > most) {
            throw new IOException(found + " " + of + ", not 0 to " + most);
        }
        return found;
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
