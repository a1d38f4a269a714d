package dev.artel.engine.shell;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.KeyValueStore;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// Makes the tokens with which every holder may decide about one approval: the run of the handler that has asked, and a signature
/// of it with a key that stays with the orchestrator. So it can be shown again and is kept nowhere, and whether it is good
/// is known without a look at its job. Safe for use by many threads.
public final class ApprovalTokens {
    private static final int LONGEST = 200;

    private final SigningKeys keys;

    /// @param store keeps the keys; one that keeps nothing makes them those of this process alone
    ApprovalTokens(KeyValueStore store) {
        keys = new SigningKeys(store, "artel.approvals");
    }

    SigningKeys keys() {
        return keys;
    }

    /// The token of the approval for which the run `step` of a handler has asked, signed with the newest key.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the key cannot be read
    String token(JobId job, EffectId step) {
        return token(step, keys.sign(signed(job, step)));
    }

    /// Those of all keys that are good at `now`.
    List<String> tokens(JobId job, EffectId step, Instant now) {
        return keys.signatures(signed(job, step), now).stream()
                .map(signature -> token(step, signature))
                .toList();
    }

    /// The run of a handler of `job` for whose approval `token` is; empty if it is for none, or its key has expired.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the key cannot be read
    Optional<EffectId> step(JobId job, String token, Instant now) {
        var end = token.lastIndexOf('.');
        if (end < 0 || token.length() > LONGEST) {
            return Optional.empty();
        }
        EffectId step;
        try {
            step = EffectId.parse(token.substring(0, end));
        } catch (IllegalArgumentException none) {
            return Optional.empty();
        }
        var given = token.getBytes(US_ASCII);
        return tokens(job, step, now).stream()
                        .anyMatch(good -> MessageDigest.isEqual(good.getBytes(US_ASCII), given))
                ? Optional.of(step)
                : Optional.empty();
    }

    /// The digest by which `job` knows the approval for which its run `step` of a handler has asked: an open one is known by
    /// its own, whatever the key of its time was, one that is over by that of a key that is still good.
    String digestIn(Job job, EffectId step, Instant now) {
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.AwaitingApproval(var _, var approval, var _)
                    && approval.step().equals(step)
                    && approval.tokenDigest().isPresent()) {
                return approval.tokenDigest().get();
            }
        }
        var digests = tokens(job.id(), step, now).stream().map(ApprovalTokens::digest).toList();
        return job.approvals().past().stream()
                .flatMap(past -> past.tokenDigest().stream())
                .filter(digests::contains)
                .findFirst()
                .orElseGet(() -> digest(token(job.id(), step)));
    }

    private static byte[] signed(JobId job, EffectId step) {
        return (job.value() + ' ' + step).getBytes(UTF_8);
    }

    private static String token(EffectId step, byte[] signature) {
        return step + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
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
}
