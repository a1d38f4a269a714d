package dev.artel.engine.shell;

import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.JobId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Makes the names of jobs.
final class JobIds {
    private JobIds() {}

    /// A new name that sorts by time: a UUID of version 7 (RFC 9562 section 5.7).
    static JobId fresh(Instant now, RandomGenerator random) {
        var high = (now.toEpochMilli() << 16) | 0x7000 | random.nextInt(1 << 12);
        var low = (random.nextLong() >>> 2) | Long.MIN_VALUE;
        return new JobId(new UUID(high, low).toString());
    }

    /// What a client asked for, so that a reused key is noticed.
    static String digest(Submission submission) {
        var text =
                submission.blueprint()
                        + '\0'
                        + submission.version().map(version -> "version " + version).orElse("")
                        + '\0'
                        + submission.initialData()
                        + '\0'
                        // As it was before there were webhooks and traces: who asks again does so
                        // in another span.
                        + submission
                                .options()
                                .withTrace(Optional.empty())
                                .toString()
                                .replace(", webhooks=[]", "")
                                .replace(", trace=Optional.empty]", "]");
        return HexFormat.of().formatHex(sha256(text));
    }

    /// The digest of the other parts of the request.
    static String digest(String request) {
        return HexFormat.of().formatHex(sha256(request));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
