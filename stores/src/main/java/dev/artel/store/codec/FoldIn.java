package dev.artel.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What [FoldOut] has written.
final class FoldIn {
    private static final int PIECE = 1 << 20;

    private final DataInputStream in;
    private final List<String> known = new ArrayList<>();

    FoldIn(DataInputStream in) {
        this.in = in;
    }

    long number() throws IOException {
        var value = 0L;
        for (var shift = 0; shift < Long.SIZE; shift += 7) {
            var next = in.readByte();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return (value >>> 1) ^ -(value & 1);
            }
        }
        throw new IOException("a number has too many bytes");
    }

    int size() throws IOException {
        return Math.toIntExact(number());
    }

    double decimal() throws IOException {
        return in.readDouble();
    }

    String text() throws IOException {
        var place = size();
        if (place > 0) {
            return known.get(place - 1);
        }
        var length = size();
        // Not more room at once than a damaged length may ask for.
        var bytes = in.readNBytes(Math.min(length, PIECE));
        var text = length <= PIECE ? bytes : join(bytes, in.readNBytes(length - PIECE));
        if (text.length != length) {
            throw new EOFException("a text of " + length + " bytes is cut off");
        }
        var value = new String(text, UTF_8);
        known.add(value);
        return value;
    }

    private static byte[] join(byte[] first, byte[] second) {
        var all = java.util.Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
