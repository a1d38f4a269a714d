package dev.artel.json.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;

/// Refuses what is not UTF-8, which the parser would partly let pass: overlong forms and encoded surrogates.
final class Utf8 {
    private Utf8() {}

    /// @throws MalformedJson if `text` is not UTF-8 or begins with a byte order mark
    static void check(byte[] text) {
        if (isAscii(text)) {
            return;
        }
        var in = ByteBuffer.wrap(text);
        var decoder = UTF_8.newDecoder();
        var out = CharBuffer.allocate(Math.min(text.length, 8192));
        while (true) {
            var result = decoder.decode(in, out, true);
            if (result.isError()) {
                throw at(text, in.position(), "found bytes that are not UTF-8");
            }
            if (result.isUnderflow()) {
                break;
            }
            out.clear();
        }
        if (text.length >= 3
                && text[0] == (byte) 0xEF
                && text[1] == (byte) 0xBB
                && text[2] == (byte) 0xBF) {
            throw at(text, 0, "found a byte order mark");
        }
    }

    private static boolean isAscii(byte[] text) {
        var all = 0;
        for (var b : text) {
            all |= b;
        }
        return all >= 0;
    }

    private static MalformedJson at(byte[] text, int position, String found) {
        var line = 1;
        var lineStart = 0;
        for (var i = 0; i < position; i++) {
            if (text[i] == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new MalformedJson(line, position - lineStart + 1, found);
    }
}
