package dev.artel.worker.amqp;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.ShutdownSignalException;
import dev.artel.amqp.BoundedConnections;
import dev.artel.amqp.ReadAhead;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.worker.wire.WireEvents;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One connection of an agent: from its registration until it leaves, or the broker does. Safe for use by many threads.
final class AgentSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentSession.class);
    private static final int CONNECT_MILLIS = 5_000;
    private static final int HEARTBEAT_SECONDS = 20;
    private static final int CLOSE_MILLIS = 2_000;
    private static final int LONGEST_CALL_MILLIS = 15_000;
    private static final int BEATS_PER_LEASE = 3;
    private static final int RESOURCE_LOCKED = 405;
    private static final String DIRECT = "";

    private final AgentAddress address;
    private final AgentPassport passport;
    private final AgentQueues queues;
    private final CommandBook book;
    private final WireEvents events;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Connection connection;
    private final Channel commands;
    private final Channel controls;
    private final ConfirmedPublisher publisher;
    private final AtomicLong done = new AtomicLong();
    private volatile boolean isEnding;
    private @Nullable String consumer;
    private boolean isPaused;

    /// Connects, and declares what it needs.
    ///
    /// @throws NameTaken if another process is there under the name
    /// @throws IOException if there is no connection
    AgentSession(AgentAddress address, AgentPassport passport, boolean isPaused, WorkerSide side)
            throws IOException {
        this.address = address;
        this.passport = passport;
        this.isPaused = isPaused;
        book = side.book();
        events = side.events();
        queues = AgentQueues.of(passport, address.exchange());
        connection = connect();
        try {
            commands = connection.createChannel();
            controls = connection.createChannel();
            lockName();
            queues.declare(commands, address.lease());
            commands.basicQos(passport.slots());
            controls.basicQos(1);
            var outgoing = connection.createChannel();
            publisher = new ConfirmedPublisher(outgoing, address.userId());
            for (var channel : new Channel[] {commands, controls, outgoing}) {
                channel.addShutdownListener(cause -> ended(cause, side.over()));
            }
            connection.addShutdownListener(cause -> ended(cause, side.over()));
        } catch (IOException | RuntimeException failure) {
            close();
            throw failure;
        }
    }

    /// The side of the worker, which outlives a session.
    ///
    /// @param over takes why the session has ended by itself
    record WorkerSide(CommandBook book, WireEvents events, Consumer<String> over) {}

    /// Another process is there under the name of the agent.
    static final class NameTaken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NameTaken(AgentName name, Throwable cause) {
            super(
                    "another process is connected to the broker as '"
                            + name
                            + "'; stop it, or give this worker another id",
                    cause);
        }
    }

    private Connection connect() throws IOException {
        // The broker has a limit (max_message_size).
        var factory = new BoundedConnections(Integer.MAX_VALUE);
        try {
            factory.setUri(address.broker());
            if (address.broker().getScheme().equalsIgnoreCase("amqps")) {
                factory.useSslProtocol(SSLContext.getDefault());
                factory.enableHostnameVerification();
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(address + " cannot be used: " + e.getMessage(), e);
        }
        factory.setConnectionTimeout(CONNECT_MILLIS);
        factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
        factory.setChannelRpcTimeout(LONGEST_CALL_MILLIS);
        try {
            return factory.newConnection(threads, "agent " + passport.name());
        } catch (TimeoutException e) {
            throw new IOException(address + " did not answer in time", e);
        }
    }

    /// A queue that only one connection can have shows that the name is taken.
    private void lockName() throws IOException {
        try {
            var _ = controls.queueDeclare("singleton." + passport.name(), false, true, true, null);
        } catch (IOException failure) {
            if (failure.getCause() instanceof ShutdownSignalException signal
                    && signal.getReason() instanceof AMQP.Channel.Close close
                    && close.getReplyCode() == RESOURCE_LOCKED) {
                throw new NameTaken(passport.name(), failure);
            }
            throw failure;
        }
    }

    private void ended(ShutdownSignalException cause, Consumer<String> over) {
        if (!isEnding) {
            isEnding = true;
            over.accept(String.valueOf(cause.getMessage()));
            var _ =
                    Thread.ofVirtual()
                            .name("artel-agent-end")
                            .start(() -> connection.abort(CLOSE_MILLIS));
        }
    }

    /// Registers, and takes commands from then on.
    ///
    /// @return whether an orchestrator can know it: the event is in a queue
    boolean register(Duration timeout) throws IOException, InterruptedException {
        controls.basicConsume(queues.controls(), false, new Controls(controls));
        var event =
                AgentMessage.event(
                        passport.name(), "node.registered", passport.registered(address.lease()));
        var fate =
                await(
                        "the registration",
                        publisher.publish(address.exchange(), "evt.node.registered", event),
                        timeout);
        if (fate != ConfirmedPublisher.Fate.CONFIRMED) {
            return false;
        }
        consume();
        if (isPaused()) {
            var _ = publish("node.heartbeat", heartbeat());
        }
        var _ = Thread.ofVirtual().name("artel-agent-heartbeat").start(this::beat);
        return true;
    }

    private synchronized void consume() throws IOException {
        if (consumer == null && !isPaused) {
            consumer = commands.basicConsume(queues.commands(), false, new Commands(commands));
        }
    }

    private void beat() {
        try {
            while (!isEnding) {
                Thread.sleep(address.lease().dividedBy(BEATS_PER_LEASE));
                queues.bind(controls);
                var _ = publish("node.heartbeat", heartbeat());
            }
        } catch (IOException | ShutdownSignalException over) {
            LOG.atDebug().setCause(over).log("no more heartbeats: the connection has ended");
            if (!isEnding) {
                // It is there, and the broker does not answer over it: the worker connects again.
                connection.abort(CLOSE_MILLIS);
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized JsonObject heartbeat() {
        var held = events.held();
        return passport.named()
                .put("renew_time", Instant.now().toString())
                .put("status", isPaused ? "NOT_READY" : "READY")
                .put("current_tasks", held.size())
                .put("tasks", JsonArray.ofStrings(held))
                .put("total_tasks_processed", done.get())
                .build();
    }

    private CompletableFuture<ConfirmedPublisher.Fate> publish(String type, JsonObject data)
            throws IOException {
        return publisher.publish(
                address.exchange(), "evt." + type, AgentMessage.event(passport.name(), type, data));
    }

    /// Sends a heartbeat that the broker confirms.
    void heartbeat(Duration timeout) throws IOException, InterruptedException {
        var _ = await("a heartbeat", publish("node.heartbeat", heartbeat()), timeout);
    }

    /// Sends progress, and waits for nothing.
    void progress(JsonObject data) throws IOException {
        var _ = publish("task.progress", data);
    }

    /// Takes no commands before [#resume]; the orchestrator hears of it.
    void pause() throws IOException {
        synchronized (this) {
            isPaused = true;
            if (consumer != null) {
                commands.basicCancel(consumer);
                consumer = null;
            }
        }
        var _ = publish("node.heartbeat", heartbeat());
    }

    /// Takes commands again.
    void resume() throws IOException {
        synchronized (this) {
            isPaused = false;
        }
        consume();
        var _ = publish("node.heartbeat", heartbeat());
    }

    synchronized boolean isPaused() {
        return isPaused;
    }

    /// How a command has ended.
    ///
    /// @param lease the id of the command with which it began
    record Answer(String lease, CommandOutcome outcome) {
        /// Whether it is the answer also to what comes later: a failure is worth another try.
        boolean isKept() {
            return outcome.type().equals(AgentMessage.RESULT);
        }
    }

    private record SentAnswer(
            CommandBook.Delivery delivery, CompletableFuture<ConfirmedPublisher.Fate> fate) {}

    /// Answers commands, each with all under which it came, and waits until the broker has the answers.
    void answer(List<Answer> answers, Duration timeout) throws IOException, InterruptedException {
        var sent = new LinkedHashMap<Answer, List<SentAnswer>>();
        for (var answer : answers) {
            var of = new ArrayList<SentAnswer>();
            for (var delivery : book.waiting(answer.lease())) {
                of.add(new SentAnswer(delivery, send(delivery.command(), answer.outcome())));
            }
            sent.put(answer, of);
        }
        var late = new ArrayList<Answer>();
        for (var entry : sent.entrySet()) {
            var answer = entry.getKey();
            for (var one : entry.getValue()) {
                if (await("an answer", one.fate(), timeout) == ConfirmedPublisher.Fate.REFUSED) {
                    throw new IOException("the broker does not take an answer");
                }
                one.delivery().settle().run();
            }
            var answered = entry.getValue().stream().map(SentAnswer::delivery).toList();
            if (book.answered(answer.lease(), answered, answer.outcome(), answer.isKept())) {
                done.incrementAndGet();
            } else {
                late.add(answer);
            }
        }
        if (!late.isEmpty()) {
            answer(late, timeout);
        }
    }

    private CompletableFuture<ConfirmedPublisher.Fate> send(
            ReceivedCommand.Origin command, CommandOutcome outcome) throws IOException {
        var queue = command.replyTo();
        if (queue == null) {
            LOG.atWarn()
                    .addKeyValue("command", command.id())
                    .log("a command names no queue for its answer; the answer is dropped");
            return CompletableFuture.completedFuture(ConfirmedPublisher.Fate.UNROUTABLE);
        }
        var message = AgentMessage.answer(passport.name(), outcome.type(), command, outcome.data());
        return publisher
                .publish(DIRECT, queue, message)
                .thenApply(fate -> {
                    if (fate == ConfirmedPublisher.Fate.UNROUTABLE) {
                        LOG.atWarn()
                                .addKeyValue("command", command.id())
                                .addKeyValue("queue", queue)
                                .log("the queue for an answer is not there; the answer is dropped");
                    }
                    return fate;
                });
    }

    private static <T> T await(String what, CompletableFuture<T> answer, Duration timeout)
            throws IOException, InterruptedException {
        try {
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(what + " did not reach the broker", e);
        } catch (TimeoutException e) {
            throw new IOException(what + " was not confirmed by the broker in " + timeout, e);
        }
    }

    /// Takes its leave: nothing is left on the broker.
    void leave(Duration timeout) throws IOException, InterruptedException {
        isEnding = true;
        var data =
                passport.named()
                        .put("reason", "GracefulShutdown")
                        .put("total_tasks_processed", done.get())
                        .build();
        var _ = await("the leave", publish("node.deregistered", data), timeout);
        queues.delete(controls);
        close();
    }

    /// Ends the connection. Commands that are not answered come again.
    @Override
    public void close() {
        isEnding = true;
        connection.abort(CLOSE_MILLIS);
        threads.shutdown();
    }

    private final class Commands extends DefaultConsumer {
        Commands(Channel channel) {
            super(channel);
        }

        @Override
        public void handleDelivery(
                String consumerTag,
                Envelope envelope,
                AMQP.BasicProperties properties,
                byte[] body) {
            try {
                read(envelope, properties, body);
            } finally {
                ReadAhead.of(connection).done(body.length);
            }
        }

        private void read(Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            var tag = envelope.getDeliveryTag();
            try {
                take(ReceivedCommand.read(properties, body), () -> acknowledge(tag));
            } catch (MalformedCommand malformed) {
                LOG.atWarn()
                        .addKeyValue("key", envelope.getRoutingKey())
                        .addKeyValue("problem", malformed.getMessage())
                        .log("a command cannot be read; it is refused");
                var origin = ReceivedCommand.origin(properties, body);
                var problem = String.valueOf(malformed.getMessage());
                answer(origin, CommandOutcome.malformed(problem), () -> refuse(tag));
            }
        }

        private void take(ReceivedCommand command, Runnable settle) {
            if (command.isForAnotherThan(passport.name())) {
                settle.run();
                return;
            }
            if (!passport.capabilities().contains(command.action())) {
                var outcome =
                        CommandOutcome.unknownAction(command.action(), passport.capabilities());
                answer(command.origin(), outcome, settle);
                return;
            }
            switch (book.received(command, settle)) {
                case CommandBook.Verdict.Begin() -> begin(command);
                case CommandBook.Verdict.Wait() ->
                        LOG.atDebug()
                                .addKeyValue("command", command.origin().id())
                                .log("a command that is in work came again");
                case CommandBook.Verdict.Again(var outcome) ->
                        answer(command.origin(), outcome, settle);
            }
        }

        private void begin(ReceivedCommand command) {
            if (!events.pushed(command.assignment())) {
                giveBack(command.origin().id(), "the worker takes nothing more");
            }
        }

        @Override
        public void handleCancel(String consumerTag) {
            if (isEnding) {
                // The agent leaves, and removes its queues.
                return;
            }
            LOG.atWarn().log("the queue of this agent was deleted; connecting again");
            var _ =
                    Thread.ofVirtual()
                            .name("artel-agent-end")
                            .start(() -> connection.abort(CLOSE_MILLIS));
        }

        private void acknowledge(long tag) {
            try {
                getChannel().basicAck(tag, false);
            } catch (IOException | AlreadyClosedException closed) {
                LOG.atDebug().setCause(closed).log("a command comes again");
            }
        }

        private void refuse(long tag) {
            try {
                getChannel().basicNack(tag, false, false);
            } catch (IOException | AlreadyClosedException closed) {
                LOG.atDebug().setCause(closed).log("a command comes again");
            }
        }
    }

    /// Answers without waiting; a command whose answer is lost comes again.
    private void answer(
            ReceivedCommand.@Nullable Origin command, CommandOutcome outcome, Runnable settle) {
        if (command == null) {
            settle.run();
            return;
        }
        try {
            var _ = send(command, outcome).thenRun(settle);
        } catch (IOException over) {
            LOG.atDebug().setCause(over).log("an answer is not sent: the connection has ended");
        }
    }

    /// A command that was not begun is for another agent.
    void giveBack(String lease, String reason) {
        var outcome = CommandOutcome.notStarted(reason);
        var waiting = book.waiting(lease);
        waiting.forEach(delivery -> answer(delivery.command(), outcome, delivery.settle()));
        var _ = book.answered(lease, waiting, outcome, false);
    }

    private final class Controls extends DefaultConsumer {
        Controls(Channel channel) {
            super(channel);
        }

        @Override
        public void handleDelivery(
                String consumerTag,
                Envelope envelope,
                AMQP.BasicProperties properties,
                byte[] body) {
            try {
                read(envelope, properties, body);
            } finally {
                ReadAhead.of(connection).done(body.length);
                done(envelope.getDeliveryTag());
            }
        }

        /// The next one comes: one at a time, as any account may have very large ones in the queue.
        private void done(long tag) {
            try {
                getChannel().basicAck(tag, false);
            } catch (IOException | AlreadyClosedException closed) {
                LOG.atDebug().setCause(closed).log("a control comes again");
            }
        }

        private void read(Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
            try {
                obey(AgentControl.read(properties, body));
            } catch (MalformedCommand malformed) {
                LOG.atWarn()
                        .addKeyValue("key", envelope.getRoutingKey())
                        .addKeyValue("problem", malformed.getMessage())
                        .log("a control cannot be read; ignored");
            } catch (IOException over) {
                LOG.atDebug().setCause(over).log("a control came too late for the connection");
            }
        }

        private void obey(AgentControl control) throws IOException {
            LOG.atInfo()
                    .addKeyValue("control", control.kind())
                    .addKeyValue("reason", control.reason())
                    .log("the agent is controlled over the bus");
            switch (control.kind()) {
                case STOP -> stop(control);
                case PAUSE -> pause();
                case RESUME -> resume();
                case SHUTDOWN -> events.shutDown(control.reason());
                case CONFIG ->
                        LOG.atInfo().log("a worker has no configuration that it could read again");
            }
        }

        private void stop(AgentControl control) {
            if (control.task().isPresent()) {
                book.stop(control.task().get()).ifPresent(events::cancelled);
            } else {
                book.leases(control.process().orElse(null)).forEach(events::cancelled);
            }
        }
    }
}
