package dev.artel.gateway.http;

import dev.artel.kernel.delivery.WorkerId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One token for all workers, and tokens of their own for some of them, which then can use no other. Only digests
/// are kept.
public final class WorkerTokens implements WorkerAuthentication {
    private static final Verdict UNNAMED = new Verdict.Unnamed();

    private final byte @Nullable [] shared;
    private final Map<WorkerId, byte[]> own = new LinkedHashMap<>();
    private final Map<String, WorkerId> owners = new LinkedHashMap<>();

    /// Tokens of a fleet.
    ///
    /// @param sharedToken null if every worker needs a token of its own
    /// @param ownTokens SHA-256 of each worker's own token, in hexadecimal
    public WorkerTokens(@Nullable String sharedToken, Map<WorkerId, String> ownTokens) {
        shared = sharedToken == null ? null : digest(sharedToken);
        ownTokens.forEach((worker, hex) -> {
            var digest = HexFormat.of().parseHex(hex);
            own.put(worker, digest);
            owners.put(HexFormat.of().formatHex(digest), worker);
        });
    }

    /// One token for all workers.
    public static WorkerTokens shared(String token) {
        return new WorkerTokens(token, Map.of());
    }

    @Override
    public Verdict check(String token, @Nullable WorkerId claimed) {
        var digest = digest(token);
        if (claimed == null) {
            return checkNameless(digest);
        }
        var expected = own.get(claimed);
        if (expected != null) {
            return MessageDigest.isEqual(expected, digest)
                    ? new Verdict.Named(claimed)
                    : new Verdict.Refused("Unauthorized: Invalid individual worker token");
        }
        if (isShared(digest)) {
            return UNNAMED;
        }
        var owner = owners.get(HexFormat.of().formatHex(digest));
        return owner == null
                ? new Verdict.Refused("Unauthorized: No valid token found")
                : new Verdict.Named(owner);
    }

    private Verdict checkNameless(byte[] digest) {
        if (isShared(digest)) {
            return UNNAMED;
        }
        var owner = owners.get(HexFormat.of().formatHex(digest));
        return owner == null
                ? new Verdict.Refused("Unauthorized: Invalid token or missing worker_id")
                : new Verdict.Named(owner);
    }

    private boolean isShared(byte[] digest) {
        return shared != null && MessageDigest.isEqual(shared, digest);
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
