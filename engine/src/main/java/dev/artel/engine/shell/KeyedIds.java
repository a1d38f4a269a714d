package dev.artel.engine.shell;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import java.util.Optional;
import java.util.function.Predicate;

/// The names of jobs that were submitted with idempotency keys: always the same for one key of one client, and no client that
/// knows both can work the name out, since it is signed with a secret that stays in the store. Safe for use by many threads.
///
/// Jobs of earlier databases have names that follow from client and key alone. They keep them, and their keys find them.
final class KeyedIds {
    /// No data store of a blueprint has such a name.
    private static final String SPACE = "artel.job-ids";

    /// Never changed: keys would not find their jobs any more.
    private final Optional<SigningKeys> secret;

    private final Predicate<JobId> isThere;

    /// @param store keeps the secret, once it is needed; one that keeps nothing has none, and names follow from client and
    ///     key alone, so that they are the same in the next process
    /// @param isThere whether there is a job of that name
    KeyedIds(KeyValueStore store, Predicate<JobId> isThere) {
        secret =
                store instanceof UnavailableKeyValueStore
                        ? Optional.empty()
                        : Optional.of(new SigningKeys(store, SPACE));
        this.isThere = isThere;
    }

    /// The name of the job that `client` submits with `key`, whether it is there or not.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    JobId of(String client, String key) {
        var text = client + '\0' + key;
        var plain = JobId.named(text);
        return secret.filter(_ -> !isThere.test(plain))
                .map(keys -> JobId.ofDigest(keys.sign(text.getBytes(UTF_8))))
                .orElse(plain);
    }
}
