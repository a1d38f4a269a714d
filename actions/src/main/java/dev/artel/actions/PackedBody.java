package dev.artel.actions;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import java.util.zip.ZipException;

/// A body that a server has packed. It is there in whole before it is unpacked, once, so that what this costs depends on its length and on the most
/// that may come out alone: of layers, each makes a thousand times as much work as the one around it, and a stream of blocks that are empty never ends
/// and gives nothing.
final class PackedBody {
    private static final Set<String> GZIP = Set.of("gzip", "x-gzip");
    private static final String DEFLATE = "deflate";

    /// The machine reads so much at a time without a pause.
    private static final int PIECE = 64 << 10;

    private static final int TRAILER = 8;

    private final byte[] packed;
    private final int most;
    private final byte[] piece = new byte[8 << 10];
    private final CRC32 sum = new CRC32();
    private final ByteArrayOutputStream unpacked = new ByteArrayOutputStream();
    private int at;

    private PackedBody(byte[] packed, int most) {
        this.packed = packed;
        this.most = most;
    }

    /// Whether bodies in `encoding` (in lower case) are unpacked.
    static boolean isKnown(String encoding) {
        return GZIP.contains(encoding) || encoding.equals(DEFLATE);
    }

    /// What is in `packed`; empty if it has more than `most` bytes.
    ///
    /// @param encoding one that [#isKnown]
    /// @throws IOException if it is not in that encoding, or breaks off
    static Optional<byte[]> unpacked(String encoding, byte[] packed, int most) throws IOException {
        if (packed.length == 0) {
            return Optional.of(packed);
        }
        var body = new PackedBody(packed, most);
        try {
            var isWhole = GZIP.contains(encoding) ? body.members() : body.deflated();
            return isWhole ? Optional.of(body.unpacked.toByteArray()) : Optional.empty();
        } catch (DataFormatException malformed) {
            throw new ZipException(
                    "the answer is not in " + encoding + ": " + malformed.getMessage());
        }
    }

    /// What follows the last member is left out, as by other programs.
    private boolean members() throws IOException, DataFormatException {
        var inflater = new Inflater(true);
        try {
            do {
                head();
                inflater.reset();
                sum.reset();
                if (!inflated(inflater)) {
                    return false;
                }
                trailer();
            } while (isMember());
            return true;
        } finally {
            inflater.end();
        }
    }

    private boolean isMember() {
        return packed.length - at > TRAILER
                && packed[at] == (byte) 0x1f
                && packed[at + 1] == (byte) 0x8b;
    }

    /// RFC 1952.
    private void head() throws IOException {
        if (!isMember() || packed[at + 2] != 8) {
            throw new ZipException("the answer is not in gzip");
        }
        var flags = packed[at + 3];
        skip(10);
        if ((flags & 4) != 0) {
            var low = next();
            skip(low + (next() << 8));
        }
        for (var text : new int[] {8, 16}) {
            while ((flags & text) != 0 && next() != 0) {
                // a name or a comment, up to its end
            }
        }
        skip((flags & 2) != 0 ? 2 : 0);
    }

    private void trailer() throws IOException {
        var stated = next() + (next() << 8) + (next() << 16) + (next() << 24);
        if (stated != (int) sum.getValue()) {
            throw new ZipException("the answer has changed on its way: its checksum is another");
        }
        skip(4);
    }

    private int next() throws IOException {
        skip(1);
        return packed[at - 1] & 0xff;
    }

    private void skip(int count) throws IOException {
        if (packed.length - at < count) {
            throw new EOFException("the answer breaks off");
        }
        at += count;
    }

    /// With the head of zlib, as it should be, or without one, as some servers send it.
    private boolean deflated() throws IOException, DataFormatException {
        var hasHead =
                packed.length > 1
                        && (packed[0] & 0x0f) == 8
                        && (((packed[0] & 0xff) << 8) + (packed[1] & 0xff)) % 31 == 0;
        var inflater = new Inflater(!hasHead);
        try {
            return inflated(inflater);
        } finally {
            inflater.end();
        }
    }

    /// @return false if it is too much
    private boolean inflated(Inflater inflater) throws IOException, DataFormatException {
        while (!inflater.finished()) {
            if (inflater.needsInput()) {
                var from = at;
                skip(Math.clamp(packed.length - at, 1, PIECE));
                inflater.setInput(packed, from, at - from);
            }
            var count = inflater.inflate(piece);
            if (inflater.needsDictionary()) {
                throw new ZipException(
                        "the host packed its answer with a dictionary, which http_request does not have");
            }
            if (count > most - unpacked.size()) {
                return false;
            }
            sum.update(piece, 0, count);
            unpacked.write(piece, 0, count);
        }
        at -= inflater.getRemaining();
        return true;
    }
}
