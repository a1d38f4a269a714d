package dev.artel.config;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.waits.Await;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class GuardedExchangeTest {
    private final GuardedExchange.Turns turns = new GuardedExchange.Turns();
    private final int places = turns.free();
    private final ConcurrentLinkedQueue<Socket> accepted = new ConcurrentLinkedQueue<>();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        for (var socket : accepted) {
            socket.close();
        }
    }

    private interface Reading {
        void read(InputStream in) throws IOException;
    }

    /// What comes of an exchange that connects, and has a thread of its own.
    private CompletableFuture<String> exchange(GuardedExchange exchange, Reading reading) {
        var over = new CompletableFuture<String>();
        Thread.ofPlatform()
                .daemon()
                .start(() -> {
                    try (exchange) {
                        over.complete(
                                exchange.make(() -> {
                                    try (var socket = GuardedExchange.socket()) {
                                        socket.connect(server.getLocalSocketAddress());
                                        reading.read(socket.getInputStream());
                                    }
                                    return "read";
                                }));
                    } catch (IOException broken) {
                        over.complete(broken.toString());
                    }
                });
        return over;
    }

    private Socket accept() throws IOException {
        var socket = server.accept();
        accepted.add(socket);
        return socket;
    }

    private static String outcome(CompletableFuture<String> of) throws Exception {
        return of.get(Await.seconds(), TimeUnit.SECONDS);
    }

    /// Trap: a host sends what is no part of an answer without end, and each exchange reads it until its time is over.
    @Test
    void moreThanBelongsToAnAnswer_isNotRead() throws Exception {
        var exchange = new GuardedExchange(turns, "eve");
        var over = exchange(exchange, in -> in.readNBytes(Integer.MAX_VALUE));
        try (var host = accept()) {
            assertThatThrownBy(
                            () -> {
                                while (true) {
                                    host.getOutputStream().write(new byte[8 << 10]);
                                }
                            })
                    .isInstanceOf(IOException.class);
        }

        assertThat(outcome(over)).contains("the host sends much that is no part of an answer");
    }

    @Test
    void aHead_andABodyThatIsExpected_areRead() throws Exception {
        var exchange = new GuardedExchange(turns, "eve");
        var over =
                exchange(
                        exchange,
                        in -> {
                            in.readNBytes((int) GuardedExchange.HEAD);
                            exchange.expect(1_000_000);
                            in.readNBytes(2_000_000);
                        });
        try (var host = accept()) {
            host.getOutputStream().write(new byte[(int) GuardedExchange.HEAD + 2_000_000]);
        }

        assertThat(outcome(over)).isEqualTo("read");
    }

    /// Trap: hosts that say nothing keep all others waiting.
    @Test
    void exchangesThatWaitForTheirHosts_leaveTheProcessorsToOthers() throws Exception {
        var silent = new ArrayList<CompletableFuture<String>>();
        for (var count = 0; count < 2 * places; count++) {
            silent.add(exchange(new GuardedExchange(turns, "eve"), in -> in.readNBytes(2)));
            accept().getOutputStream().write(1);
        }

        var over = exchange(new GuardedExchange(turns, "eve"), in -> in.readNBytes(2));
        accept().getOutputStream().write(new byte[2]);

        assertThat(outcome(over)).isEqualTo("read");
        assertThat(silent).noneMatch(CompletableFuture::isDone);
        for (var socket : accepted) {
            socket.close();
        }
        for (var each : silent) {
            assertThat(outcome(each)).isEqualTo("read");
        }
        assertThat(turns.free()).isEqualTo(places);
    }

    /// Trap: after what one address sends, the client goes on to the next one, which takes no connection, and keeps the processor from all others.
    @Test
    void anExchangeThatConnectsAgain_leavesTheProcessorsToOthers() throws Exception {
        try (var full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var waiting = fill(full);
            var connecting = new ArrayList<GuardedExchange>();
            var over = new ArrayList<CompletableFuture<String>>();
            for (var count = 0; count < places; count++) {
                var exchange = new GuardedExchange(turns, "eve");
                connecting.add(exchange);
                over.add(
                        exchange(
                                exchange,
                                in -> {
                                    in.readNBytes(1);
                                    GuardedExchange.socket()
                                            .connect(
                                                    full.getLocalSocketAddress(),
                                                    (int) Await.longest().toMillis());
                                }));
                accept().getOutputStream().write(1);
            }

            var other = exchange(new GuardedExchange(turns, "eve"), in -> in.readNBytes(1));
            accept().getOutputStream().write(1);

            assertThat(outcome(other)).isEqualTo("read");
            assertThat(over).noneMatch(CompletableFuture::isDone);
            connecting.forEach(GuardedExchange::close);
            for (var each : over) {
                // The second, where its thread has not come to connect yet.
                assertThat(outcome(each)).containsAnyOf("closed", "the exchange is over");
            }
            for (var socket : waiting) {
                socket.close();
            }
        }
        assertThat(turns.free()).isEqualTo(places);
    }

    /// Connects to `server` until its queue takes no more connections.
    private static List<Socket> fill(ServerSocket server) throws IOException {
        var waiting = new ArrayList<Socket>();
        while (true) {
            var socket = new Socket();
            try {
                socket.connect(server.getLocalSocketAddress(), 500);
                waiting.add(socket);
            } catch (SocketTimeoutException full) {
                socket.close();
                return waiting;
            }
        }
    }

    /// Trap: a dozen hosts whose answers cost much take all processors, and no request is answered.
    @Test
    void noMoreThanHalfOfTheProcessors_computeWithWhatHasCome() throws Exception {
        var done = new CountDownLatch(1);
        var computing = new ArrayList<CompletableFuture<String>>();
        for (var count = 0; count < places + 3; count++) {
            computing.add(
                    exchange(
                            new GuardedExchange(turns, "eve"),
                            in -> {
                                in.readNBytes(1);
                                until(done);
                            }));
            accept().getOutputStream().write(1);
        }

        await().until(() -> turns.waiting() == 3);
        assertThat(turns.free()).isZero();

        done.countDown();
        for (var each : computing) {
            assertThat(outcome(each)).isEqualTo("read");
        }
        assertThat(turns.free()).isEqualTo(places);
    }

    /// Trap: one client has many receivers whose certificates cost much, and each read for another one waits for all of those.
    @Test
    void clientsTakeTurns() throws Exception {
        var done = new CountDownLatch(1);
        var left = new Semaphore(0);
        var computing = new ArrayList<CompletableFuture<String>>();
        for (var count = 0; count < places + 20; count++) {
            computing.add(
                    exchange(
                            new GuardedExchange(turns, "eve"),
                            in -> {
                                in.readNBytes(1);
                                until(done);
                                left.acquireUninterruptibly();
                            }));
            accept().getOutputStream().write(1);
        }
        await().until(() -> turns.waiting() == 20);
        var bobs = exchange(new GuardedExchange(turns, "bob"), in -> in.readNBytes(1));
        accept().getOutputStream().write(1);
        await().until(() -> turns.waiting() == 21);

        done.countDown();
        left.release(2);

        assertThat(outcome(bobs)).isEqualTo("read");
        left.release(places + 20);
        for (var each : computing) {
            assertThat(outcome(each)).isEqualTo("read");
        }
    }

    private static void until(CountDownLatch done) {
        try {
            var _ = done.await(Await.seconds(), TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anExchangeThatIsClosed_readsNoMore_andConnectsNoMore() throws Exception {
        var exchange = new GuardedExchange(turns, "eve");
        var over = exchange(exchange, in -> in.readNBytes(1));
        accept();

        exchange.close();

        assertThat(outcome(over)).contains("closed");
        assertThat(outcome(exchange(exchange, in -> in.readNBytes(1))))
                .contains("the exchange is over");
        assertThat(List.copyOf(accepted)).hasSize(1);
    }
}
