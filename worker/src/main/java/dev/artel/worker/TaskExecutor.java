package dev.artel.worker;

import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Profile;
import dev.artel.protocol.Readiness;
import dev.artel.protocol.Register;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskOutcome;
import dev.artel.worker.RunningTask.Wanted;
import dev.artel.worker.link.ConnectionCallbacks;
import dev.artel.worker.link.OrchestratorConnection;
import dev.artel.worker.link.ProtocolVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs tasks: takes them in, gives them slots and threads, and turns what becomes of them into outcomes.
final class TaskExecutor implements ConnectionCallbacks {
    private static final Logger LOG = LoggerFactory.getLogger(TaskExecutor.class);

    /// How long a task that came without a free slot waits before it is given back.
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Identity identity;
    private final Profile profile;
    private final TaskTypes types;
    private final HotCache hotCache;
    private final TaskSlots slots;
    private final Runnable availabilityChanged;
    private final TaskTracer tracer;
    private final ConcurrentHashMap<Key, RunningTask> tasks = new ConcurrentHashMap<>();
    private volatile boolean isDraining;
    private volatile Runnable end = () -> {};

    private record Key(OrchestratorConnection orchestratorConnection, String lease) {}

    /// Who the worker is.
    ///
    /// @param folder for files of tasks; null for the system's own
    record Identity(
            String workerId, String workerType, Register.Origin origin, @Nullable Path folder) {}

    TaskExecutor(
            Identity identity,
            Profile profile,
            TaskTypes types,
            HotCache hotCache,
            Runnable availabilityChanged,
            TaskTracer tracer) {
        this.tracer = tracer;
        this.identity = identity;
        this.profile = profile;
        this.types = types;
        this.hotCache = hotCache;
        this.availabilityChanged = availabilityChanged;
        slots =
                new TaskSlots(
                        profile.limits().maxConcurrentTasks(),
                        profile.limits().perCategory(),
                        types.categories());
    }

    @Override
    public int awaitFreeSlots(Duration longest) throws InterruptedException {
        return slots.awaitFree(longest);
    }

    @Override
    public void assign(OrchestratorConnection orchestratorConnection, TaskAssignment assignment) {
        var task = new RunningTask(orchestratorConnection, assignment, hotCache);
        if (tasks.putIfAbsent(new Key(orchestratorConnection, task.lease()), task) != null) {
            LOG.atDebug().addKeyValue("task", task.taskId()).log("hand-out repeated; ignored");
            return;
        }
        var type = types.find(assignment.type());
        var isSeated = type != null && take(type);
        Thread.ofVirtual().name("artel-task").start(() -> work(task, type, isSeated));
    }

    private boolean take(HandledType type) {
        var isTaken = slots.tryAcquire(type.category());
        if (isTaken) {
            filledOrFreed(type);
        }
        return isTaken;
    }

    /// Notifies the orchestrators when a type is available no more, or is again.
    private void filledOrFreed(HandledType type) {
        var limits = profile.limits();
        var isScarce = type.category() != null && limits.perCategory().containsKey(type.category());
        if (isScarce || slots.used() >= limits.maxConcurrentTasks() - 1) {
            availabilityChanged.run();
        }
    }

    private void work(RunningTask task, @Nullable HandledType type, boolean isSeated) {
        var hasSlot = isSeated;
        try {
            if (type == null) {
                report(task, types.unknown(task.type()));
                return;
            }
            hasSlot = isSeated || awaitSlot(task, type);
            if (hasSlot) {
                perform(task, type);
            }
        } catch (InterruptedException ended) {
            LOG.atDebug().addKeyValue("task", task.taskId()).log("the worker ended first");
        } finally {
            tasks.remove(new Key(task.link(), task.lease()), task);
            if (hasSlot && type != null) {
                slots.release(type.category());
                filledOrFreed(type);
            }
        }
    }

