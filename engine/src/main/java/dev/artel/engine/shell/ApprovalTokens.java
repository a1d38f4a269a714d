package dev.artel.engine.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.NoKeyValueStore;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Makes the tokens with which anybody may decide about one approval. A token is derived from a key that stays with the
/// orchestrator (HMAC-SHA-256, RFC 2104), so that it can be shown again and is kept nowhere; an approval is decided by
/// the digest in its event, also when the key has changed. Safe for use by many threads.
public final class ApprovalTokens {
    /// No data store of a blueprint has such a name: theirs begin with a blueprint's name and a slash.
    private static final String SPACE = "artel.approvals";

    private static final String NAME = "key";
    private static final int BYTES = 32;

    private final KeyValueStore store;
    private byte @Nullable [] known;

    /// @param store keeps the key; one that keeps nothing makes it that of this process alone
    ApprovalTokens(KeyValueStore store) {
        this.store = store;
    }

    /// The token of the approval for which the run `step` of a handler has asked.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the key cannot be read
    String token(JobId job, EffectId step) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key(), "HmacSHA256"));
            var bytes = mac.doFinal((job.value() + ' ' + step).getBytes(UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }

    /// What events keep of `token`: its SHA-256, in lower-case hexadecimal.
    public static String digest(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    private synchronized byte[] key() {
        var key = known;
        if (key == null) {
            key = store instanceof NoKeyValueStore ? fresh() : kept();
            known = key;
        }
        return key;
    }

    /// Of several that make one at the same time, the first one's is everybody's.
    private byte[] kept() {
        var found = store.get(SPACE, NAME);
        if (found.isEmpty()) {
            var made = new JsonString(Base64.getEncoder().encodeToString(fresh()));
            var _ = store.put(SPACE, NAME, KeyValueStore.NO_ENTRY, made);
            found = store.get(SPACE, NAME);
        }
        return found.map(KeyValueStore.Entry::value)
                .map(ApprovalTokens::decoded)
                .orElseThrow(() ->
                        new IllegalStateException(
                                "the key of approval tokens was written and is not there"));
    }

    private static byte[] decoded(JsonValue value) {
        if (value instanceof JsonString(var text)) {
            return Base64.getDecoder().decode(text);
        }
        throw new IllegalStateException(
                "the key of approval tokens must be a text, was " + value.kind());
    }

    private static byte[] fresh() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
