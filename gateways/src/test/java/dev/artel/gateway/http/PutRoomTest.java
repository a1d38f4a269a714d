package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

final class PutRoomTest {
    private static PutRoom.Place place(PutRoom room, String lease, String address) {
        return room.take(lease, address).orElseThrow();
    }

    /// Trap: one lease has all places with values that come in byte by byte, and no worker can report a large result.
    @Test
    void oneLease_hasTwoPlaces_andHasThemAnewOnceTheyAreFree() {
        var room = new PutRoom(100, 1_000);
        var first = place(room, "slow", "one");
        var second = place(room, "slow", "one");

        assertThat(room.take("slow", "one")).isEmpty();
        assertThat(room.take("slow", "other")).isEmpty();
        var other = place(room, "quick", "one");
        first.close();
        var third = place(room, "slow", "one");
        second.close();
        third.close();
        other.close();
        assertThat(room.isEmpty()).isTrue();
    }

    /// Trap: a token for many workers has many leases.
    @Test
    void oneAddress_hasHalfOfThePlacesThatOthersLeave() {
        var room = new PutRoom(16, 1_000);
        var places = new ArrayList<PutRoom.Place>();
        for (var i = 0; i < 8; i++) {
            places.add(place(room, "lease-" + i, "one"));
        }

        assertThat(room.take("lease-8", "one")).isEmpty();
        places.add(place(room, "lease-9", "other"));
        places.add(place(room, "lease-10", "third"));
        places.forEach(PutRoom.Place::close);
        assertThat(room.isEmpty()).isTrue();
    }

    /// Trap: more values at once than before take more of the disk than before.
    @Test
    void bytesThatHaveArrived_haveABound_ofWhichOneAddressHasHalfOfWhatOthersLeave() {
        var room = new PutRoom(16, 1_000);
        var one = place(room, "a", "one");
        var same = place(room, "b", "one");
        var other = place(room, "c", "other");

        assertThat(one.grows(400)).isTrue();
        assertThat(same.grows(100)).isTrue();
        assertThat(same.grows(1)).isFalse();
        assertThat(other.grows(251)).isFalse();
        assertThat(other.grows(250)).isTrue();
        one.close();
        assertThat(same.grows(200)).isTrue();
        same.close();
        other.close();
        assertThat(room.isEmpty()).isTrue();
    }
}
