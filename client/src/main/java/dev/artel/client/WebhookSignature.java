package dev.artel.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Verifies that a call comes from an orchestrator (Standard Webhooks, HMAC-SHA256).
///
/// ```java
/// var signature = new WebhookSignature(client.webhookSecret());
/// if (!signature.isGood(id, timestamp, signatures, body, Instant.now())) {
///     return 401;
/// }
/// ```
///
/// Safe for use by many threads.
public final class WebhookSignature {
    private static final String PREFIX = "whsec_";
    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private final byte[] key;

    /// @param secret `whsec_...`, from [ArtelClient#webhookSecret] or the answer to a subscription
    public WebhookSignature(String secret) {
        if (!secret.startsWith(PREFIX)) {
            throw new IllegalArgumentException("the secret of a webhook begins with " + PREFIX);
        }
        key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
    }

    /// Whether a call is the orchestrator's, and is not an old one that an attacker repeats.
    ///
    /// @param id the header `webhook-id`
    /// @param timestamp the header `webhook-timestamp`
    /// @param signatures the header `webhook-signature`
    /// @param body as it came, byte by byte
    public boolean isGood(
            String id, String timestamp, String signatures, byte[] body, Instant now) {
        if (!timestamp.matches("[0-9]{1,12}")) {
            return false;
        }
        var age = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs();
        if (age.compareTo(TOLERANCE) > 0) {
            return false;
        }
        var expected = ("v1," + signature(id, timestamp, body)).getBytes(US_ASCII);
        for (var one : signatures.split(" ", -1)) {
            if (MessageDigest.isEqual(expected, one.getBytes(UTF_8))) {
                return true;
            }
        }
        return false;
    }

    private String signature(String id, String timestamp, byte[] body) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }
}
