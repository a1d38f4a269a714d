package dev.artel.store.codec;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Bytes in memory, up to a bound that is looked at while they come, in pieces that are never copied to grow. For one
/// thread.
final class BoundedBytes extends OutputStream {
    private static final int LARGEST_PIECE = 1 << 20;

    private final List<byte[]> full = new ArrayList<>();
    private final int most;
    private byte[] piece;
    private int inPiece;
    private int before;

    /// @param most how many bytes there may be
    BoundedBytes(int first, int most) {
        this.most = most;
        piece = new byte[first];
    }

    /// @throws IllegalArgumentException if there are too many
    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    /// @throws IllegalArgumentException if there are too many
    @Override
    public void write(byte[] bytes, int from, int count) {
        if (count > most - before - inPiece) {
            throw new IllegalArgumentException(
                    "its events have more than "
                            + most
                            + " bytes, as much as the memory of the orchestrator allows for one append; let a state"
                            + " ask for less at once, or give it more memory");
        }
        var done = 0;
        while (done < count) {
            if (inPiece == piece.length) {
                full.add(piece);
                before += inPiece;
                piece = new byte[Math.min(LARGEST_PIECE, 2 * piece.length)];
                inPiece = 0;
            }
            var some = Math.min(count - done, piece.length - inPiece);
            System.arraycopy(bytes, from + done, piece, inPiece, some);
            inPiece += some;
            done += some;
        }
    }

    @Override
    public void close() {
        // nothing to close
    }

    byte[] toByteArray() {
        if (full.isEmpty()) {
            return Arrays.copyOf(piece, inPiece);
        }
        var all = new byte[before + inPiece];
        var at = 0;
        for (var each : full) {
            System.arraycopy(each, 0, all, at, each.length);
            at += each.length;
        }
        System.arraycopy(piece, 0, all, at, inPiece);
        return all;
    }
}
