package dev.artel.server.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class BriefTest {
    private final AtomicInteger asked = new AtomicInteger();
    private long now = -5;

    @Test
    void howeverManyAsk_itIsWorkedOutOnceInItsTime() {
        var brief = new Brief<>(asked::incrementAndGet, Duration.ofNanos(10), () -> now);

        assertThat(brief.get()).isEqualTo(1);
        now += 9;
        assertThat(brief.get()).isEqualTo(1);
        now += 1;
        assertThat(brief.get()).isEqualTo(2);
    }

    @Test
    void aFailure_isNotKept() {
        var brief =
                new Brief<>(
                        () -> {
                            if (asked.incrementAndGet() == 1) {
                                throw new IllegalStateException("not now");
                            }
                            return "good";
                        },
                        Duration.ofNanos(10),
                        () -> now);

        assertThatThrownBy(brief::get).hasMessage("not now");
        assertThat(brief.get()).isEqualTo("good");
    }
}
