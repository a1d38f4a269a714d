package dev.artel.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RateLimiterTest {
    private final AtomicLong nanos = new AtomicLong();
    private final RateLimiter rateLimiter =
            new RateLimiter(
                    3,
                    new TimeMeter() {
                        @Override
                        public long currentTimeNanos() {
                            return nanos.get();
                        }

                        @Override
                        public boolean isWallClockBased() {
                            return false;
                        }
                    });

    /// Trap: a refused request begins the waiting anew, so that a steady client is refused forever.
    @Test
    void aRefusedRequest_takesNothing_soThatAClientThatWaitsIsServed() {
        var key = key("w");
        for (var i = 0; i < 60; i++) {
            assertThat(rateLimiter.take(key)).isEmpty();
        }
        for (var i = 0; i < 1000; i++) {
            assertThat(rateLimiter.take(key)).isPresent();
        }
        var wait = rateLimiter.take(key).orElseThrow();
        assertThat(wait).isEqualTo(Duration.ofSeconds(1));

        nanos.addAndGet(wait.toNanos());

        assertThat(rateLimiter.take(key)).isEmpty();
        assertThat(rateLimiter.refused()).isEqualTo(1001);
    }

    /// Trap: an hour of heartbeats each 15 s ends in refusals only.
    @Test
    void anHourOfHeartbeats_isNeverRefused() {
        var key = new RateLimiter.Key("w", "HEARTBEAT", 120);
        for (var i = 0; i < 240; i++) {
            assertThat(rateLimiter.take(key)).isEmpty();
            nanos.addAndGet(Duration.ofSeconds(15).toNanos());
        }
    }

    @Test
    void whatIsGivenBack_doesNotCount_andNeverMakesMoreThanThereWas() {
        var key = key("w");
        for (var i = 0; i < 1000; i++) {
            assertThat(rateLimiter.take(key)).isEmpty();
            rateLimiter.giveBack(key);
        }
        rateLimiter.giveBack(key);
        for (var i = 0; i < 60; i++) {
            assertThat(rateLimiter.take(key)).isEmpty();
        }
        assertThat(rateLimiter.take(key)).isPresent();
    }

    @Test
    void theyAreBoundedInNumber_andEachIsOnItsOwn() {
        for (var i = 0; i < 100; i++) {
            assertThat(rateLimiter.take(key("w" + i))).isEmpty();
        }
        assertThat(rateLimiter.size()).isEqualTo(3);
    }

    @Test
    void zero_isNoLimit() {
        for (var i = 0; i < 1000; i++) {
            assertThat(rateLimiter.take(new RateLimiter.Key("w", "POLL", 0))).isEmpty();
        }
        assertThat(rateLimiter.size()).isZero();
    }

    private static RateLimiter.Key key(String who) {
        return new RateLimiter.Key(who, "OTHER", 60);
    }
}
