package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.UnreadableMessage;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.log.LinesAMinute;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Register;
import dev.artel.protocol.RegisterAnswer;
import dev.artel.protocol.Renew;
import dev.artel.protocol.RenewAnswer;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// `READY`: who a worker is, and what becomes of the tasks that it has. Messages of one worker come one at a time.
final class ReadyMessages {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyMessages.class);

    /// ZeroMQ does not say from which address a message comes.
    private static final String ANYWHERE = "ZeroMQ";

    private static final int MOST_CAPACITY = 10_000;

    /// The largest body of a peer without a session that is read before its token, in bytes.
    private static final int MOST_OF_A_STRANGER = 16 << 10;

    private static final Set<String> OWN_MEMBERS =
            Set.of(
                    "token",
                    "capacity",
                    "task_types",
                    "running",
                    "inline_bytes",
                    "keep_leases",
                    "attachments");

    private final LinesAMinute lines = new LinesAMinute(SessionEnds.MOST_LINES);
    private final Parts parts;

    /// Who is being registered at this moment.
    private final ConcurrentMap<PeerName, TokenConnections.Place> coming =
            new ConcurrentHashMap<>();

    /// What registrations and heartbeats work with.
    ///
    /// @param maxMessageBytes how many bytes a message may have with its attachments
    /// @param plainNames which workers may have their names as the identities of their sockets
    /// @param keyNames which keys are for which workers
    /// @param clock as the gateway's: monotonic
    record Parts(
            SessionShell shell,
            WorkerAuthentication authentication,
            WorkerLimits limits,
            WorkerLinks links,
            PeerSender sender,
            SessionEnds ends,
            ZeroMqConfig.PushTiming terms,
            int maxMessageBytes,
            ZeroMqConfig.PlainNames plainNames,
            KeyNames keyNames,
            InstantSource clock) {
        /// The worker `name`, if `token` lets its sender be it.
        ///
        /// @throws BadFrame if it does not
        WorkerId authenticated(String token, String name) {
            WorkerId claimed;
            try {
                claimed = new WorkerId(name);
            } catch (IllegalArgumentException noName) {
                throw new BadFrame("worker_id must have " + WorkerId.RULE);
            }
            switch (authentication.check(token, claimed)) {
                case WorkerAuthentication.Decision.Unnamed _ -> {}
                case WorkerAuthentication.Decision.Named(var owner) -> {
                    if (!owner.equals(claimed)) {
                        throw new BadFrame(
                                RejectCode.BAD_TOKEN, "the token is that of another worker");
                    }
                }
                case WorkerAuthentication.Decision.Refused(var error) ->
                        throw limits.refused(ANYWHERE, error).isEmpty()
                                ? new BadFrame(RejectCode.BAD_TOKEN, error)
                                : new BadFrame(
                                        RejectCode.BUSY,
                                        "too many tokens were refused; try again in a minute");
            }
            return claimed;
        }

        /// The same of `peer`, whose identity must be good enough for the token.
        ///
        /// @throws BadFrame if it does not
        WorkerId authenticated(PeerName peer, String token, String name) {
            var worker = authenticated(token, name);
            if (!peer.isSecret()
                    && plainNames == ZeroMqConfig.PlainNames.OF_SHARED_TOKENS
                    && owner(token, worker) != null) {
                throw new BadFrame(
                        "the worker "
                                + worker
                                + " has a token of its own, and each peer that connects under its name would get its tasks and report on them:"
                                + " give its sockets an identity of '~' and at least 23 characters that nobody else knows, or set"
                                + " zeromq.plain-identities where all who reach these ports are trusted");
            }
            return worker;
        }

        /// Judges the token of a peer without a session before a large body is read.
        ///
        /// @throws BadFrame if `body` is large, and its token does not let its sender be who it claims to be
        void checkStranger(PeerName peer, byte[] body) {
            if (body.length <= MOST_OF_A_STRANGER || links.find(peer) != null) {
                return;
            }
            var found = UnreadableMessage.scan(body);
            var _ =
                    authenticated(
                            found.text("token").orElse(""),
                            peer.isSecret() ? found.text("worker_id").orElse("") : peer.worker());
        }

        /// Whose token it is; null: that of all.
        @Nullable WorkerId owner(String token, WorkerId claimed) {
            return authentication.check(token, claimed)
                            instanceof WorkerAuthentication.Decision.Named(var owner)
                    ? owner
                    : null;
        }
    }

    ReadyMessages(Parts parts) {
        this.parts = parts;
    }

    void ready(PeerName peer, PushMessage message) {
        var members = message.members();
        checkIdentity(peer, members.id("worker_id"));
        var introduction = introduction(peer, members);
        var running = new Renew(introduction.worker().value(), running(members), List.of());
        var register = Register.read(registration(message.body(), introduction));
        var name = introduction.worker().value();
        if (parts.links().isTaken(name, introduction.instance(), parts.clock().instant())) {
            throw new BadFrame(
                    RejectCode.ID_IN_USE,
                    "another process is there as worker "
                            + name
                            + "; it is gone when it was silent for "
                            + parts.terms().heartbeatTimeout());
        }
        if (parts.limits().take(introduction.worker(), WorkerLimits.Kind.OTHER).isPresent()) {
            throw new BadFrame(RejectCode.BUSY, "the worker sends more than its limits allow");
        }
        if (coming.containsKey(peer)) {
            return;
        }
        coming.put(peer, place(introduction));
        try {
            Replies.then(
                    parts.shell().send(introduction.worker(), register),
                    peer,
                    reply -> registered(peer, introduction, running, reply),
                    () -> comesNoMore(peer));
        } catch (RuntimeException bug) {
            comesNoMore(peer);
            throw bug;
        }
    }

    /// A secret identity belongs to one worker; that of a name is the name, where names are good enough.
    private void checkIdentity(PeerName peer, String worker) {
        if (peer.isSecret()) {
            var other = parts.links().find(peer);
            if (other != null && !other.worker().value().equals(worker)) {
                throw new BadFrame("the identity of the socket is that of another worker");
            }
        } else if (!worker.equals(peer.worker())) {
            throw new BadFrame(
                    "the identity of the socket must be worker_id, or '~' and at least 23 characters that nobody else knows");
        } else if (parts.keyNames().bind(worker)) {
            throw new BadFrame(
                    "the file of zeromq.curve-clients binds the name "
                            + worker
                            + " to a key: give its sockets an identity of '~' and at least 23 characters that nobody else knows");
        } else if (parts.plainNames() == ZeroMqConfig.PlainNames.NONE) {
            throw new BadFrame(
                    "each peer that connects as "
                            + worker
                            + " gets the tasks of this worker: give its sockets an identity of '~' and at least 23 characters"
                            + " that nobody else knows, or set zeromq.plain-identities where all who reach these ports are trusted");
        }
    }

    /// A worker that registers again takes the place of its own session.
    private TokenConnections.Place place(WorkerLink.Introduction introduction) {
        var connections = parts.limits().connections();
        var token = introduction.token().orElse("");
        var owner = parts.owner(token, introduction.worker());
        if (parts.links().ofWorker(introduction.worker().value()) != null) {
            return connections.replace(token, owner);
        }
        return connections
                .take(token, owner)
                .orElseThrow(() ->
                        new BadFrame(
                                RejectCode.TOO_MANY_CONNECTIONS, TokenConnections.refusal(owner)));
    }

    private void comesNoMore(PeerName peer) {
        var place = coming.remove(peer);
        if (place != null) {
            place.close();
        }
    }

    private WorkerLink.Introduction introduction(PeerName peer, Members members) {
        var token = members.findText("token");
        var worker = parts.authenticated(peer, token == null ? "" : token, members.id("worker_id"));
        return new WorkerLink.Introduction(
                worker,
                members.id("instance"),
                capacity(members),
                Optional.ofNullable(token),
                inline(members.count("inline_bytes", TaskAssignments.ALL)),
                members.flag("keep_leases"));
    }

    private static int capacity(Members members) {
        Long capacity;
        try {
            capacity = members.findCount("capacity");
        } catch (MalformedMessage wrong) {
            capacity = null;
        }
        if (capacity == null || capacity < 1 || capacity > MOST_CAPACITY) {
            throw new BadFrame(
                    RejectCode.BAD_CAPACITY,
                    "capacity is a whole number from 1 to " + MOST_CAPACITY);
        }
        return capacity.intValue();
    }

    private static List<String> running(Members members) {
        var leases = new ArrayList<String>();
        for (var task : members.array("running")) {
            leases.add(
                    switch (task) {
                        case JsonString(var lease) -> Members.lease(lease).value();
                        case JsonObject object -> new Members(object).lease().value();
                        case JsonValue _ ->
                                throw new MalformedMessage(
                                        "running", "an array of objects", "something else");
                    });
        }
        return leases;
    }

    /// As workers on HTTP register: whatever else they declare may be here, too.
    private static JsonObject registration(JsonObject body, WorkerLink.Introduction introduction) {
        var registration = JsonObject.builder();
        body.members()
                .forEach((name, value) -> {
                    if (!OWN_MEMBERS.contains(name)) {
                        registration.put(name, value);
                    }
                });
        taskTypes(body).ifPresent(types -> registration.put("supported_tasks", types));
        return registration
                .put("worker_id", introduction.worker().value())
                .put("instance", introduction.instance())
                .put("max_concurrent_tasks", introduction.capacity())
                .build();
    }

    private static Optional<JsonArray> taskTypes(JsonObject body) {
        return switch (body.get("task_types").orElse(null)) {
            case null -> Optional.empty();
            case JsonNull _ -> Optional.empty();
            case JsonArray types -> Optional.of(types);
            case JsonValue other ->
                    throw new MalformedMessage("task_types", "an array of texts", other.kind());
        };
    }

    private void registered(
            PeerName peer,
            WorkerLink.Introduction introduction,
            Renew running,
            SessionReply reply) {
        switch (reply) {
            case SessionReply.Message(RegisterAnswer answer) -> {
                if (running.leaseTokens().isEmpty()) {
                    welcome(peer, introduction, answer, List.of(), List.of());
                    return;
                }
                Replies.then(
                        parts.shell().send(introduction.worker(), running),
                        peer,
                        renewed -> keep(peer, introduction, answer, running.leaseTokens(), renewed),
                        () -> comesNoMore(peer));
            }
            case SessionReply.TryLater(var after, var detail) -> refuse(peer, after, detail);
            case SessionReply.TooMany(var after, var detail) -> refuse(peer, after, detail);
            case SessionReply other ->
                    throw new IllegalStateException("a registration was answered with " + other);
        }
    }

    private void refuse(PeerName peer, Duration after, String detail) {
        comesNoMore(peer);
        parts.sender()
                .reject(
                        WirePort.REGISTRATION,
                        peer,
                        RejectCode.BUSY,
                        detail + " (in " + after.toMillis() + " ms)");
    }

    /// Which tasks the worker goes on with; all of them if that is not known yet: the answers to its heartbeats show it then.
    private void keep(
            PeerName peer,
            WorkerLink.Introduction introduction,
            RegisterAnswer answer,
            List<String> running,
            SessionReply renewed) {
        if (renewed instanceof SessionReply.Message(RenewAnswer leases)) {
            var kept = new LinkedHashSet<>(leases.renewed());
            leases.cancel().forEach(kept::remove);
            var revoked = running.stream().filter(lease -> !kept.contains(lease)).toList();
            welcome(peer, introduction, answer, List.copyOf(kept), revoked);
        } else {
            welcome(peer, introduction, answer, running, List.of());
        }
    }

    private void welcome(
            PeerName peer,
            WorkerLink.Introduction introduction,
            RegisterAnswer answer,
            List<String> kept,
            List<String> revoked) {
        var place = coming.remove(peer);
        if (place == null) {
            throw new IllegalStateException(
                    "worker " + introduction.worker() + " has no place any more");
        }
        var link = new WorkerLink(peer, introduction, place, parts.clock().instant());
        var replaced = parts.links().put(link);
        if (replaced != null) {
            parts.ends().replaced(replaced);
        }
        lines.log(
                LOG.atInfo()
                        .addKeyValue("worker", introduction.worker())
                        .addKeyValue("capacity", introduction.capacity())
                        .addKeyValue("kept", kept.size()),
                "a worker on ZeroMQ is welcome");
        parts.sender()
                .send(
                        WirePort.REGISTRATION,
                        peer,
                        "WELCOME",
                        welcome(link, answer.lease(), answer.warning(), kept, revoked));
    }

    private JsonObject welcome(
            WorkerLink link,
            @Nullable Duration lease,
            @Nullable String warning,
            List<String> kept,
            List<String> revoked) {
        var body =
                JsonObject.builder()
                        .put("session", link.session())
                        .put("heartbeat_interval_ms", parts.terms().heartbeatInterval().toMillis())
                        .put("heartbeat_timeout_ms", parts.terms().heartbeatTimeout().toMillis())
                        .put("accept_within_ms", parts.terms().acceptWithin().toMillis())
                        .put("max_message_bytes", parts.maxMessageBytes())
                        .put("max_retries", RetryPolicy.DEFAULTS.maxAttempts() - 1)
                        .put("keep", JsonArray.ofStrings(kept))
                        .put("revoke", JsonArray.ofStrings(revoked));
        if (lease != null) {
            body.put("lease_ms", JsonNumber.of(lease.toMillis()));
        }
        if (warning != null) {
            body.put("warning", warning);
        }
        return body.build();
    }

    /// A worker that was silent for too long is gone, unless it was heard of meanwhile.
    void expire(WorkerLink link, Instant now) {
        if (link.isSilentSince(now.minus(parts.terms().heartbeatTimeout()))) {
            var reason = "it was silent for more than " + parts.terms().heartbeatTimeout();
            if (link.introduction().keepsLeases()) {
                parts.ends().left(link, reason);
            } else {
                parts.ends().gone(link, reason);
            }
        }
    }

    /// The bytes up to which parameters travel in messages.
    ///
    /// @param declared negative: of any size
    static int inline(long declared) {
        return declared < 0 ? TaskAssignments.ALL : (int) Math.min(Integer.MAX_VALUE, declared);
    }
}
