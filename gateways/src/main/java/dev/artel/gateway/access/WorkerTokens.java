package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Tokens for all workers, and tokens of their own for some of them, which then can use no other. A token of a pattern of names is that
/// of each worker that it stands for and that has no entry of its own. Only digests are kept.
public final class WorkerTokens implements WorkerAuthentication {
    private static final Decision UNNAMED = new Decision.Unnamed();

    private final List<Known> shared;
    private final Map<WorkerId, List<Known>> own = new LinkedHashMap<>();
    private final List<Known> ofPatterns = new ArrayList<>();
    private final Map<String, WorkerId> owners = new LinkedHashMap<>();
    private final InstantSource clock;

    /// A token, and until when it is good.
    ///
    /// @param sha256 in hexadecimal
    /// @param expires exclusive; empty: it does not expire
    public record Grant(String sha256, Optional<Instant> expires) {}

    private static final class Known {
        final byte[] digest;
        final Optional<Instant> expires;

        Known(Grant grant) {
            digest = HexFormat.of().parseHex(grant.sha256());
            expires = grant.expires();
        }
    }

    /// Tokens of a fleet.
    ///
    /// @param sharedTokens for workers that have none of their own; empty: every worker needs one
    /// @param ownTokens of each worker, or of each pattern; one without any can use none
    public WorkerTokens(
            Collection<Grant> sharedTokens,
            Map<WorkerId, ? extends Collection<Grant>> ownTokens,
            InstantSource clock) {
        this.shared = sharedTokens.stream().map(Known::new).toList();
        this.clock = clock;
        ownTokens.forEach((worker, grants) -> {
            own.put(worker, grants.stream().map(Known::new).toList());
            if (WorkerNames.isPattern(worker)) {
                ofPatterns.addAll(own.get(worker));
                return;
            }
            own.get(worker)
                    .forEach(token -> owners.put(HexFormat.of().formatHex(token.digest), worker));
        });
    }

    /// One token for all workers.
    public static WorkerTokens shared(String token) {
        var grant = new Grant(HexFormat.of().formatHex(digest(token)), Optional.empty());
        return new WorkerTokens(List.of(grant), Map.of(), InstantSource.system());
    }

    @Override
    public Decision check(String token, @Nullable WorkerId claimed) {
        var digest = digest(token);
        if (claimed == null) {
            return checkNameless(digest);
        }
        var refusal = WorkerNames.refusal(claimed);
        if (refusal.isPresent()) {
            return new Decision.Refused("Unauthorized: " + refusal.get());
        }
        var expected = WorkerNames.find(own, claimed);
        if (expected.isPresent()) {
            return isAmong(expected.get(), digest)
                    ? new Decision.Named(claimed)
                    : new Decision.Refused("Unauthorized: Invalid individual worker token");
        }
        if (isAmong(shared, digest)) {
            return UNNAMED;
        }
        return ownerOf(digest, "Unauthorized: No valid token found");
    }

    private Decision checkNameless(byte[] digest) {
        // Which of its workers a token of a pattern is of, the name shows that is judged next.
        return isAmong(shared, digest) || isAmong(ofPatterns, digest)
                ? UNNAMED
                : ownerOf(digest, "Unauthorized: Invalid token or missing worker_id");
    }

    private Decision ownerOf(byte[] digest, String otherwise) {
        var owner = owners.get(HexFormat.of().formatHex(digest));
        return owner != null && isAmong(own.getOrDefault(owner, List.of()), digest)
                ? new Decision.Named(owner)
                : new Decision.Refused(otherwise);
    }

    private boolean isAmong(List<Known> tokens, byte[] digest) {
        for (var token : tokens) {
            if (MessageDigest.isEqual(token.digest, digest)
                    && (token.expires.isEmpty() || clock.instant().isBefore(token.expires.get()))) {
                return true;
            }
        }
        return false;
    }

    private static byte[] digest(String token) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(token.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
