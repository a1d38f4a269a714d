package dev.artel.webhook;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.artel.config.WebhookSettings;
import dev.artel.kernel.engine.Notifier;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Calls that are late: names that nobody resolves, and what they may not do to others.
final class OutboxTest {
    private static final WebhookSettings SETTINGS =
            WebhookSettings.DEFAULTS
                    .withAllowHttp(true)
                    .withAllowPrivate(List.of("127.0.0.1"))
                    .withRetries(
                            new WebhookSettings.Retries(
                                    2,
                                    Duration.ofMillis(10),
                                    Duration.ofMillis(10),
                                    Duration.ofMinutes(1),
                                    Duration.ofMillis(200)))
                    .withLimits(new WebhookSettings.Limits(8, 4, 100, 1_000, 4096));

    private static final WebhookSettings PATIENT =
            SETTINGS.withRetries(
                    new WebhookSettings.Retries(
                            2,
                            Duration.ofMillis(10),
                            Duration.ofMillis(10),
                            Duration.ofHours(1),
                            Await.longest()));

    private final CountDownLatch resolved = new CountDownLatch(1);
    private final AtomicInteger resolving = new AtomicInteger();
    private final Outbox outbox =
            new Outbox(SETTINGS, post(SETTINGS, this::addresses), InstantSource.system());

    /// For receivers that answer, on a machine that may be busy.
    private final Outbox patient =
            new Outbox(PATIENT, post(PATIENT, this::addresses), InstantSource.system());

    private static GuardedHttpClient post(
            WebhookSettings settings, GuardedHttpClient.Resolver resolver) {
        return new GuardedHttpClient(
                settings, InstantSource.system(), WebhookTls.with(Optional.empty()), resolver);
    }

    private InetAddress[] addresses(String host) throws UnknownHostException {
        if (host.equals("127.0.0.1")) {
            return new InetAddress[] {InetAddress.getLoopbackAddress()};
        }
        if (host.startsWith("stuck")) {
            resolving.incrementAndGet();
            try {
                var _ = resolved.await(Await.seconds(), TimeUnit.SECONDS);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
        throw new UnknownHostException(host);
    }

    @AfterEach
    void stop() {
        resolved.countDown();
        outbox.close();
        patient.close();
    }

    private CompletableFuture<Notifier.Reply> call(String id, String client, String host) {
        return call(outbox, id, client, host);
    }

    private static CompletableFuture<Notifier.Reply> call(
            Outbox outbox, String id, String client, String host) {
        var url = URI.create("http://" + host + "/");
        return call(
                outbox,
                id,
                client,
                url,
                () ->
                        new WebhookDelivery.Sent(
                                url, List.of("whsec_c2VjcmV0"), "{}".getBytes(UTF_8)));
    }

    private static CompletableFuture<Notifier.Reply> call(
            Outbox outbox, String id, String client, URI url, WebhookDelivery.Content content) {
        var end = new CompletableFuture<Notifier.Reply>();
        var webhookDelivery =
                new WebhookDelivery(
                        id,
                        "job",
                        Optional.empty(),
                        Optional.empty(),
                        "job_finished",
                        url,
                        client,
                        Instant.now(),
                        content,
                        end::complete);
        assertThat(outbox.put(webhookDelivery)).isTrue();
        return end;
    }

    /// Trap: the time limit begins when the address is known.
    @Test
    void aNameThatNobodyResolves_isGivenUpInTime() throws Exception {
        var end = call("one", "a", "stuck.example").get(Await.seconds(), TimeUnit.SECONDS);

        assertThat(end)
                .isEqualTo(
                        new Notifier.End(
                                2,
                                Optional.of(
                                        "tried 2 times, the last time: no answer within PT0.2S")));
        assertThat(resolved.getCount()).isEqualTo(1);
    }

    /// Trap: a client has very many calls fail, each with a line, and the log fills the disk.
    @Test
    void callsThatAreGivenUp_haveSomeLinesAMinute() throws Exception {
        var lines = new AtomicInteger();
        var appender =
                new AppenderBase<ILoggingEvent>() {
                    @Override
                    protected void append(ILoggingEvent line) {
                        // Calls of the tests before may end late.
                        if (String.valueOf(line.getKeyValuePairs()).contains("line-")) {
                            lines.incrementAndGet();
                        }
                    }
                };
        var logger = (Logger) LoggerFactory.getLogger(Outbox.class);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        try {
            // At once, so that they take no minute.
            var ends =
                    IntStream.range(0, 70)
                            .mapToObj(i -> call("line-" + i, "a", "nobody.example"))
                            .toList();
            for (var end : ends) {
                var _ = end.get(Await.seconds(), TimeUnit.SECONDS);
            }
        } finally {
            logger.detachAppender(appender);
        }

        assertThat(outbox.givenUp()).isEqualTo(70);
        assertThat(lines).hasValue(60);
    }

    /// Trap: a subscription has another address since its calls wait, and they go on to the one before for a day.
    @Test
    void aCall_goesWhereItsReceiverIsAtThatTime() throws Exception {
        var urls =
                new ConcurrentLinkedQueue<>(
                        List.of("http://before.example/", "http://after.example/"));
        var end =
                call(
                                patient,
                                "one",
                                "a",
                                URI.create("http://before.example/"),
                                () ->
                                        new WebhookDelivery.Sent(
                                                URI.create(urls.remove()),
                                                List.of("whsec_c2VjcmV0"),
                                                "{}".getBytes(UTF_8)))
                        .get(Await.seconds(), TimeUnit.SECONDS);

        assertThat(end)
                .isEqualTo(
                        new Notifier.End(
                                2,
                                Optional.of(
                                        "tried 2 times, the last time: the name after.example has"
                                                + " no address")));
    }

    /// Trap: receivers write kilobytes into each error, and very many calls wait with twenty of them each.
    @Test
    void whatAReceiverWritesIntoAnError_isCut() throws Exception {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        while (!server.isClosed()) {
                            try (var socket = server.accept()) {
                                socket.getOutputStream()
                                        .write(
                                                ("HTTP/1.1 200 OK\r\nContent-Length: x"
                                                                + "\1\2\3".repeat(900)
                                                                + "x\r\n\r\n")
                                                        .getBytes(UTF_8));
                            } catch (IOException left) {
                                // The client has read enough, or the test is over.
                            }
                        }
                    });
            var host = "127.0.0.1:" + server.getLocalPort();
            var _ = call(patient, "one", "a", host).get(Await.seconds(), TimeUnit.SECONDS);
        }

