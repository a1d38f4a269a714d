package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ReadEventsTest {
    private static final int AHEAD = 2;
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final ReadEvents events = new ReadEvents(AHEAD);

    @Test
    void whereNothingWaits_allHasBeenRead() {
        assertThat(events.until()).isEqualTo(Instant.MIN);

        events.waiting(0, NOON);

        assertThat(events.until()).isEqualTo(NOON);
    }

    @Test
    void whatWaits_andWhatMayBeOnItsWay_isReadFirst() {
        events.waiting(0, NOON);

        events.waiting(3, NOON.plusSeconds(1));
        events.waiting(9, NOON.plusSeconds(2));
        read(3 + AHEAD - 1);
        assertThat(events.until()).isEqualTo(NOON);
        read(1);

        assertThat(events.until()).isEqualTo(NOON.plusSeconds(1));
    }

    @Test
    void anEventThatIsNotDoneWith_hasNotBeenRead() {
        events.received();

        events.waiting(0, NOON);
        assertThat(events.until()).isEqualTo(Instant.MIN);
        events.settled();
        events.waiting(0, NOON.plusSeconds(1));

        assertThat(events.until()).isEqualTo(NOON.plusSeconds(1));
    }

    @Test
    void whereEventsNeverEnd_whatWasCountedIsReadAllTheSame() {
        for (var second = 0; second < 10; second++) {
            events.waiting(4, NOON.plusSeconds(second));
            read(4);
        }

        // Each count takes two turns, because of what may be on its way.
        assertThat(events.until()).isEqualTo(NOON.plusSeconds(8));
    }

    private void read(int count) {
        for (var one = 0; one < count; one++) {
            events.received();
            events.settled();
        }
    }
}
