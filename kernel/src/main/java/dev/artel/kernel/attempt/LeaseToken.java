package dev.artel.kernel.attempt;

import dev.artel.kernel.job.JobId;
import java.util.Optional;
import java.util.OptionalInt;

/// A fencing token: unique per hand-out, opaque to workers. Only a report that carries the token of the live
/// lease counts.
///
/// @param value 1 to 1024 characters
public record LeaseToken(String value) implements Comparable<LeaseToken> {
    private static final int RADIX = 36;

    /// Where a token belongs.
    public record Address(JobId job, int task) {}

    /// The token of a hand-out of `task`; it names its job, so that a report finds the way without an index.
    ///
    /// @param nonce what makes it unique and hard to guess
    public static LeaseToken mint(JobId job, int task, int attempt, long nonce) {
        return new LeaseToken(job + "." + task + "." + attempt + "." + unsigned(nonce));
    }

    /// The same as [Long#toUnsignedString(long, int)], which takes the way round by big numbers.
    private static String unsigned(long nonce) {
        var most = Long.divideUnsigned(nonce, RADIX);
        var last = Character.forDigit((int) Long.remainderUnsigned(nonce, RADIX), RADIX);
        return most == 0 ? String.valueOf(last) : Long.toString(most, RADIX) + last;
    }

    /// Where this token belongs; empty if it was not made by [#mint].
    public Optional<Address> address() {
        var firstDot = value.indexOf('.');
        var secondDot = value.indexOf('.', firstDot + 1);
        if (firstDot < 1 || secondDot < 0) {
            return Optional.empty();
        }
        var job = value.substring(0, firstDot);
        if (!JobId.isValid(job)) {
            return Optional.empty();
        }
        try {
            var task = Integer.parseInt(value, firstDot + 1, secondDot, 10);
            return Optional.of(new Address(new JobId(job), task));
        } catch (NumberFormatException notOurs) {
            return Optional.empty();
        }
    }

    /// The attempt that this token was made for, from 1; empty if it was not made by [#mint].
    public OptionalInt attempt() {
        var parts = value.split("\\.", -1);
        try {
            return address().isPresent() && parts.length == 4
                    ? OptionalInt.of(Integer.parseInt(parts[2]))
                    : OptionalInt.empty();
        } catch (NumberFormatException notOurs) {
            return OptionalInt.empty();
        }
    }

    /// Names the hand-out without what proves the right to report, for people, logs and clients: the token without its
    /// nonce; empty if it was not made by [#mint].
    public String handOut() {
        return attempt().isPresent() ? value.substring(0, value.lastIndexOf('.')) : "";
    }

    /// Refuses a token that no orchestrator mints.
    public LeaseToken {
        if (value.isBlank() || value.length() > 1024) {
            throw new IllegalArgumentException(
                    "lease token must have 1 to 1024 characters, had " + value.length());
        }
    }

    @Override
    public int compareTo(LeaseToken other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
