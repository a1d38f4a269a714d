package dev.artel.zeromq;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

@Timeout(Await.HUNG)
final class BegunConnectionsTest {
    private static final int CONNECTIONS = 150;
    private static final Duration OFTEN = Duration.ofMillis(5);

    /// Trap: some of a hundred connections say nothing until the timer of the handshake ends them, which there is none of here.
    @Test
    void eachConnectionSpeaks() {
        for (var count = 0; count < CONNECTIONS; count++) {
            try (var context = new ZContext(1);
                    var others = new ZContext(1)) {
                var server = others.createSocket(SocketType.ROUTER);
                assertThat(server.bind("tcp://127.0.0.1:*")).isTrue();
                server.setReceiveTimeOut(10);
                var client = context.createSocket(SocketType.DEALER);
                client.setHandshakeIvl(0);
                client.setLinger(0);
                var connections = new BegunConnections(context);
                connections.watch(client, _ -> {});
                assertThat(client.connect(server.getLastEndpoint())).isTrue();
                client.send("here");

                await().pollDelay(Duration.ZERO)
                        .pollInterval(OFTEN)
                        .until(() -> {
                            connections.tick();
                            return hasCome(server);
                        });
            }
        }
    }

    private static boolean hasCome(ZMQ.Socket server) {
        return server.recv() != null;
    }
}
