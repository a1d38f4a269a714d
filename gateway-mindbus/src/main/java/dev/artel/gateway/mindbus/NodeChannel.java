package dev.artel.gateway.mindbus;

import dev.artel.gateway.shell.PushChannel;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.CancelTask;
import dev.artel.protocol.SocketMessage;
import dev.artel.session.PushTerms;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The way of tasks to one agent: its routing key. Safe for use by many threads.
final class NodeChannel implements PushChannel {
    private final WorkerId worker;
    private final SessionShell shell;
    private final Commands commands;
    private final Runnable onClosed;

    /// Its number in the conversation, which pushes before it is known here.
    private final CompletableFuture<Long> number = new CompletableFuture<>();

    private final AtomicBoolean isPaused = new AtomicBoolean();
    private final CommandRate rate;
    private final Consumer<Duration> onLimited;
    private volatile boolean isDoubted;
    private volatile @Nullable NodeChannel successor;
    private volatile boolean isLimited;

    /// @param onClosed called when the conversation closes it; must not wait
    /// @param rate how many commands the agent gets
    /// @param onLimited receives how long nothing is pushed, after which [#unlimited] is to be called; must not wait
    NodeChannel(
            WorkerId worker,
            SessionShell shell,
            Commands commands,
            Runnable onClosed,
            CommandRate rate,
            Consumer<Duration> onLimited) {
        this.worker = worker;
        this.shell = shell;
        this.commands = commands;
        this.onClosed = onClosed;
        this.rate = rate;
        this.onLimited = onLimited;
    }

    void open(PushTerms terms) {
        number.complete(shell.opened(this, worker, terms));
    }

    WorkerId worker() {
        return worker;
    }

    String agent() {
        return worker.value();
    }

    private void withNumber(LongConsumer use) {
        var _ = number.thenAccept(use::accept);
    }

    @Override
    public void push(List<HandOut> tasks, Duration lease) {
        for (var task : tasks) {
            commands.send(this, task, lease);
        }
        rate.take(tasks.size())
                .ifPresent(pause -> {
                    isLimited = true;
                    pause();
                    onLimited.accept(pause);
                });
    }

    @Override
    public void pushAgain(List<HandOut> tasks, Duration lease) {
        tasks.forEach(task -> commands.sendAgain(this, task, lease));
    }

    /// What an earlier process of the orchestrator has sent, and to which there is no answer, is sent again.
    ///
    /// @param namesTasks whether the agent names what it has
    void repeat(boolean namesTasks) {
        withNumber(own -> shell.repeat(own, namesTasks));
    }

    /// Another channel is open in its place: the broker's words about what was sent over this one are for that.
    void replacedBy(NodeChannel other) {
        successor = other;
    }

    private NodeChannel latest() {
        var latest = this;
        for (var next = latest.successor; next != null; next = latest.successor) {
            latest = next;
        }
        return latest;
    }

    @Override
    public void push(CancelTask cancel) {
        var token = new LeaseToken(cancel.taskId());
        if (commands.find(token) == null) {
            // It has its answer, or was never sent: agents name what they like.
            return;
        }
        Thread.ofVirtual().name("artel-mindbus-control").start(() -> commands.stop(agent(), token));
    }

    @Override
    public void close(int code, String reason) {
        onClosed.run();
    }

    void accept(LeaseToken token) {
        accept(List.of(token));
    }

    void accept(List<LeaseToken> tokens) {
        if (tokens.isEmpty()) {
            return;
        }
        latest().withNumber(own -> shell.accepted(own, tokens));
    }

    /// A task has not reached the agent: nothing else is pushed before [#resume].
    void refuse(LeaseToken token, LeaseEnd.Returned reason) {
        isPaused.set(true);
        withNumber(own -> shell.refused(own, List.of(token), reason));
    }

    /// A task waits for room in memory again, and others go to the agent.
    void noRoom(LeaseToken token) {
        isPaused.set(true);
        withNumber(own -> shell.refused(own, List.of(token), LeaseEnd.Returned.NO_ROOM));
        resume();
    }

    /// Whether a task has reached the agent is not known: nothing else is pushed before [#resume].
    void doubt(LeaseToken token) {
        isPaused.set(true);
        withNumber(own -> shell.doubted(own, List.of(token)));
    }

    /// Nothing is pushed before [#resume].
    void pause() {
        if (isPaused.compareAndSet(false, true)) {
            withNumber(own -> shell.refused(own, List.of(), LeaseEnd.Returned.RELEASED));
        }
    }

    /// No queue took a command: nothing is pushed before the agent is heard of.
    void doubt() {
        isDoubted = true;
    }

    boolean isDoubted() {
        return isDoubted;
    }

    /// It may have further commands.
    void unlimited() {
        isLimited = false;
    }

    /// The agent was heard of.
    void trust() {
        isDoubted = false;
    }

    /// Tasks may be pushed again, unless the agent is doubted or has had its commands.
    void resume() {
        if (!isDoubted && !isLimited && isPaused.compareAndSet(true, false)) {
            withNumber(shell::resumed);
        }
    }

    /// The agent reports on a task.
    void receive(SocketMessage message) {
        withNumber(own -> shell.receive(own, message));
    }

    void closed() {
        withNumber(shell::closed);
    }
}
