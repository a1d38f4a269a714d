package dev.artel.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs the calls to receivers, as in [Standard Webhooks](https://www.standardwebhooks.com).
final class Signature {
    /// What a secret begins with.
    static final String PREFIX = "whsec_";

    private Signature() {}

    /// The header `webhook-signature`.
    ///
    /// @param secret with its prefix
    /// @param timestamp in seconds
    static String of(String secret, String id, long timestamp, byte[] body) {
        var mac = mac(Base64.getDecoder().decode(secret.substring(PREFIX.length())));
        mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
        return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    }

    static Mac mac(byte[] key) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }
}
