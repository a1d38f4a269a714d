package dev.artel.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.tokens.TokenHolder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Tokens that stand inside of the process for certificates that callers have shown. Nobody else can make one, since the key is random and
/// leaves it never; each is good for a day at most, so that what was exchanged for it ends, too. Safe for use by many threads.
final class CertificateTokens {
    private static final String PREFIX = "artel-certificate.";
    private static final String ALGORITHM = "HmacSHA256";
    private static final long HOUR = Duration.ofHours(1).toSeconds();
    private static final long HOURS = 24;
    private static final int PARTS = 4;

    private final SecretKeySpec key;

    CertificateTokens() {
        var random = new byte[32];
        new SecureRandom().nextBytes(random);
        key = new SecretKeySpec(random, ALGORITHM);
    }

    /// Whose token it is, and until when it is good.
    ///
    /// @param isNamed whether a table names the certificate; otherwise its own name is that of its worker
    record Holding(TokenHolder holder, Instant until, boolean isNamed) {}

    /// The same within an hour, so that it is one caller for all that counts by tokens.
    ///
    /// @param end of the certificate
    /// @param isNamed see [Holding]
    String of(TokenHolder holder, Instant now, Instant end, boolean isNamed) {
        var until = Math.min((now.getEpochSecond() / HOUR + HOURS) * HOUR, end.getEpochSecond());
        var text =
                switch (holder) {
                    case TokenHolder.Client(var name) -> "c." + encoded(name);
                    case TokenHolder.Worker(var id) -> (isNamed ? "t." : "w.") + encoded(id);
                    case TokenHolder.AllWorkers _ ->
                            throw new IllegalArgumentException("a certificate names one worker");
                };
        var signed = text + "." + until;
        return PREFIX + signed + "." + mac(signed);
    }

    /// Whose `token` is; empty if it is none of these, or is good no longer.
    Optional<Holding> find(String token, Instant now) {
        if (!token.startsWith(PREFIX)) {
            return Optional.empty();
        }
        var text = token.substring(PREFIX.length());
        var parts = text.split("\\.", -1);
        if (parts.length != PARTS) {
            return Optional.empty();
        }
        var signed = text.substring(0, text.lastIndexOf('.'));
        if (!MessageDigest.isEqual(mac(signed).getBytes(UTF_8), parts[3].getBytes(UTF_8))) {
            return Optional.empty();
        }
        var name = new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8);
        var until = Instant.ofEpochSecond(Long.parseLong(parts[2]));
        return Optional.of(
                        new Holding(
                                parts[0].equals("c")
                                        ? new TokenHolder.Client(name)
                                        : new TokenHolder.Worker(name),
                                until,
                                !parts[0].equals("w")))
                .filter(found -> now.isBefore(found.until()));
    }

    private static String encoded(String name) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(name.getBytes(UTF_8));
    }

    private String mac(String text) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }
}
