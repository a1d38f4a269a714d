package dev.artel.store.files;

import dev.artel.kernel.store.BytesInMemory;
import dev.artel.kernel.store.ObjectStore.Bytes;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The content of a file.
public final class FileBytes implements Bytes {
    private final Path file;
    private final InputStream in;

    private FileBytes(Path file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    /// The content of `file`.
    ///
    /// @throws IOException if it cannot be opened
    public static FileBytes open(Path file) throws IOException {
        return new FileBytes(file, Files.newInputStream(file));
    }

    /// At most `bytes` bytes of the content of `file`, from the one at `from` on.
    ///
    /// @throws IOException if it cannot be opened
    static Bytes open(Path file, long from, int bytes) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            var piece = ByteBuffer.allocate(bytes);
            while (piece.hasRemaining() && channel.read(piece, from + piece.position()) >= 0) {
                // until all of it is there, or the end
            }
            return new BytesInMemory(piece.array(), 0, piece.position());
        }
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        try {
            return in.read(into, offset, most);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private StoreUnavailable failed(IOException e) {
        return new StoreUnavailable(
                "reading payload " + file + ": found " + e + "; check the disk", e);
    }
}
