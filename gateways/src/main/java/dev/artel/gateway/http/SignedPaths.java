package dev.artel.gateway.http;

import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Paths that are good for one method and for a while, without a token. The key is made at each start.
final class SignedPaths {
    static final String SIGNATURE = "signature";
    private static final String UNTIL = "until";
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;
    private final InstantSource clock;
    private final Duration term;

    SignedPaths(InstantSource clock, Duration term) {
        this.clock = clock;
        this.term = term;
        var bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        key = new SecretKeySpec(bytes, ALGORITHM);
    }

    String signed(String method, String path) {
        var until = clock.instant().plus(term).getEpochSecond();
        return path + "?" + UNTIL + "=" + until + "&" + SIGNATURE + "=" + sign(method, path, until);
    }

    /// @throws HttpRefusal if the address of the request was not given out, or too long ago
    void check(Context ctx) {
        var text = ctx.queryParam(UNTIL);
        var given = ctx.queryParam(SIGNATURE);
        long until;
        try {
            until = text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException _) {
            until = 0;
        }
        var expected = sign(ctx.method().name(), path(ctx), until);
        if (given == null
                || !MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.US_ASCII),
                        given.getBytes(StandardCharsets.UTF_8))) {
            throw new HttpRefusal(
                    403, "Forbidden", "this address was not given out since the last start");
        }
        if (until < clock.instant().getEpochSecond()) {
            throw new HttpRefusal(403, "Forbidden", "this address was good until " + until);
        }
    }

    /// Addresses are relative to where the orchestrator is.
    private static String path(Context ctx) {
        var path = ctx.path();
        return path.substring(Math.max(0, path.indexOf("/_worker/")));
    }

    private String sign(String method, String path, long until) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            var text = method + " " + path + " " + until;
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
