package dev.artel.actions;

import dev.artel.config.ActionHosts;
import dev.artel.config.GuardedExchange;
import dev.artel.json.text.FairTurns;
import dev.artel.worker.InvalidInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.DetachedSocketFactory;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/// Sends requests to allowed hosts alone. The addresses of a name are judged where the connection is made, so that a name
/// cannot come to mean another address in between. Redirects are answers like others. Nothing is taken from the properties of the
/// process: no proxy, no cookies, no credentials. Bodies come as they are sent, packed or not. A request has a thread of its own until its answer is read,
/// see [GuardedExchange]. Safe for use by many threads.
final class GuardedRequests implements AutoCloseable {
    private static final Timeout CONNECT = Timeout.ofSeconds(10);

    /// How much of an answer is read before its body: what it may be is for the server to choose.
    private static final Http1Config HEAD =
            Http1Config.custom().setMaxLineLength(8 << 10).setMaxHeaderCount(100).build();

    private final Checked names;

    /// Of requests that are made, and of those that nobody waits for any more and that cannot be ended: a name is being resolved.
    private final BackgroundCall threads;

    private final GuardedExchange.Turns turns = new GuardedExchange.Turns();

    /// Null before the first request: many orchestrators send none, and it costs their start a tenth of a second.
    private @Nullable CloseableHttpClient client;

    private boolean isClosed;

    /// @param most how many requests there are at once; as many again may be left behind
    GuardedRequests(ActionHosts hosts, int most) {
        this(hosts, most, InetAddress::getAllByName);
    }

    GuardedRequests(ActionHosts hosts, int most, Resolver resolver) {
        threads = new BackgroundCall("artel-http-request", new FairTurns(2 * most));
        names = new Checked(hosts, resolver);
    }

    /// Finds the addresses of a name.
    @FunctionalInterface
    interface Resolver {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    private synchronized CloseableHttpClient client() throws IOException {
        if (isClosed) {
            throw new IOException("the worker stops");
        }
        if (client == null) {
            client = open(names);
        }
        return client;
    }

    private static CloseableHttpClient open(Checked names) {
        return HttpClientBuilder.create()
                .setConnectionManager(
                        new Guarded()
                                .setDnsResolver(names)
                                .setConnectionFactory(
                                        ManagedHttpClientConnectionFactory.builder()
                                                .http1Config(HEAD)
                                                .build())
                                .setDefaultConnectionConfig(
                                        ConnectionConfig.custom()
                                                .setConnectTimeout(CONNECT)
                                                .build())
                                // The slots of the worker decide how many there are.
                                .setMaxConnTotal(Integer.MAX_VALUE)
                                .setMaxConnPerRoute(Integer.MAX_VALUE)
                                .build())
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
                .setUserAgent("artel")
                .build();
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

    private record Checked(ActionHosts hosts, Resolver resolver) implements DnsResolver {
        @Override
        public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
            var addresses = resolver.addresses(host);
            for (var address : addresses) {
                var problem = hosts.problem(host, port, address);
                if (problem.isPresent()) {
                    throw new InvalidInput(
                            "http_request must not reach "
                                    + host
                                    + ":"
                                    + port
                                    + ": "
                                    + problem.get());
                }
            }
            return Arrays.stream(addresses)
                    .limit(GuardedExchange.MOST_ADDRESSES)
                    .map(address -> new InetSocketAddress(address, port))
                    .toList();
        }

        /// The judgement takes the port.
        @Override
        public InetAddress[] resolve(String host) {
            throw new UnsupportedOperationException("resolving " + host + " without its port");
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }

    /// Reads an answer, on the thread of its request.
    ///
    /// @param <T> what it makes of it
    @FunctionalInterface
    interface Reader<T> {
        /// What it makes of `answer`.
        ///
        /// @param exchange may expect a body
        T read(ClassicHttpResponse answer, GuardedExchange exchange) throws IOException;
    }

    /// Sends `request` and has `reader` read the answer.
    ///
    /// @param owner for whom: owners take turns
    /// @throws IOException also if there is no whole answer within `limit`
    <T> T send(String owner, HttpUriRequestBase request, Duration limit, Reader<T> reader)
            throws IOException {
        var exchange = new GuardedExchange(turns, owner);
        var isLate = new AtomicBoolean();
        var end =
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS);
        var _ =
                end.thenRun(() -> {
                    isLate.set(true);
                    exchange.close();
                    request.cancel();
                });
        try {
            return threads.run(owner, limit, () -> answered(request, exchange, reader));
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof TimeoutException) {
                throw new IOException(
                        "other requests took all places for "
                                + limit.toSeconds()
                                + " s, some of them for names that are being resolved",
                        failed);
            }
            throw failed;
        } catch (UncheckedIOException | IllegalStateException broken) {
            // A request that is cancelled between two steps is an illegal state to the client.
            var cause =
                    broken instanceof UncheckedIOException unchecked
                            ? unchecked.getCause()
                            : broken;
            if (isLate.get()) {
                throw new IOException("no whole answer within " + limit.toSeconds() + " s", cause);
            }
            if (cause instanceof IOException failure) {
                throw failure;
            }
            throw broken;
        } finally {
            end.cancel(false);
            // To close an answer reads what is left of it, however much that is; this does not.
            exchange.close();
            request.cancel();
        }
    }

    private <T> T answered(HttpUriRequestBase request, GuardedExchange exchange, Reader<T> reader) {
        try {
            return exchange.make(
                    () -> reader.read(client().executeOpen(null, request, null), exchange));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        if (client != null) {
            client.close(CloseMode.IMMEDIATE);
        }
    }
}
