package dev.artel.kernel.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.function.Function;

/// Bytes whose end is returned only if they match their digest.
public final class VerifiedBytes implements ObjectStore.Bytes {
    private final ObjectStore.Bytes bytes;
    private final String digest;
    private final MessageDigest sum = sha256();
    private final Function<String, ? extends RuntimeException> wrong;
    private long count;

    /// Reads `bytes`.
    ///
    /// @param wrong the failure for what was found in their place
    public VerifiedBytes(
            ObjectStore.Bytes bytes,
            String digest,
            Function<String, ? extends RuntimeException> wrong) {
        this.bytes = bytes;
        this.digest = digest;
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

    @Override
    public int read(byte[] into, int offset, int most) {
        var read = bytes.read(into, offset, most);
        if (read >= 0) {
            sum.update(into, offset, read);
            count += read;
            return read;
        }
        var found = HexFormat.of().formatHex(sum.digest());
        if (!found.equals(digest)) {
            throw wrong.apply("found " + count + " bytes with digest " + found);
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
