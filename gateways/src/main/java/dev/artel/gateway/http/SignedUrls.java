package dev.artel.gateway.http;

import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Paths that are good for one method, with their query, and for a while, without a token. Safe for use by many threads.
final class SignedUrls {
    static final String SIGNATURE = "signature";
    private static final String END = "&" + SIGNATURE + "=";
    private static final String UNTIL = "until";
    private static final String ALGORITHM = "HmacSHA256";

    private final Supplier<byte[]> secret;

    /// With the key, and never used itself: each address has a copy.
    private volatile @Nullable Mac keyed;

    private final InstantSource clock;
    private final Duration term;

    /// @param secret from which the key is derived; addresses of an earlier process are good where it is the same
    SignedUrls(InstantSource clock, Duration term, Supplier<byte[]> secret) {
        this.clock = clock;
        this.term = term;
        this.secret = secret;
    }

    /// @param query further parameters, each with a `&` before it; may be empty
    String signed(String method, String path, String query) {
        var until = clock.instant().plus(term).getEpochSecond();
        var address = path + "?" + UNTIL + "=" + until + query;
        return address + END + sign(method, address);
    }

    /// @throws HttpRefusal if the address of the request was not given out, or too long ago
    void check(Context ctx) {
        checkGivenOut(ctx);
        var text = ctx.queryParam(UNTIL);
        long until;
        try {
            until = text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException _) {
            until = 0;
        }
        if (until < clock.instant().getEpochSecond()) {
            throw new HttpRefusal(
                    ErrorCode.FORBIDDEN, "Forbidden", "this address was good until " + until);
        }
    }

    /// @throws HttpRefusal if the address of the request was not given out
    void checkGivenOut(Context ctx) {
        var given = ctx.queryParam(SIGNATURE);
        var expected = sign(ctx.method().name(), address(ctx));
        if (given == null
                || !MessageDigest.isEqual(
                        expected.getBytes(StandardCharsets.US_ASCII),
                        given.getBytes(StandardCharsets.UTF_8))) {
            throw new HttpRefusal(
                    ErrorCode.FORBIDDEN,
                    "Forbidden",
                    "this address was not given out by this orchestrator");
        }
    }

    /// Addresses are relative to where the orchestrator is.
    private static String address(Context ctx) {
        var path = ctx.path();
        var query = String.valueOf(ctx.queryString());
        var end = query.lastIndexOf(END);
        return path.substring(Math.max(0, path.indexOf("/_worker/")))
                + "?"
                + (end < 0 ? query : query.substring(0, end));
    }

    private String sign(String method, String address) {
        try {
            var mac = (Mac) keyed().clone();
            return HexFormat.of().formatHex(mac.doFinal(bytes(method + " " + address)));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the " + ALGORITHM + " of the JDK can be copied", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Mac keyed() {
        var known = keyed;
        if (known == null) {
            // Not the key of what else is sealed with the secret.
            known = keyed(keyed(secret.get()).doFinal(bytes("addresses of large values")));
            keyed = known;
        }
        return known;
    }

    private static Mac keyed(byte[] key) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
