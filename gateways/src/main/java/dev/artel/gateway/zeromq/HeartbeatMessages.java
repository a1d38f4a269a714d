package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.FrequentHeartbeats;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Readiness;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;

/// `HEARTBEAT`, `DRAIN` and `BYE`: how workers stand, and that they leave. Messages of one worker come one at a time.
final class HeartbeatMessages {
    private static final List<String> AS_ON_ALL_WIRES =
            List.of(
                    "status",
                    "load",
                    "supported_tasks",
                    "hot_cache",
                    "hot_skills",
                    "skill_dependencies");
    private static final String UNKNOWN = "the session is over or was never opened; send READY";

    private final ReadyMessages.Parts parts;
    private final FrequentHeartbeats frequent;
    private final InstantSource wallClock;

    HeartbeatMessages(ReadyMessages.Parts parts, InstantSource wallClock) {
        this.parts = parts;
        this.frequent = new FrequentHeartbeats(parts.shell());
        this.wallClock = wallClock;
    }

    /// Takes a heartbeat.
    ///
    /// @param at when it arrived
    void beat(PeerName peer, PushMessage message, Instant at) {
        var members = message.members();
        var link = parts.links().find(peer, members);
        if (link == null) {
            unknown(peer, members);
            return;
        }
        var running = members.texts("running").stream().map(Members::lease).toList();
        var idle = members.findCount("idle");
        var capacity = link.introduction().capacity();
        var room = Math.max(0, capacity - running.size());
        var takes = idle == null ? room : Math.min(idle, room);
        checkToken(link);
        link.heard(at);
        var isBusyOtherwise = takes == 0 && room > 0;
        if (isBusyOtherwise) {
            pause(link);
        } else {
            resume(link, takes);
        }
        var seq = members.count("seq", 0);
        var heartbeat = heartbeat(link, message.body(), running, isBusyOtherwise);
        var wait = parts.limits().take(link.worker(), WorkerLimits.Kind.HEARTBEAT);
        if (wait.isPresent()) {
            var _ = frequent.tooSoon(link.worker(), heartbeat, wait.get());
            acknowledge(link, seq, link.lostOf(running));
            return;
        }
        frequent.heard(link.worker());
        Replies.then(
                parts.shell().send(link.worker(), heartbeat),
                peer,
                reply -> answered(link, seq, reply));
    }

    /// Another process under the name of a worker that is there gets another answer than one whose session is over.
    private void unknown(PeerName peer, Members members) {
        var worker = peer.isSecret() ? members.text("worker_id", "") : peer.worker();
        if (parts.links().isTaken(worker, members.text("instance", ""), parts.clock().instant())) {
            throw new BadFrame(
                    RejectCode.ID_IN_USE, "another process is there as worker " + worker);
        }
        parts.sender().reregister(peer, UNKNOWN);
    }

    /// A token that is not good any more ends the session.
    private void checkToken(WorkerLink link) {
        try {
            var _ =
                    parts.authenticated(
                            link.introduction().token().orElse(""), link.worker().value());
        } catch (BadFrame refused) {
            parts.ends().unassignable(link, "its token is not good any more");
            throw refused;
        }
    }

    private static Heartbeat heartbeat(
            WorkerLink link, JsonObject body, List<LeaseToken> running, boolean isBusyOtherwise) {
        var reported = JsonObject.builder().put("status", Readiness.Status.IDLE.word());
        for (var name : AS_ON_ALL_WIRES) {
            body.get(name).ifPresent(value -> reported.put(name, value));
        }
        if (isBusyOtherwise) {
            reported.put("status", Readiness.Status.BUSY.word());
        }
        var leases = running.stream().map(LeaseToken::value).toList();
        return Heartbeat.read(
                link.worker().value(),
                reported.put("current_tasks", JsonArray.ofStrings(leases)).build());
    }

    /// The worker has less room than the orchestrator counts: it is pushed nothing.
    private static void pause(WorkerLink link) {
        var channel = link.channel();
        if (channel != null) {
            link.pause(false);
            channel.refused(List.of(), LeaseEnd.Returned.RELEASED);
        }
    }

    /// Pushes go on, once it is shown that there is a way to the worker.
    private void resume(WorkerLink link, long takes) {
        var channel = link.channel();
        if (channel == null || takes == 0) {
            return;
        }
        if (link.isUnreachable()) {
            var hello = JsonObject.builder().put("session", link.session()).build();
            var _ =
                    parts.sender()
                            .send(
                                    WirePort.TASKS,
                                    link.peer(),
                                    PushFrames.write("HELLO_OK", hello),
                                    isSent -> {
                                        if (isSent) {
                                            link.isReachable();
                                        }
                                    });
        } else if (link.resumes()) {
            channel.resumed();
        }
    }

    private void answered(WorkerLink link, long seq, SessionReply reply) {
        switch (reply) {
            case SessionReply.Refreshed(var answer, var _, var lost) -> {
                var revoked = new LinkedHashSet<LeaseToken>();
                answer.cancelTasks().forEach(lease -> revoked.add(new LeaseToken(lease)));
                revoked.addAll(lost);
                link.lost(lost);
                acknowledge(link, seq, List.copyOf(revoked));
            }
            case SessionReply.UnknownWorker _ -> parts.ends().unassignable(link, UNKNOWN);
            // The next heartbeat comes soon.
            case SessionReply _ -> acknowledge(link, seq, List.of());
        }
    }

    private void acknowledge(WorkerLink link, long seq, List<LeaseToken> revoked) {
        var now = wallClock.instant();
        parts.sender()
                .send(
                        WirePort.REGISTRATION,
                        link.peer(),
                        "HEARTBEAT_ACK",
                        JsonObject.builder()
                                .put("seq", seq)
                                .put("server_time", now.toEpochMilli())
                                .put(
                                        "next_deadline",
                                        now.plus(parts.terms().heartbeatTimeout()).toEpochMilli())
                                .put(
                                        "revoke",
                                        JsonArray.ofStrings(
                                                revoked.stream().map(LeaseToken::value).toList()))
                                .build());
    }

    void drain(PeerName peer, PushMessage message) {
        var link = parts.links().find(peer);
        var session = message.members().text("session", "");
        if (link == null || !(session.isEmpty() || session.equals(link.session()))) {
            parts.sender().reregister(peer, UNKNOWN);
            return;
        }
        Replies.then(
                parts.shell().send(link.worker(), new WorkerMessage.Drain(link.worker().value())),
                peer,
                _ -> {});
    }

    void bye(PeerName peer, PushMessage message) {
        var link = parts.links().find(peer);
        var session = message.members().text("session", "");
        // One that comes late, or again, may meet with the worker's next session.
        if (link == null || !(session.isEmpty() || session.equals(link.session()))) {
            return;
        }
        var reason = "it left: " + message.members().text("reason", "no reason");
        if (message.members().flag("keep_leases")) {
            parts.ends().left(link, reason);
        } else {
            parts.ends().gone(link, reason);
        }
    }
}
