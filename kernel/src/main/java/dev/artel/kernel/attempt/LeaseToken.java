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

    /// Of the number of a task or an attempt.
    private static final int MOST_DIGITS = 10;

    private static final String LARGEST_NONCE = Long.toUnsignedString(-1, RADIX);

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

    /// Where this token belongs; empty if [#mint] makes no such token.
    public Optional<Address> address() {
        var firstDot = value.indexOf('.');
        var secondDot = value.indexOf('.', firstDot + 1);
        var thirdDot = value.indexOf('.', secondDot + 1);
        if (firstDot < 1 || secondDot < 0 || thirdDot < 0) {
            return Optional.empty();
        }
        var job = value.substring(0, firstDot);
        var task = number(firstDot + 1, secondDot);
        var isMinted = number(secondDot + 1, thirdDot) >= 0 && isNonce(thirdDot + 1);
        return task >= 0 && isMinted && JobId.isValid(job)
                ? Optional.of(new Address(new JobId(job), task))
                : Optional.empty();
    }

    /// The attempt that this token was made for, from 1; empty if [#mint] makes no such token.
    public OptionalInt attempt() {
        if (address().isEmpty()) {
            return OptionalInt.empty();
        }
        var secondDot = value.indexOf('.', value.indexOf('.') + 1);
        return OptionalInt.of(number(secondDot + 1, value.indexOf('.', secondDot + 1)));
    }

    /// The number in this part of the token, as it is minted: digits of ASCII, without a sign or
    /// zeros before it; -1 if there is none.
    private int number(int from, int to) {
        var digits = to - from;
        if (digits < 1 || digits > MOST_DIGITS || (digits > 1 && value.charAt(from) == '0')) {
            return -1;
        }
        var number = 0L;
        for (var i = from; i < to; i++) {
            var digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number <= Integer.MAX_VALUE ? (int) number : -1;
    }

    private boolean isNonce(int from) {
        var digits = value.length() - from;
        if (digits < 1
                || digits > LARGEST_NONCE.length()
                || (digits > 1 && value.charAt(from) == '0')) {
            return false;
        }
        for (var i = from; i < value.length(); i++) {
            var digit = value.charAt(i);
            if ((digit < '0' || digit > '9') && (digit < 'a' || digit > 'z')) {
                return false;
            }
        }
        return digits < LARGEST_NONCE.length() || isAtMostLargest(from);
    }

    /// Of a nonce with as many digits as the largest one.
    private boolean isAtMostLargest(int from) {
        for (var i = 0; i < LARGEST_NONCE.length(); i++) {
            var more = value.charAt(from + i) - LARGEST_NONCE.charAt(i);
            if (more != 0) {
                return more < 0;
            }
        }
        return true;
    }

    /// Names the hand-out without what proves the right to report, for people, logs and clients:
    /// the token without its nonce; empty if [#mint] makes no such token.
    public String handOut() {
        return attempt().isPresent() ? value.substring(0, value.lastIndexOf('.')) : "";
    }

    /// The same, as a word for what [#mint] does not make.
    public String shown() {
        var handOut = handOut();
        return handOut.isEmpty() ? "unknown" : handOut;
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
