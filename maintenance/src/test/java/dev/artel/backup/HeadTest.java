package dev.artel.backup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class HeadTest {
    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    @Test
    void aHead_isReadAsItWasWritten() {
        var head = of("a", NOW);

        assertThat(Head.read(head.write())).isEqualTo(head);
    }

    /// Trap: the one that was there before replaces the head once more, and it is the later one that stops.
    @Test
    void ofTwoOwners_theOneThatBeganLater_hasThePlace() {
        assertThat(of("a", NOW.plusMillis(1)).supersedes(of("b", NOW))).isTrue();
        assertThat(of("b", NOW).supersedes(of("a", NOW.plusMillis(1)))).isFalse();
    }

    @Test
    void ofTwoOwnersThatBeganTogether_exactlyOneHasThePlace() {
        assertThat(of("b", NOW).supersedes(of("a", NOW))).isTrue();
        assertThat(of("a", NOW).supersedes(of("b", NOW))).isFalse();
        assertThat(of("a", NOW).supersedes(of("a", NOW))).isFalse();
    }

    private static Head of(String owner, Instant since) {
        return new Head(owner, since, "base", "segment", NOW);
    }
}
