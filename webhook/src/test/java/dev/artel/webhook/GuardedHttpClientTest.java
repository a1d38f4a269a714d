package dev.artel.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.artel.config.WebhookSettings;
import dev.artel.waits.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

final class GuardedHttpClientTest {
    private static final Duration SHORT = Duration.ofMillis(300);

    /// For receivers that do not answer.
    private static final WebhookSettings LOCAL = local(SHORT);

    /// For receivers that answer, on a machine that may be busy.
    private static final WebhookSettings PATIENT = local(Await.longest());

    /// A socket that nobody holds is closed by the collector.
    private final Queue<Socket> accepted = new ConcurrentLinkedQueue<>();

    @AfterEach
    void closeAccepted() throws IOException {
        for (var socket : accepted) {
            socket.close();
        }
    }

    private static WebhookSettings local(Duration timeout) {
        var second = Duration.ofSeconds(1);
        return WebhookSettings.DEFAULTS
                .withAllowHttp(true)
                .withAllowPrivate(List.of("127.0.0.1"))
                .withRetries(new WebhookSettings.Retries(1, second, second, second, timeout));
    }

    private static GuardedHttpClient post(
            WebhookSettings settings, GuardedHttpClient.Resolver resolver) {
        return new GuardedHttpClient(
                settings, InstantSource.system(), WebhookTls.with(Optional.empty()), resolver);
    }

    private static GuardedHttpClient.Failed failure(GuardedHttpClient post, String url) {
        try (post) {
            return catchThrowableOfType(
                    GuardedHttpClient.Failed.class,
                    () -> post.post("client", URI.create(url), new LinkedHashMap<>(), new byte[3]));
        }
    }

    /// Trap: the name is public when it is looked at, and private when it is called (DNS rebinding).
    @Test
    void aName_isResolvedOnce_andWhatWasLookedAtIsCalled() {
        var looks = new AtomicInteger();
        var post =
                post(
                        PATIENT,
                        _ ->
                                new InetAddress[] {
                                    InetAddress.getByName(
                                            looks.incrementAndGet() == 1
                                                    ? "127.0.0.1"
                                                    : "169.254.169.254")
                                });

        var failure = failure(post, "http://rebound.example:1/");

        assertThat(failure.isForbidden()).isFalse(); // it called 127.0.0.1, where nobody listens
        assertThat(looks).hasValue(1);
    }

