package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import zmq.Msg;
import zmq.io.Metadata;

/// What peers state of themselves, which the library puts in the place of what it knows of them.
final class ForgedPropertiesTest {
    private static final String KEY = "rq:rM>}U?@Lns47E1%kR.o@n%FcmmsL/@{H8]yf7";
    private static final String OTHER_KEY = "JTKVSB%%)wK0E.X)V>+}o?pNmC{O&4W4b!Ni{Lh6";
    private static final String ADDRESS = "10.0.0.1:5555";

    private final List<String> replaced = new ArrayList<>();
    private final PeerIdentities identities = new PeerIdentities();
    private final FrameRoom room = new FrameRoom(1 << 20);

    /// Trap: a peer with a permitted key states the user id of another one, and is that one.
    @Test
    void theKeyOfAConnection_isTheOneThatWasLetIn_whateverThePeerStates() throws IOException {
        var metadata = new Metadata();
        assertThat(metadata.read(ByteBuffer.wrap(KeyCheck.propertyOf(KEY)), 0, null)).isZero();
        metadata.put(Metadata.USER_ID, OTHER_KEY);
        var frame = new Msg(1);
        frame.setMetadata(metadata);

        assertThat(KeyCheck.keyOf(frame)).isEqualTo(KEY);

        var stated = new Metadata();
        stated.put(Metadata.USER_ID, OTHER_KEY);
        var forged = new Msg(1);
        forged.setMetadata(stated);
        assertThat(KeyCheck.keyOf(forged)).isNull();
        assertThat(KeyCheck.keyOf(new Msg(1))).isNull();
    }

    /// Trap: a stranger states the address of a worker, names itself as another connection of its own, and the worker's connection is ended in the place of that.
    @Test
    void aPeerThatStatesItsAddress_isNotListenedTo_andEndsNoOtherConnection() throws IOException {
        var forging = peer();
        forging.greets(ready(Map.of(Metadata.IDENTITY, "x", Metadata.PEER_ADDRESS, ADDRESS)));
        speaks(forging);
        peer().greets(ready(Map.of(Metadata.IDENTITY, "x")));

        assertThat(forging.isWithoutIdentity()).isTrue();
        assertThat(replaced).isEmpty();

        var honest = peer();
        honest.greets(ready(Map.of(Metadata.IDENTITY, "y")));
        speaks(honest);
        peer().greets(ready(Map.of(Metadata.IDENTITY, "y")));
        assertThat(replaced).containsExactly(ADDRESS);
    }

    /// Trap: a stranger states thousands of properties, and the library keeps them for as long as the connection is there.
    @Test
    void aReadyWithMoreThanItNeeds_isNotRead() {
        assertThat(peer().allocate(PeerFrames.LONGEST_READY).size())
                .isEqualTo(PeerFrames.LONGEST_READY);
        assertThat(peer().allocate(PeerFrames.LONGEST_READY + 1).size()).isZero();
    }

    private PeerFrames peer() {
        return PeerFrames.plain(room, identities, replaced::add);
    }

    /// A message comes, of which the library knows the address.
    private static void speaks(PeerFrames peer) {
        var _ = peer.allocate(1);
        var metadata = new Metadata();
        metadata.put(Metadata.PEER_ADDRESS, ADDRESS);
        var _ = peer.allocate(1).setMetadata(metadata);
    }

    private static Msg ready(Map<String, String> properties) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var body = new DataOutputStream(bytes);
        body.writeBytes("\5READY");
        for (var property : properties.entrySet()) {
            body.writeByte(property.getKey().length());
            body.writeBytes(property.getKey());
            body.writeInt(property.getValue().length());
            body.write(property.getValue().getBytes(US_ASCII));
        }
        return new Msg(ByteBuffer.wrap(bytes.toByteArray()));
    }
}
