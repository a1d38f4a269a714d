package dev.artel.card.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.card.yaml.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class CardRoomTest {
    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    /// Trap: each text has its bound, and as many are read at once as others send.
    @Test
    void aText_waitsForRoom_whileAnotherTakesAllOfIt() throws InterruptedException {
        var room = new CardRoom(1 << 20);
        Thread reading;
        try (var _ = room.placeFor("0,".repeat(YamlReader.LONGEST_TEXT / 2))) {
            reading = Thread.ofPlatform().daemon().start(() -> room.placeFor("{a: 1}").close());
            awaitWaiting(reading);
        }

        reading.join();
        room.placeFor("{a: 1}").close();
    }

    @Test
    void aText_weighsWhatIsMadeOfIt() {
        assertThat(CardRoom.weight("[0,0,0]")).isGreaterThan(3 * 500);
        assertThat(CardRoom.weight("0".repeat(1_000_000))).isLessThan(11_000_000);
        assertThat(CardRoom.weight("0,".repeat(1_000_000)))
                .isLessThan(20_000_000 + 500L * YamlReader.MOST_NODES + 1);
    }
}
