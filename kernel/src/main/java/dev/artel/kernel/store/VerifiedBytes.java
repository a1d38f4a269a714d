package dev.artel.kernel.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;

/// Bytes whose end is returned only if they match their digest, and their length where it is given.
public final class VerifiedBytes implements ObjectStore.Bytes {
    private static final long ANY = -1;
    private static final int PIECE = 1 << 16;

    private final ObjectStore.Bytes bytes;
    private final String digest;
    private final MessageDigest sum = sha256();
    private final Function<String, ? extends RuntimeException> wrong;
    private final long length;
    private long count;

    /// Reads `bytes`, of which there may be any number.
    ///
    /// @param wrong the failure for what was found in their place
    public VerifiedBytes(
            ObjectStore.Bytes bytes,
            String digest,
            Function<String, ? extends RuntimeException> wrong) {
        this(bytes, digest, ANY, wrong);
    }

    /// Reads `bytes`.
    ///
    /// @param length how many there are; where there are more, reading fails as soon as that is seen
    /// @param wrong the failure for what was found in their place
    public VerifiedBytes(
            ObjectStore.Bytes bytes,
            String digest,
            long length,
            Function<String, ? extends RuntimeException> wrong) {
        this.bytes = bytes;
        this.digest = digest;
        this.length = length;
        this.wrong = wrong;
    }

    /// Whether `text` can be a digest, so that it is safe as a name.
    public static boolean isDigest(String text) {
        return text.length() == 64
                && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }

    /// The digest of `content`.
    public static String digestOf(byte[] content) {
        return HexFormat.of().formatHex(sha256().digest(content));
    }

    /// The digest of what is left of `content`, which is read in pieces.
    ///
    /// @throws StoreException if it cannot be read
    public static String digestOf(ObjectStore.Bytes content) {
        var sum = sha256();
        var piece = new byte[PIECE];
        for (var read = content.read(piece, 0, PIECE);
                read >= 0;
                read = content.read(piece, 0, PIECE)) {
            sum.update(piece, 0, read);
        }
        return HexFormat.of().formatHex(sum.digest());
    }

    @Override
    public int read(byte[] into, int offset, int most) {
        var read = bytes.read(into, offset, most);
        if (read >= 0) {
            sum.update(into, offset, read);
            count += read;
            if (length != ANY && count > length) {
                throw wrong.apply("found more than " + length + " bytes");
            }
            return read;
        }
        var found = HexFormat.of().formatHex(sum.digest());
        if (!found.equals(digest) || (length != ANY && count != length)) {
            throw wrong.apply(
                    "found "
                            + count
                            + " bytes with digest "
                            + found
                            + (length == ANY ? "" : ", not " + length + " bytes"));
        }
        return read;
    }

    @Override
    public void close() {
        bytes.close();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
