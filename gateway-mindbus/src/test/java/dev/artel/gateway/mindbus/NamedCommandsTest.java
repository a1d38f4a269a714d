package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.LeaseToken;
import org.junit.jupiter.api.Test;

final class NamedCommandsTest {
    private static final long WEIGHT = PassportRoom.weight(token(0));

    @Test
    void aNameThatIsThere_takesNoFurtherRoom() {
        var named = new NamedCommands(new PassportRoom(2 * WEIGHT));

        named.add(token(1));
        named.add(token(1));
        named.add(token(2));
        named.add(token(3));

        assertThat(named.take()).containsExactly(token(1), token(2));
    }

    @Test
    void whatIsTaken_givesItsRoomBack() {
        var room = new PassportRoom(2 * WEIGHT);
        var named = new NamedCommands(room);
        named.add(token(1));
        named.add(token(2));
        assertThat(room.has(1)).isFalse();

        assertThat(named.take()).hasSize(2);

        assertThat(named.size()).isZero();
        assertThat(room.has(2 * WEIGHT)).isTrue();
        assertThat(room.has(2 * WEIGHT + 1)).isFalse();
    }

    @Test
    void thereAreNoMore_thanOneAgentMayName() {
        var room = new PassportRoom(Long.MAX_VALUE);
        var named = new NamedCommands(room);

        for (var number = 0; number < NamedCommands.MOST + 5; number++) {
            named.add(token(number));
        }

        assertThat(named.size()).isEqualTo(NamedCommands.MOST);
    }

    /// All of one length.
    private static LeaseToken token(int number) {
        return new LeaseToken("a.%05d.1.x".formatted(number));
    }
}
