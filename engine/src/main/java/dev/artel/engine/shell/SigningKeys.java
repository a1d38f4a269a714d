package dev.artel.engine.shell;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/// Keys of one purpose that stay with the orchestrator, in generations: the newest one signs, and what older ones have
/// signed is good until they expire. Safe for use by many threads.
public final class SigningKeys {
    /// As many generations are good at once.
    public static final int MOST = 8;

    private static final String NAME = "key";
    private static final int BYTES = 32;

    private final KeyValueStore store;
    private final String space;
    private @Nullable List<Generation> known;

    /// @param store keeps the keys, the first one once it is needed; one that keeps nothing makes them those of this
    ///     process alone
    /// @param space of the store; no data store of a blueprint has such a name
    public SigningKeys(KeyValueStore store, String space) {
        this.store = store;
        this.space = space;
    }

    /// A generation as operators see it.
    ///
    /// @param number from 1
    /// @param made empty: before generations were counted
    /// @param expires exclusive; empty: it signs
    public record Shown(int number, Optional<Instant> made, Optional<Instant> expires) {}

    private static final class Generation {
        final int number;
        final byte[] secret;
        final Optional<Instant> made;
        final Optional<Instant> expires;

        Generation(int number, byte[] secret, Optional<Instant> made, Optional<Instant> expires) {
            this.number = number;
            this.secret = secret;
            this.made = made;
            this.expires = expires;
        }

        boolean isGood(Instant now) {
            return expires.isEmpty() || now.isBefore(expires.get());
        }

        Generation until(Instant end) {
            var earliest = expires.filter(its -> its.isBefore(end)).orElse(end);
            return new Generation(number, secret, made, Optional.of(earliest));
        }

        JsonObject json() {
            var json =
                    JsonObject.builder()
                            .put("generation", number)
                            .put("key", Base64.getEncoder().encodeToString(secret));
            made.ifPresent(at -> json.put("made", at.toString()));
            expires.ifPresent(at -> json.put("expires", at.toString()));
            return json.build();
        }
    }

    /// HMAC-SHA-256 (RFC 2104) of `text` with the key that signs.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the keys cannot be read
    public byte[] sign(byte[] text) {
        return mac(generations().getFirst(), text);
    }

    /// The same with each key that is good at `now`, the one that signs first.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the keys cannot be read
    public List<byte[]> signatures(byte[] text, Instant now) {
        return generations().stream()
                .filter(key -> key.isGood(now))
                .map(key -> mac(key, text))
                .toList();
    }

    /// The generations that are good at `now`, newest first.
    public List<Shown> shown(Instant now) {
        return generations().stream()
                .filter(key -> key.isGood(now))
                .map(key -> new Shown(key.number, key.made, key.expires))
                .toList();
    }

    /// Makes a key that signs from now on; the former one is good for `overlap` more, and older ones no longer than
    /// they were. Durable when the call returns.
    ///
    /// @throws IllegalStateException if too many generations are good
    public synchronized void rotate(Instant now, Duration overlap) {
        while (true) {
            var before = generations();
            var entry = store.get(space, NAME);
            var next = new ArrayList<Generation>();
            next.add(
                    new Generation(
                            before.getFirst().number + 1,
                            fresh(),
                            Optional.of(now),
                            Optional.empty()));
            before.stream()
                    .map(key -> key.until(now.plus(overlap)))
                    .filter(key -> key.isGood(now))
                    .forEach(next::add);
            if (next.size() > MOST) {
                throw new IllegalStateException(
                        "there are "
                                + (next.size() - 1)
                                + " keys that are still good; wait until one has expired, or rotate"
                                + " with no overlap");
            }
            if (store instanceof UnavailableKeyValueStore
                    || store.put(
                                    space,
                                    NAME,
                                    entry.map(KeyValueStore.Entry::version)
                                            .orElse(KeyValueStore.NO_ENTRY),
                                    new JsonArray(
                                            next.stream()
                                                    .<JsonValue>map(Generation::json)
                                                    .toList()))
                            .isPresent()) {
                known = List.copyOf(next);
                return;
            }
            known = null; // another one was quicker
        }
    }

    private synchronized List<Generation> generations() {
        var keys = known;
        if (keys == null) {
            keys = store instanceof UnavailableKeyValueStore ? List.of(first(fresh())) : kept();
            known = keys;
        }
        return keys;
    }

    /// Of several that make one at the same time, the first one's is everybody's.
    private List<Generation> kept() {
        var found = store.get(space, NAME);
        if (found.isEmpty()) {
            var made = new JsonString(Base64.getEncoder().encodeToString(fresh()));
            var _ = store.put(space, NAME, KeyValueStore.NO_ENTRY, made);
            found = store.get(space, NAME);
        }
        return found.map(KeyValueStore.Entry::value)
                .map(this::decoded)
                .orElseThrow(() ->
                        new IllegalStateException(
                                "the key in " + space + " was written and is not there"));
    }

    /// A text is the first key, which was not changed yet.
    private List<Generation> decoded(JsonValue value) {
        return switch (value) {
            case JsonString(var text) -> List.of(first(Base64.getDecoder().decode(text)));
            case JsonArray array when !array.values().isEmpty() ->
                    array.values().stream()
                            .map(JsonObject.class::cast)
                            .flatMap(this::read)
                            .toList();
            default ->
                    throw new IllegalStateException(
                            "the keys in "
                                    + space
                                    + " must be a text or a list, was "
                                    + value.kind());
        };
    }

    private Stream<Generation> read(JsonObject json) {
        return Stream.of(
                new Generation(
                        json.get("generation")
                                .map(JsonNumber.class::cast)
                                .map(number -> (int) number.asLong())
                                .orElseThrow(),
                        Base64.getDecoder().decode(json.string("key").orElseThrow()),
                        json.string("made").map(Instant::parse),
                        json.string("expires").map(Instant::parse)));
    }

    private static Generation first(byte[] secret) {
        return new Generation(1, secret, Optional.empty(), Optional.empty());
    }

    private static byte[] mac(Generation key, byte[] text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.secret, "HmacSHA256"));
            return mac.doFinal(text);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has HmacSHA256", impossible);
        }
    }

    private static byte[] fresh() {
        var bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }
}
