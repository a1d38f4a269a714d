package dev.artel.worker.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.eclipse.jetty.websocket.api.Callback;
import org.junit.jupiter.api.Test;

final class PongsTest {
    private final List<String> sent = new ArrayList<>();
    private final Queue<Callback> underWay = new ArrayDeque<>();
    private final Pongs pongs =
            new Pongs((payload, callback) -> {
                sent.add(US_ASCII.decode(payload.duplicate()).toString());
                underWay.add(callback);
            });

    private void ping(String payload) {
        pongs.answer(ByteBuffer.wrap(payload.getBytes(US_ASCII)));
    }

    /// Trap: each ping of a peer that reads nothing left a pong in memory, a thousand a second for as long as it liked.
    @Test
    void pingsOfAPeerThatDoesNotRead_haveOnePongUnderWay_andTheNewestNext() {
        for (var i = 0; i < 1_000; i++) {
            ping("p" + i);
        }

        assertThat(sent).containsExactly("p0");
        underWay.remove().succeed();
        assertThat(sent).containsExactly("p0", "p999");
        underWay.remove().succeed();
        assertThat(underWay).isEmpty();
    }

    @Test
    void pingsOfAPeerThatReads_areAnsweredEach() {
        for (var i = 0; i < 3; i++) {
            ping("p" + i);
            underWay.remove().succeed();
        }

        assertThat(sent).containsExactly("p0", "p1", "p2");
    }

    @Test
    void aConnectionThatIsBroken_getsNothingMore() {
        ping("p0");
        underWay.remove().fail(new IllegalStateException("broken pipe"));
        ping("p1");

        assertThat(sent).containsExactly("p0");
    }
}
