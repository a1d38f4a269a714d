package dev.artel.store.payloads;

import dev.artel.kernel.store.ObjectStore;
import java.io.InputStream;

/// Bytes of an object store as a stream.
final class StoredText extends InputStream {
    private final ObjectStore.Bytes content;

    /// The end is asked for once, since it checks what came before it.
    private boolean ended;

    StoredText(ObjectStore.Bytes content) {
        this.content = content;
    }

    @Override
    public int read() {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        if (ended || most == 0) {
            return ended ? -1 : 0;
        }
        var read = content.read(into, offset, most);
        ended = read < 0;
        return read;
    }

    @Override
    public void close() {
        content.close();
    }
}
