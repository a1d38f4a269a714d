package dev.artel.worker.server.hub;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/// Decides whether a peer may register as a worker. It is asked before anything else of a registration is looked at, on the
/// thread of the connection, and may wait. If it throws, the registration is refused with
/// [CloseCode#TRY_AGAIN_LATER].
@FunctionalInterface
public interface Authenticator {
    /// What a peer presents.
    ///
    /// @param workerId the id that it wants to have, not yet validated beyond being a string that is not blank
    /// @param token its `authToken`; null if it sent none
    /// @param remoteAddress where it comes from
    /// @param connection over which it comes, the object that the WebSocket server gave to the hub
    record Credentials(
            String workerId,
            @Nullable String token,
            String remoteAddress,
            WorkerConnection connection) {
        @Override
        public String toString() {
            return "Credentials[workerId=%s, remoteAddress=%s]".formatted(workerId, remoteAddress);
        }
    }

    /// Accepts or refuses.
    AdmissionVerdict authenticate(Credentials credentials);

    /// Accepts everybody.
    static Authenticator none() {
        return _ -> AdmissionVerdict.accepted();
    }

    /// Accepts who presents `token`, compared in constant time.
    ///
    /// @throws IllegalArgumentException if `token` is blank, which would accept everybody
    static Authenticator token(String token) {
        if (token.isBlank()) {
            throw new IllegalArgumentException(
                    "the token for workers is blank: give one, or leave authentication out");
        }
        var expected = digest(token);
        return credentials -> {
            var presented = credentials.token() == null ? "" : credentials.token();
            return MessageDigest.isEqual(expected, digest(presented))
                    ? AdmissionVerdict.accepted()
                    : AdmissionVerdict.unauthenticated();
        };
    }

    /// Whether both texts are equal. How long this takes depends on neither their contents nor where they differ.
    static boolean sameSecret(String one, String other) {
        return MessageDigest.isEqual(digest(one), digest(other));
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
