package dev.artel.server.api;

import dev.artel.server.config.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// Says which client a token belongs to. Keeps digests only, and compares in constant time.
public final class ClientTokens {
    private final SequencedMap<String, byte[]> digests = new LinkedHashMap<>();

    /// The tokens of clients by name.
    public ClientTokens(SequencedMap<String, Secret> tokens) {
        tokens.forEach((name, token) -> digests.put(name, digest(token.value())));
    }

    /// One token, of the client `default`.
    public static ClientTokens single(Secret token) {
        var tokens = new LinkedHashMap<String, Secret>();
        tokens.put("default", token);
        return new ClientTokens(tokens);
    }

    /// The name of the client that `token` belongs to.
    Optional<String> clientOf(String token) {
        var given = digest(token);
        String found = null;
        for (var entry : digests.entrySet()) {
            if (MessageDigest.isEqual(entry.getValue(), given)) {
                found = entry.getKey();
            }
        }
        return Optional.ofNullable(found);
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
