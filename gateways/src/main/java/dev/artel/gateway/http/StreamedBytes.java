package dev.artel.gateway.http;

import dev.artel.kernel.store.ObjectStore.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// Bytes of a stream.
final class StreamedBytes implements Bytes {
    private final InputStream in;

    StreamedBytes(InputStream in) {
        this.in = in;
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        try {
            return in.read(into, offset, most);
        } catch (IOException e) {
            throw new UncheckedIOException("reading a value", e);
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException("reading a value", e);
        }
    }
}
