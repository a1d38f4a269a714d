package dev.artel.worker;

import dev.artel.json.ForeignDecimal;
import dev.artel.json.JsonObject;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Progress;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskMetrics;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.worker.link.OrchestratorConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One hand-out of a task, from its arrival to its outcome.
final class RunningTask implements TaskContext {
    private final OrchestratorConnection orchestratorConnection;
    private final TaskAssignment assignment;
    private final HotCache hotCache;
    private final ReentrantLock asking = new ReentrantLock();
    private @Nullable Thread thread;
    private volatile boolean isAsking;
    private Seat seat = NONE;
    private volatile Wanted wanted = Wanted.YES;
    private boolean hasBegun;
    private boolean isSettled;
    private volatile TaskMetrics metrics = TaskMetrics.NONE;

    /// Whether the orchestrator waits for the outcome.
    enum Wanted {
        /// The orchestrator does.
        YES,
        /// It asked us to stop, and wants to know that we did.
        CANCELLED,
        /// The lease is gone.
        FORGOTTEN,
        /// The worker stops before the task is done.
        ABANDONED,
        /// The worker stops before the task has begun.
        UNBEGUN
    }

    private static final Seat NONE =
            new Seat() {
                @Override
                public void leave() {
                    // There is none to leave.
                }

                @Override
                public void takeAgain() {
                    // There is none to take.
                }

                @Override
                public void seize() {
                    // There is none to take.
                }
            };

    RunningTask(
            OrchestratorConnection orchestratorConnection,
            TaskAssignment assignment,
            HotCache hotCache) {
        this.orchestratorConnection = orchestratorConnection;
        this.assignment = assignment;
        this.hotCache = hotCache;
    }

    OrchestratorConnection link() {
        return orchestratorConnection;
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

    /// The current thread no longer runs a task; an interruption that came late is gone.
    synchronized void leave() {
        thread = null;
        Thread.interrupted();
    }

    /// The outcome is known and about to be reported; nothing stops the task any more.
    ///
    /// @return whether the orchestrator waits for the outcome
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
                outcome,
                metrics.equals(TaskMetrics.NONE) ? null : metrics.toJson());
    }

    @Override
    public synchronized void spent(String usd, long tokens) {
        var more = ForeignDecimal.of(usd);
        if (more.signum() < 0 || tokens < 0) {
            throw new IllegalArgumentException(
                    "a task spends amounts of at least 0, was "
                            + usd
                            + " USD, "
                            + tokens
                            + " tokens");
        }
        var before = metrics;
        metrics =
                new TaskMetrics(
                        before.costUsd() == null ? more : before.costUsd().add(more),
                        (before.tokens() == null ? 0 : before.tokens()) + tokens,
                        (before.calls() == null ? 0 : before.calls()) + 1);
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
            orchestratorConnection.report(
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
        orchestratorConnection.log(
                assignment.taskId(),
                assignment.terms().leaseToken(),
                new TaskLog.Line(Instant.now(), level, message));
    }

    @Override
    public String ask(String question, List<String> choices, Optional<Duration> within)
            throws InterruptedException {
        var asked =
                new AskQuestion(
                        orchestratorConnection.workerId(),
                        assignment.taskId(),
                        assignment.terms().leaseToken(),
                        AskQuestion.idOf(question, choices),
                        question,
                        choices,
                        within.orElse(null));
        asking.lockInterruptibly();
        try {
            var answer = askAway(asked);
            seat.takeAgain();
            return answer;
        } finally {
            asking.unlock();
        }
    }

    /// Without a slot; with one again only if there is no answer.
    private String askAway(AskQuestion asked) throws InterruptedException {
        var isAnswered = false;
        seat.leave();
        isAsking = true;
        try {
            var answer = orchestratorConnection.ask(asked);
            isAnswered = true;
            return answer;
        } finally {
            isAsking = false;
            if (!isAnswered) {
                seat.seize();
            }
        }
    }

    /// Whether it waits for an answer.
    boolean isAsking() {
        return isAsking;
    }

    /// Where its slot is, from when it has one.
    void sits(Seat taken) {
        seat = taken;
    }

    /// A slot that is free for others while its task waits for an answer.
    interface Seat {
        void leave();

        /// Waits for a slot; when interrupted, it has one that there may not be.
        void takeAgain() throws InterruptedException;

        /// Takes a slot that there may not be.
        void seize();
    }

    @Override
    public SequencedMap<String, String> answers() {
        var answers = new LinkedHashMap<String, String>();
        assignment.answers().forEach(it -> answers.put(it.question(), it.answer()));
        return answers;
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
