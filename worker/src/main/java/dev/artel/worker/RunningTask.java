package dev.artel.worker;

import dev.artel.json.JsonObject;
import dev.artel.protocol.Progress;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.worker.link.Link;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One hand-out of a task, from its arrival to its outcome.
final class RunningTask implements TaskContext {
    private final Link link;
    private final TaskAssignment assignment;
    private final HotCache hotCache;
    private @Nullable Thread thread;
    private volatile Wanted wanted = Wanted.YES;
    private boolean hasBegun;
    private boolean isSettled;

    /// Whether somebody waits for the outcome.
    enum Wanted {
        /// The orchestrator does.
        YES,
        /// It told us to stop, and wants to know that we did.
        CANCELLED,
        /// The lease is gone.
        FORGOTTEN,
        /// The worker stops before the task is done.
        ABANDONED,
        /// The worker stops before the task has begun.
        UNBEGUN
    }

    RunningTask(Link link, TaskAssignment assignment, HotCache hotCache) {
        this.link = link;
        this.assignment = assignment;
        this.hotCache = hotCache;
    }

    Link link() {
        return link;
    }

    TaskAssignment assignment() {
        return assignment;
    }

    String lease() {
        return assignment.lease();
    }

    boolean answersTo(String id) {
        return id.equals(assignment.taskId())
                || id.equals(assignment.lease())
                || id.equals(assignment.jobId());
    }

    /// The current thread may be interrupted from now on, for this task alone.
    synchronized void enter() throws InterruptedException {
        if (wanted != Wanted.YES) {
            throw new InterruptedException("stopped before it began");
        }
        thread = Thread.currentThread();
    }

    /// The handler is about to be called.
    synchronized void begin() {
        hasBegun = true;
    }

    /// The current thread belongs to nobody's task any more; an interruption that came late is gone.
    synchronized void leave() {
        thread = null;
        Thread.interrupted();
    }

    /// The outcome is known and about to be reported; nothing stops the task any more.
    ///
    /// @return whether somebody waits for the outcome
    synchronized boolean settle() {
        var isAwaited = wanted == Wanted.YES || wanted == Wanted.CANCELLED;
        var isFirst = !isSettled;
        isSettled = true;
        return isAwaited && isFirst;
    }

    /// Stops the task unless it was stopped before or its outcome is known.
    ///
    /// @return whether this call did it
    synchronized boolean stop(Wanted why) {
        if (wanted != Wanted.YES || isSettled || (why == Wanted.UNBEGUN && hasBegun)) {
            return false;
        }
        wanted = why;
        if (thread != null) {
            thread.interrupt();
        }
        return true;
    }

    Wanted wanted() {
        return wanted;
    }

    TaskResult result(String workerId, TaskOutcome outcome) {
        return new TaskResult(
                assignment.jobId(),
                assignment.taskId(),
                workerId,
                assignment.terms().leaseToken(),
                outcome);
    }

    @Override
    public String jobId() {
        return assignment.jobId();
    }

    @Override
    public String taskId() {
        return assignment.taskId();
    }

    @Override
    public String type() {
        return assignment.type();
    }

    @Override
    public int attempt() {
        return assignment.terms().attempt();
    }

    @Override
    public double priority() {
        return assignment.terms().priority();
    }

    @Override
    public Optional<Instant> deadline() {
        return Optional.ofNullable(assignment.terms().deadline());
    }

    @Override
    public JsonObject tracingContext() {
        return assignment.tracingContext();
    }

    @Override
    public void progress(double fraction, String message) {
        if (wanted == Wanted.YES) {
            link.tell(
                    new Progress(
                            assignment.jobId(),
                            assignment.taskId(),
                            assignment.terms().leaseToken(),
                            fraction,
                            message));
        }
    }

    @Override
    public void log(String level, String message) {
        link.say(
                assignment.taskId(),
                assignment.terms().leaseToken(),
                new TaskLog.Line(Instant.now(), level, message));
    }

    @Override
    public boolean isCancelled() {
        return wanted != Wanted.YES;
    }

    @Override
    public HotCache hotCache() {
        return hotCache;
    }
}
