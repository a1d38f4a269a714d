package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerAuthentication.Decision;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.testkit.transport.ManualClock;
import java.time.Duration;
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
                    clock,
                    () -> new byte[32]);

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
        assertThat(tokens.refresh(pair.string("refresh_token").orElseThrow()))
                .isEqualTo(new ExchangedTokens.Refresh.Refused("revoked"));
    }

    /// Trap: a worker that has put the exchanged token in the place of its own has none after a restart of the orchestrator.
    @Test
    void aTokenOfAnEarlierProcess_withTheSameKey_isGood_andIsExchangedAgain() {
        var pair = tokens.exchange("own", W1);
        var next =
                new ExchangedTokens(
                        (token, _) ->
                                token.equals("own")
                                        ? GOOD
                                        : new WorkerAuthentication.Decision.Refused("unknown"),
                        clock,
                        () -> new byte[32]);
        var access = pair.string("access_token").orElseThrow();

        assertThat(next.check(access, W1)).isEqualTo(GOOD);
        var again = next.exchange(access, W1).string("access_token").orElseThrow();
        assertThat(next.check(again, W1)).isEqualTo(GOOD);
        var refreshed = next.refresh(pair.string("refresh_token").orElseThrow());
        assertThat(refreshed)
                .isInstanceOfSatisfying(
                        ExchangedTokens.Refresh.Pair.class,
                        its ->
                                assertThat(
                                                next.check(
                                                        its.tokens()
                                                                .string("access_token")
                                                                .orElseThrow(),
                                                        W1))
                                        .isEqualTo(GOOD));
    }

    /// Trap: the orchestrator was away when the token ended that a worker has put in the place of its own, and the worker is locked out for good.
    @Test
    void anAccessTokenThatHasEnded_isExchangedForADay_andGoodForNothingElse() {
        var pair = tokens.exchange("own", W1);
        var access = pair.string("access_token").orElseThrow();
        clock.advance(ExchangedTokens.REFRESH_TERM.minusSeconds(1));

        assertThat(tokens.check(access, W1)).isInstanceOf(Decision.Refused.class);
        assertThat(tokens.judge(access, W1)).isInstanceOf(Decision.Refused.class);
        assertThat(tokens.refresh(access)).isInstanceOf(ExchangedTokens.Refresh.Refused.class);
        assertThat(tokens.checkToExchange(access, W1)).isEqualTo(GOOD);
        var again = tokens.exchange(access, W1);
        assertThat(tokens.check(again.string("access_token").orElseThrow(), W1)).isEqualTo(GOOD);

        isGood.set(false);
        assertThat(tokens.checkToExchange(access, W1)).isEqualTo(new Decision.Refused("revoked"));
        isGood.set(true);
        clock.advance(Duration.ofSeconds(1));
        assertThat(tokens.checkToExchange(access, W1)).isInstanceOf(Decision.Refused.class);
        assertThat(tokens.checkToExchange(pair.string("refresh_token").orElseThrow(), W1))
                .isInstanceOf(Decision.Refused.class);
        assertThat(tokens.checkToExchange("own", W1)).isEqualTo(GOOD);
    }

    @Test
    void aTokenOfAnotherKey_orOneThatWasChanged_isRefused() {
        var access = tokens.exchange("own", W1).string("access_token").orElseThrow();
        var key = new byte[32];
        key[0] = 1;
        var other = new ExchangedTokens((_, _) -> GOOD, clock, () -> key);
        // Not the last characters, of which some bits count for nothing.
        var middle = access.length() / 2;
        var changed =
                access.substring(0, middle)
                        + (access.charAt(middle) == 'A' ? 'B' : 'A')
                        + access.substring(middle + 1);

        assertThat(other.check(access, W1))
                .isInstanceOf(WorkerAuthentication.Decision.Refused.class);
        assertThat(tokens.check(changed, W1))
                .isInstanceOf(WorkerAuthentication.Decision.Refused.class);
        assertThat(tokens.check("artel-x1.%%%", W1))
                .isInstanceOf(WorkerAuthentication.Decision.Refused.class);
    }
}
