package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.ValueAddresses;
import dev.artel.json.JsonObject;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.ValueRoom;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.MalformedMessage;
import dev.artel.session.PushTerms;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves workers on ZeroMQ by `PUSH/1`: three sockets, on a thread of their own. Safe for use by many threads.
public final class ZeroMqWorkerGateway implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ZeroMqWorkerGateway.class);
    private static final String WIRE = "zeromq";
    private static final String NO_ROOM =
            "too many large frames arrive at the same time; send the message again";

    private final ZeroMqCounts counts = new ZeroMqCounts();
    private final PeerQueues incoming = new PeerQueues(counts);
    private final PeerQueues outgoing = new PeerQueues(counts);
    private final ValueRoom room = new ValueRoom();

    /// Of peers without a session, who choose their names, so that they take none of the room of workers.
    private final ValueRoom strangers = new ValueRoom(Runtime.getRuntime().maxMemory() / 64);

    private final ZeroMqConfig.Ports ports;
    private final Duration grace;
    private final PeerConnections connections;
    private final RouterLoop loop;
    private final WorkerLinks links;
    private final PeerSender sender;
    private final ReadyMessages.Parts parts;
    private final ReadyMessages registrations;
    private final HeartbeatMessages heartbeats;
    private final Greetings greetings;
    private final TaskMessages tasks;
    private final ResultMessages results;
    private final CallMessages calls;
    private final CallPolls polls;
    private final KeyNames keyNames;

    /// What the gateway needs of the orchestrator.
    ///
    /// @param assignments how tasks are written, on all wires
    /// @param values where workers fetch and put large values; empty: nowhere
    /// @param clock a monotonic one, by which silence is measured
    /// @param grace how long a worker that is drained may take to finish what it has
    /// @param fatal receives an error after which workers cannot be served any more
    public record Orchestrator(
            SessionShell shell,
            WorkerAuthentication authentication,
            WorkerLimits limits,
            TaskAssignments assignments,
            Optional<ValueAddresses> values,
            InstantSource clock,
            Duration grace,
            Consumer<Throwable> fatal) {}

    /// Opens the sockets; workers are served from now on.
    ///
    /// @throws IllegalStateException if it cannot listen
    public static ZeroMqWorkerGateway open(Orchestrator orchestrator, ZeroMqConfig config) {
        var gateway = new ZeroMqWorkerGateway(orchestrator, config);
        gateway.loop.start();
        return gateway;
    }

    private ZeroMqWorkerGateway(Orchestrator orchestrator, ZeroMqConfig config) {
        var shell = orchestrator.shell();
        var limits = orchestrator.limits();
        var terms = config.terms();
        var wallClock = InstantSource.system();
        var inFlight = new InFlight();
        var values = new ResultMessages.Values(config.maxMessageBytes(), orchestrator.values());
        var sockets = new RouterSockets(config, orchestrator.clock(), counts, orchestrator.fatal());
        connections = sockets.connections();
        grace = orchestrator.grace();
        ports =
                new ZeroMqConfig.Ports(
                        sockets.portOf(WirePort.REGISTRATION),
                        sockets.portOf(WirePort.TASKS),
                        sockets.portOf(WirePort.RESULTS));
        links = new WorkerLinks(terms.heartbeatTimeout());
        keyNames = new KeyNames(sockets.clientKeys(), links, limits);
        loop =
                new RouterLoop(
                        sockets,
                        new Incoming(),
                        orchestrator.clock(),
                        counts,
                        config.maxMessageBytes());
        sender = new PeerSender(loop, links);
        var ends = new SessionEnds(shell, links, sender);
        parts =
                new ReadyMessages.Parts(
                        shell,
                        orchestrator.authentication(),
                        limits,
                        links,
                        sender,
                        ends,
                        terms,
                        config.maxMessageBytes(),
                        config.plainNames(),
                        keyNames,
                        orchestrator.clock());
        var channels =
                new LinkChannel.Parts(
                        shell,
                        sender,
                        outgoing,
                        new TaskBodies(orchestrator.assignments(), wallClock),
                        ends);
        registrations = new ReadyMessages(parts);
        heartbeats = new HeartbeatMessages(parts, wallClock);
        greetings =
                new Greetings(
                        shell, links, channels, new PushTerms(WIRE, terms.acceptWithin(), true));
        tasks = new TaskMessages(shell, links, sender);
        results = new ResultMessages(shell, limits, links, sender, inFlight, values);
        polls = new CallPolls(channels, limits, inFlight, orchestrator.assignments());
        calls = new CallMessages(parts, inFlight, polls, values);
    }

    /// What comes in, on the thread of the sockets.
    private final class Incoming implements RouterLoop.Receiver {
        @Override
        public void received(
                WirePort port,
                PeerName peer,
                @Nullable String key,
                List<byte[]> frames,
                boolean isCut,
                Instant at) {
            var bytes = PushFrames.bytes(frames);
            var _ = incoming.put(peer, bytes, () -> process(port, peer, key, frames, isCut, at));
        }

        @Override
        public void lost(WirePort port, PeerName peer) {
            counts.isDropped();
            var _ = incoming.put(peer, 0, () -> refuse(port, peer, RejectCode.BUSY, NO_ROOM));
        }

        @Override
        public void disconnected(WirePort port, PeerName peer) {
            if (port == WirePort.RESULTS) {
                var _ = incoming.put(peer, 0, () -> polls.abandon(peer));
            }
        }

        @Override
        public void tick(Instant now) {
            for (var link : links.silent(now)) {
                var _ = incoming.put(link.peer(), 0, () -> registrations.expire(link, now));
            }
        }

        @Override
        public boolean hasSession(PeerName peer) {
            return links.find(peer) != null;
        }

        @Override
        public boolean hasRoom() {
            return incoming.hasRoom();
        }
    }

    /// Where the values of `peer` have room.
    ValueRoom roomOf(PeerName peer) {
        return links.find(peer) == null ? strangers : room;
    }

    private void process(
            WirePort port,
            PeerName peer,
            @Nullable String key,
            List<byte[]> frames,
            boolean isCut,
            Instant at) {
        var weight = 0L;
        for (var frame : frames) {
            weight += ForeignJson.weightIfLarge(frame);
        }
        try (var _ = roomOf(peer).take(peer.bytes(), weight)) {
            if (frames.size() > PushFrames.BODY) {
                parts.checkStranger(peer, frames.get(PushFrames.BODY));
            }
            var message = PushFrames.read(frames, isCut);
            keyNames.check(peer, key, message);
            switch (port) {
                case REGISTRATION -> onRegistration(peer, message, at);
                case TASKS -> onTasks(peer, message);
                case RESULTS -> onResults(peer, message);
            }
        } catch (BadFrame bad) {
            refuse(port, peer, bad.code(), bad.getMessage());
        } catch (MalformedMessage malformed) {
            refuse(port, peer, RejectCode.BAD_FRAME, malformed.getMessage());
        }
    }

    private void refuse(WirePort port, PeerName peer, RejectCode code, @Nullable String why) {
        if (code == RejectCode.BAD_FRAME || code == RejectCode.BAD_PROTOCOL) {
            counts.badOn(port);
        }
        LOG.atDebug()
                .addKeyValue("port", port.word())
                .addKeyValue("code", code)
                .addKeyValue("cause", why)
                .log("a message on ZeroMQ is refused");
        sender.reject(port, peer, code, String.valueOf(why));
    }

    private void onRegistration(PeerName peer, PushMessage message, Instant at) {
        switch (message.kind()) {
            case "READY" -> registrations.ready(peer, message);
            case "HEARTBEAT" -> heartbeats.beat(peer, message, at);
            case "DRAIN" -> heartbeats.drain(peer, message);
            case "BYE" -> heartbeats.bye(peer, message);
            case String other -> throw unknown(other, WirePort.REGISTRATION);
        }
    }

    private void onTasks(PeerName peer, PushMessage message) {
        switch (message.kind()) {
            case "HELLO" -> greetings.hello(WirePort.TASKS, peer, message);
            case "ACCEPT" -> tasks.accept(peer, message);
            case "REFUSE" -> tasks.refuse(peer, message);
            case String other -> throw unknown(other, WirePort.TASKS);
        }
    }

    private void onResults(PeerName peer, PushMessage message) {
        switch (message.kind()) {
            case "HELLO" -> greetings.hello(WirePort.RESULTS, peer, message);
            case "RESULT" -> results.result(peer, message);
            case "CALL" -> calls.call(peer, message);
            case String other -> throw unknown(other, WirePort.RESULTS);
        }
    }

    private static BadFrame unknown(String kind, WirePort port) {
        return new BadFrame("the socket of " + port.word() + " takes no " + kind);
    }

    /// Where it listens.
    public ZeroMqConfig.Ports ports() {
        return ports;
    }

    /// How many workers have a session.
    public int workers() {
        return links.size();
    }

    /// Whether the thread of the sockets is alive.
    public boolean isAlive() {
        return loop.isAlive();
    }

    /// How many connections are open to its sockets.
    public int connections() {
        return connections.count();
    }

    /// How many bytes wait to be sent.
    long unsent() {
        return loop.unsent();
    }

    /// What it has met with.
    public ZeroMqCounts counts() {
        return counts;
    }

    /// Asks a worker to finish what it has and to leave, if it has a session.
    ///
    /// @param reason for people
    public void drain(WorkerId worker, String reason) {
        var link = links.ofWorker(worker.value());
        if (link != null) {
            sender.send(
                    WirePort.REGISTRATION,
                    link.peer(),
                    "SHUTDOWN",
                    JsonObject.builder()
                            .put("reason", reason)
                            .put("grace_ms", grace.toMillis())
                            .build());
        }
    }

    /// Closes the sockets. Workers keep their tasks, and register again when the orchestrator is back.
    @Override
    public void close() {
        incoming.close();
        loop.close();
        outgoing.close();
    }
}