        var call = patient.list(_ -> true, 1, it -> it).getFirst();
        assertThat(call.tries()).hasSize(2);
        assertThat(call.tries())
                .allSatisfy(attempt ->
                        assertThat(attempt.error().orElseThrow()).hasSizeBetween(100, 503));
    }

    @Test
    void ofTheErrorsOfACall_theLastOnesAreKeptWordForWord() {
        var call =
                new WebhookDelivery(
                        "one",
                        "job",
                        Optional.empty(),
                        Optional.empty(),
                        "job_finished",
                        URI.create("https://a.example/"),
                        "a",
                        Instant.EPOCH,
                        () -> {
                            throw new AssertionError("nobody calls it");
                        },
                        _ -> {});
        for (var error : List.of("a", "b", "a", "c", "b", "d")) {
            call.tried(
                    new WebhookDelivery.Attempt(
                            Instant.EPOCH, Optional.empty(), 1, Optional.of(error)));
        }
        call.tried(
                new WebhookDelivery.Attempt(Instant.EPOCH, Optional.of(204), 1, Optional.empty()));

        assertThat(call.tries().stream().map(one -> one.error().orElse("none")))
                .containsExactly(
                        "an error before those of later attempts",
                        "b",
                        "an error before those of later attempts",
                        "c",
                        "b",
                        "d",
                        "none");
    }

    /// Trap: each try leaves a thread behind that still waits for the name.
    @Test
    void namesThatNobodyResolves_keepTheirSlots_andLeaveOthersTheirs() throws Exception {
        for (var i = 0; i < 20; i++) {
            var _ = call("stuck-" + i, "a", "stuck" + i + ".example");
        }
        await().until(() -> resolving.get() == 4);

        // A busy machine may be too late with a name that it knows at once.
        var others = new AtomicInteger();
        await().until(
                        () ->
                                call("other-" + others.incrementAndGet(), "b", "nobody.example")
                                        .get(Await.seconds(), TimeUnit.SECONDS),
                        Predicate.isEqual(
                                new Notifier.End(
                                        2,
                                        Optional.of(
                                                "tried 2 times, the last time: the name nobody.example has"
                                                        + " no address"))));
        assertThat(resolving).hasValue(4);
    }
}
