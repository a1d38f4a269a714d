package dev.artel.gateway.mindbus;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.task.Payload;
import dev.artel.log.LinesAMinute;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The commands to which there is no answer yet: as many as agents have slots, and those that were stopped until their time is up.
/// Safe for use by many threads.
final class Commands {
    private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

    /// How long after the end of its attempt an answer is still expected.
    private static final Duration LATE = Duration.ofMinutes(1);

    /// How many lines a minute the log has of each kind of command that came to nothing: agents choose how many those are.
    static final int MOST_LINES = 60;

    private final SessionShell shell;
    private final CommandPublisher publisher;
    private final CommandBodies bodies;
    private final BusCounts counts;
    private final InstantSource wallClock;
    private final Function<HandOut, Optional<Payload>> params;
    private final ConcurrentMap<LeaseToken, Sent> open = new ConcurrentHashMap<>();
    private final LinesAMinute unroutable = new LinesAMinute(MOST_LINES);
    private final LinesAMinute unanswered = new LinesAMinute(MOST_LINES);
    private final LinesAMinute unreadable = new LinesAMinute(MOST_LINES);

    /// A command to which there is no answer.
    ///
    /// @param agent its name
    /// @param until when the attempt has run for too long
    record Sent(String agent, String action, Instant until, boolean isStopped) {
        private Sent stopped() {
            return new Sent(agent, action, until, true);
        }
    }

    /// @param params what a task was given, as its job has it; empty if the job is gone
    Commands(
            SessionShell shell,
            CommandPublisher publisher,
            CommandBodies bodies,
            BusCounts counts,
            InstantSource wallClock,
            Function<HandOut, Optional<Payload>> params) {
        this.params = params;
        this.shell = shell;
        this.publisher = publisher;
        this.bodies = bodies;
        this.counts = counts;
        this.wallClock = wallClock;
    }

    /// Whether commands can be sent now.
    boolean canBeSent() {
        return publisher.isReady();
    }

    /// Sends a task to the agent of `channel`, on a thread of its own: its parameters may have to be read.
    void send(NodeChannel channel, HandOut task, Duration lease) {
        var token = task.lease().token();
        open.put(
                token,
                new Sent(channel.agent(), task.spec().type(), task.lease().timeout(), false));
        Thread.ofVirtual().name("artel-mindbus-command").start(() -> write(channel, task, lease));
    }

    /// Sends a task that an earlier process of the orchestrator has given to the agent, and perhaps sent: under its lease, so that an
    /// agent which has it, or had it, does not begin it a second time.
    void sendAgain(NodeChannel channel, HandOut task, Duration lease) {
        var token = task.lease().token();
        open.put(
                token,
                new Sent(channel.agent(), task.spec().type(), task.lease().timeout(), false));
        LOG.atInfo()
                .addKeyValue("agent", channel.agent())
                .addKeyValue("task", token.handOut())
                .log(
                        "a command from before the restart has no answer; it is sent again under its id");
        Thread.ofVirtual()
                .name("artel-mindbus-command")
                .start(() -> writeAgain(channel, task, lease));
    }

    private void writeAgain(NodeChannel channel, HandOut task, Duration lease) {
        var token = task.lease().token();
        Optional<Payload> given;
        try {
            given = params.apply(task);
        } catch (RuntimeException failure) {
            open.remove(token);
            unreadable.log(
                    LOG.atWarn()
                            .addKeyValue("agent", channel.agent())
                            .addKeyValue("task", token.handOut())
                            .setCause(failure),
                    "the job of a task could not be read; the task is returned to the queue");
            channel.doubt(token);
            return;
        }
        if (given.isEmpty()) {
            open.remove(token);
            channel.doubt(token);
            return;
        }
        write(
                channel,
                new HandOut(
                        task.job(),
                        task.task(),
                        task.lease(),
                        task.spec().withParams(given.get()),
                        task.priority(),
                        task.trace(),
                        task.answers()),
                lease);
    }

    private void write(NodeChannel channel, HandOut task, Duration lease) {
        var token = task.lease().token();
        boolean isRoom;
        try {
            isRoom =
                    bodies.command(
                            channel.agent(), task, lease, written -> send(channel, token, written));
        } catch (UnreadableEvent refused) {
            open.remove(token);
            fail(channel, task, refused.problem());
            return;
        } catch (RuntimeException failure) {
            open.remove(token);
            unreadable.log(
                    LOG.atWarn()
                            .addKeyValue("agent", channel.agent())
                            .addKeyValue("task", token.handOut())
                            .setCause(failure),
                    "the parameters of a task could not be read; it is returned to the queue");
            channel.refuse(token, LeaseEnd.Returned.NOT_RECEIVED);
            return;
        }
        if (!isRoom) {
            open.remove(token);
            channel.noRoom(token);
        }
    }

