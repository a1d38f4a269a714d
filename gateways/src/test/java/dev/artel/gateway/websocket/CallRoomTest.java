package dev.artel.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.WorkerId;
import org.junit.jupiter.api.Test;

final class CallRoomTest {
    private final CallRoom room = new CallRoom(16);

    private static CallRoom.Peer peer(String holder, String worker) {
        return new CallRoom.Peer(holder, new WorkerId(worker));
    }

    private int taken(CallRoom.Peer peer) {
        var taken = 0;
        while (room.take(peer).isEmpty()) {
            taken++;
        }
        return taken;
    }

    /// Trap: the calls of one worker that wait for the store take all places, and those of all others are refused.
    @Test
    void aWorker_hasHalfOfWhatTheOthersOfItsTokenLeave() {
        assertThat(taken(peer("all", "greedy"))).isEqualTo(4);

        assertThat(taken(peer("all", "other"))).isEqualTo(2);
    }

    @Test
    void aTokenWithManyWorkers_leavesRoomForOthers() {
        var taken = 0;
        for (var i = 0; i < 100; i++) {
            taken += taken(peer("all", "w" + i));
        }

        assertThat(taken).isLessThanOrEqualTo(8);
        assertThat(taken(peer("another", "w"))).isEqualTo(4);
    }

    @Test
    void aRefusal_namesTheNumbers_andNothingIsKeptOfAPeerWithoutACall() {
        var greedy = peer("all", "greedy");
        taken(greedy);

        assertThat(room.take(greedy))
                .hasValueSatisfying(why ->
                        assertThat(why)
                                .contains(
                                        ": 4 of worker greedy, 4 under its token, 4 of all workers, of 16 places"));
        for (var i = 0; i < 4; i++) {
            room.free(greedy);
        }

        assertThat(room.size()).isZero();
        assertThat(room.take(greedy)).isEmpty();
    }
}
