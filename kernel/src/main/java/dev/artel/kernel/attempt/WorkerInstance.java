package dev.artel.kernel.attempt;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// One process of a worker: another one has the same [WorkerId], and holds none of the leases of this one.
///
/// @param value at most 100 characters; empty if the process is not known
public record WorkerInstance(String value) {
    /// A process of which nothing is known.
    public static final WorkerInstance UNKNOWN = new WorkerInstance("");

    private static final int LONGEST = 100;

    /// Refuses a name that is too long to be kept with each lease.
    public WorkerInstance {
        if (value.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "the name of a process has at most "
                            + LONGEST
                            + " characters, was "
                            + value.length());
        }
    }

    /// The process of that name, of any length: of a long one its digest is kept.
    public static WorkerInstance named(String name) {
        return new WorkerInstance(name.length() > LONGEST ? digest(name) : name);
    }

    private static String digest(String name) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(name.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /// Whether these are known to be two processes.
    public boolean isOtherThan(WorkerInstance other) {
        return !value.isEmpty() && !other.value.isEmpty() && !value.equals(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
