package dev.artel.e2e.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// A frame of RFC 6455 as a client writes it, in which anything can be wrong.
///
/// @param opcode from 0 to 15
/// @param isFinal whether its message ends with it
/// @param reserved the three reserved bits
/// @param isMasked whether it is masked, as it must be
/// @param length what the head announces
@SuppressWarnings("ArrayRecordComponent") // never compared
record WireFrame(
        int opcode, boolean isFinal, int reserved, boolean isMasked, long length, byte[] payload) {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    static WireFrame of(int opcode, byte[] payload) {
        return new WireFrame(opcode, true, 0, true, payload.length, payload);
    }

    WireFrame unfinished() {
        return new WireFrame(opcode, false, reserved, isMasked, length, payload);
    }

    WireFrame unmasked() {
        return new WireFrame(opcode, isFinal, reserved, false, length, payload);
    }

    WireFrame withReserved(int bits) {
        return new WireFrame(opcode, isFinal, bits, isMasked, length, payload);
    }

    WireFrame withLength(long announced) {
        return new WireFrame(opcode, isFinal, reserved, isMasked, announced, payload);
    }

    @Override
    public String toString() {
        return (isFinal ? "" : "unfinished ")
                + (isMasked ? "" : "unmasked ")
                + opcode
                + "/"
                + reserved
                + " of "
                + length
                + ": "
                + new String(payload, ISO_8859_1);
    }

    byte[] write(SplittableRandom random) {
        var frame = ByteBuffer.allocate(14 + payload.length);
        frame.put((byte) ((isFinal ? 0x80 : 0) | (reserved << 4) | opcode));
        var mask = isMasked ? 0x80 : 0;
        if (length >= 0 && length < 126) {
            frame.put((byte) (mask | (int) length));
        } else if (length >= 0 && length < 1 << 16) {
            frame.put((byte) (mask | 126)).putShort((short) length);
        } else {
            frame.put((byte) (mask | 127)).putLong(length);
        }
        var key = new byte[4];
        if (isMasked) {
            random.nextBytes(key);
            frame.put(key);
        }
        for (var i = 0; i < payload.length; i++) {
            frame.put((byte) (payload[i] ^ key[i % 4]));
        }
        var bytes = new byte[frame.position()];
        frame.flip().get(bytes);
        return bytes;
    }
}
