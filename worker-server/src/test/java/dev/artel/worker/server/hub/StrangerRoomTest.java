package dev.artel.worker.server.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class StrangerRoomTest {
    private static final int KIB = 1 << 10;

    private final StrangerRoom room = new StrangerRoom();

    @Test
    void oneMessage_hasABound() {
        var share = room.begin();

        assertThat(share.takes(64 * KIB)).isTrue();
        assertThat(share.takes(64 * KIB + 1)).isFalse();
        assertThat(share.takes(0)).isTrue();
    }

    @Test
    void strangersTogether_haveABound_andOrdinaryRegistrationsPassIt() {
        var large = Stream.generate(room::begin).limit(1_000).toList();

        var taken = large.stream().filter(share -> share.takes(64 * KIB)).count();

        assertThat(taken).isEqualTo((16L << 20) / (56 * KIB));
        assertThat(IntStream.range(0, 1_000).allMatch(_ -> room.begin().takes(8 * KIB))).isTrue();
        large.getFirst().end();
        assertThat(large.getLast().takes(64 * KIB)).isTrue();
        large.get(1).takes(0);
        assertThat(room.begin().takes(64 * KIB)).isTrue();
    }

    @Test
    void aConnectionThatHasEnded_takesNothing() {
        var share = room.begin();
        share.end();

        assertThat(share.takes(1)).isFalse();
    }
}
