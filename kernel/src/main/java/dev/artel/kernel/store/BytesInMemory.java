package dev.artel.kernel.store;

/// Bytes of an array, which must not change.
public final class BytesInMemory implements ObjectStore.Bytes {
    private final byte[] content;
    private int next;

    /// All of `content`.
    public BytesInMemory(byte[] content) {
        this.content = content;
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        if (next == content.length) {
            return -1;
        }
        var count = Math.min(most, content.length - next);
        System.arraycopy(content, next, into, offset, count);
        next += count;
        return count;
    }

    @Override
    public void close() {}
}
