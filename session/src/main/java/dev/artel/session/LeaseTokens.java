package dev.artel.session;

import dev.artel.kernel.attempt.LeaseToken;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what workers send as lease tokens.
final class LeaseTokens {
    private static final int LONGEST = 1024;

    private LeaseTokens() {}

    /// The token `text`; null if no token looks like that.
    static @Nullable LeaseToken of(String text) {
        return text.isBlank() || text.length() > LONGEST ? null : new LeaseToken(text);
    }

    /// The tokens among `texts`.
    static List<LeaseToken> among(List<String> texts) {
        var tokens = new ArrayList<LeaseToken>(texts.size());
        for (var text : texts) {
            var token = of(text);
            if (token != null) {
                tokens.add(token);
            }
        }
        return tokens;
    }

    static List<String> texts(List<LeaseToken> tokens) {
        return tokens.stream().map(LeaseToken::value).toList();
    }
}
