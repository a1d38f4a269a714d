package dev.artel.gateway.zeromq;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import java.util.List;

/// `ACCEPT` and `REFUSE`: whether a worker takes a task. Messages of one worker come one at a time.
final class TaskMessages {
    private final SessionShell shell;
    private final WorkerLinks links;
    private final PeerSender sender;

    TaskMessages(SessionShell shell, WorkerLinks links, PeerSender sender) {
        this.shell = shell;
        this.links = links;
        this.sender = sender;
    }

    void accept(PeerName peer, PushMessage message) {
        var token = message.members().lease();
        var link = links.find(peer);
        var channel = link == null ? null : link.channel();
        if (link == null || channel == null) {
            sender.reregister(peer, "a task was accepted in no session");
        } else if (!link.isReported(token)) {
            // A result that was sent behind its acceptance often comes before it, over a socket of
            // its own, and has accepted
            // the task as well. Accepted again, it would be a task that the worker is to give up.
            channel.accepted(token);
        }
    }

    void refuse(PeerName peer, PushMessage message) {
        var members = message.members();
        var token = members.lease();
        var link = links.find(peer);
        var channel = link == null ? null : link.channel();
        if (link == null || channel == null) {
            sender.reregister(peer, "a task was refused in no session");
            return;
        }
        var code = members.text("code", "NO_CAPACITY");
        var why = members.text("message", "the worker gave no message");
        switch (code) {
            case "UNKNOWN_FUNCTION" -> fail(link, token, TaskOutcome.PERMANENT_ERROR, code, why);
            case "BAD_PAYLOAD" -> fail(link, token, TaskOutcome.INVALID_INPUT_ERROR, code, why);
            case "DRAINING" -> {
                Replies.then(
                        shell.send(link.worker(), new WorkerMessage.Drain(link.worker().value())),
                        peer,
                        _ -> {});
                channel.refused(List.of(token), LeaseEnd.Returned.DRAINED);
            }
            default -> {
                link.pause(false);
                channel.refused(List.of(token), LeaseEnd.Returned.RELEASED);
            }
        }
    }

    /// No other worker would do better: the attempt fails at once.
    private void fail(
            WorkerLink link, LeaseToken token, String errorCode, String code, String why) {
        token.address()
                .ifPresent(address ->
                        Replies.then(
                                shell.send(
                                        link.worker(),
                                        new TaskResult(
                                                address.job().value(),
                                                token.value(),
                                                link.worker().value(),
                                                token.value(),
                                                new TaskOutcome.Failed(
                                                        errorCode, code + ": " + why))),
                                link.peer(),
                                _ -> {}));
    }
}
