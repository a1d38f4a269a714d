package dev.artel.kernel.job;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/// The public name of a job.
///
/// @param value 1 to 64 letters, digits, `-` or `_`
public record JobId(String value) implements Comparable<JobId> {
    /// Refuses what could not stand in a URL or a file name.
    public JobId {
        if (!isValid(value)) {
            throw new IllegalArgumentException(
                    "job id must have 1 to 64 letters, digits, '-' or '_', was '" + value + "'");
        }
    }

    /// Whether `value` has the form of a job id.
    public static boolean isValid(String value) {
        var length = value.length();
        if (length == 0 || length > 64) {
            return false;
        }
        // Every message about a task comes by here, several times: a stream would be a tenth of its
        // cost.
        for (var i = 0; i < length; i++) {
            if (!isAllowed(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /// The name of the job that `parent` starts by its effect `start`, always the same.
    public static JobId ofChild(JobId parent, EffectId start) {
        return named("\0child\0" + parent + '\0' + start);
    }

    /// A name that follows from `text` alone: a UUID of version 8 (RFC 9562 section 5.8).
    public static JobId named(String text) {
        try {
            return ofDigest(
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// A name that has the first 122 free bits of `digest`: a UUID of version 8 (RFC 9562 section 5.8).
    ///
    /// @param digest of 16 bytes or more
    public static JobId ofDigest(byte[] digest) {
        var bytes = ByteBuffer.wrap(digest);
        var high = (bytes.getLong() & 0xFFFFFFFFFFFF0FFFL) | 0x8000;
        var low = (bytes.getLong() >>> 2) | Long.MIN_VALUE;
        return new JobId(new UUID(high, low).toString());
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '_';
    }

    @Override
    public int compareTo(JobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
