package dev.artel.server.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

final class ManyConnectionsTest {
    /// Trap: a client that opens enough connections takes all descriptors and threads of the server.
    @Test
    void tenThousandConnections_areBounded_andTheServerLives() throws IOException {
        var few = TestNodes.CONFIG.http().withMaxConnections(500);
        try (var node = TestNodes.inMemory(few)) {
            var client = TestClient.of(node);
            var id = client.submit("{\"blueprint\":\"echo\"}");
            var open = new ArrayList<SocketChannel>();
            try {
                for (var i = 0; i < 10_000; i++) {
                    var channel = SocketChannel.open();
                    open.add(channel);
                    channel.configureBlocking(false);
                    channel.connect(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), node.port()));
                }
                assertThat(Thread.getAllStackTraces()).hasSizeLessThan(300);
            } finally {
                for (var channel : open) {
                    channel.close();
                }
            }
            await().ignoreExceptions()
                    .until(() ->
                            client.get("/api/v1/jobs/" + id).status() == 200
                                    && client.get("/readyz").status() == 200);
        }
    }
}
