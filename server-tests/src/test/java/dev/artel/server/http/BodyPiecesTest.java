package dev.artel.server.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.ArtelNode;
import dev.artel.server.RawHttp;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.waits.Await;
import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Bodies that come in pieces of a byte. What is in a piece does not matter for what it costs.
@Timeout(Await.HUNG)
final class BodyPiecesTest {
    private static final String PIECES = "1\r\na\r\n".repeat(1_000);

    @SuppressWarnings("NullAway.Init") // before each test
    private ArtelNode node;

    @BeforeEach
    void start() {
        node = TestNodes.inMemory();
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private String head(String token) {
        return "POST /api/v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
                + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n")
                + "\r\n";
    }

    @Test
    void aBodyInVeryManySmallPieces_isBrokenOff() throws Exception {
        try (var raw = new RawHttp(node)) {
            raw.send(head(node.clientToken()));
            var sent = new AtomicInteger();
            await("the body is broken off")
                    .until(() -> {
                        sent.incrementAndGet();
                        return !raw.isOpenFor(PIECES);
                    });
        }
    }

    /// Trap: the rest of a refused body is read and dropped, up to some megabytes, each piece costs as much as a large one, and the threads that
    /// read what has arrived already never wait: a few strangers stop all HTTP.
    @Test
    void strangersThatSendWithoutEnd_leaveRoomForOthers() throws Exception {
        var isOver = new AtomicBoolean();
        var connections = new AtomicInteger();
        try (var threads = Executors.newCachedThreadPool()) {
            var strangers = new ArrayList<Future<?>>();
            for (var i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
                strangers.add(
                        threads.submit(() -> {
                            while (!isOver.get()) {
                                try (var raw = new RawHttp(node)) {
                                    connections.incrementAndGet();
                                    if (!raw.isOpenFor(head(""))) {
                                        continue;
                                    }
                                    while (!isOver.get() && raw.isOpenFor(PIECES)) {
                                        // one more
                                    }
                                }
                            }
                            return null;
                        }));
            }
            await("strangers are broken off again and again")
                    .until(() -> connections.get() > 10 * strangers.size());

            assertThat(TestClient.of(node).get("/api/v1/jobs").status()).isEqualTo(200);

            isOver.set(true);
            for (var stranger : strangers) {
                var _ = stranger.get();
            }
        }
    }
}
