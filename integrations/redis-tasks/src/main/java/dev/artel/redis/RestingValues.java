package dev.artel.redis;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Large values with which there was nothing to do, so that they are not parsed each time that they are announced or found. For one thread.
final class RestingValues {
    private static final int MOST = 1_000;

    /// The digests of values by their keys, those first that were added longest ago.
    private final SequencedMap<String, byte[]> digests = new LinkedHashMap<>();

    boolean contain(String key, byte[] value) {
        var digest = digests.get(key);
        return digest != null && Arrays.equals(digest, digest(value));
    }

    void add(String key, byte[] value) {
        digests.putLast(key, digest(value));
        if (digests.size() > MOST) {
            var _ = digests.pollFirstEntry();
        }
    }

    private static byte[] digest(byte[] value) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(value);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