    private void send(NodeChannel channel, LeaseToken token, CommandBodies.Written written) {
        publisher.send(
                CommandBodies.commandKey(channel.agent()),
                written.properties,
                written.body,
                fate -> settle(channel, token, fate));
    }

    private void settle(NodeChannel channel, LeaseToken token, CommandPublisher.Fate fate) {
        switch (fate) {
            case CONFIRMED -> {
                // An answer may have been here before, and has accepted the task as well.
                if (open.containsKey(token)) {
                    channel.accept(token);
                }
            }
            case UNROUTABLE -> {
                counts.isUnroutable();
                open.remove(token);
                unroutable.log(
                        LOG.atWarn()
                                .addKeyValue("agent", channel.agent())
                                .addKeyValue("task", token.handOut()),
                        "no queue takes commands for the agent; it gets nothing before it is heard of again");
                channel.doubt();
                channel.refuse(token, LeaseEnd.Returned.NOT_RECEIVED);
            }
            case NOT_SENT -> {
                open.remove(token);
                channel.refuse(token, LeaseEnd.Returned.NOT_RECEIVED);
            }
            // It stays open: its answer may come all the same.
            case UNKNOWN -> channel.doubt(token);
        }
    }

    /// What no agent would take fails at once.
    private void fail(NodeChannel channel, HandOut task, String why) {
        var token = task.lease().token();
        var result =
                new TaskResult(
                        task.job().value(),
                        token.value(),
                        channel.agent(),
                        token.value(),
                        new TaskOutcome.Failed(
                                TaskOutcome.INVALID_INPUT_ERROR,
                                "no agent on the bus takes this task: " + why));
        var _ =
                shell.send(channel.worker(), result)
                        .exceptionally(bug -> {
                            LOG.atError()
                                    .addKeyValue("task", token.handOut())
                                    .setCause(bug)
                                    .log("a task that no agent takes could not be ended");
                            return new SessionReply.Done();
                        });
    }

    /// The orchestrator does not wait for a task any more.
    void stop(String agent, LeaseToken token) {
        var sent = open.computeIfPresent(token, (_, before) -> before.stopped());
        if (sent == null) {
            return;
        }
        if (!wallClock.instant().isBefore(sent.until())) {
            open.remove(token);
            unanswered.log(
                    LOG.atWarn()
                            .addKeyValue("agent", agent)
                            .addKeyValue("task", token.handOut())
                            .addKeyValue("action", sent.action()),
                    "an agent did not answer a command in time: it is busy, it has crashed, or it dropped the command");
        }
        var written = bodies.stop(token);
        publisher.sendLoosely(CommandBodies.controlKey(agent), written.properties, written.body);
    }

    /// Each command of an agent is to end.
    void stopAll(String agent) {
        open.forEach((token, sent) -> {
            if (sent.agent().equals(agent)) {
                var written = bodies.stop(token);
                publisher.sendLoosely(
                        CommandBodies.controlKey(agent), written.properties, written.body);
            }
        });
    }

    /// An agent is to end.
    void shutdown(String agent, String reason) {
        var written = bodies.shutdown(agent, reason);
        publisher.sendLoosely(CommandBodies.controlKey(agent), written.properties, written.body);
    }

    /// An answer of `agent` has come.
    ///
    /// @return to what; null if nothing is waited for of this agent
    @Nullable Sent answered(LeaseToken token, WorkerId agent) {
        var sent = open.get(token);
        return sent != null && sent.agent().equals(agent.value()) && open.remove(token, sent)
                ? sent
                : null;
    }

    /// What was sent and has no answer; null if there is nothing.
    @Nullable Sent find(LeaseToken token) {
        return open.get(token);
    }

    /// The agent is gone: nothing is waited for.
    void forget(String agent) {
        open.values().removeIf(sent -> sent.agent().equals(agent));
    }

    /// What has run for too long by now gets no answer that counts.
    void expire() {
        var now = wallClock.instant();
        open.values().removeIf(sent -> sent.until().plus(LATE).isBefore(now));
    }

    int size() {
        return open.size();
    }
}
