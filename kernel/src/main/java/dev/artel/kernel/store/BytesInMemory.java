package dev.artel.kernel.store;

/// Bytes of an array, which must not change.
public final class BytesInMemory implements ObjectStore.Bytes {
    private final byte[] content;
    private final int end;
    private int next;

    /// All of `content`.
    public BytesInMemory(byte[] content) {
        this(content, 0, content.length);
    }

    /// At most `count` bytes of `content`, from the one at `from` on; fewer where it ends before.
    public BytesInMemory(byte[] content, long from, int count) {
        this.content = content;
        next = (int) Math.min(from, content.length);
        end = (int) Math.min((long) next + count, content.length);
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        if (next == end) {
            return -1;
        }
        var count = Math.min(most, end - next);
        System.arraycopy(content, next, into, offset, count);
        next += count;
        return count;
    }

    @Override
    public void close() {}
}
