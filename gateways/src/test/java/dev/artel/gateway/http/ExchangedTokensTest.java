package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.testkit.transport.ManualClock;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class ExchangedTokensTest {
    private static final WorkerId W1 = new WorkerId("w1");
    private static final WorkerAuthentication.Decision GOOD =
            new WorkerAuthentication.Decision.Named(W1);

    private final ManualClock clock = new ManualClock();
    private final AtomicBoolean isGood = new AtomicBoolean(true);
    private final ExchangedTokens tokens =
            new ExchangedTokens(
                    (token, _) ->
                            isGood.get() && token.equals("own")
                                    ? GOOD
                                    : new WorkerAuthentication.Decision.Refused("revoked"),
                    clock);

    @Test
    void anExchangedToken_endsWithItsTerm() {
        var access = tokens.exchange("own", W1).string("access_token").orElseThrow();
        assertThat(tokens.check(access, W1)).isEqualTo(GOOD);

        clock.advance(ExchangedTokens.ACCESS_TERM.plusSeconds(1));

        assertThat(tokens.check(access, W1))
                .isInstanceOf(WorkerAuthentication.Decision.Refused.class);
    }

    @Test
    void anExchangedToken_endsAtOnceWithTheOneThatItWasGotFor() {
        var pair = tokens.exchange("own", W1);

        isGood.set(false);

        assertThat(tokens.check(pair.string("access_token").orElseThrow(), W1))
                .isEqualTo(new WorkerAuthentication.Decision.Refused("revoked"));
        assertThatThrownBy(() -> tokens.refresh(pair.string("refresh_token").orElseThrow()))
                .isInstanceOf(HttpRefusal.class)
                .hasMessage("revoked");
    }

    @Test
    void aTokenOfAnotherProcess_orOneThatWasChanged_isRefused() {
        var access = tokens.exchange("own", W1).string("access_token").orElseThrow();
        var other = new ExchangedTokens((_, _) -> GOOD, clock);
        var end = access.endsWith("A") ? "B" : "A";

        assertThat(other.check(access, W1))
                .isInstanceOf(WorkerAuthentication.Decision.Refused.class);
        assertThat(tokens.check(access.substring(0, access.length() - 2) + end + end, W1))
                .isInstanceOf(WorkerAuthentication.Decision.Refused.class);
        assertThat(tokens.check("artel-x1.%%%", W1))
                .isInstanceOf(WorkerAuthentication.Decision.Refused.class);
    }
}
