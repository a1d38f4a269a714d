package dev.artel.json.text;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a generator writes, which is one piece for most values, since it has a buffer of its own: that piece is copied once. Not safe for use by many threads.
final class WholeText extends ByteArrayOutputStream {
    private byte @Nullable [] only;

    WholeText() {
        super(0);
    }

    @Override
    public synchronized void write(byte[] piece, int offset, int length) {
        if (only == null && count == 0) {
            only = Arrays.copyOfRange(piece, offset, offset + length);
            return;
        }
        join();
        super.write(piece, offset, length);
    }

    @Override
    public synchronized void write(int piece) {
        join();
        super.write(piece);
    }

    private void join() {
        if (only != null) {
            super.write(only, 0, only.length);
            only = null;
        }
    }

    /// All that was written; after it nothing more is.
    byte[] whole() {
        return only == null ? toByteArray() : only;
    }
}
