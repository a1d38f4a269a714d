package dev.artel.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.engine.shell.SigningKeys;
import dev.artel.kernel.store.KeyValueStore;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/// The secrets with which calls are signed. That of a client, for the webhooks of its jobs, is derived from a key that
/// stays with the orchestrator (HMAC-SHA-256), so that it is kept nowhere and is the same after a restart. Safe for use by
/// many threads.
final class Secrets {
    private static final int BYTES = 32;

    private final SigningKeys keys;

    /// @param store keeps the keys, once one is needed; one that keeps nothing makes them those of this process alone
    Secrets(KeyValueStore store) {
        keys = new SigningKeys(store, Subscriptions.SPACE);
    }

    SigningKeys keys() {
        return keys;
    }

    /// The secret of the webhooks that the jobs of a client name, by the newest key.
    String ofClient(String client) {
        return text(keys.sign(signed(client)));
    }

    /// Those of all keys that are good at `now`, the newest one first: receivers that know an older one can check calls,
    /// too.
    List<String> allOfClient(String client, Instant now) {
        return keys.signatures(signed(client), now).stream().map(Secrets::text).toList();
    }

    private static byte[] signed(String client) {
        return ("client " + client).getBytes(UTF_8);
    }

    /// A fresh one.
    static String fresh() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return text(bytes);
    }

    private static String text(byte[] secret) {
        return Signature.PREFIX + Base64.getEncoder().encodeToString(secret);
    }
}