    /// Waits for a slot, or gives the task back.
    private boolean awaitSlot(RunningTask task, HandledType type) throws InterruptedException {
        try {
            task.enter();
            while (!slots.acquire(type.category(), TIMEOUT)) {
                if (task.link().takesReleases() && task.stop(Wanted.UNBEGUN)) {
                    break;
                }
            }
        } catch (InterruptedException stopped) {
            LOG.atDebug().addKeyValue("task", task.taskId()).log("stopped before it began");
        } finally {
            task.leave();
        }
        return switch (task.wanted()) {
            case YES -> true;
            case UNBEGUN -> {
                task.link().release(task.lease(), "no free slot");
                yield false;
            }
            case CANCELLED -> {
                report(task, new TaskOutcome.CancelledByWorker());
                yield false;
            }
            case FORGOTTEN, ABANDONED -> false;
        };
    }

    private void perform(RunningTask task, HandledType type) throws InterruptedException {
        TaskOutcome outcome;
        try (var files = new LargeFiles(task, identity.folder())) {
            task.sits(new SeatOf(type));
            task.enter();
            task.begin();
            outcome = files.outcome(run(type, files, task));
        } catch (Throwable thrown) {
            outcome = TaskOutcomes.of(thrown, task);
        } finally {
            task.leave();
        }
        report(task, outcome);
    }

    private Result run(HandledType type, LargeFiles files, RunningTask task) throws Exception {
        var span = tracer.begin(task);
        try {
            return type.act().perform(files, task);
        } catch (Throwable thrown) {
            span.failed(thrown);
            throw thrown;
        } finally {
            span.end();
        }
    }

    /// The slot of a task, which it leaves to others while it waits for an answer.
    private final class SeatOf implements RunningTask.Seat {
        private final HandledType type;

        SeatOf(HandledType type) {
            this.type = type;
        }

        @Override
        public void leave() {
            slots.release(type.category());
            filledOrFreed(type);
        }

        @Override
        public void takeAgain() throws InterruptedException {
            var isTaken = false;
            try {
                while (!isTaken) {
                    isTaken = slots.acquire(type.category(), TIMEOUT);
                }
            } finally {
                if (!isTaken) {
                    slots.seize(type.category());
                }
                filledOrFreed(type);
            }
        }

        @Override
        public void seize() {
            slots.seize(type.category());
            filledOrFreed(type);
        }
    }

    private void report(RunningTask task, TaskOutcome outcome) throws InterruptedException {
        if (!task.settle()) {
            LOG.atDebug()
                    .addKeyValue("task", task.taskId())
                    .log("an outcome without a receiver was dropped");
            return;
        }
        try {
            task.link().report(task.result(identity.workerId(), outcome));
        } catch (IllegalArgumentException notJson) {
            task.link()
                    .report(
                            task.result(
                                    identity.workerId(),
                                    new TaskOutcome.Failed(
                                            TaskOutcome.PERMANENT_ERROR,
                                            "the result cannot be sent: " + notJson.getMessage())));
        }
    }

    @Override
    public void cancel(OrchestratorConnection orchestratorConnection, String id) {
        stop(orchestratorConnection, task -> task.answersTo(id), Wanted.CANCELLED);
    }

    @Override
    public void forget(OrchestratorConnection orchestratorConnection, String lease, String reason) {
        stop(orchestratorConnection, task -> task.lease().equals(lease), Wanted.FORGOTTEN);
        LOG.atDebug().addKeyValue("lease", lease).addKeyValue("reason", reason).log("lease lost");
    }

    @Override
    public void shutDown(OrchestratorConnection orchestratorConnection, String reason) {
        LOG.atInfo()
                .addKeyValue("worker", identity.workerId())
                .addKeyValue("reason", reason)
                .log("the worker is asked to shut down");
        Thread.ofVirtual().name("artel-shutdown").start(end);
    }

    /// What ends the worker if its orchestrator asks for it.
    void onShutDown(Runnable close) {
        end = close;
    }

    private void stop(
            OrchestratorConnection orchestratorConnection,
            Predicate<RunningTask> which,
            Wanted why) {
        for (var task : tasks.values()) {
            if (task.link() == orchestratorConnection && which.test(task)) {
                task.stop(why);
            }
        }
    }

