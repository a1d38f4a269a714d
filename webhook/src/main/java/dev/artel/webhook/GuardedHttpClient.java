package dev.artel.webhook;

import dev.artel.config.GuardedExchange;
import dev.artel.config.WebhookSettings;
import dev.artel.config.WebhookUrl;
import dev.artel.engine.shell.Schedule;
import dev.artel.log.ForeignText;
import dev.artel.log.LinesAMinute;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.DetachedSocketFactory;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.HttpsSupport;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Posts a body to an address that was looked at before, over a connection of its own.
///
/// Most HTTP clients find the address of a name by themselves: between a look at the address and the connection, the name
/// may come to mean another one (DNS rebinding). Here the client has no other way to an address than [Checked]: a name is
/// resolved once, all its addresses are judged, and one of exactly these is connected to; the name still is what TLS
/// checks and what the request is for. Redirects are answers like others: nobody follows them. Of the answer only the head
/// is read, see [GuardedExchange]. Nothing is taken from the properties of the process: no proxy, no cookies, no credentials.
/// Safe for use by many threads.
///
/// A call takes no longer than its limit, whatever the receiver does, with one exception: a name that is being resolved
/// cannot be given up. [Outbox] goes on without a call that is late, and leaves it its thread.
final class GuardedHttpClient implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedHttpClient.class);
    private static final int LONGEST_LINE = 8 << 10;
    private static final int MOST_HEADERS = 100;

    /// So many characters of an error are looked at: a receiver may have written what is in it.
    private static final int LONGEST_ERROR = 2_000;

    private static final int LINES_A_MINUTE = 60;

    private final WebhookSettings settings;
    private final InstantSource clock;
    private final Supplier<SSLContext> tls;
    private final Resolver resolver;

    /// Null before the first call: many orchestrators make none, and it costs their start a fifth of a second.
    private @Nullable CloseableHttpClient client;

    private final GuardedExchange.Turns turns = new GuardedExchange.Turns();
    private final Schedule watchdog = new Schedule("artel-webhook-limit");

    /// Finds the addresses of a name.
    @FunctionalInterface
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
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

    /// The only way from a name to its addresses: none of them may be one that must not be called.
    ///
    /// @param lines clients choose how many names are refused
    private record Checked(Resolver resolver, WebhookSettings settings, LinesAMinute lines)
            implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) {
            InetAddress[] addresses;
            try {
                addresses = resolver.addresses(host);
            } catch (UnknownHostException unknown) {
                throw new Failed("the name " + host + " has no address", false);
            }
            for (var address : addresses) {
                var problem = WebhookUrl.problem(address, settings);
                if (problem.isPresent()) {
                    // What addresses are inside is for operators, not for who names the host.
                    lines.log(
                            LOG.atWarn()
                                    .addKeyValue("host", ForeignText.shown(host))
                                    .addKeyValue("address", address.getHostAddress()),
                            "a webhook was not called, since its address is not public");
                    throw new Failed(
                            host
                                    + " must not be called: it has an address that is not public; an"
                                    + " operator may allow its network with webhooks.allow-private",
                            true);
                }
            }
            var some = Arrays.asList(addresses.clone());
            Collections.shuffle(some);
            return some.subList(0, Math.min(some.size(), GuardedExchange.MOST_ADDRESSES))
                    .toArray(InetAddress[]::new);
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    private static final class Guarded extends PoolingHttpClientConnectionManagerBuilder {
        @Override
        protected HttpClientConnectionOperator createConnectionOperator(
                SchemePortResolver ports, DnsResolver names, TlsSocketStrategy tls) {
            return new DefaultHttpClientConnectionOperator(
                    (DetachedSocketFactory) _ -> GuardedExchange.socket(),
                    ports,
                    names,
                    RegistryBuilder.<TlsSocketStrategy>create()
                            .register(URIScheme.HTTPS.id, tls)
                            .build());
        }
    }

    /// @param tls is asked when the first call is made
    GuardedHttpClient(
            WebhookSettings settings,
            InstantSource clock,
            Supplier<SSLContext> tls,
            Resolver resolver) {
        this.settings = settings;
        this.clock = clock;
        this.tls = tls;
        this.resolver = resolver;
    }

    private synchronized CloseableHttpClient client() {
        if (client == null) {
            client =
                    HttpClientBuilder.create()
                            .setConnectionManager(connections(settings, tls.get(), resolver))
                            .setConnectionReuseStrategy((_, _, _) -> false)
                            .setDefaultRequestConfig(
                                    RequestConfig.custom()
                                            .setAuthenticationEnabled(false)
                                            .setProtocolUpgradeEnabled(false)
                                            .build())
                            .disableRedirectHandling()
                            .disableAutomaticRetries()
                            .disableCookieManagement()
                            .disableAuthCaching()
                            .disableContentCompression()
                            .disableDefaultUserAgent()
                            .build();
        }
        return client;
    }

    private static PoolingHttpClientConnectionManager connections(
            WebhookSettings settings, SSLContext tls, Resolver resolver) {
        var head =
                Http1Config.custom()
                        .setMaxLineLength(LONGEST_LINE)
                        .setMaxHeaderCount(MOST_HEADERS)
                        .build();
        // Each of the addresses that are tried has its part of the time.
        var connect =
                settings.retries()
                        .timeout()
                        .dividedBy(GuardedExchange.MOST_ADDRESSES)
                        .plusMillis(1);
        return new Guarded()
                .setDnsResolver(new Checked(resolver, settings, new LinesAMinute(LINES_A_MINUTE)))
                .setTlsSocketStrategy(
                        new DefaultClientTlsStrategy(
                                tls,
                                HostnameVerificationPolicy.BUILTIN,
                                HttpsSupport.getDefaultHostnameVerifier()))
                .setConnectionFactory(
                        ManagedHttpClientConnectionFactory.builder().http1Config(head).build())
                .setDefaultConnectionConfig(
                        ConnectionConfig.custom().setConnectTimeout(Timeout.of(connect)).build())
                // The outbox decides how many there are at once.
                .setMaxConnTotal(Integer.MAX_VALUE)
                .setMaxConnPerRoute(Integer.MAX_VALUE)
                .build();
    }

    /// Calls a receiver.
    ///
    /// @param client for whom: clients take turns
    Answer post(String client, URI url, SequencedMap<String, String> headers, byte[] body) {
        // They may be stricter than those under which the URL was taken.
        WebhookUrl.problem(url.toString(), settings)
                .ifPresent(problem -> {
                    throw new Failed("the URL must not be called: " + problem, true);
                });
        var limit = settings.retries().timeout();
        var exchange = new GuardedExchange(turns, client);
        var request = new HttpPost(URI.create(url.toASCIIString()));
        headers.forEach(request::setHeader);
        request.setEntity(new ByteArrayEntity(body, null));
        var isLate = new AtomicBoolean();
        var end = cancelAfter(limit, request, exchange, isLate);
        try {
            var answer = exchange.make(() -> client().executeOpen(null, request, null));
            var retryAfter = answer.getFirstHeader(HttpHeaders.RETRY_AFTER);
            return new Answer(
                    answer.getCode(),
                    retryAfter == null ? Optional.empty() : retryAfter(retryAfter.getValue()));
        } catch (IOException broken) {
            throw isLate.get() ? late(limit, url) : new Failed(why(broken, url.getHost()), false);
        } catch (IllegalStateException cancelled) {
            // So the client reports a request that was cancelled after it connected, before it was
            // sent.
            if (isLate.get()) {
                throw late(limit, url);
            }
            throw cancelled;
        } finally {
            end.cancel(false);
            exchange.close();
            // To close an answer reads what is left of it, however much that is; this does not.
            request.cancel();
        }
    }

    private static Failed late(Duration limit, URI url) {
        return new Failed("no answer within " + limit + " from " + url.getHost(), false);
    }

    /// @param isLate is set before the request is cancelled: the thread that meets the end of its connection must find out why
    private Future<?> cancelAfter(
            Duration limit, HttpPost request, GuardedExchange exchange, AtomicBoolean isLate) {
        var end =
                watchdog.once(
                        limit,
                        () -> {
                            isLate.set(true);
                            exchange.close();
                            request.cancel();
                        });
        if (end.isCancelled()) {
            throw new Failed("the orchestrator stops", false);
        }
        return end;
    }

    private static String why(IOException broken, String host) {
        if (causes(broken).anyMatch(CertPathBuilderException.class::isInstance)) {
            return "no trusted authority vouches for the certificate of "
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
                                + withoutAddresses(broken.toString()));
    }

    /// The client names in brackets which addresses it has tried: ` [example.com/192.0.2.1]`.
    static String withoutAddresses(String error) {
        var text = error.substring(0, Math.min(error.length(), LONGEST_ERROR));
        var shown = new StringBuilder(text.length());
        var at = 0;
        for (var begin = text.indexOf(" ["); begin >= 0; begin = text.indexOf(" [", at)) {
            var bracket = text.indexOf(']', begin);
            var end = bracket < 0 ? text.length() : bracket + 1;
            shown.append(text, at, text.indexOf('/', begin, end) < 0 ? end : begin);
            at = end;
        }
        return shown.append(text, at, text.length()).toString();
    }

    private static Stream<Throwable> causes(IOException broken) {
        return Stream.iterate(broken, Objects::nonNull, Throwable::getCause);
    }

    /// Seconds, or a date (RFC 9110).
    private Optional<Duration> retryAfter(String text) {
        if (text.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(text)));
        }
        try {
            var at = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME);
            return Optional.of(Duration.between(clock.instant(), at.toInstant()));
        } catch (DateTimeParseException meaningless) {
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        // From here on no call begins, so that none makes a client that is never closed.
        watchdog.close();
        synchronized (this) {
            if (client != null) {
                client.close(CloseMode.IMMEDIATE);
            }
        }
    }
}
