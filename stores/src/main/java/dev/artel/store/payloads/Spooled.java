package dev.artel.store.payloads;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.JsonThreads;
import dev.artel.json.text.MalformedJson;
import dev.artel.json.text.Span;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.UnreadableValue;
import dev.artel.kernel.task.Payload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;

/// A value in a temporary file that no other program sees, so that its members can be read one by one.
final class Spooled implements AutoCloseable {
    private static final int PIECE = 1 << 16;

    private final Path path;
    private final FileChannel file;

    private Spooled(Path path, FileChannel file) {
        this.path = path;
        this.file = file;
    }

    /// All of `content`, which stays the caller's to close.
    ///
    /// @throws StoreUnavailable if there is no room for it
    static Spooled of(ObjectStore.Bytes content) {
        try {
            var path = Files.createTempFile("artel-value", ".json");
            var spooled =
                    new Spooled(
                            path,
                            FileChannel.open(
                                    path,
                                    StandardOpenOption.READ,
                                    StandardOpenOption.WRITE,
                                    StandardOpenOption.DELETE_ON_CLOSE));
            try {
                spooled.fill(content);
                return spooled;
            } catch (IOException | RuntimeException e) {
                spooled.close();
                throw e;
            }
        } catch (IOException noRoom) {
            throw new StoreUnavailable(
                    "reading a large value in parts: the folder for temporary files ("
                            + System.getProperty("java.io.tmpdir")
                            + ") does not take it, found "
                            + noRoom
                            + "; make room there, or name another one with -Djava.io.tmpdir",
                    noRoom);
        }
    }

    private void fill(ObjectStore.Bytes content) throws IOException {
        var piece = new byte[PIECE];
        for (var read = content.read(piece, 0, PIECE);
                read >= 0;
                read = content.read(piece, 0, PIECE)) {
            var rest = ByteBuffer.wrap(piece, 0, read);
            while (rest.hasRemaining()) {
                file.write(rest);
            }
        }
    }

    /// Which members are kept apart.
    interface Choice {
        /// The names of those; empty if the value stays one.
        ///
        /// @param bytes the length of each member's text
        Optional<Set<String>> of(SequencedMap<String, Long> bytes);
    }

    /// The value, which is kept as `whole`, in parts.
    Payload split(Payload.Ref whole, ObjectStore objects, Choice choice) {
        try {
            var all = new Span(0, file.size());
            var spans =
                    JsonThreads.compute(
                            all.to(), () -> JsonText.spans(new StoredText(new Content(all))));
            return spans.isEmpty() ? whole : members(whole, spans.get(), objects, choice);
        } catch (MalformedJson malformed) {
            throw new UnreadableValue(
                    "the value " + whole.digest() + ": " + malformed.getMessage(), malformed);
        } catch (IOException e) {
            throw unread(e);
        }
    }

    private Payload members(
            Payload.Ref whole, SequencedMap<String, Span> spans, ObjectStore objects, Choice choice)
            throws IOException {
        var trimmed = new LinkedHashMap<String, Span>();
        var bytes = new LinkedHashMap<String, Long>();
        for (var member : spans.entrySet()) {
            var span = trimmed(member.getValue());
            trimmed.put(member.getKey(), span);
            bytes.put(member.getKey(), span.to() - span.from());
        }
        var chosen = choice.of(bytes);
        if (chosen.isEmpty()) {
            return whole;
        }
        var apart = chosen.get();
        var members = new LinkedHashMap<String, Payload>();
        var inline = JsonObject.builder();
        for (var member : trimmed.entrySet()) {
            var span = member.getValue();
            if (apart.contains(member.getKey())) {
                members.put(member.getKey(), put(span, objects));
            } else {
                var value = JsonText.read(read(span));
                members.put(member.getKey(), Payload.of(value));
                inline.put(member.getKey(), value);
            }
        }
        return apart.isEmpty() ? Payload.of(inline.build()) : new Payload.Members(members);
    }

    private Span trimmed(Span span) throws IOException {
        var to = span.to();
        var one = ByteBuffer.allocate(1);
        while (to > span.from()) {
            one.clear();
            if (file.read(one, to - 1) != 1 || !isBetweenValues(one.get(0))) {
                break;
            }
            to--;
        }
        return new Span(span.from(), to);
    }

    private static boolean isBetweenValues(byte piece) {
        return switch (piece) {
            case ' ', '\t', '\n', '\r', ',' -> true;
            default -> false;
        };
    }

    private byte[] read(Span span) throws IOException {
        var text = ByteBuffer.allocate(Math.toIntExact(span.to() - span.from()));
        while (text.hasRemaining() && file.read(text, span.from() + text.position()) >= 0) {
            // until all of it is there
        }
        return text.array();
    }

    private Payload.Ref put(Span span, ObjectStore objects) {
        var length = span.to() - span.from();
        var sha256 = sha256();
        var piece = new byte[PIECE];
        try (var content = new Content(span)) {
            for (var read = content.read(piece, 0, PIECE);
                    read >= 0;
                    read = content.read(piece, 0, PIECE)) {
                sha256.update(piece, 0, read);
            }
        }
        var digest = HexFormat.of().formatHex(sha256.digest());
        objects.put(digest, length, () -> new Content(span));
        return new Payload.Ref(digest, length);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static StoreUnavailable unread(IOException failure) {
        return new StoreUnavailable("reading a large value in parts: " + failure, failure);
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing " + path, e);
        }
    }

    /// A part of the file.
    private final class Content implements ObjectStore.Bytes {
        private final long to;
        private long at;

        private Content(Span span) {
            at = span.from();
            to = span.to();
        }

        @Override
        public int read(byte[] into, int offset, int most) {
            if (at >= to) {
                return -1;
            }
            try {
                var length = (int) Math.min(most, to - at);
                var read = file.read(ByteBuffer.wrap(into, offset, length), at);
                at += Math.max(read, 0);
                return read;
            } catch (IOException e) {
                throw unread(e);
            }
        }

        @Override
        public void close() {
            // the file is closed by its owner
        }
    }
}
