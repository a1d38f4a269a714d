package dev.artel.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// Where folded jobs are written. A text that comes again is written as the number of its first coming.
final class FoldOut {
    private final DataOutputStream out;
    private final Map<String, Integer> known = new HashMap<>();

    FoldOut(DataOutputStream out) {
        this.out = out;
    }

    /// Seven bits a byte, the lowest first; small numbers take one.
    void number(long value) throws IOException {
        var left = (value << 1) ^ (value >> 63);
        while ((left & ~0x7FL) != 0) {
            out.writeByte((int) ((left & 0x7F) | 0x80));
            left >>>= 7;
        }
        out.writeByte((int) left);
    }

    void decimal(double value) throws IOException {
        out.writeDouble(value);
    }

    void text(String value) throws IOException {
        var number = known.putIfAbsent(value, known.size());
        if (number != null) {
            number(number + 1L);
            return;
        }
        number(0);
        var bytes = value.getBytes(UTF_8);
        number(bytes.length);
        out.write(bytes);
    }
}
