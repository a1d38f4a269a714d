package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class LoggedNamesTest {
    private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

    private final LoggedNames names = new LoggedNames();

    @Test
    void aName_isLoggedOnceAMinute() {
        assertThat(names.add("one", NOW)).isTrue();
        assertThat(names.add("one", NOW.plusSeconds(59))).isFalse();
        assertThat(names.add("other", NOW.plusSeconds(59))).isTrue();
        assertThat(names.add("one", NOW.plusSeconds(60))).isTrue();
        assertThat(names.add("one", NOW.plusSeconds(61))).isFalse();
    }

    @Test
    void namesOfAnyLength_takeAsMuchAsTheyAreShown() {
        assertThat(names.add("a".repeat(100_000) + "1", NOW)).isTrue();
        assertThat(names.add("a".repeat(100_000) + "2", NOW)).isFalse();
    }

    @Test
    void moreNamesThanMayBeKept_areNotLogged_untilAMinuteLater() {
        for (var i = 0; i < LoggedNames.MOST; i++) {
            assertThat(names.add("agent-" + i, NOW)).isTrue();
        }
        assertThat(names.add("one", NOW)).isFalse();
        assertThat(names.add("one", NOW.plusSeconds(60))).isTrue();
    }

    @Test
    void aClockThatIsSetBack_silencesNobody() {
        assertThat(names.add("one", NOW)).isTrue();
        assertThat(names.add("one", NOW.minusSeconds(3600))).isTrue();
    }
}
