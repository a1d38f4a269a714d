package dev.artel.gateway.mindbus;

import dev.artel.kernel.attempt.LeaseToken;
import org.jspecify.annotations.Nullable;

/// How much memory what agents have sent of themselves takes: of all names together, also of those that are not there or are not taken. Each
/// passport is bounded, and an account of the broker registers under as many names as it likes. For one thread at a time.
final class PassportRoom {
    /// Which part of the heap it is: one divided by it. What the conversation has for the same declarations, in three forms each, is an eighth.
    private static final int PART = 24;

    /// What a text takes beside its characters, in bytes.
    private static final int PER_TEXT = 48;

    /// What a member of a set takes beside its text, in bytes.
    private static final int PER_MEMBER = 64;

    private final long most;
    private long taken;

    /// @param most how many bytes all of it may take
    PassportRoom(long most) {
        this.most = most;
    }

    /// Of the heap of this process, a twenty-fourth part.
    static long share() {
        return Runtime.getRuntime().maxMemory() / PART;
    }

    /// About how many bytes a passport takes; null takes none.
    static long weight(@Nullable Passport passport) {
        if (passport == null) {
            return 0;
        }
        var sum = weight(passport.name()) + weight(passport.uid()) + weight(passport.nodeType());
        for (var capability : passport.capabilities()) {
            sum += weight(capability);
        }
        for (var label : passport.labels().entrySet()) {
            sum += weight(label.getKey()) + weight(label.getValue());
        }
        return sum;
    }

    /// About how many bytes the name of a command takes in a set of them.
    static long weight(LeaseToken token) {
        return PER_MEMBER + weight(token.value());
    }

    private static long weight(String text) {
        var isLatin = text.chars().allMatch(character -> character < 256);
        return PER_TEXT + (isLatin ? text.length() : 2L * text.length());
    }

    /// Whether there is room for `more` bytes.
    boolean has(long more) {
        return more <= 0 || taken + more <= most;
    }

    /// `more` bytes are taken; fewer are if it is negative.
    void add(long more) {
        taken += more;
    }
}
