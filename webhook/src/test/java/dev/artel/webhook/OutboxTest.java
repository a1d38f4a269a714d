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
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final CountDownLatch resolved = new CountDownLatch(1);
    private final AtomicInteger resolving = new AtomicInteger();
    private final Outbox outbox =
            new Outbox(SETTINGS, post(this::addresses), InstantSource.system());

    private static GuardedHttpClient post(GuardedHttpClient.Resolver resolver) {
        return new GuardedHttpClient(
                SETTINGS, InstantSource.system(), WebhookTls.with(Optional.empty()), resolver);
    }

    private InetAddress[] addresses(String host) throws UnknownHostException {
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
    }

    private CompletableFuture<Notifier.Reply> call(String id, String client, String host) {
        var end = new CompletableFuture<Notifier.Reply>();
        var webhookDelivery =
                new WebhookDelivery(
                        id,
                        "job",
                        Optional.empty(),
                        Optional.empty(),
                        "job_finished",
                        URI.create("http://" + host + "/"),
                        client,
                        Instant.now(),
                        () ->
                                new WebhookDelivery.Sent(
                                        URI.create("http://" + host + "/"),
                                        List.of("whsec_c2VjcmV0"), "{}".getBytes(UTF_8)),
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
                        lines.incrementAndGet();
                    }
                };
        var logger = (Logger) LoggerFactory.getLogger(Outbox.class);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        try {
            for (var i = 0; i < 70; i++) {
                var _ =
                        call("one-" + i, "a", "nobody.example")
                                .get(Await.seconds(), TimeUnit.SECONDS);
            }
        } finally {
            logger.detachAppender(appender);
        }

        assertThat(outbox.givenUp()).isEqualTo(70);
        assertThat(lines).hasValue(60);
    }

    /// Trap: each try leaves a thread behind that still waits for the name.
    @Test
    void namesThatNobodyResolves_keepTheirSlots_andLeaveOthersTheirs() throws Exception {
        for (var i = 0; i < 20; i++) {
            var _ = call("stuck-" + i, "a", "stuck" + i + ".example");
        }
        await().until(() -> resolving.get() == 4);

        var end = call("other", "b", "nobody.example").get(Await.seconds(), TimeUnit.SECONDS);

        assertThat(end)
                .isEqualTo(
                        new Notifier.End(
                                2,
                                Optional.of(
                                        "tried 2 times, the last time: the name nobody.example has"
                                                + " no address")));
        assertThat(resolving).hasValue(4);
    }
}
