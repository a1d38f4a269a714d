package dev.artel.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class WaitingKeysTest {
    private final WaitingKeys keys = new WaitingKeys(2);

    /// Trap: each announcement of one key takes a place and a look, so that others wait.
    @Test
    void aKeyThatIsAnnouncedAgainAndAgain_waitsOnce() throws InterruptedException {
        for (var i = 0; i < 100; i++) {
            assertThat(keys.offer("a")).isTrue();
        }
        assertThat(keys.offer("b")).isTrue();
        assertThat(keys.offer("c")).isFalse();

        assertThat(next()).contains("a");
        assertThat(next()).contains("b");
        assertThat(next()).isEmpty();
    }

    /// Trap: what was announced while it was looked at is taken by all threads at once, or is not looked at again.
    @Test
    void aKeyThatIsAnnouncedMeanwhile_isLookedAtAgain_behindOthers_afterThat()
            throws InterruptedException {
        assertThat(keys.offer("a")).isTrue();
        assertThat(next()).contains("a");
        for (var i = 0; i < 100; i++) {
            assertThat(keys.offer("a")).isTrue();
        }
        assertThat(keys.offer("b")).isTrue();
        assertThat(next()).contains("b");
        assertThat(next()).isEmpty();

        keys.done("b");
        keys.done("a");

        assertThat(next()).contains("a");
        keys.done("a");
        assertThat(next()).isEmpty();
    }

    @Test
    void aKeyForWhichThereIsNoRoom_isOfferedUntilThereIs() throws InterruptedException {
        assertThat(keys.offer("a")).isTrue();
        assertThat(keys.offer("b")).isTrue();
        assertThat(keys.offer("c", Duration.ZERO)).isFalse();

        assertThat(next()).contains("a");

        assertThat(keys.offer("c", Duration.ZERO)).isTrue();
        assertThat(keys.offer("b", Duration.ZERO)).isTrue();
    }

    @Test
    void aLargeValueWithWhichThereWasNothingToDo_rests_untilItChanges() {
        var resting = new RestingValues();
        resting.add("a", bytes("over"));

        assertThat(resting.contain("a", bytes("over"))).isTrue();
        assertThat(resting.contain("a", bytes("queued"))).isFalse();
        assertThat(resting.contain("b", bytes("over"))).isFalse();
        for (var i = 0; i < 2_000; i++) {
            resting.add("more-" + i, bytes("over"));
        }
        assertThat(resting.contain("a", bytes("over"))).isFalse();
        assertThat(resting.contain("more-1999", bytes("over"))).isTrue();
    }

    private Optional<String> next() throws InterruptedException {
        return keys.take(Duration.ZERO);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
