package dev.artel.server.feed;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.waits.Await;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class OpenStreamsTest {
    private static final Duration SILENCE = Duration.ofMillis(200);
    private static final OpenStreams.Limits PATIENT =
            new OpenStreams.Limits(1, Await.longest(), SILENCE);
    private static final OpenStreams.Limits IMPATIENT =
            new OpenStreams.Limits(1, Duration.ofSeconds(1), SILENCE);

    private static final Instant END_OF_TOKEN = Instant.EPOCH.plusSeconds(60);

    private final FleetEvents fleetEvents = new FleetEvents(1000);
    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
    private OpenStreams streams = new OpenStreams(PATIENT, now::get);
    private Javalin server;

    @BeforeEach
    void start() {
        var feeds =
                new Feeds(
                        new InMemoryEventStore(),
                        (_, _, _) -> new Feeds.Notification("event", JsonObject.EMPTY),
                        new EventWaiters(),
                        fleetEvents,
                        streams);
        server =
                Javalin.create(
                                config -> {
                                    config.concurrency.useVirtualThreads = true;
                                    config.startup.showJavalinBanner = false;
                                    config.routes.get(
                                            "/events",
                                            request -> {
                                                request.attribute(
                                                        OpenStreams.EXPIRES, END_OF_TOKEN);
                                                var end =
                                                        feeds.fleet(
                                                                "a client",
                                                                request.req(),
                                                                request.res(),
                                                                OptionalLong.of(1000),
                                                                what -> what);
                                                if (end == Feeds.End.NO_ROOM) {
                                                    request.status(503);
                                                }
                                            });
                                    config.routes.exception(IOException.class, (_, _) -> {});
                                })
                        .start(0);
    }

    @AfterEach
    void stop() {
        streams.close();
        server.stop();
    }

    private Socket ask() throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout((int) Await.longest().toMillis());
        socket.getOutputStream().write("GET /events HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));
        return socket;
    }

    /// Trap: a reader that does not read must neither fill the memory nor stop anybody else.
    @Test
    void aReaderThatDoesNotRead_isCutOff() throws Exception {
        stop();
        streams = new OpenStreams(IMPATIENT, now::get);
        start();
        var large = JsonObject.of("text", JsonValue.of("x".repeat(20_000)));
        try (var reader = ask()) {
            await().until(() -> streams.count() == 1);
            for (var i = 0; i < 2_000; i++) {
                fleetEvents.publish("worker.logged", large);
            }

            // It leaves the count first.
            await().until(() -> streams.count() == 0 && streams.dropped() > 0);
            assertThat(reader.isConnected()).isTrue();
        }
        assertThat(streams.dropped()).isEqualTo(1);
    }

    @Test
    void moreStreamsThanThereIsRoomFor_areRefused_andRoomIsGivenBack() throws Exception {
        try (var first = ask()) {
            await().until(() -> streams.count() == 1);
            try (var second = ask()) {
                assertThat(new String(second.getInputStream().readNBytes(12), UTF_8))
                        .isEqualTo("HTTP/1.1 503");
            }
            assertThat(new String(first.getInputStream().readNBytes(12), UTF_8))
                    .isEqualTo("HTTP/1.1 200");
        }
        await().until(() -> streams.count() == 0);
    }

    @Test
    void aStreamOnWhichNothingHappens_showsThatItLives() throws Exception {
        try (var reader = ask()) {
            var heard = new StringBuilder();
            while (!heard.toString().contains("\n:\n")) {
                heard.append((char) reader.getInputStream().read());
            }
            assertThat(heard.toString()).contains("text/event-stream", "retry: 2000");
        }
    }

    /// Trap: the connection is cut when a session or a token ends, and a browser reports an error of the page.
    @Test
    void aStreamThatEnds_comesToTheEndOfItsAnswer() throws Exception {
        try (var reader = ask()) {
            await().until(() -> streams.count() == 1);

            streams.endAll();

            awaitEnd(reader);
        }
        assertThat(streams.dropped()).isZero();
    }

    private void awaitEnd(Socket reader) throws IOException {
        var heard = new StringBuilder();
        var began = System.nanoTime();
        while (!heard.toString().endsWith("\r\n0\r\n\r\n")) {
            var next = reader.getInputStream().read();
            assertThat(next).as("%s", heard).isNotNegative();
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .as("the stream goes on")
                    .isLessThan(Await.longest());
            heard.append((char) next);
        }
        await().until(() -> streams.count() == 0);
    }

    /// Trap: a stream is opened with a certificate, and goes on when that has expired.
    @Test
    void aStream_endsWithTheTokenOrCertificateWithWhichItBegan() throws Exception {
        try (var reader = ask()) {
            await().until(() -> streams.count() == 1);
            now.set(END_OF_TOKEN);

            awaitEnd(reader);
        }
        assertThat(streams.dropped()).isZero();
    }
}
