package dev.artel.gateway.zeromq;

import java.nio.file.Path;
import java.util.Optional;

/// The keys of CURVE, each as 40 characters of Z85.
///
/// @param publicKey of the orchestrator, which workers have to know
/// @param secretKey of the orchestrator
/// @param clients the file with the public keys of the workers that are let in; empty: any
public record CurveKeys(String publicKey, String secretKey, Optional<Path> clients) {
    private static final String Z85 = "[0-9a-zA-Z.\\-:+=^!/*?&<>()\\[\\]{}@%$#]{40}";

    /// Refuses keys that are none.
    public CurveKeys {
        require(publicKey, "zeromq.curve-public-key");
        require(secretKey, "zeromq.curve-secret-key");
    }

    /// Whether `text` may be a key.
    static boolean isKey(String text) {
        return text.matches(Z85);
    }

    private static void require(String key, String setting) {
        if (!isKey(key)) {
            throw new IllegalArgumentException(setting + " must be 40 characters of Z85");
        }
    }

    @Override
    public String toString() {
        return "CurveKeys[publicKey=" + publicKey + ", secretKey=***, clients=" + clients + "]";
    }
}
