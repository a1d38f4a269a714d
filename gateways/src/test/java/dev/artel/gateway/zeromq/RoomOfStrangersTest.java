package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class RoomOfStrangersTest {
    /// Trap: peers that have shown no token yet, under as many names as they like, have all the room for values, and large results of workers wait.
    @Test
    void whatStrangersSend_hasNoneOfTheRoomOfWorkers() {
        try (var server = ZeroMqServer.patient();
                var worker = new PushPeer(server.ports(), "w1");
                var other = new PushPeer(server.ports(), "w2")) {
            worker.join(1);
            other.join(1);

            var ofWorkers = server.gateway().roomOf(named("w1"));
            var ofStrangers = server.gateway().roomOf(named("x1"));

            assertThat(server.gateway().roomOf(named("w2"))).isSameAs(ofWorkers);
            assertThat(server.gateway().roomOf(named("x2"))).isSameAs(ofStrangers);
            assertThat(ofStrangers).isNotSameAs(ofWorkers);
            assertThat(ofStrangers.size()).isLessThan(ofWorkers.size() / 4);
        }
    }

    private static PeerName named(String identity) {
        return PeerName.of(identity.getBytes(UTF_8));
    }
}
