package dev.artel.session;

import java.util.LinkedHashMap;
import java.util.Map;

/// What the workers of each token have of something that all of them share: a token has at most half of what the others leave, so that its
/// holder leaves some to others under however many names it comes.
final class TokenShares {
    private final long most;
    private final Map<String, Long> held = new LinkedHashMap<>();
    private long taken;

    /// @param most how much there is
    TokenShares(long most) {
        this.most = most;
    }

    /// Whether the workers of `token` may have one more.
    boolean hasRoom(String token) {
        return isFair(most, of(token) + 1, taken - of(token));
    }

    /// Whether someone may have `own` of `most`, where the others have `others`.
    static boolean isFair(long most, long own, long others) {
        return own <= (most - others) / 2;
    }

    void take(String token) {
        held.merge(token, 1L, Long::sum);
        taken++;
    }

    void free(String token) {
        held.computeIfPresent(token, (_, own) -> own == 1 ? null : (Long) (own - 1));
        taken--;
    }

    long of(String token) {
        return held.getOrDefault(token, 0L);
    }
}
