package dev.artel.gateway.mindbus;

import dev.artel.gateway.access.WorkerNames;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.log.LinesAMinute;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.SocketMessage;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.PushTerms;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// The agents of the bus: who is there, as which process, and since when each was silent. One name is one worker. Safe for use by
/// many threads; never waits.
final class NodeRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(NodeRegistry.class);
    private static final String NOT_READY = "NOT_READY";
    private static final int MOST_NODES = 10_000;
    private static final int MOST_SUPERSEDED = 16;

    /// How many lines a minute the log has of agents that come and go.
    static final int MOST_COMINGS = 300;

    /// How many lines a minute the log has of what is odd about agents.
    static final int MOST_ODDITIES = 60;

    /// How often the conversation hears that an agent lives, at most and at least.
    private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(1);

    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

    /// After how long without a look at the time the process was not running.
    private static final Duration STANDSTILL = Duration.ofSeconds(3);

    private final SessionShell shell;
    private final Commands commands;
    private final MindBusConfig config;
    private final AgentNames names;
    private final AgentFleet fleet;
    private final InstantSource clock;
    private final PassportRoom room;
    private final SequencedMap<String, Node> nodes = new LinkedHashMap<>();

    /// The agent that gets what is sent under a routing key: names that differ in dots and underscores have one.
    private final Map<String, Node> byKey = new HashMap<>();

    private final LoggedNames logged = new LoggedNames();

    /// Agents that come and go. Senders on the bus choose how often that is.
    private final LinesAMinute comings = new LinesAMinute(MOST_COMINGS);

    /// What is odd about agents.
    private final LinesAMinute oddities = new LinesAMinute(MOST_ODDITIES);

    private Instant looked;

    /// For what state of the names the agents that are there have been judged.
    private long judged;

    /// Whether the answers that waited at the start have been taken.
    private boolean areAnswersRead;

    private enum Phase {
        /// Not heard of within its lease.
        ABSENT,
        /// Not heard of since the start: what it holds is kept for as long as its lease.
        RECALLED,
        /// Its registration is being taken.
        COMING,
        /// It gets tasks.
        PRESENT
    }

    private static final class Node {
        final WorkerId worker;

        /// The routing key of its commands.
        final String key;

        private final PassportRoom room;
        private Passport passport;
        private long weightOfPassport;
        Phase phase;
        Instant heard;
        Instant reported = Instant.EPOCH;
        @Nullable NodeChannel channel;
        final CommandRate rate;

        final NamedCommands named;

        /// With what it registered so long ago that it may be gone; null if that is not so.
        private @Nullable Passport announced;

        private long weightOfAnnounced;

        /// Whether it was not taken when it came last: what it has declared is the first to go.
        boolean isRefused;

        /// Whether its heartbeats name what it has.
        boolean namesTasks;

        /// Whether what it had of an earlier process of the orchestrator is sent again over its channel.
        boolean isRepeated;

        /// Whether it wants commands, by its last heartbeat.
        boolean isReady = true;

        /// Whether it was logged that its name is that of a worker on another wire.
        boolean isElsewhere;

        /// Earlier processes under the same name.
        final SequencedSet<String> superseded = new LinkedHashSet<>();

        Node(Passport passport, Phase phase, Instant now, CommandRate rate, PassportRoom room) {
            this.worker = new WorkerId(passport.name());
            this.key = CommandBodies.commandKey(passport.name());
            this.room = room;
            this.named = new NamedCommands(room);
            this.passport = passport;
            this.weightOfPassport = weighed(0, PassportRoom.weight(passport));
            this.phase = phase;
            this.heard = now;
            this.rate = rate;
        }

        private long weighed(long before, long now) {
            room.add(now - before);
            return now;
        }

        void keep(Passport next) {
            passport = next;
            weightOfPassport = weighed(weightOfPassport, PassportRoom.weight(next));
        }

        void announce(@Nullable Passport next) {
            announced = next;
            weightOfAnnounced = weighed(weightOfAnnounced, PassportRoom.weight(next));
        }

        /// It is known no more.
        void leave() {
            named.clear();
            room.add(-weightOfPassport - weightOfAnnounced);
        }

        boolean isAbsent() {
            return phase == Phase.ABSENT;
        }
    }

    NodeRegistry(
            SessionShell shell,
            Commands commands,
            MindBusConfig config,
            AgentNames names,
            AgentFleet fleet,
            InstantSource clock,
            PassportRoom room) {
        this.room = room;
        this.names = names;
        this.shell = shell;
        this.commands = commands;
        this.config = config;
        this.fleet = fleet;
        this.clock = clock;
        this.looked = clock.instant();
        this.judged = names.revision();
    }

    /// The agents that registered with an earlier process of the orchestrator.
    synchronized void recall(List<Passport> passports) {
        var now = clock.instant();
        for (var passport : passports) {
            if (nodes.size() < MOST_NODES
                    && !nodes.containsKey(passport.name())
                    && refusal(passport.name()).isEmpty()
                    && room.has(PassportRoom.weight(passport))) {
                var node = new Node(passport, Phase.RECALLED, now, rate(), room);
                if (takesKey(node)) {
                    nodes.put(passport.name(), node);
                } else {
                    node.leave();
                }
            }
        }
    }

    /// An agent registers. Of two processes under one name the one counts that registered last.
    ///
    /// @param isOld whether this was sent so long ago that the agent may be gone
    ///
    /// @throws ForeignSender if another account has sent it than that of the agent
    synchronized void registered(JsonObject event, BusEvent.Sender sender, boolean isOld) {
        var passport = Passport.read(event, sender.source(), config.terms().lease());
        config.door().check(passport.name(), sender.user());
        var node = find(passport.name(), passport);
        if (node == null || isSuperseded(node, passport.uid())) {
            return;
        }
        var before = isOld ? node.weightOfAnnounced : node.weightOfPassport;
        if (!makeRoom(PassportRoom.weight(passport) - before, node)) {
            isBeyondTheRoom(passport.name());
            return;
        }
        supersede(node, passport.uid());
        supersedeAnnounced(node, passport.uid());
        node.isReady = true;
        if (isOld) {
            // Its first heartbeat shows whether it is there; until then the process before counts.
            node.announce(passport);
            return;
        }
        arrive(node, passport);
    }

    /// An agent lives. One that never registered here is taken with what is known of its name.
    ///
    /// @throws ForeignSender if another account has sent it than that of the agent
    synchronized void heartbeat(JsonObject event, BusEvent.Sender sender) {
        var name = Passport.text(event, "name").orElse(sender.source());
        config.door().check(name, sender.user());
        var uid = Passport.process(event);
        var known = nodes.get(name);
        if (known == null) {
            var capabilities = config.seeds().getOrDefault(name, List.of());
            var passport = Passport.unknown(name, uid, capabilities, config.terms().lease());
            var node = find(name, passport);
            if (node == null) {
                return;
            }
            if (logged.add(name, clock.instant())) {
                oddities.log(
                        LOG.atLevel(capabilities.isEmpty() ? Level.WARN : Level.INFO)
                                .addKeyValue("agent", BusEvent.shortened(name))
                                .addKeyValue("capabilities", capabilities),
                        capabilities.isEmpty()
                                ? "an agent sends heartbeats that never registered here; it gets tasks when it is started anew, or named in mindbus.nodes"
                                : "an agent that never registered here gets tasks by mindbus.nodes");
            }
            arrive(node, passport);
            return;
        }
        if (isSuperseded(known, uid)) {
            return;
        }
        known.isReady = Passport.text(event, "status").filter(NOT_READY::equals).isEmpty();
        var announced = known.announced;
        if (announced != null && announced.uid().equals(uid)) {
            known.announce(null);
            arrive(known, announced);
            return;
        }
        if (!uid.isEmpty() && !uid.equals(known.passport.uid())) {
            comings.log(
                    LOG.atInfo().addKeyValue("agent", BusEvent.shortened(name)),
                    "another process of an agent sends heartbeats; it is taken for a restart");
            supersede(known, uid);
            arrive(known, known.passport.provisional(uid));
            return;
        }
        known.namesTasks = event.array("tasks").isPresent();
        var named = named(event);
        var channel = known.channel;
        if (channel == null) {
            named.forEach(known.named::add);
        }
        heard(known);
        if (channel != null) {
            channel.accept(named);
        }
        forgetIfAbsent(known);
    }

    /// What an agent names that is not taken, it names again when it is.
    private static void forgetIfAbsent(Node node) {
        if (node.isAbsent()) {
            node.named.clear();
        }
    }

    /// The commands that an agent has, if it names them: an extension of its heartbeat.
    private static List<LeaseToken> named(JsonObject event) {
        var named = new ArrayList<LeaseToken>();
        for (var task : event.array("tasks").orElse(JsonArray.EMPTY)) {
            if (named.size() < NamedCommands.MOST && task instanceof JsonString(var id)) {
                var token = CommandAnswers.token(List.of(id));
                if (token != null) {
                    named.add(token);
                }
            }
        }
        return named;
    }

    /// What an agent reports on before its channel is open has reached it. One that is not there has nothing.
    private static void remember(Node node, String lease) {
        var token = node.isAbsent() ? null : CommandAnswers.token(List.of(lease));
        if (token != null) {
            node.named.add(token);
        }
    }

    /// The answers that waited when the queue was opened have been taken: what has none of them is sent again.
    synchronized void answersAreRead() {
        areAnswersRead = true;
        forEach(this::repeat);
    }

    private void repeat(Node node) {
        if (areAnswersRead && !node.isRepeated && node.channel != null && mayReceive(node)) {
            node.isRepeated = true;
            node.channel.repeat(node.namesTasks);
        }
    }

    /// An agent leaves.
    ///
    /// @throws ForeignSender if another account has sent it than that of the agent
    synchronized void deregistered(JsonObject event, BusEvent.Sender sender) {
        var name = Passport.text(event, "name").orElse(sender.source());
        config.door().check(name, sender.user());
        var uid = Passport.process(event);
        var node = nodes.get(name);
        if (node != null && node.announced != null && node.announced.uid().equals(uid)) {
            node.announce(null);
        }
        if (node != null && (uid.isEmpty() || uid.equals(node.passport.uid()))) {
            end(node, "it left: " + Passport.text(event, "reason").orElse("no reason"));
        }
    }

    /// An agent reports on a task, which shows that it lives.
    ///
    /// @throws ForeignSender if another account has sent it than that of the agent
    synchronized void reported(BusEvent.Sender sender, SocketMessage message) {
        config.door().check(sender.source(), sender.user());
        var node = nodes.get(sender.source());
        if (node == null) {
            return;
        }
        node.heard = clock.instant();
        var channel = node.channel;
        if (channel != null) {
            channel.receive(message);
        } else {
            remember(node, message.lease());
        }
    }

    /// The lease of an agent; that of the settings if it is unknown.
    synchronized Duration leaseOf(String name) {
        var node = nodes.get(name);
        return node == null ? config.terms().lease() : node.passport.lease();
    }

    private @Nullable Node find(String name, Passport passport) {
        var known = nodes.get(name);
        if (known != null) {
            return known;
        }
        var refusal = refusal(name);
        if (refusal.isPresent()) {
            if (logged.add(name, clock.instant())) {
                oddities.log(
                        LOG.atWarn()
                                .addKeyValue("agent", BusEvent.shortened(name))
                                .addKeyValue("reason", refusal.get()),
                        "an agent on the bus is not taken");
            }
            return null;
        }
        if (!makeRoom(PassportRoom.weight(passport), null)) {
            isBeyondTheRoom(name);
            return null;
        }
        if (nodes.size() >= MOST_NODES) {
            dropAbsent(null);
        }
        if (nodes.size() >= MOST_NODES) {
            if (logged.add(name, clock.instant())) {
                oddities.log(
                        LOG.atWarn()
                                .addKeyValue("agent", BusEvent.shortened(name))
                                .addKeyValue("most", MOST_NODES),
                        "an agent is not taken, as the most that there may be are there");
            }
            return null;
        }
        Node node;
        try {
            node = new Node(passport, Phase.ABSENT, clock.instant(), rate(), room);
        } catch (IllegalArgumentException noName) {
            throw new UnreadableEvent(
                    "the name of the agent cannot be used: " + noName.getMessage());
        }
        nodes.put(name, node);
        return node;
    }

    /// Makes room for `more` bytes, for which those leave who are not there: first who was not taken.
    ///
    /// @param but who stays
    /// @return whether there is room
    private boolean makeRoom(long more, @Nullable Node but) {
        if (!room.has(more)) {
            drop(node -> node != but && (node.isRefused || node.isElsewhere));
        }
        if (!room.has(more)) {
            dropAbsent(but);
        }
        return room.has(more);
    }

    private void dropAbsent(@Nullable Node but) {
        drop(node -> node != but);
    }

    private void drop(Predicate<Node> isMeant) {
        nodes.values()
                .removeIf(node -> {
                    var leaves = node.isAbsent() && isMeant.test(node);
                    if (leaves) {
                        node.leave();
                        byKey.remove(node.key, node);
                    }
                    return leaves;
                });
    }

    private void isBeyondTheRoom(String name) {
        if (logged.add(name, clock.instant())) {
            oddities.log(
                    LOG.atWarn().addKeyValue("agent", BusEvent.shortened(name)),
                    "an agent is not taken, as what agents have declared takes all the memory that there is for it");
        }
    }

    /// Why no agent may have this name; empty if one may, or if it is none, which is refused for itself.
    private Optional<String> refusal(String name) {
        if (!config.door().agents().include(name)) {
            return Optional.of(
                    "mindbus.agents has "
                            + config.door().agents()
                            + " and not its name; add the name there, or give the agent another one");
        }
        var withoutKey = CommandBodies.keyRefusal(name);
        if (withoutKey.isPresent()) {
            return withoutKey;
        }
        try {
            var id = new WorkerId(name);
            return WorkerNames.refusal(id).or(() -> names.refusal(id));
        } catch (IllegalArgumentException noName) {
            return Optional.empty();
        }
    }

    private CommandRate rate() {
        return new CommandRate(config.commandsPerSecond(), clock);
    }

    /// The agents that a control is for. A worker on another wire is none, whatever agent has its name.
    ///
    /// @param name of one, dots as underscores; `all`: all of them
    synchronized List<WorkerId> addressed(String name) {
        return nodes.values().stream()
                .filter(node -> !node.isElsewhere)
                .map(node -> node.worker)
                .filter(worker ->
                        name.equals("all") || worker.value().replace('.', '_').equals(name))
                .toList();
    }

    /// What an agent has in work was taken from it.
    synchronized void stopped(String name, String reason) {
        var node = nodes.get(name);
        if (node != null) {
            end(node, "it was stopped: " + reason);
        }
    }

    private boolean isSuperseded(Node node, String uid) {
        var isSuperseded = node.superseded.contains(uid);
        if (isSuperseded) {
            oddities.log(
                    LOG.atWarn().addKeyValue("agent", node.worker),
                    "two processes run under the name of one agent; the one that registered first is not heard");
        }
        return isSuperseded;
    }

    private void supersede(Node node, String uid) {
        var before = node.passport.uid();
        if (!before.isEmpty() && !before.equals(uid)) {
            commands.forget(node.worker.value());
            isHeardNoMore(node, before);
        }
    }

    /// A process that was announced and has not been heard is none any more when a later one registers.
    private static void supersedeAnnounced(Node node, String uid) {
        var announced = node.announced;
        node.announce(null);
        if (announced != null && !announced.uid().isEmpty() && !announced.uid().equals(uid)) {
            isHeardNoMore(node, announced.uid());
        }
    }

    private static void isHeardNoMore(Node node, String uid) {
        node.superseded.add(uid);
        if (node.superseded.size() > MOST_SUPERSEDED) {
            node.superseded.removeFirst();
        }
    }

    private void arrive(Node node, Passport passport) {
        node.keep(passport);
        var refusal = refusal(passport.name());
        if (refusal.isPresent()) {
            node.isRefused = true;
            end(node, refusal.get());
            return;
        }
        if (node.phase == Phase.ABSENT && names.isOnAnotherWire(node.worker)) {
            if (!node.isElsewhere) {
                node.isElsewhere = true;
                oddities.log(
                        LOG.atWarn().addKeyValue("agent", node.worker),
                        "an agent on the bus is not taken while a worker of its name is there on another wire; stop that one, or give the agent another name");
            }
            return;
        }
        node.isElsewhere = false;
        if (!takesKey(node)) {
            end(node, "another agent has its routing key");
            return;
        }
        node.phase = Phase.COMING;
        node.heard = clock.instant();
        node.reported = node.heard;
        send(node, passport.register(), (reply, _) -> arrived(node, passport, reply));
    }

    /// Whether what is sent under the routing key of `node` is for that one: no other agent is there that has the same key.
    private boolean takesKey(Node node) {
        var holder = byKey.get(node.key);
        if (holder == null || holder == node || holder.isAbsent()) {
            byKey.put(node.key, node);
            return true;
        }
        node.isRefused = true;
        if (logged.add(node.worker.value(), clock.instant())) {
            oddities.log(
                    LOG.atWarn()
                            .addKeyValue("agent", node.worker)
                            .addKeyValue("other", holder.worker)
                            .addKeyValue("key", node.key),
                    "an agent on the bus is not taken while another one is there that has its routing key; give it a name that does not differ in dots and underscores alone");
        }
        return false;
    }

    private synchronized void arrived(Node node, Passport passport, SessionReply reply) {
        if (node.phase != Phase.COMING || !node.passport.equals(passport)) {
            return;
        }
        if (!(reply instanceof SessionReply.Message)) {
            // The next heartbeat tries again.
            node.phase = Phase.ABSENT;
            node.isRefused = true;
            node.named.clear();
            oddities.log(
                    LOG.atWarn()
                            .addKeyValue("agent", node.worker)
                            .addKeyValue("answer", BusEvent.shortened(String.valueOf(reply))),
                    "an agent could not be registered now");
            return;
        }
        node.phase = Phase.PRESENT;
        node.isRefused = false;
        if (node.channel == null) {
            comings.log(
                    LOG.atInfo()
                            .addKeyValue("agent", node.worker)
                            .addKeyValue(
                                    "capabilities",
                                    BusEvent.shortened(passport.capabilities().toString())),
                    "an agent on the bus is there");
            var _ = open(node);
        } else {
            node.channel.trust();
            resume(node);
        }
    }

    private NodeChannel open(Node node) {
        var channel =
                new NodeChannel(
                        node.worker,
                        shell,
                        commands,
                        () -> channelClosed(node.worker),
                        node.rate,
                        pause -> limited(node.worker, pause));
        node.channel = channel;
        node.isRepeated = false;
        channel.open(new PushTerms(MindBusGateway.WIRE, config.terms().confirmWithin(), true));
        if (!mayReceive(node)) {
            channel.pause();
        }
        channel.accept(node.named.take());
        repeat(node);
        return channel;
    }

    /// An agent has had its commands: the fleet shows it, and the next ones follow after `pause`.
    private void limited(WorkerId worker, Duration pause) {
        fleet.limited(worker, InstantSource.system().instant().plus(pause));
        CompletableFuture.delayedExecutor(
                        pause.toMillis(),
                        TimeUnit.MILLISECONDS,
                        next -> Thread.ofVirtual().name("artel-mindbus-rate").start(next))
                .execute(() -> unlimited(worker));
    }

    private synchronized void unlimited(WorkerId worker) {
        var node = nodes.get(worker.value());
        if (node != null && node.channel != null) {
            node.channel.unlimited();
            resume(node);
        }
    }

    /// Whether commands for it can be sent, and it wants them.
    private boolean mayReceive(Node node) {
        return node.isReady && commands.canBeSent();
    }

    /// The conversation closed the channel, as the broker confirmed several commands too late.
    private void channelClosed(WorkerId worker) {
        Thread.ofVirtual().name("artel-mindbus-reopen").start(() -> reopen(worker));
    }

    private synchronized void reopen(WorkerId worker) {
        var node = nodes.get(worker.value());
        if (node != null && node.channel != null) {
            var before = node.channel;
            before.closed();
            node.channel = null;
            if (node.phase == Phase.PRESENT) {
                before.replacedBy(open(node));
            }
        }
    }

    private void heard(Node node) {
        var now = clock.instant();
        node.heard = now;
        switch (node.phase) {
            case ABSENT, RECALLED -> arrive(node, node.passport);
            case COMING -> {}
            case PRESENT -> {
                if (node.channel != null) {
                    node.channel.trust();
                    pauseOrResume(node);
                }
                if (!node.reported.plus(SHORTEST_SILENCE).isAfter(now)) {
                    report(node, now);
                }
            }
        }
    }

    private void resume(Node node) {
        if (node.channel != null && mayReceive(node)) {
            node.channel.resume();
            repeat(node);
        }
    }

    private void pauseOrResume(Node node) {
        if (node.channel != null && !mayReceive(node)) {
            node.channel.pause();
        } else {
            resume(node);
        }
    }

    /// The conversation hears that the agent lives, which renews what it holds.
    private void report(Node node, Instant now) {
        node.reported = now;
        send(
                node,
                new Heartbeat.Empty(node.worker.value()),
                (reply, _) -> {
                    if (reply instanceof SessionReply.UnknownWorker) {
                        forgotten(node);
                    }
                });
    }

    private synchronized void forgotten(Node node) {
        if (node.phase == Phase.PRESENT) {
            arrive(node, node.passport);
        }
    }

    private void send(
            Node node, WorkerMessage message, BiConsumer<SessionReply, @Nullable Throwable> then) {
        var _ =
                shell.sendMarked(node.worker, message)
                        .whenComplete((reply, bug) -> {
                            if (reply != null) {
                                then.accept(reply, bug);
                            } else {
                                oddities.log(
                                        LOG.atError()
                                                .addKeyValue("agent", node.worker)
                                                .setCause(bug),
                                        "a message of an agent met with an error");
                            }
                        });
    }

    private void end(Node node, String reason) {
        var wasHere = node.phase != Phase.ABSENT;
        node.phase = Phase.ABSENT;
        node.named.clear();
        commands.forget(node.worker.value());
        if (node.channel != null) {
            node.channel.closed();
            node.channel = null;
        }
        if (wasHere) {
            comings.log(
                    LOG.atInfo()
                            .addKeyValue("agent", node.worker)
                            .addKeyValue("reason", BusEvent.shortened(reason)),
                    "an agent on the bus is gone");
            send(node, new WorkerMessage.Disconnect(node.worker.value()), (_, _) -> {});
        }
    }

    /// Nobody could be heard until now.
    synchronized void couldNotBeHeard() {
        var now = clock.instant();
        nodes.values().forEach(node -> node.heard = now.isAfter(node.heard) ? now : node.heard);
    }

    /// Looks at the time: agents that were silent for longer than their lease are gone.
    ///
    /// @param isListening whether agents can be heard now
    /// @param readUntil what agents have sent by then has been heard; silence after that may be none
    synchronized void look(boolean isListening, Instant readUntil) {
        var now = clock.instant();
        if (!isListening || Duration.between(looked, now).compareTo(STANDSTILL) > 0) {
            couldNotBeHeard();
        }
        looked = now;
        judgeAnew();
        forEach(node -> {
            if (node.phase != Phase.ABSENT
                    && node.heard.plus(node.passport.lease()).isBefore(readUntil)) {
                end(node, "it was silent for more than " + node.passport.lease());
            } else {
                look(node, now);
            }
        });
    }

    /// The name of an agent that is there may have got a token meanwhile.
    private void judgeAnew() {
        var revision = names.revision();
        if (revision == judged) {
            return;
        }
        judged = revision;
        forEach(node ->
                refusal(node.worker.value())
                        .filter(_ -> !node.isAbsent())
                        .ifPresent(refusal -> {
                            node.isRefused = true;
                            end(node, refusal);
                        }));
    }

    /// An agent that meets with an error keeps nothing from being done for the others.
    private void forEach(Consumer<Node> act) {
        for (var node : nodes.values()) {
            try {
                act.accept(node);
            } catch (RuntimeException bug) {
                oddities.log(
                        LOG.atError().addKeyValue("agent", node.worker).setCause(bug),
                        "what is due for an agent met with an error");
            }
        }
    }

    private void look(Node node, Instant now) {
        var isDue = !node.reported.plus(LONGEST_SILENCE).isAfter(now);
        switch (node.phase) {
            case PRESENT -> {
                pauseOrResume(node);
                if (isDue) {
                    report(node, now);
                }
            }
            case RECALLED -> {
                if (isDue && shell.mayHold(node.worker)) {
                    report(node, now);
                }
            }
            case ABSENT, COMING -> {}
        }
    }

    /// Commands can be sent again.
    synchronized void resume() {
        forEach(this::resume);
    }

    /// How many agents are there.
    synchronized int size() {
        return (int) nodes.values().stream().filter(node -> node.phase == Phase.PRESENT).count();
    }

    /// Whether an agent is there, as which process.
    synchronized Optional<String> uidOf(String name) {
        return Optional.ofNullable(nodes.get(name))
                .filter(node -> node.phase == Phase.PRESENT)
                .map(node -> node.passport.uid());
    }
}
