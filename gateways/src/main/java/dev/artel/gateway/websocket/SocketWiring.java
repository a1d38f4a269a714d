package dev.artel.gateway.websocket;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.FrequentHeartbeats;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.ValueAddresses;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.session.SessionReply;
import dev.artel.worker.server.hub.WorkerHub;
import java.time.Duration;
import java.util.Optional;

/// What all conversations of the gateway share.
record SocketWiring(
        WorkerHub hub,
        SessionShell shell,
        FrequentHeartbeats frequent,
        SocketAdmission admission,
        WorkerLimits limits,
        TaskAssignments assignments,
        Optional<ValueAddresses> values,
        CallRoom room,
        SocketGatewayConfig config) {
    Duration acceptWithin() {
        return config.acceptWithin();
    }

    /// Runs what may wait on a thread of its own.
    void execute(Runnable step) {
        var _ = Thread.ofVirtual().name("artel-websocket").start(step);
    }

    /// A result that names a large value, if that is there; a failure in its place if it is not.
    TaskResult checked(TaskResult result) {
        if (!(result.outcome() instanceof TaskOutcome.Stored)) {
            return result;
        }
        return values.map(its -> its.checked(result))
                .orElseGet(
                        () -> result.with(TaskOutcome.invalid("large values are not taken here")));
    }

    /// A worker that delivers may deliver as fast as it likes.
    void giveBack(WorkerId worker, SessionReply reply) {
        if (reply instanceof SessionReply.Results(var answers)
                && answers.stream().anyMatch(answer -> answer.status().contains("accepted"))) {
            limits.giveBack(worker, WorkerLimits.Kind.OTHER);
        }
    }
}
