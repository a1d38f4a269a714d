package dev.artel.tokens;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/// The SHA-256 of a token, all that is kept of it. Compared in constant time.
public final class TokenDigest {
    private static final int BYTES = 32;
    private static final int ID_LENGTH = 12;

    /// Never used itself.
    private static final MessageDigest SHA_256 = found();

    private final byte[] bytes;

    private TokenDigest(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The digest of `token`.
    public static TokenDigest of(String token) {
        return new TokenDigest(sha256().digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    /// A fresh one. Each request has a token, and a copy comes at a fifth of what looking for the algorithm costs.
    private static MessageDigest sha256() {
        try {
            return (MessageDigest) SHA_256.clone();
        } catch (CloneNotSupportedException notByThisProvider) {
            return found();
        }
    }

    private static MessageDigest found() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /// The digest that `hex` writes; empty if it is none.
    public static Optional<TokenDigest> ofHex(String hex) {
        if (hex.length() != 2 * BYTES) {
            return Optional.empty();
        }
        try {
            return Optional.of(new TokenDigest(HexFormat.of().parseHex(hex)));
        } catch (IllegalArgumentException noHex) {
            return Optional.empty();
        }
    }

    /// 64 hexadecimal digits, in lower case.
    public String hex() {
        return HexFormat.of().formatHex(bytes);
    }

    /// What people call the token by: the first twelve digits of [#hex], which reveal nothing of a random token.
    public String id() {
        return hex().substring(0, ID_LENGTH);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TokenDigest digest && MessageDigest.isEqual(bytes, digest.bytes);
    }

    @Override
    public int hashCode() {
        return ByteBuffer.wrap(bytes).getInt();
    }

    @Override
    public String toString() {
        return "***";
    }
}
