package dev.artel.store.files;

import dev.artel.kernel.store.ObjectStore.Bytes;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

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