    /// Trap: letters that are not of ASCII are sent as question marks, and another path is called.
    @Test
    void aPathInLettersOfAnyLanguage_isCalledAsItIs() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var post = post(PATIENT, InetAddress::getAllByName)) {
            var heard = new CompletableFuture<String>();
            Thread.ofVirtual().start(() -> answer(server, heard));
            var url = "http://127.0.0.1:" + server.getLocalPort() + "/\u00fcber?wer=\u00df";

            var answer = post.post("client", URI.create(url), new LinkedHashMap<>(), new byte[3]);

            assertThat(answer.status()).isEqualTo(204);
            assertThat(heard.get(Await.seconds(), TimeUnit.SECONDS))
                    .isEqualTo("POST /%C3%BCber?wer=%C3%9F HTTP/1.1");
        }
    }

    private static void answer(ServerSocket server, CompletableFuture<String> heard) {
        try (var socket = server.accept();
                var in =
                        new BufferedReader(
                                new InputStreamReader(socket.getInputStream(), US_ASCII))) {
            heard.complete(in.readLine());
            socket.getOutputStream().write("HTTP/1.1 204 Done\r\n\r\n".getBytes(US_ASCII));
        } catch (IOException broken) {
            heard.completeExceptionally(broken);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "169.254.169.254", "::1", "::ffff:192.168.0.1"})
    void aNameWithAPrivateAddress_isNotCalled_alsoBesideAPublicOne(String address) {
        var post =
                post(
                        WebhookSettings.DEFAULTS.withAllowHttp(true),
                        _ ->
                                new InetAddress[] {
                                    InetAddress.getByName("1.1.1.1"), InetAddress.getByName(address)
                                });

        var failure = failure(post, "http://inside.example/");

        assertThat(failure.isForbidden()).isTrue();
        assertThat(failure)
                .hasMessageContaining("has an address that is not public")
                .hasMessageNotContaining(address);
    }

    /// Trap: who names a host learns the addresses of the network behind it.
    @Test
    void whatIsReportedOfAFailure_namesNoAddress() throws IOException {
        int port;
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort(); // closed again: nobody listens
        }
        var post = post(LOCAL, _ -> new InetAddress[] {InetAddress.getLoopbackAddress()});

        var failure = failure(post, "http://inside.example:" + port + "/");

        assertThat(failure.isForbidden()).isFalse();
        assertThat(failure)
                .hasMessageContaining("inside.example")
                .hasMessageNotContaining("127.0.0.1");
    }

    @Test
    void aNameThatNobodyKnows_isReportedAsSuch() {
        var post =
                post(
                        PATIENT,
                        host -> {
                            throw new UnknownHostException(host);
                        });

        assertThat(failure(post, "http://nobody.example/"))
                .hasMessage("the name nobody.example has no address");
    }

    /// Trap: a receiver that answers byte by byte, or never, holds its caller forever.
    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nX: y"})
    void aReceiverThatDoesNotEndItsAnswer_isLeftInTime(String beginning) throws IOException {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            var socket = server.accept();
                            accepted.add(socket);
                            socket.getOutputStream().write(beginning.getBytes(UTF_8));
                            socket.getOutputStream().flush();
                        } catch (IOException ended) {
                            // the test is over
                        }
                    });
            var began = System.nanoTime();

            var failure =
                    failure(
                            post(LOCAL, InetAddress::getAllByName),
                            "http://127.0.0.1:" + server.getLocalPort() + "/");

            assertThat(failure).hasMessageContaining("no answer within PT0.3S");
            assertThat(System.nanoTime() - began).isLessThan(Await.longest().toNanos());
        }
    }

    /// Trap: the handshake of TLS has a time limit of its own, or none.
    /// Trap: the time is over while the name is looked up, and the client connects afterwards and fails as a program does
    /// that has an error.
    @Test
    void aNameThatIsFoundTooLate_isAFailureLikeOthers() throws IOException {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var failure =
                    failure(
                            post(
                                    LOCAL,
                                    _ -> {
                                        var end = System.nanoTime() + 3 * SHORT.toNanos();
                                        while (System.nanoTime() < end) {
                                            LockSupport.parkNanos(end - System.nanoTime());
                                        }
                                        return new InetAddress[] {InetAddress.getLoopbackAddress()};
                                    }),
                            "http://late.example:" + server.getLocalPort() + "/");

            assertThat(failure).hasMessageContaining("no answer within PT0.3S");
        }
    }

    @Test
    void aReceiverThatDoesNotShakeHands_isLeftInTime() throws IOException {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var failure =
                    failure(
                            post(LOCAL, InetAddress::getAllByName),
                            "https://127.0.0.1:" + server.getLocalPort() + "/");

            assertThat(failure.isForbidden()).isFalse();
            assertThat(failure).hasMessageContaining("127.0.0.1");
        }
    }

    /// Trap: the rest of an answer is read before its head counts, which never ends.
    @Test
    void anAnswerWithoutEnd_countsAsSoonAsItsHeadIsThere() throws IOException {
        for (var length : List.of("Content-Length: 999999999999", "Transfer-Encoding: chunked")) {
            try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                    var post = post(PATIENT, InetAddress::getAllByName)) {
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                var socket = server.accept();
                                var out = socket.getOutputStream();
                                out.write(
                                        ("HTTP/1.1 202 Yes\r\n" + length + "\r\n\r\n")
                                                .getBytes(UTF_8));
                                while (true) {
                                    out.write("1\r\nx\r\n".getBytes(UTF_8));
                                }
                            } catch (IOException ended) {
                                // the receiver was left
                            }
                        });

                var answer =
                        post.post(
                                "client",
                                URI.create("http://127.0.0.1:" + server.getLocalPort() + "/"),
                                new LinkedHashMap<>(),
                                new byte[3]);

                assertThat(answer.status()).isEqualTo(202);
            }
        }
    }

    @Test
    void whatIsSent_saysNothingOfTheProgramThatSendsIt() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var post = post(PATIENT, InetAddress::getAllByName)) {
            var heard = new CompletableFuture<List<String>>();
            Thread.ofVirtual().start(() -> answerAll(server, heard));
            var url = "http://127.0.0.1:" + server.getLocalPort() + "//hook?x=1";
            var headers = new LinkedHashMap<String, String>();
            headers.put("Content-Type", "application/json");
            headers.put("User-Agent", "Artel");

            assertThat(post.post("client", URI.create(url), headers, "{}".getBytes(UTF_8)).status())
                    .isEqualTo(204);

            assertThat(heard.get(Await.seconds(), TimeUnit.SECONDS))
                    .containsExactlyInAnyOrder(
                            "POST //hook?x=1 HTTP/1.1",
                            "Host: 127.0.0.1:" + server.getLocalPort(),
                            "Content-Type: application/json",
                            "User-Agent: Artel",
                            "Content-Length: 2",
                            "Connection: keep-alive");
        }
    }

    private static void answerAll(ServerSocket server, CompletableFuture<List<String>> heard) {
        try (var socket = server.accept();
                var in =
                        new BufferedReader(
                                new InputStreamReader(socket.getInputStream(), US_ASCII))) {
            heard.complete(
                    Stream.generate(() -> line(in)).takeWhile(line -> !line.isEmpty()).toList());
            socket.getOutputStream().write("HTTP/1.1 204 Done\r\n\r\n".getBytes(US_ASCII));
        } catch (IOException broken) {
            heard.completeExceptionally(broken);
        }
    }

    private static String line(BufferedReader in) {
        try {
            return in.readLine();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /// Trap: interim answers come without a pause, until the time of the call is over, and 64 calls leave the processors to nobody else.
    @Test
    void interimAnswersWithoutEnd_areNotReadOn() throws IOException {
        try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        try (var socket = server.accept()) {
                            while (true) {
                                socket.getOutputStream()
                                        .write(
                                                "HTTP/1.1 100 On\r\n\r\n"
                                                        .repeat(99)
                                                        .getBytes(UTF_8));
                            }
                        } catch (IOException left) {
                            // The client has read enough.
                        }
                    });

            assertThat(
                            failure(
                                    post(PATIENT, InetAddress::getAllByName),
                                    "http://127.0.0.1:" + server.getLocalPort() + "/"))
                    .hasMessageContaining("the host sends much that is no part of an answer");
        }
    }

    /// Trap: plain HTTP is allowed no more, and calls that were taken before go on in clear.
    @Test
    void whatTheSettingsAllowNoMore_isNotCalled() {
        var post = post(LOCAL.withAllowHttp(false), InetAddress::getAllByName);

        var failure = failure(post, "http://127.0.0.1:1/");

        assertThat(failure.isForbidden()).isTrue();
        assertThat(failure).hasMessageContaining("webhooks.allow-http");
    }

    /// Trap: a receiver writes a line on which a pattern that looks for addresses computes for minutes.
    @ParameterizedTest
    @CsvSource(
            value = {
                "no answer|no answer",
                "Connect to http://a:1 [a/192.0.2.1, a/192.0.2.2] failed|Connect to http://a:1 failed",
                "a [b] c [d/e] [f] [|a [b] c [f] [",
                "a [b [c/d] e]|a e]",
                "cut [a/192.0.2|cut",
            },
            delimiter = '|')
    void addresses_areLeftOutOfErrors(String error, String shown) {
        assertThat(GuardedHttpClient.withoutAddresses(error)).isEqualTo(shown);
    }

    @Test
    void ofAVeryLongError_theBeginningIsLookedAt() {
        assertThat(GuardedHttpClient.withoutAddresses("x".repeat(100_000))).hasSize(2_000);
        assertThat(GuardedHttpClient.withoutAddresses(" [".repeat(50_000) + "/".repeat(50_000)))
                .hasSize(2_000);
    }

    /// Trap: clients choose how many names with private addresses are called, each of which has a line.
    @Test
    void namesWithAPrivateAddress_haveSomeLinesAMinute() throws IOException {
        var lines = new AtomicInteger();
        var appender =
                new AppenderBase<ILoggingEvent>() {
                    @Override
                    protected void append(ILoggingEvent line) {
                        lines.incrementAndGet();
                    }
                };
        var logger = (Logger) LoggerFactory.getLogger(GuardedHttpClient.class);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
        try (var post =
                post(
                        WebhookSettings.DEFAULTS.withAllowHttp(true),
                        _ -> new InetAddress[] {InetAddress.getByName("10.0.0.1")})) {
            for (var count = 0; count < 70; count++) {
                assertThat(
                                catchThrowableOfType(
                                        GuardedHttpClient.Failed.class,
                                        () ->
                                                post.post(
                                                        "client",
                                                        URI.create("http://inside.example/"),
                                                        new LinkedHashMap<>(),
                                                        new byte[3])))
                        .hasMessageContaining("not public");
            }
        } finally {
            logger.detachAppender(appender);
        }

        assertThat(lines).hasValue(60);
    }

    @Test
    void anAnswerThatIsNoHttp_orHasAnEndlessHead_isAFailure() throws IOException {
        for (var answer :
                List.of("SSH-2.0-x\r\n", "HTTP/1.1 200 OK\r\n" + "x: y\r\n".repeat(5_000))) {
            try (var server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
                Thread.ofVirtual()
                        .start(() -> {
                            try {
                                var socket = server.accept();
                                socket.getOutputStream().write(answer.getBytes(UTF_8));
                                socket.getOutputStream().flush();
                            } catch (IOException ended) {
                                // the test is over
                            }
                        });

                assertThat(
                                failure(
                                        post(LOCAL, InetAddress::getAllByName),
                                        "http://127.0.0.1:" + server.getLocalPort() + "/"))
                        .hasMessageContaining("no answer");
            }
        }
    }
}