    @Override
    public List<String> leases(OrchestratorConnection orchestratorConnection) {
        var leases = new ArrayList<String>();
        for (var task : tasks.values()) {
            if (task.link() == orchestratorConnection) {
                leases.add(task.lease());
            }
        }
        return leases;
    }

    @Override
    public Register introduction(Duration lease, boolean websocket) {
        var hotSkills = hotCache.hotSkills(profile.skillDependencies());
        return new Register(
                identity.workerId(),
                identity.workerType(),
                identity.origin(),
                profile,
                new Readiness(Readiness.Status.IDLE, slots.used(), warm(hotSkills), hotSkills),
                new Register.Wishes(lease, websocket, null));
    }

    @Override
    public Heartbeat.Full heartbeat(ProtocolVersion protocolVersion) {
        var isBusy = protocolVersion == ProtocolVersion.PLAIN && slots.isFull();
        var hotSkills = hotCache.hotSkills(profile.skillDependencies());
        var dependencies = profile.skillDependencies();
        return new Heartbeat.Full(
                identity.workerId(),
                status(isBusy, protocolVersion),
                slots.used(),
                isBusy || isDraining ? List.of() : types.available(slots),
                new Heartbeat.HotState(
                        warm(hotSkills),
                        hotSkills.isEmpty() ? null : hotSkills,
                        dependencies.isEmpty() ? null : dependencies),
                null,
                protocolVersion == ProtocolVersion.LEASED ? identity.origin().instance() : null);
    }

    private Readiness.Status status(boolean isBusy, ProtocolVersion protocolVersion) {
        if (isDraining) {
            return protocolVersion == ProtocolVersion.PLAIN
                    ? Readiness.Status.BUSY
                    : Readiness.Status.DRAINING;
        }
        return isBusy ? Readiness.Status.BUSY : Readiness.Status.IDLE;
    }

    /// What is loaded, with the hot skills, since some orchestrators look for the task type there.
    private List<String> warm(List<String> hotSkills) {
        var warm = new ArrayList<>(hotCache.names());
        hotSkills.stream().filter(skill -> !warm.contains(skill)).forEach(warm::add);
        return warm;
    }

    /// Wants no more tasks.
    void drain() {
        isDraining = true;
        availabilityChanged.run();
    }

    /// Gives back what waits for a slot, where that is possible.
    void releaseUnbegun() {
        for (var task : tasks.values()) {
            if (task.link().takesReleases()) {
                task.stop(Wanted.UNBEGUN);
            }
        }
    }

    /// Gives back what waits for an answer: the question stays, and another worker goes on when it is answered.
    void releaseAsking() {
        for (var task : tasks.values()) {
            if (task.isAsking() && task.link().takesReleases() && task.stop(Wanted.FORGOTTEN)) {
                task.link().release(task.lease(), "the worker stops; the question waits on");
            }
        }
    }

    /// Waits until no task is in work.
    boolean awaitIdle(Duration longest) throws InterruptedException {
        var deadline = System.nanoTime() + longest.toNanos();
        for (var left = longest.toNanos(); !tasks.isEmpty(); ) {
            if (left <= 0) {
                return false;
            }
            slots.awaitRelease(Duration.ofNanos(Math.min(left, LOOK_AGAIN.toNanos())));
            left = deadline - System.nanoTime();
        }
        return true;
    }

    /// Stops what is still in work and reports it as a failure that another attempt may recover.
    ///
    /// @return how many tasks that were
    int abandonRest() {
        var abandoned = 0;
        for (var task : tasks.values()) {
            if (task.stop(Wanted.ABANDONED)) {
                abandoned++;
                var outcome =
                        new TaskOutcome.Failed(
                                TaskOutcome.TRANSIENT_ERROR,
                                "worker "
                                        + identity.workerId()
                                        + " stopped before the task was done");
                task.link().reportAtOnce(task.result(identity.workerId(), outcome));
            }
        }
        return abandoned;
    }

    HotCache hotCache() {
        return hotCache;
    }
}
