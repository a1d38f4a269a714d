package dev.artel.store.s3;

import dev.artel.kernel.store.ObjectStore.Bytes;
import java.io.InputStream;

/// A content on its way into a request, which reads as many bytes as were announced and no more. The last ones are handed
/// out only when the content has ended behind them, which proves that it is what it should be.
final class Upload extends InputStream {
    private final Bytes bytes;
    private long left;

    Upload(Bytes bytes, long length) {
        this.bytes = bytes;
        this.left = length;
    }

    @Override
    public int read() {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        if (most == 0) {
            return 0;
        }
        if (left == 0) {
            return -1;
        }
        var read = bytes.read(into, offset, (int) Math.min(most, left));
        if (read < 0) {
            throw new IllegalArgumentException(
                    "a content ended " + left + " bytes before the length that was given");
        }
        left -= read;
        if (left == 0 && bytes.read(new byte[1], 0, 1) >= 0) {
            throw new IllegalArgumentException("a content goes on behind its length");
        }
        return read;
    }

    @Override
    public void close() {
        bytes.close();
    }
}
