package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.WaitingPoll;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/// Calls that wait for tasks. A worker whose connection ends waits no more. Safe for use by many threads.
final class CallPolls {
    private static final int LARGE = PushFrames.MAX_BODY / 2;

    private final SessionShell shell;
    private final WorkerLimits limits;
    private final PeerSender sender;
    private final PeerQueues outgoing;
    private final InFlight inFlight;
    private final TaskAssignments assignments;
    private final ConcurrentMap<PeerName, Set<WaitingPoll>> waiting = new ConcurrentHashMap<>();

    CallPolls(
            LinkChannel.Parts parts,
            WorkerLimits limits,
            InFlight inFlight,
            TaskAssignments assignments) {
        this.shell = parts.shell();
        this.sender = parts.sender();
        this.outgoing = parts.outgoing();
        this.limits = limits;
        this.inFlight = inFlight;
        this.assignments = assignments;
    }

    void poll(CallMessages.Call call, WorkerMessage.Poll message, int inline) {
        var peer = call.peer();
        var poll = shell.poll(call.worker(), message);
        waiting.computeIfAbsent(peer, _ -> ConcurrentHashMap.newKeySet()).add(poll);
        Replies.then(
                poll.answer().whenComplete((_, _) -> ended(peer, poll)),
                peer,
                reply -> answered(call, poll, inline, reply));
    }

    private void ended(PeerName peer, WaitingPoll poll) {
        inFlight.end(peer);
        waiting.computeIfPresent(
                peer,
                (_, polls) -> {
                    polls.remove(poll);
                    return polls.isEmpty() ? null : polls;
                });
    }

    private void answered(
            CallMessages.Call call, WaitingPoll poll, int inline, SessionReply reply) {
        if (!(reply instanceof SessionReply.Tasks tasks)) {
            reply(call, reply);
            return;
        }
        var isTaken = outgoing.put(call.peer(), 0, () -> hand(call, poll, inline, tasks));
        if (!isTaken) {
            shell.notWritten(poll);
        }
    }

    private void hand(
            CallMessages.Call call, WaitingPoll poll, int inline, SessionReply.Tasks tasks) {
        var isTaken = false;
        try {
            var answer = assignments.write(tasks, inline);
            if (answer.isEmpty()) {
                shell.noRoom(poll);
                isTaken = true;
                reply(call, new SessionReply.NoTask());
                return;
            }
            try (var written = answer.get()) {
                isTaken =
                        sender.send(
                                WirePort.RESULTS,
                                call.peer(),
                                frames(call, written.body()),
                                isSent -> settled(call, poll, isSent));
            }
        } finally {
            if (!isTaken) {
                shell.notWritten(poll);
            }
        }
    }

    private void reply(CallMessages.Call call, SessionReply reply) {
        var _ =
                sender.send(
                        WirePort.RESULTS, call.peer(), CallAnswers.write(call.id(), reply), null);
    }

    private void settled(CallMessages.Call call, WaitingPoll poll, boolean isSent) {
        if (isSent) {
            limits.giveBack(call.worker(), WorkerLimits.Kind.POLL);
            shell.written(poll);
        } else {
            shell.notWritten(poll);
        }
    }

    private static List<byte[]> frames(CallMessages.Call call, byte[] tasks) {
        if (tasks.length <= LARGE) {
            return CallAnswers.ok(call.id(), JsonText.read(tasks));
        }
        var body =
                JsonObject.builder()
                        .put("call_id", call.id())
                        .put("body", JsonObject.of("$frame", JsonNumber.of(0)))
                        .build();
        return PushFrames.write("CALL_OK", body, List.of(tasks));
    }

    /// The connection of a peer has ended: it gets nothing more.
    void abandon(PeerName peer) {
        waiting.getOrDefault(peer, Set.of()).forEach(shell::abandon);
    }
}
