package dev.artel.maintenance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Digests of files.
final class Digests {
    private static final int PIECE = 1 << 16;

    private Digests() {}

    /// The SHA-256 of `file` in hexadecimal, and its size.
    static Manifest.Content of(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return copy(in, OutputStream.nullOutputStream());
        }
    }

    /// Writes what is left of `in` to `out`.
    ///
    /// @return the SHA-256 of what was written in hexadecimal, and how much that was
    static Manifest.Content copy(InputStream in, OutputStream out) throws IOException {
        return copy(in, out, Long.MAX_VALUE);
    }

    /// The same, up to the first bytes behind `most`, which are not written.
    ///
    /// @throws TooLarge if there are more than `most` bytes
    static Manifest.Content copy(InputStream in, OutputStream out, long most) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
        var piece = new byte[PIECE];
        var bytes = 0L;
        for (var read = in.read(piece); read >= 0; read = in.read(piece)) {
            if (read > most - bytes) {
                throw new TooLarge(most);
            }
            digest.update(piece, 0, read);
            out.write(piece, 0, read);
            bytes += read;
        }
        return new Manifest.Content(HexFormat.of().formatHex(digest.digest()), bytes);
    }

    /// There are more bytes than there may be.
    static final class TooLarge extends RuntimeException {
        @java.io.Serial private static final long serialVersionUID = 1;

        TooLarge(long most) {
            super("it has more than " + most + " bytes");
        }
    }
}
