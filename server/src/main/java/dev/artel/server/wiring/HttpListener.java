package dev.artel.server.wiring;

import dev.artel.config.HttpSettings;
import dev.artel.config.ProxySettings;
import dev.artel.gateway.access.FileLimit;
import dev.artel.gateway.http.BodyPieces;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.FastPath;
import dev.artel.gateway.http.HttpRefusal;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import io.javalin.router.InternalRouter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.websocket.server.JettyWebSocketServletFactory;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.session.NullSessionCache;
import org.eclipse.jetty.session.NullSessionDataStore;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The open port, and the routes behind it.
final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    /// Workers open their polls all at once after a restart; the default backlog would make them wait for a minute.
    private static final int ACCEPT_QUEUE = 4096;

    /// A selector, an acceptor and some to spare.
    private static final int PLATFORM_THREADS = 8;

    private static final int IDLE_THREAD_MILLIS = 60_000;

    /// What a connection may take while a request arrives.
    private static final int HEAD = 64 << 10;

    /// Also with the smallest heap.
    private static final int FEWEST = 256;

    /// So many connections are enough for most, whatever the settings allow.
    private static final int FEW = 10_000;

    private static final String WORKERS = "/_worker/";

    private static final Duration IDLE_SOCKET = Duration.ofMinutes(10);
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private final Javalin javalin;
    private final SlowRequests slowRequests;

    private HttpListener(Javalin javalin, SlowRequests slowRequests) {
        this.javalin = javalin;
        this.slowRequests = slowRequests;
    }

    /// What is between the port and the routes.
    ///
    /// @param tls null: plain HTTP
    /// @param certificates judges those of callers; empty: they are asked for none
    /// @param first has a look at each request before the routes
    /// @param sockets adds WebSockets that are not those of routes
    /// @param fatal takes note of an error of the machine that a request has met: its thread cannot answer for what others have done meanwhile
    record ListenerParts(
            @Nullable Tls tls,
            Optional<ClientCertificates> certificates,
            ProxySettings proxy,
            RequestLog log,
            FastPath first,
            Consumer<JettyWebSocketServletFactory> sockets,
            Consumer<Error> fatal) {}

    /// Loads the classes of the server, so that one thread can do so while others wait for something else.
    static void load() {
        try {
            var _ = Javalin.create(config -> config.startup.showJavalinBanner = false);
            var server = new Server(threads());
            var http = new SerialHttpConnections(new HttpConfiguration());
            server.addConnector(new ServerConnector(server, 1, 1, http));
            server.setHandler(new GracefulHandler(new ServletContextHandler()));
        } catch (RuntimeException | LinkageError e) {
            LOG.atDebug().setCause(e).log("classes could not be loaded in advance");
        }
    }

    /// Listens.
    ///
    /// @param routes adds the routes
    /// @throws StartupException if it cannot
    static HttpListener open(
            HttpSettings settings, ListenerParts parts, Consumer<RoutesConfig> routes) {
        var channel = listen(settings.host(), settings.port());
        var javalin = Javalin.create(config -> configure(config, settings, parts, channel, routes));
        addHeads(javalin.unsafe.internalRouter);
        try {
            javalin.start();
            return new HttpListener(
                    javalin,
                    new SlowRequests(javalin.jettyServer().server(), settings.requestLimit()));
        } catch (RuntimeException e) {
            stop(javalin);
            throw new StartupException("cannot start the HTTP server: " + e, e);
        }
    }

    /// Answers `HEAD` as `GET`, without the body: who may see it, and whether there is anything, is asked just so (RFC 9110, section
    /// 9.3.2). By default the answer is 200 whatever it is about. What a worker gets is its own from then on, so that there is no
    /// head of it.
    private static void addHeads(InternalRouter router) {
        for (var route : router.allHttpHandlers()) {
            var endpoint = route.endpoint;
            if (endpoint.method.equals(HandlerType.GET)) {
                router.addHttpEndpoint(
                        new Endpoint(
                                HandlerType.HEAD,
                                endpoint.path,
                                endpoint.path.startsWith(WORKERS)
                                        ? HttpListener::refuseHead
                                        : endpoint.handler));
            }
        }
    }

    private static void refuseHead(Context request) {
        throw new HttpRefusal(
                ErrorCode.METHOD_NOT_ALLOWED,
                "Method Not Allowed",
                "routes of workers take GET and no HEAD, since what is sent counts as received");
    }

    /// Takes the port before anything else is made, so that the reason is at hand if another process has it.
    static ServerSocketChannel listen(String host, int port) {
        var attempted = "cannot listen on " + host + ":" + port + ": ";
        try {
            var channel = ServerSocketChannel.open();
            try {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
                channel.bind(new InetSocketAddress(host, port), ACCEPT_QUEUE);
                return channel;
            } catch (IOException | UnresolvedAddressException e) {
                channel.close();
                throw e;
            }
        } catch (UnresolvedAddressException e) {
            throw new StartupException(
                    attempted + "there is no such name; choose another --host", e);
        } catch (BindException e) {
            throw new StartupException(
                    attempted
                            + e.getMessage()
                            + "; stop the program that listens there, or choose another --port or"
                            + " --host",
                    e);
        } catch (IOException e) {
            throw new StartupException(attempted + e.getMessage(), e);
        }
    }

    /// What a request asks for may be too deep for its own thread, which ends with it; memory is that of all.
    ///
    /// @param fatal takes note of an error after which it is unknown what other threads have lost
    static void reportErrors(JavalinConfig config, Consumer<Error> fatal) {
        config.router.javaLangErrorHandler((response, error) -> {
            response.setStatus(500);
            LOG.atError()
                    .setCause(error)
                    .log("a request failed with an error; it is answered with 500");
            if (error instanceof VirtualMachineError && !(error instanceof StackOverflowError)) {
                fatal.accept(error);
            }
        });
    }

    private static void configure(
            JavalinConfig config,
            HttpSettings settings,
            ListenerParts parts,
            ServerSocketChannel channel,
            Consumer<RoutesConfig> routes) {
        if (!parts.proxy().basePath().isEmpty()) {
            config.router.contextPath = parts.proxy().basePath();
        }
        reportErrors(config, parts.fatal());
        var most = most(settings, FileLimit.most(), Runtime.getRuntime().maxMemory());
        config.concurrency.useVirtualThreads = true;
        config.jetty.threadPool = threads();
        config.startup.showJavalinBanner = false;
        config.http.prefer405over404 = true;
        config.http.compressionStrategy = Compression.strategy();
        config.jetty.modifyWebSocketServletFactory(factory -> {
            factory.setIdleTimeout(IDLE_SOCKET);
            parts.sockets().accept(factory);
        });
        config.jetty.modifyServletContextHandler(HttpListener::keepNoSessions);
        config.jetty.modifyHttpConfiguration(http -> configure(http, settings, parts));
        config.jetty.addConnector(
                (server, http) -> connector(server, http, settings, parts, channel, most));
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JsonErrorPages());
            server.setRequestLog(parts.log());
            server.setHandler(new GracefulHandler(parts.first()));
            server.setStopTimeout(DRAIN.toMillis());
            server.addBean(new NetworkConnectionLimit(most, server));
        });
        routes.accept(config.routes);
    }

    /// Half of the files of the process at most: the store, ZeroMQ and what the orchestrator connects to itself need the others. And as many
    /// as the heap has room for, where each sends the largest head that it may.
    static int most(HttpSettings settings, int files, long heap) {
        var wanted = settings.maxConnections();
        var most = (int) Math.min(Math.min(wanted, files / 2), Math.max(FEWEST, heap / HEAD));
        if (most < Math.min(wanted, FEW)) {
            LOG.atInfo()
                    .addKeyValue("connections", most)
                    .addKeyValue("wanted", wanted)
                    .addKeyValue("files", files)
                    .addKeyValue("heap", heap)
                    .log(
                            "fewer connections are let in than http.max-connections: half of the files that the process may open are for them, and 64 KiB of the heap for each; raise the limits of the process for more");
        }
        return most;
    }

    /// Javalin asks each upgrade to a WebSocket for its session of HTTP, which makes one; kept, it would stay forever.
    private static void keepNoSessions(ServletContextHandler context) {
        var sessions = context.getSessionHandler();
        sessions.setUsingCookies(false);
        var cache = new NullSessionCache(sessions);
        cache.setSessionDataStore(new NullSessionDataStore());
        sessions.setSessionCache(cache);
    }

    /// Requests are worked on by virtual threads; the selector is a platform thread, since a virtual one is woken by
    /// way of another thread that polls for it.
    ///
    /// Its own queue would start all of JMX to find out how long a line of the processor's cache is. This one has no bound,
    /// as Jetty wants it; connections have one, and requests go to virtual threads.
    private static ThreadPool threads() {
        var threads =
                new QueuedThreadPool(
                        PLATFORM_THREADS,
                        PLATFORM_THREADS,
                        IDLE_THREAD_MILLIS,
                        new LinkedBlockingQueue<>());
        threads.setName("artel-http");
        threads.setDaemon(false);
        threads.setReservedThreads(0);
        threads.setVirtualThreadsExecutor(
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("artel-request").factory()));
        return threads;
    }

    private static void configure(
            HttpConfiguration http, HttpSettings settings, ListenerParts parts) {
        http.setSendServerVersion(false);
        http.addCustomizer(new RequestIds());
        http.addCustomizer(new AnswerHeaders(parts.proxy().basePath(), parts.tls() != null));
        http.addCustomizer(new MethodOverrides());
        http.addCustomizer(new FewParameters());
        http.addCustomizer(new BodyPieces());
        if (parts.tls() != null) {
            http.addCustomizer(new SecureRequestCustomizer(false));
            parts.certificates().ifPresent(http::addCustomizer);
        }
        if (!parts.proxy().trusted().isEmpty()) {
            http.addCustomizer(new TrustedProxies(parts.proxy()));
        }
        http.setRequestHeaderSize(settings.maxHeaderBytes());
        // 50 KB for each connection, which is more than all else that thousands of idle workers
        // need.
        http.setHeaderCacheSize(0);
    }

    private static ServerConnector connector(
            Server server,
            HttpConfiguration http,
            HttpSettings settings,
            ListenerParts parts,
            ServerSocketChannel channel,
            int most) {
        var tls = parts.tls();
        var connector =
                tls == null
                        ? new ServerConnector(server, 1, 1, new SerialHttpConnections(http))
                        : new ServerConnector(
                                server, 1, 1, tls.connections(), new SerialHttpConnections(http));
        connector.setIdleTimeout(settings.idleTimeout().toMillis());
        connector.addBean(new AddressConnections(most, AddressConnections.free(parts.proxy())));
        try {
            connector.open(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("taking over the open port", e);
        }
        return connector;
    }

    /// Ends the connections whose peers have shown certificates that are not good, with all that goes on over them.
    ///
    /// @param areGood of a peer, its own certificate first
    void endUnless(Predicate<X509Certificate[]> areGood) {
        for (var connector : javalin.jettyServer().server().getConnectors()) {
            if (connector instanceof ServerConnector network) {
                for (var endPoint : network.getConnectedEndPoints()) {
                    if (endPoint.getConnection() instanceof SslConnection secured) {
                        var shown = ClientCertificates.shown(secured.getSslEndPoint());
                        if (shown.length > 0 && !areGood.test(shown)) {
                            endPoint.close();
                        }
                    }
                }
            }
        }
    }

    /// The port on which it listens.
    int port() {
        return javalin.port();
    }

    /// What it answers, as in `GET /healthz`, sorted; without `HEAD`, which goes with `GET`.
    List<String> routes() {
        return javalin.unsafe.internalRouter.allHttpHandlers().stream()
                .map(route -> route.endpoint)
                .filter(endpoint -> endpoint.method.isHttpMethod())
                .filter(endpoint -> !endpoint.method.equals(HandlerType.HEAD))
                .map(endpoint -> endpoint.method.name() + " " + endpoint.path)
                .sorted()
                .toList();
    }

    /// Takes no new requests and waits a while for those that are being worked on.
    @Override
    public void close() {
        stop(javalin);
        slowRequests.close();
    }

    private static void stop(Javalin javalin) {
        try {
            javalin.stop();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("the HTTP server did not stop in order");
        }
    }
}
