package dev.artel.server.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonString;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.NoKeyValueStore;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The secrets with which calls are signed. That of a client, for the webhooks of its jobs, is derived from a key that
/// stays with the orchestrator (HMAC-SHA-256), so that it is kept nowhere and is the same after a restart. Safe for use by
/// many threads.
final class Secrets {
    private static final int BYTES = 32;

    private final KeyValueStore store;
    private byte @Nullable [] known;

    /// @param store keeps the key, once it is needed; one that keeps nothing makes it that of this process alone
    Secrets(KeyValueStore store) {
        this.store = store;
    }

    private synchronized byte[] key() {
        var key = known;
        if (key == null) {
            key = store instanceof NoKeyValueStore ? random() : kept();
            known = key;
        }
        return key;
    }

    private byte[] kept() {
        var found = store.get(Subscriptions.SPACE, "key");
        if (found.isEmpty()) {
            var made = new JsonString(Base64.getEncoder().encodeToString(random()));
            var _ = store.put(Subscriptions.SPACE, "key", KeyValueStore.NO_ENTRY, made);
            found = store.get(Subscriptions.SPACE, "key");
        }
        return found.map(KeyValueStore.Entry::value)
                .filter(JsonString.class::isInstance)
                .map(value -> Base64.getDecoder().decode(((JsonString) value).value()))
                .orElseThrow(() ->
                        new IllegalStateException(
                                "the key of webhooks was written and is not there"));
    }

    /// The secret of the webhooks that the jobs of a client name.
    String ofClient(String client) {
        return text(Signature.mac(key()).doFinal(("client " + client).getBytes(UTF_8)));
    }

    /// A fresh one.
    static String fresh() {
        return text(random());
    }

    private static String text(byte[] secret) {
        return Signature.PREFIX + Base64.getEncoder().encodeToString(secret);
    }

    private static byte[] random() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
