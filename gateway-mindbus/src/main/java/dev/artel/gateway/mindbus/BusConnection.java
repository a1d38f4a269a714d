package dev.artel.gateway.mindbus;

import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import dev.artel.amqp.BoundedConnections;
import dev.artel.amqp.FatalErrors;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection that is opened again, with longer and longer pauses, whenever it is gone or the broker closes one of its
/// channels. Safe for use by many threads.
final class BusConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BusConnection.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final int CONNECT_MILLIS = 10_000;
    private static final int HEARTBEAT_SECONDS = 20;
    private static final int NOT_ALLOWED = 530;
    private static final int PRECONDITION_FAILED = 406;
    private static final int ABORT_MILLIS = 5_000;

    /// How long the broker may take to answer a declaration.
    private static final int LONGEST_CALL_MILLIS = 30_000;

    private final String name;
    private final MindBusConfig config;
    private final Use use;
    private final ConnectionFactory factory;
    private final Thread thread;
    private volatile boolean isClosing;
    private volatile @Nullable Connection connection;
    private volatile String trouble = "the connection is being opened";
    private volatile CountDownLatch over = new CountDownLatch(1);

    /// What a connection is good for. Called by the thread of the connection.
    interface Use {
        /// Declares what it needs, and begins.
        void opened(Connection connection, Channels channels) throws IOException;

        /// The connection is gone.
        void closed();
    }

    /// Opens channels without which the connection is of no use: each has a thread of its own for what it delivers.
    interface Channels {
        /// Another one.
        Channel open() throws IOException;
    }

    /// @param fatal receives an error after which the connection cannot be trusted
    BusConnection(String name, MindBusConfig config, Use use, Consumer<Throwable> fatal) {
        this.name = name;
        this.config = config;
        this.use = use;
        this.factory = factory(config, fatal);
        this.thread = Thread.ofVirtual().name("artel-mindbus-" + name).unstarted(this::run);
    }

    private static ConnectionFactory factory(MindBusConfig config, Consumer<Throwable> fatal) {
        var factory = new BoundedConnections(config.maxMessageBytes());
        try {
            factory.setUri(config.uri());
            if (config.uri().getScheme().equals("amqps")) {
                factory.useSslProtocol(SSLContext.getDefault());
                factory.enableHostnameVerification();
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("mindbus.uri cannot be used: " + e.getMessage(), e);
        }
        factory.setConnectionTimeout(CONNECT_MILLIS);
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setChannelRpcTimeout(LONGEST_CALL_MILLIS);
        factory.setExceptionHandler(new FatalErrors(fatal));
        return factory;
    }

    void start() {
        thread.start();
    }

    /// Why there is no connection; empty if there is one.
    Optional<String> trouble() {
        return trouble.isEmpty() ? Optional.empty() : Optional.of(trouble);
    }

    private void run() {
        var pause = FIRST_PAUSE;
        while (!isClosing) {
            var isOpened = false;
            try {
                isOpened = live();
            } catch (RuntimeException | IOException | TimeoutException failure) {
                report(failure);
            } catch (InterruptedException closing) {
                return;
            }
            pause = isOpened ? FIRST_PAUSE : longer(pause);
            if (!isClosing && !rest(pause)) {
                return;
            }
        }
    }

    private Duration longer(Duration pause) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(config.terms().reconnect()) < 0 ? twice : config.terms().reconnect();
    }

    /// @return whether it goes on
    private static boolean rest(Duration pause) {
        var millis = pause.toMillis();
        try {
            Thread.sleep(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
            return true;
        } catch (InterruptedException closing) {
            return false;
        }
    }

    /// Opens the connection and stays as long as it is there.
    ///
    /// @return true: it was of use for a while
    private boolean live() throws IOException, TimeoutException, InterruptedException {
        var gone = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        over = gone;
        try (var handlers = Executors.newThreadPerTaskExecutor(handlers())) {
            var open = factory.newConnection(handlers, "artel " + config.nodeId() + " " + name);
            connection = open;
            try {
                open.addShutdownListener(_ -> {
                    ended.countDown();
                    gone.countDown();
                });
                use.opened(open, () -> channel(open, gone));
                trouble = "";
                LOG.atInfo()
                        .addKeyValue("broker", config.broker())
                        .addKeyValue("connection", name)
                        .log("connected to RabbitMQ");
                gone.await();
                trouble = "the connection to " + config.broker() + " is gone";
                return true;
            } finally {
                connection = null;
                open.abort(ABORT_MILLIS);
                use.closed();
                // Until then the client hands the end of each channel to its thread.
                awaitEnd(ended);
            }
        }
    }

    private void awaitEnd(CountDownLatch ended) throws InterruptedException {
        if (!ended.await(ABORT_MILLIS, TimeUnit.MILLISECONDS)) {
            LOG.atWarn()
                    .addKeyValue("connection", name)
                    .log("the client of RabbitMQ did not end a connection in time");
        }
    }

    private Channel channel(Connection open, CountDownLatch gone) throws IOException {
        var channel =
                open.openChannel()
                        .orElseThrow(() -> new IOException("the broker allows no further channel"));
        channel.addShutdownListener(cause -> {
            if (gone.getCount() > 0) {
                closedBy(cause);
            }
            gone.countDown();
        });
        return channel;
    }

    private static ThreadFactory handlers() {
        return Thread.ofVirtual().name("artel-mindbus-handler-", 0).factory();
    }

    private void closedBy(ShutdownSignalException cause) {
        if (!isClosing && !cause.isInitiatedByApplication()) {
            LOG.atWarn()
                    .addKeyValue("broker", config.broker())
                    .addKeyValue("connection", name)
                    .addKeyValue("cause", cause.getMessage())
                    .log("the channel to RabbitMQ is closed; it is opened again");
        }
    }

    private void report(Exception failure) {
        var what = explain(failure);
        var isNew = !what.equals(trouble);
        trouble = what;
        if (isNew && !isClosing) {
            LOG.atError()
                    .addKeyValue("broker", config.broker())
                    .addKeyValue("connection", name)
                    .log("no connection to RabbitMQ: {}; agents on the bus wait", what);
        }
    }

    private String explain(Exception failure) {
        if (failure instanceof AuthenticationFailureException
                || failure instanceof PossibleAuthenticationFailureException) {
            return "the broker at "
                    + config.broker()
                    + " refuses the login of '"
                    + factory.getUsername()
                    + "'; correct user and password in mindbus.uri";
        }
        var closing = closing(failure);
        if (closing != null && closing.code() == NOT_ALLOWED) {
            return "the broker at "
                    + config.broker()
                    + " does not allow it: "
                    + closing.text()
                    + "; check the virtual host in mindbus.uri and the permissions of the user";
        }
        if (closing != null && closing.code() == PRECONDITION_FAILED) {
            return "an exchange or a queue is there with other properties: "
                    + closing.text()
                    + "; delete it on the broker, or set mindbus.exchange or mindbus.node-id to other names";
        }
        return "connecting to "
                + config.broker()
                + " failed: "
                + (closing == null ? failure.toString() : closing.text());
    }

    private record Closing(int code, String text) {}

    private static @Nullable Closing closing(Exception failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof ShutdownSignalException signal) {
                return switch (signal.getReason()) {
                    case com.rabbitmq.client.AMQP.Channel.Close close ->
                            new Closing(close.getReplyCode(), close.getReplyText());
                    case com.rabbitmq.client.AMQP.Connection.Close close ->
                            new Closing(close.getReplyCode(), close.getReplyText());
                    case null, default -> null;
                };
            }
        }
        return null;
    }

    /// Opens the connection anew: what was begun over it is begun again.
    void restart() {
        over.countDown();
    }

    @Override
    public void close() {
        isClosing = true;
        var open = connection;
        if (open != null) {
            open.abort(ABORT_MILLIS);
        }
        thread.interrupt();
        try {
            if (!thread.join(Duration.ofMillis(2L * ABORT_MILLIS))) {
                LOG.atWarn()
                        .addKeyValue("connection", name)
                        .log("a connection did not end in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Whether it is open, within `wait`: for those who start it.
    boolean isOpenWithin(Duration wait) throws InterruptedException {
        var end = System.nanoTime() + wait.toNanos();
        while (!trouble.isEmpty() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        return trouble.isEmpty();
    }
}
