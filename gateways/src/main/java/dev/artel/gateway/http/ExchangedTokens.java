package dev.artel.gateway.http;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.attempt.WorkerId;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Gives out tokens that are good for a while, in exchange for those that are good for longer. A token that was exchanged holds the
/// one that it was got for, sealed with a key: nothing is kept of it, and it ends with the other one and with its own term. Where the
/// key is the same after a restart so is the token: workers that have put it in the place of their own know no other.
/// Safe for use by many threads.
final class ExchangedTokens implements WorkerAuthentication {
    static final Duration ACCESS_TERM = Duration.ofHours(1);
    static final Duration REFRESH_TERM = Duration.ofHours(24);

    /// How long behind its end an access token is still exchanged: as long as the refresh token is good that was got with it. Workers that have put it
    /// in the place of their own token know no other, and the orchestrator may have been away at its end.
    private static final Duration LATE = REFRESH_TERM.minus(ACCESS_TERM);

    private static final String PREFIX = "artel-x1.";
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final Decision REFUSED =
            new Decision.Refused(
                    "Unauthorized: this exchanged token has expired or is not of this orchestrator; exchange anew");

    private static final Refresh NO_REFRESH_TOKEN =
            new Refresh.Refused(
                    "Unauthorized: this is no refresh token of this orchestrator, or it has expired; exchange the worker's own"
                            + " token anew at /_worker/auth/token");

    private final WorkerAuthentication own;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();
    private final Supplier<byte[]> secret;

    /// Null before it is needed.
    private volatile @Nullable SecretKeySpec key;

    /// @param own judges the tokens that are exchanged
    /// @param secret gives the 32 bytes of the key
    ExchangedTokens(WorkerAuthentication own, InstantSource clock, Supplier<byte[]> secret) {
        this.own = own;
        this.clock = clock;
        this.secret = secret;
    }

    private SecretKeySpec key() {
        var known = key;
        if (known == null) {
            known = new SecretKeySpec(secret.get(), "AES");
            key = known;
        }
        return known;
    }

    /// What a sealed token is good for.
    enum Use {
        /// All that a worker asks.
        ACCESS,
        /// Another pair of tokens.
        REFRESH
    }

    /// What is sealed.
    private record Content(Use use, String token, @Nullable String worker, Instant until) {}

    @Override
    public Decision check(String token, @Nullable WorkerId claimed) {
        return opened(token, claimed, own);
    }

    @Override
    public Decision judge(String token, @Nullable WorkerId claimed) {
        return opened(token, claimed, own::judge);
    }

    private Decision opened(String token, @Nullable WorkerId claimed, WorkerAuthentication judge) {
        if (!token.startsWith(PREFIX)) {
            return judge.check(token, claimed);
        }
        var content = open(token, Use.ACCESS, Duration.ZERO);
        return content == null ? REFUSED : opened(content, claimed, judge);
    }

    /// The same where a token is only exchanged: one that was exchanged may have expired not long ago.
    Decision checkToExchange(String token, @Nullable WorkerId claimed) {
        if (!token.startsWith(PREFIX)) {
            return check(token, claimed);
        }
        var content = open(token, Use.ACCESS, LATE);
        return content == null ? REFUSED : opened(content, claimed, own);
    }

    /// A token that was got for a worker is no longer good for others.
    private static Decision opened(
            Content content, @Nullable WorkerId claimed, WorkerAuthentication judge) {
        var worker = content.worker() == null ? null : new WorkerId(content.worker());
        var decision = judge.check(content.token(), worker == null ? claimed : worker);
        return worker != null && decision instanceof Decision.Unnamed
                ? new Decision.Named(worker)
                : decision;
    }

    /// A pair of tokens for `token`, which is good for `worker`.
    ///
    /// One that was exchanged is exchanged for another, also some time behind its end: see [#checkToExchange].
    ///
    /// @param worker null if it does not name itself
    JsonObject exchange(String token, @Nullable WorkerId worker) {
        var content = token.startsWith(PREFIX) ? open(token, Use.ACCESS, LATE) : null;
        var claimed = worker == null ? null : worker.value();
        return content == null
                ? pair(token, claimed)
                : pair(content.token(), content.worker() == null ? claimed : content.worker());
    }

    /// What comes of a token that is to be refreshed.
    sealed interface Refresh {
        /// Another pair of tokens.
        record Pair(JsonObject tokens) implements Refresh {}

        /// The token is none for this, has expired, or what it was got for is no longer good.
        record Refused(String error) implements Refresh {}
    }

    /// Another pair of tokens for one that was got with the last pair.
    Refresh refresh(String token) {
        var content = token.startsWith(PREFIX) ? open(token, Use.REFRESH, Duration.ZERO) : null;
        if (content == null) {
            return NO_REFRESH_TOKEN;
        }
        return opened(content, null, own) instanceof Decision.Refused(var error)
                ? new Refresh.Refused(error)
                : new Refresh.Pair(pair(content.token(), content.worker()));
    }

    private JsonObject pair(String token, @Nullable String worker) {
        var answer =
                JsonObject.builder()
                        .put("access_token", seal(Use.ACCESS, token, worker, ACCESS_TERM))
                        .put("refresh_token", seal(Use.REFRESH, token, worker, REFRESH_TERM))
                        .put("token_type", "Bearer")
                        .put("expires_in", ACCESS_TERM.toSeconds());
        return (worker == null ? answer : answer.put("worker_id", worker)).build();
    }

    private String seal(Use use, String token, @Nullable String worker, Duration term) {
        var content =
                JsonObject.builder()
                        .put("use", use.name())
                        .put("token", token)
                        .put("until", clock.instant().plus(term).getEpochSecond());
        var text =
                JsonText.write((worker == null ? content : content.put("worker", worker)).build());
        var nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            var sealed = cipher(Cipher.ENCRYPT_MODE, nonce).doFinal(text);
            var all = Arrays.copyOf(nonce, NONCE + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE, sealed.length);
            return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /// What is in a token; null if this orchestrator did not make it, it is for another use, or it has expired.
    ///
    /// @param late how long behind its end it has not expired
    private @Nullable Content open(String token, Use use, Duration late) {
        try {
            var all = Base64.getUrlDecoder().decode(token.substring(PREFIX.length()));
            if (all.length <= NONCE) {
                return null;
            }
            var text =
                    cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(all, NONCE))
                            .doFinal(all, NONCE, all.length - NONCE);
            var content = content((JsonObject) JsonText.read(text));
            return content.use() == use && clock.instant().isBefore(content.until().plus(late))
                    ? content
                    : null;
        } catch (GeneralSecurityException | IllegalArgumentException | MalformedJson notOurs) {
            return null;
        }
    }

    private static Content content(JsonObject text) {
        return new Content(
                Use.valueOf(text.string("use").orElseThrow()),
                text.string("token").orElseThrow(),
                text.string("worker").orElse(null),
                Instant.ofEpochSecond(text.number("until").map(JsonNumber::asLong).orElseThrow()));
    }

    private Cipher cipher(int mode, byte[] nonce) throws GeneralSecurityException {
        var cipher = Cipher.getInstance(ALGORITHM);
        cipher.init(mode, key(), new GCMParameterSpec(TAG_BITS, nonce));
        return cipher;
    }
}
