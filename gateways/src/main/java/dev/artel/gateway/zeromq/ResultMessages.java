package dev.artel.gateway.zeromq;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.ValueAddresses;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.session.SessionReply;
import java.util.Optional;

/// `RESULT`: how attempts ended. Workers repeat it until it is answered, so that what cannot be taken now is dropped. Messages of
/// one worker come one at a time.
final class ResultMessages {
    private static final String DUPLICATE = "DUPLICATE";
    private static final String UNKNOWN = "UNKNOWN";

    private final SessionShell shell;
    private final WorkerLimits limits;
    private final WorkerLinks links;
    private final PeerSender sender;
    private final InFlight inFlight;
    private final Values values;

    /// Which values results may bring.
    ///
    /// @param maxBytes how many bytes a message may have
    record Values(int maxBytes, Optional<ValueAddresses> addresses) {
        TaskResult checked(TaskResult result) {
            if (!(result.outcome() instanceof TaskOutcome.Stored)) {
                return result;
            }
            return addresses
                    .map(open -> open.checked(result))
                    .orElseGet(() ->
                            result.with(TaskOutcome.invalid("large values are not taken here")));
        }
    }

    ResultMessages(
            SessionShell shell,
            WorkerLimits limits,
            WorkerLinks links,
            PeerSender sender,
            InFlight inFlight,
            Values values) {
        this.shell = shell;
        this.limits = limits;
        this.links = links;
        this.sender = sender;
        this.inFlight = inFlight;
        this.values = values;
    }

    void result(PeerName peer, PushMessage message) {
        var token = message.members().lease();
        var link = links.find(peer);
        if (link == null) {
            sender.reregister(
                    peer, "a result came in no session; send READY, then the result again");
            return;
        }
        if (link.isSettled(token)) {
            acknowledge(peer, token, DUPLICATE);
            return;
        }
        var address = token.address();
        if (address.isEmpty()) {
            acknowledge(peer, token, UNKNOWN);
            return;
        }
        if (!inFlight.begin(peer)) {
            return;
        }
        if (limits.take(link.worker(), WorkerLimits.Kind.OTHER).isPresent()) {
            inFlight.end(peer);
            return;
        }
        link.reported(token);
        var worker = link.worker().value();
        var result =
                values.checked(
                        new TaskResult(
                                address.get().job().value(),
                                token.value(),
                                worker,
                                token.value(),
                                ResultOutcomes.read(message, values.maxBytes()),
                                message.members().find("metrics") instanceof JsonObject metrics
                                        ? metrics
                                        : null));
        Replies.then(
                shell.send(link.worker(), result).whenComplete((_, _) -> inFlight.end(peer)),
                peer,
                reply -> answered(link, token, reply));
    }

    private void answered(WorkerLink link, LeaseToken token, SessionReply reply) {
        if (!(reply instanceof SessionReply.Results(var answers))) {
            return;
        }
        var outcome = outcome(answers.getFirst());
        if (outcome.equals("ACCEPTED")) {
            limits.giveBack(link.worker(), WorkerLimits.Kind.OTHER);
            link.settled(token);
        }
        acknowledge(link.peer(), token, outcome);
    }

    private static String outcome(ResultAnswer answer) {
        if (answer.status().contains("accepted")) {
            return "ACCEPTED";
        }
        return "not_found".equals(answer.reason()) ? UNKNOWN : "STALE";
    }

    private void acknowledge(PeerName peer, LeaseToken token, String outcome) {
        sender.send(
                WirePort.RESULTS,
                peer,
                "RESULT_ACK",
                JsonObject.builder()
                        .put("task_id", TaskBodies.taskId(token))
                        .put("lease_id", token.value())
                        .put("outcome", outcome)
                        .build());
    }
}
