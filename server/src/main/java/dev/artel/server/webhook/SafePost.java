package dev.artel.server.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.server.config.Receiver;
import dev.artel.server.config.WebhookSettings;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// Posts a body over HTTP/1.1, on a connection of its own, to an address that was looked at before.
///
/// The JDK's HTTP client, like most, finds the address of a name by itself: between a look at the address and the
/// connection, the name may come to mean another one (DNS rebinding). Here a name is resolved once, its addresses are
/// judged, and one of exactly these is connected to; the name still is what TLS checks and what the request is for.
/// Redirects are answers like others: nobody follows them. Of the answer only the head is read. All in all it takes no
/// longer than its limit, whatever the receiver does. Safe for use by many threads.
final class SafePost implements AutoCloseable {
    private static final int LONGEST_HEAD = 16 << 10;
    private static final int MOST_ADDRESSES = 3;
    private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] ([1-5][0-9][0-9])( .*)?");

    private final WebhookSettings settings;
    private final InstantSource clock;
    private final SSLSocketFactory tls;
    private final Resolver resolver;
    private final ScheduledExecutorService watchdog =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("artel-webhook-limit").factory());

    /// Finds the addresses of a name.
    @FunctionalInterface
    interface Resolver {
        InetAddress[] addresses(String host) throws IOException;
    }

    /// What a receiver answered.
    ///
    /// @param retryAfter when it wants to be asked again
    record Answer(int status, Optional<Duration> retryAfter) {}

    /// There was no answer.
    static final class Failed extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final boolean forbidden;

        Failed(String message, boolean forbidden) {
            super(message);
            this.forbidden = forbidden;
        }

        /// Whether the address must not be called.
        boolean isForbidden() {
            return forbidden;
        }
    }

    SafePost(
            WebhookSettings settings,
            InstantSource clock,
            SSLSocketFactory tls,
            Resolver resolver) {
        this.settings = settings;
        this.clock = clock;
        this.tls = tls;
        this.resolver = resolver;
    }

    Answer post(URI url, SequencedMap<String, String> headers, byte[] body) {
        var limit = settings.patience().timeout();
        var host = url.getHost();
        var plain = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        var addresses = addresses(plain);
        try (var socket = new Socket()) {
            var end =
                    watchdog.schedule(() -> close(socket), limit.toMillis(), TimeUnit.MILLISECONDS);
            try {
                connect(socket, addresses, port(url), limit);
                return isSecure(url)
                        ? secure(socket, plain, url, headers, body)
                        : exchange(socket, url, headers, body);
            } catch (IOException broken) {
                throw new Failed(
                        end.isDone() ? "no answer within " + limit : why(broken, plain), false);
            } finally {
                end.cancel(false);
            }
        } catch (IOException notClosed) {
            throw new Failed("the connection did not close: " + notClosed, false);
        }
    }

    private static String why(IOException broken, String host) {
        if (causes(broken).anyMatch(CertPathBuilderException.class::isInstance)) {
            return "nobody who is trusted vouches for the certificate of "
                    + host
                    + "; if it is right, name it or its issuer in webhooks.trusted";
        }
        return causes(broken)
                .filter(CertificateException.class::isInstance)
                .findFirst()
                .map(bad -> "the certificate of " + host + " is not good: " + bad.getMessage())
                .orElseGet(() ->
                        (broken instanceof SSLException ? "no TLS with " + host : "no answer")
                                + ": "
                                + broken);
    }

    private static Stream<Throwable> causes(IOException broken) {
        return Stream.iterate(broken, Objects::nonNull, Throwable::getCause);
    }

    private InetAddress[] addresses(String host) {
        InetAddress[] addresses;
        try {
            addresses = resolver.addresses(host);
        } catch (IOException unknown) {
            throw new Failed("the name " + host + " has no address", false);
        }
        for (var address : addresses) {
            var problem = Receiver.problem(address, settings);
            if (problem.isPresent()) {
                throw new Failed(host + " must not be called: " + problem.get(), true);
            }
        }
        return addresses;
    }

    private static void connect(Socket socket, InetAddress[] addresses, int port, Duration limit)
            throws IOException {
        // A socket that failed to connect is of no further use: others than the first are tried
        // with the next attempt.
        var one = ThreadLocalRandom.current().nextInt(Math.min(addresses.length, MOST_ADDRESSES));
        socket.connect(new InetSocketAddress(addresses[one], port), (int) limit.toMillis());
    }

    private Answer secure(
            Socket socket, String host, URI url, SequencedMap<String, String> headers, byte[] body)
            throws IOException {
        try (var secure = (SSLSocket) tls.createSocket(socket, host, port(url), false)) {
            var parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            secure.startHandshake();
            return exchange(secure, url, headers, body);
        }
    }

    private Answer exchange(
            Socket socket, URI url, SequencedMap<String, String> headers, byte[] body)
            throws IOException {
        var plain = URI.create(url.toASCIIString());
        var path =
                plain.getRawPath() == null || plain.getRawPath().isEmpty()
                        ? "/"
                        : plain.getRawPath();
        var query = plain.getRawQuery() == null ? "" : "?" + plain.getRawQuery();
        var head = new StringBuilder();
        head.append("POST ").append(path).append(query).append(" HTTP/1.1\r\n");
        head.append("Host: ").append(url.getRawAuthority()).append("\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        head.append("Content-Length: ").append(body.length).append("\r\n");
        head.append("Connection: close\r\n\r\n");
        var whole = new ByteArrayOutputStream(head.length() + body.length);
        whole.writeBytes(head.toString().getBytes(US_ASCII));
        whole.writeBytes(body);
        // In one piece, or the body waits until the head is acknowledged.
        socket.getOutputStream().write(whole.toByteArray());
        return answer(new BufferedInputStream(socket.getInputStream()));
    }

    private Answer answer(InputStream in) throws IOException {
        var left = new int[] {LONGEST_HEAD};
        while (true) {
            var status = STATUS.matcher(line(in, left));
            if (!status.matches()) {
                throw new IOException("what it answers is no HTTP");
            }
            var code = Integer.parseInt(status.group(1));
            var retryAfter = Optional.<Duration>empty();
            for (var line = line(in, left); !line.isEmpty(); line = line(in, left)) {
                if (line.toLowerCase(Locale.ROOT).startsWith("retry-after:")) {
                    retryAfter = retryAfter(line.substring("retry-after:".length()).strip());
                }
            }
            // 1xx comes before the answer.
            if (code >= 200) {
                return new Answer(code, retryAfter);
            }
        }
    }

    private static String line(InputStream in, int[] left) throws IOException {
        var line = new StringBuilder();
        for (var next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new IOException("it hung up");
            }
            if (left[0]-- <= 0) {
                throw new IOException("the head of its answer is too long");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    /// Seconds, or a date (RFC 9110).
    private Optional<Duration> retryAfter(String text) {
        if (text.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            var at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
            return Optional.of(Duration.between(now(), at.toInstant()));
        } catch (DateTimeParseException meaningless) {
            return Optional.empty();
        }
    }

    private Instant now() {
        return clock.instant();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // it is of no use any more, which is all that is wanted
        }
    }

    private static boolean isSecure(URI url) {
        return url.getScheme().equalsIgnoreCase("https");
    }

    private static int port(URI url) {
        return url.getPort() > 0 ? url.getPort() : isSecure(url) ? 443 : 80;
    }

    @Override
    public void close() {
        watchdog.shutdownNow();
    }
}
