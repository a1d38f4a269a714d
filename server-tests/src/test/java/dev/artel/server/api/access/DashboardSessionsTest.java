package dev.artel.server.api.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.api.access.DashboardSessions.Limits;
import dev.artel.tokens.TokenDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class DashboardSessionsTest {
    private static final TokenDigest ADA = TokenDigest.of("the token of ada");
    private static final TokenDigest BOB = TokenDigest.of("the token of bob");
    private static final Limits LIMITS =
            new Limits(3, 2, 3, Duration.ofHours(1), Duration.ofHours(10), Duration.ofMinutes(5));

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final DashboardSessions sessions = new DashboardSessions(LIMITS, now::get);

    private void after(Duration time) {
        now.set(now.get().plus(time));
    }

    @Test
    void aSession_endsAfterItWasIdleForTooLong() {
        var cookie = sessions.begin(ADA).cookie();

        after(Duration.ofMinutes(59));
        assertThat(sessions.use(cookie)).isPresent();
        after(Duration.ofMinutes(59));
        assertThat(sessions.use(cookie)).isPresent();
        after(Duration.ofMinutes(60));
        assertThat(sessions.use(cookie)).isEmpty();
        assertThat(sessions.size()).isZero();
    }

    @Test
    void timesThatWereChanged_areThoseOfNextSessions_andAtOnceThoseWithoutUse() {
        var before = sessions.begin(ADA);

        sessions.use(LIMITS.withTimes(Duration.ofMinutes(10), Duration.ofHours(2)));
        var later = sessions.begin(ADA);

        assertThat(before.session().ends()).isEqualTo(now.get().plus(Duration.ofHours(10)));
        assertThat(later.session().ends()).isEqualTo(now.get().plus(Duration.ofHours(2)));
        after(Duration.ofMinutes(10));
        assertThat(sessions.use(before.cookie())).isEmpty();
        assertThat(sessions.use(later.cookie())).isEmpty();
    }

    @Test
    void aSessionThatIsUsed_endsAtItsEnd() {
        var begun = sessions.begin(ADA);

        for (var minutes = 0; minutes < 595; minutes += 35) {
            assertThat(sessions.use(begun.cookie())).isPresent();
            after(Duration.ofMinutes(35));
        }
        assertThat(now.get()).isBefore(begun.session().ends());
        assertThat(sessions.use(begun.cookie())).isPresent();
        after(Duration.ofMinutes(5));
        assertThat(now.get()).isEqualTo(begun.session().ends());
        assertThat(sessions.use(begun.cookie())).isEmpty();
    }

    /// Trap: a client that logs in again and again pushes out the sessions of all others.
    @Test
    void ofTooManySessions_thoseOfTheSameTokenEndFirst() {
        var bob = sessions.begin(BOB).cookie();
        var first = sessions.begin(ADA).cookie();
        var second = sessions.begin(ADA).cookie();
        assertThat(sessions.use(first)).isPresent();

        var third = sessions.begin(ADA).cookie();

        assertThat(sessions.use(second)).isEmpty();
        assertThat(sessions.use(first)).isPresent();
        assertThat(sessions.use(third)).isPresent();
        assertThat(sessions.use(bob)).isPresent();
        var _ = sessions.begin(TokenDigest.of("a third token"));
        assertThat(sessions.size()).isEqualTo(3);
        assertThat(sessions.use(first)).isEmpty();
    }

    @Test
    void aCode_worksOnce_andForAWhile() {
        var code = sessions.link(ADA);
        assertThat(sessions.redeem(code.code())).contains(ADA);
        assertThat(sessions.redeem(code.code())).isEmpty();

        var late = sessions.link(ADA);
        after(Duration.ofMinutes(5));
        assertThat(late.expires()).isEqualTo(now.get());
        assertThat(sessions.redeem(late.code())).isEmpty();
    }

    @Test
    void ofTooManyCodes_theOldestAreWorthNothing() {
        var ofBob = sessions.link(BOB);
        var first = sessions.link(ADA);
        var second = sessions.link(ADA);
        var third = sessions.link(ADA);

        assertThat(sessions.redeem(first.code())).isEmpty();
        assertThat(sessions.redeem(second.code())).contains(ADA);
        assertThat(sessions.redeem(third.code())).contains(ADA);
        assertThat(sessions.redeem(ofBob.code())).contains(BOB);
    }
}
