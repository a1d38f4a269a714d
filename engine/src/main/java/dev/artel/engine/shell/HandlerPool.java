package dev.artel.engine.shell;

import static java.util.Objects.requireNonNull;

import dev.artel.kernel.blueprint.HandlerWatch;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs what authors wrote on platform threads that nothing else uses, with a bulkhead around each blueprint: whatever the
/// handlers of one do, those of the others begin and run as ever.
///
/// [HandlerShares] decides how many of a blueprint may begin, [HandlerTurns] which one is next. Of the handlers that use a processor few run at once, and those
/// that go on doing so run with the lowest priority where the system has priorities for threads.
///
/// A run that takes longer than it may is over: its thread is interrupted and its late outcome is dropped. One that
/// ignores the interrupt leaves its place to others after a moment; a blueprint with too many of those gets no
/// further ones. So the number of threads is bounded.
///
/// The thread of a durable function is a guest of the run that waits for it: what it uses is used by that run. One that leaves
/// memory has a moment to end, and is abandoned if it goes on. Safe for use by many threads.
final class HandlerPool implements Supervision.Handlers, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HandlerPool.class);

    /// Between two looks at all runs, which cost less than a timer for each.
    private static final Duration LOOK = Duration.ofMillis(20);

    /// How long a thread waits for the next handler.
    private static final Duration KEEP = Duration.ofSeconds(30);

    /// How long a thread looks for the next handler before it sleeps, since to wake it costs about as much.
    private static final long LINGER_NANOS = 50_000;

    /// So long after a handler has run out of memory, others may meet their errors for it.
    private static final long MISSED_NANOS = Duration.ofSeconds(10).toNanos();

    /// So many begin at once; a further one begins when one of them ends or is seen to wait for something. More threads
    /// than processors would only hinder each other.
    private static final int AT_ONCE =
            Math.max(HandlerShares.OWN, Runtime.getRuntime().availableProcessors());

    private final Duration heed;
    private final LongAdder overran = new LongAdder();
    private final Map<String, Bulkhead> bulkheads = new ConcurrentHashMap<>();
    private final List<Worker> workers = new CopyOnWriteArrayList<>();

    /// Threads of functions that run for no handler, and only to end.
    private final List<FunctionGuest> unwinding = new CopyOnWriteArrayList<>();

    private final AllocatedBytes counting = new AllocatedBytes();
    private final ToLongFunction<Thread> allocations = counting::of;
    private final Schedule schedule;

    /// Guards the bulkheads and everything in them.
    private final Object lock = new Object();

    /// Under the lock.
    private final HandlerShares shares;

    private volatile boolean closed;

    /// The last handler that has used up all memory, and has ended by that.
    private volatile @Nullable RanOut ranOut;

    private record RanOut(Supervision.RunningHandler handler, long at) {}

    /// @param heed how long an interrupted handler may take to end
    HandlerPool(HandlerPlaces places, Duration heed, Vitals vitals) {
        shares = new HandlerShares(places);
        this.heed = heed;
        schedule = new Schedule("artel-handler-watch", vitals);
        // Beside the start, since it takes a while; and at once, since a handler may leave no
        // memory for it.
        var _ = schedule.once(Duration.ZERO, counting::begin);
        schedule.repeat(LOOK, this::look);
    }

    /// What is to be run.
    interface Task {
        /// For people.
        String what();

        /// Whose turn it takes: the owner of its job.
        String client();

        /// How long it may take.
        Duration most();

        /// The job that it is for.
        default Optional<JobId> job() {
            return Optional.empty();
        }

        /// After how long [#softLimitReached] is called.
        default Duration softLimit() {
            return most();
        }

        /// Runs in a thread of the pool. Its outcome counts only if [Run#ended] is true afterwards.
        void run(Run run);

        /// It has exceeded its time limit; called once, in a thread of its own.
        default void softLimitReached() {}

        /// It has taken too long; called once, in a thread of its own.
        void late();
    }

    /// What one blueprint has; under the lock.
    private final class Bulkhead {
        final String blueprint;
        final HandlerTurns<Task> queue = new HandlerTurns<>();

        /// Order: the last one used first.
        final Deque<Worker> idle = new ArrayDeque<>();

        final HandlerShares.Share share;

        Bulkhead(String blueprint) {
            this.blueprint = blueprint;
            share = shares.open(blueprint);
        }

        /// Begins the one whose turn it is, in a thread that waits or in a new one.
        ///
        /// @return false if there is no thread to be had
        boolean beginNext() {
            var task = queue.first();
            var worker = idle.poll();
            var place = share.begin();
            if (worker != null) {
                var _ = queue.take();
                worker.place = place;
                worker.task = task;
                LockSupport.unpark(worker.thread);
                return true;
            }
            worker = new Worker(this);
            worker.place = place;
            worker.task = task;
            if (!worker.start()) {
                place.end();
                return false;
            }
            var _ = queue.take();
            return true;
        }

        HandlerLoad load() {
            return share.load(queue.size());
        }
    }

    private Bulkhead of(String blueprint) {
        var known = bulkheads.get(blueprint);
        return known == null ? bulkheads.computeIfAbsent(blueprint, Bulkhead::new) : known;
    }

    /// Runs `task` as soon as its blueprint has a place; never, once this is closed.
    void submit(String blueprint, Task task) {
        var bulkhead = of(blueprint);
        synchronized (lock) {
            if (closed) {
                return;
            }
            bulkhead.queue.add(task.client(), task);
            if (bulkhead.share.computing() < AT_ONCE && bulkhead.share.mayBegin()) {
                var _ = bulkhead.beginNext();
            }
        }
    }

    /// Runs `task` if it can begin at once.
    ///
    /// @return whether it has begun
    boolean tryBegin(String blueprint, Task task) {
        var bulkhead = of(blueprint);
        synchronized (lock) {
            if (closed
                    || !bulkhead.queue.isEmpty()
                    || bulkhead.share.computing() >= AT_ONCE
                    || !bulkhead.share.mayBegin()) {
                return false;
            }
            bulkhead.queue.add(task.client(), task);
            if (bulkhead.beginNext()) {
                return true;
            }
            bulkhead.queue.clear();
            return false;
        }
    }

    /// Why a task of `blueprint` and `client` that waits does so.
    String obstacle(String blueprint, String client) {
        var bulkhead = of(blueprint);
        synchronized (lock) {
            return bulkhead.share
                            .obstacle()
                            .orElse("one begins as soon as another handler of its blueprint ends")
                    + "; "
                    + bulkhead.queue.describe(client);
        }
    }

    /// A thread for the handlers of one blueprint: what they leave in it, such as thread locals, no other one sees.
    private final class Worker implements Runnable {
        final Bulkhead bulkhead;
        final Thread thread;

        /// The next one; set under the lock, taken by the thread.
        volatile @Nullable Task task;

        /// That of the next one; set before it.
        volatile HandlerShares.@Nullable Place place;

        volatile @Nullable Run current;

        @SuppressWarnings("ThreadPriorityCheck") // not that of the thread that happens to make it
        Worker(Bulkhead bulkhead) {
            this.bulkhead = bulkhead;
            thread =
                    Thread.ofPlatform()
                            .daemon()
                            .name("artel-handler-" + bulkhead.blueprint)
                            .priority(Thread.NORM_PRIORITY)
                            .inheritInheritableThreadLocals(false)
                            .unstarted(this);
        }

        /// @return false if the system has no thread left
        @SuppressWarnings(
                "IllegalCatch") // a machine that is out of threads reports it with an error
        boolean start() {
            workers.add(this);
            try {
                thread.start();
                return true;
            } catch (OutOfMemoryError noThread) {
                workers.remove(this);
                LOG.atWarn()
                        .addKeyValue("blueprint", bulkhead.blueprint)
                        .addKeyValue("threads", workers.size())
                        .setCause(noThread)
                        .log("no thread for a handler; retrying");
                return false;
            }
        }

        @Override
        public void run() {
            try {
                var next = await();
                while (next != null) {
                    next = run(next) ? await() : null;
                }
            } finally {
                workers.remove(this);
            }
        }

        /// @return whether the thread may be used for another one
        private boolean run(Task next) {
            var run = new Run(this, next, requireNonNull(place));
            current = run;
            var isGood = false;
            try {
                ScopedValue.where(HandlerWatch.CURRENT, run).run(() -> next.run(run));
                isGood = !run.isLowered() && thread.getPriority() == Thread.NORM_PRIORITY;
                return isGood;
            } finally {
                current = null;
                run.close(isGood);
            }
        }

        /// The next task; null if there is none for a while.
        @SuppressWarnings("ThreadPriorityCheck") // it makes way for all others, and ends soon
        private @Nullable Task await() {
            var began = System.nanoTime();
            while (task == null) {
                // An interrupt from a thread of the last handler is late from now on.
                var _ = Thread.interrupted();
                var waited = System.nanoTime() - began;
                if (waited < LINGER_NANOS && !closed) {
                    Thread.yield();
                } else if (waited >= KEEP.toNanos() || closed) {
                    synchronized (lock) {
                        if (task == null) {
                            bulkhead.idle.remove(this);
                            return null;
                        }
                    }
                } else {
                    LockSupport.parkNanos(this, KEEP.toNanos() - waited);
                }
            }
            var next = task;
            task = null;
            return next;
        }
    }

    private enum Phase {
        RUNNING,
        OVER_TIME,
        ABANDONED,
        ENDED
    }

    /// One run of a handler, which has a place until it ends.
    final class Run implements HandlerWatch {
        private final Worker worker;
        private final Task task;
        private final long until;
        private final long softDeadline;
        private final ThreadGauge own;

        /// The one of the thread that runs the code: its own, or that of a guest.
        private volatile ThreadGauge active;

        /// Whether a guest is about to enter, which is no time for another handler to begin.
        private volatile boolean awaitsGuest;

        /// How many bytes guests had allocated that have left.
        private final AtomicLong allocatedByGuests = new AtomicLong();

        private final Optional<JobId> job;

        private boolean hasReachedSoftLimit;
        private Phase phase = Phase.RUNNING;

        /// Under the lock of the pool.
        private final HandlerShares.Place place;

        private Run(Worker worker, Task task, HandlerShares.Place place) {
            this.worker = worker;
            this.place = place;
            this.task = task;
            own = new ThreadGauge(worker.thread, allocations);
            active = own;
            job = task.job();
            until = System.nanoTime() + task.most().toNanos();
            softDeadline = System.nanoTime() + task.softLimit().toNanos();
        }

        /// Whether the outcome of the handler counts: it ended within its time.
        synchronized boolean ended() {
            var inTime = phase == Phase.RUNNING;
            if (inTime) {
                phase = Phase.ENDED;
            }
            return inTime;
        }

        /// How many bytes its threads have allocated since it began, whether or not they still have them.
        long allocated() {
            var guest = active;
            return own.allocated()
                    + allocatedByGuests.get()
                    + (guest == own ? 0 : guest.allocated());
        }

        @Override
        public HandlerWatch.Guest guest() {
            awaitsGuest = true;
            return new FunctionGuest(this);
        }

        /// Its handler has run out of memory, and gives back now what others may have missed already.
        ///
        /// @return whether it may be the one that has used up the memory of all
        boolean ranOutOfMemory() {
            var handler = new Supervision.RunningHandler(job.orElseThrow(), allocated());
            if (handler.isGreedy()) {
                ranOut = new RanOut(handler, System.nanoTime());
            }
            return handler.isGreedy();
        }

        /// Whether its own thread makes way for all others.
        boolean isLowered() {
            return own.isLowered();
        }

        boolean isExiting() {
            return active.isExiting();
        }

        private void look(long now) {
            measure();
            if (!hasReachedSoftLimit && now - softDeadline > 0) {
                hasReachedSoftLimit = true;
                callApart(task::softLimitReached);
            }
            if (now - until > 0 && interrupt()) {
                overran.increment();
                callApart(task::late);
            } else if (now - until > heed.toNanos()) {
                abandon();
            }
        }

        private void callApart(Runnable callback) {
            Thread.ofVirtual()
                    .name("artel-handler-late")
                    .start(() -> {
                        try {
                            callback.run();
                        } catch (RuntimeException bug) {
                            LOG.atError()
                                    .addKeyValue("handler", task.what())
                                    .setCause(bug)
                                    .log("cannot report that a handler takes too long");
                        }
                    });
        }

        private void measure() {
            var now = awaitsGuest || active.computes();
            synchronized (lock) {
                if (worker.current != this || place.isComputing() == now) {
                    return;
                }
                if (now) {
                    place.computes();
                } else {
                    place.waits();
                }
            }
        }

        private synchronized boolean interrupt() {
            if (phase != Phase.RUNNING) {
                return false;
            }
            phase = Phase.OVER_TIME;
            worker.thread.interrupt();
            return true;
        }

        private synchronized void abandon() {
            if (phase != Phase.OVER_TIME) {
                return;
            }
            int abandoned;
            synchronized (lock) {
                if (!place.abandon()) {
                    return;
                }
                abandoned = worker.bulkhead.share.abandoned();
                lock.notifyAll();
            }
            phase = Phase.ABANDONED;
            LOG.atWarn()
                    .addKeyValue("handler", task.what())
                    .addKeyValue("abandoned", abandoned)
                    .addKeyValue("at", Vitals.placeOf(active.thread()))
                    .log("a handler still runs after its timeout and its interrupt");
        }

        /// Leaves its place, and takes up the next task of its blueprint if there is one.
        ///
        /// @param isGood whether its thread may be used for it
        private synchronized void close(boolean isGood) {
            var bulkhead = worker.bulkhead;
            synchronized (lock) {
                place.end();
                lock.notifyAll();
                if (isGood) {
                    bulkhead.idle.push(worker);
                }
                if (!closed && !bulkhead.queue.isEmpty() && bulkhead.share.mayBegin()) {
                    var _ = bulkhead.beginNext();
                }
            }
            phase = Phase.ENDED;
        }
    }

    /// The thread of a function beside the run of a handler; after that alone, if it is to end.
    private final class FunctionGuest implements HandlerWatch.Guest {
        private final Bulkhead bulkhead;
        private final String what;
        private final Optional<JobId> job;

        /// The run that it is beside, until it has left; for its own thread alone.
        private @Nullable Run run;

        private volatile @Nullable ThreadGauge gauge;

        /// Since when it runs for no handler.
        private volatile long since;

        private boolean isInterrupted;

        /// What it takes while it runs for no handler; under the lock of the pool.
        private HandlerShares.@Nullable Place place;

        FunctionGuest(Run run) {
            this.run = run;
            bulkhead = run.worker.bulkhead;
            what = run.task.what();
            job = run.job;
        }

        @Override
        public void enter() {
            var own = new ThreadGauge(Thread.currentThread(), allocations);
            gauge = own;
            var beside = run;
            if (beside != null) {
                beside.active = own;
                beside.awaitsGuest = false;
            }
        }

        @Override
        public void leave() {
            var beside = run;
            var known = gauge;
            if (beside != null && known != null) {
                run = null;
                beside.active = beside.own;
                beside.allocatedByGuests.addAndGet(known.allocated());
                return;
            }
            unwinding.remove(this);
            synchronized (lock) {
                if (place != null) {
                    place.end();
                }
                place = null;
            }
        }

        @Override
        public void unwind() {
            gauge = new ThreadGauge(Thread.currentThread(), allocations);
            since = System.nanoTime();
            synchronized (lock) {
                place = bulkhead.share.beside();
            }
            unwinding.add(this);
        }

        private long allocated() {
            var known = gauge;
            return known == null ? 0 : known.allocated();
        }

        private boolean isExiting() {
            var known = gauge;
            return known != null && known.isExiting();
        }

        private void look(long now) {
            var known = gauge;
            if (known == null) {
                return;
            }
            var isComputing = known.computes();
            var age = now - since;
            int abandoned;
            synchronized (lock) {
                var taken = place;
                if (taken == null) {
                    return;
                }
                if (isComputing) {
                    taken.computes();
                } else {
                    taken.waits();
                }
                if (age <= 2 * heed.toNanos() || taken.isAbandoned()) {
                    if (age > heed.toNanos() && !isInterrupted) {
                        isInterrupted = true;
                        known.thread().interrupt();
                    }
                    return;
                }
                var _ = taken.abandon();
                abandoned = bulkhead.share.abandoned();
            }
            LOG.atWarn()
                    .addKeyValue("handler", what)
                    .addKeyValue("abandoned", abandoned)
                    .addKeyValue("at", Vitals.placeOf(known.thread()))
                    .log("a function has left memory and still runs after its interrupt");
        }
    }

    private void look() {
        var now = System.nanoTime();
        for (var worker : workers) {
            var run = worker.current;
            try {
                if (run != null) {
                    run.look(now);
                }
            } catch (RuntimeException bug) {
                // One that throws would end the watch over all others, and unnoticed.
                LOG.atError()
                        .addKeyValue("handler", run.task.what())
                        .setCause(bug)
                        .log("the timeout of a handler failed; those of the others continue");
            }
        }
        for (var guest : unwinding) {
            try {
                guest.look(now);
            } catch (RuntimeException bug) {
                LOG.atError()
                        .addKeyValue("handler", guest.what)
                        .setCause(bug)
                        .log("the timeout of a handler failed; those of the others continue");
            }
        }
        synchronized (lock) {
            for (var bulkhead : bulkheads.values()) {
                while (!closed
                        && !bulkhead.queue.isEmpty()
                        && bulkhead.share.mayBegin()
                        && bulkhead.beginNext()) {
                    // one more
                }
            }
        }
    }

    /// How many runs took longer than they might.
    long overran() {
        return overran.sum();
    }

    /// The handlers of each blueprint that ever had one, by name.
    List<HandlerLoad> loads() {
        synchronized (lock) {
            return bulkheads.values().stream()
                    .map(Bulkhead::load)
                    .sorted(Comparator.comparing(HandlerLoad::blueprint))
                    .toList();
        }
    }

    @Override
    public Optional<Supervision.RunningHandler> greediest() {
        var job = Optional.<JobId>empty();
        var most = 0L;
        for (var worker : workers) {
            var run = worker.current;
            if (run != null && run.job.isPresent() && run.allocated() >= most) {
                job = run.job;
                most = run.allocated();
            }
        }
        for (var guest : unwinding) {
            if (guest.job.isPresent() && guest.allocated() >= most) {
                job = guest.job;
                most = guest.allocated();
            }
        }
        var last = ranOut;
        if (last != null
                && last.handler().allocated() >= most
                && System.nanoTime() - last.at() < MISSED_NANOS) {
            return Optional.of(last.handler());
        }
        return job.isPresent()
                ? Optional.of(new Supervision.RunningHandler(job.get(), most))
                : Optional.empty();
    }

    @Override
    public List<Supervision.RunningHandler> running() {
        var found = new ArrayList<Supervision.RunningHandler>();
        for (var worker : workers) {
            var run = worker.current;
            if (run != null && run.job.isPresent()) {
                found.add(new Supervision.RunningHandler(run.job.get(), run.allocated()));
            }
        }
        for (var guest : unwinding) {
            if (guest.job.isPresent()) {
                found.add(new Supervision.RunningHandler(guest.job.get(), guest.allocated()));
            }
        }
        found.sort(Comparator.comparingLong(Supervision.RunningHandler::allocated).reversed());
        return found;
    }

    @Override
    public List<JobId> exiting() {
        var beside =
                workers.stream()
                        .flatMap(worker -> Optional.ofNullable(worker.current).stream())
                        .filter(Run::isExiting)
                        .flatMap(run -> run.job.stream());
        var alone =
                unwinding.stream()
                        .filter(FunctionGuest::isExiting)
                        .flatMap(guest -> guest.job.stream());
        return Stream.concat(beside, alone).toList();
    }

    /// How many go on although they were left behind.
    int abandoned() {
        return loads().stream().mapToInt(HandlerLoad::abandoned).sum();
    }

    /// How many have a place.
    int taken() {
        synchronized (lock) {
            return shares.running();
        }
    }

    /// Begins nothing more and waits until none has a place any more; those left behind are not waited for.
    boolean drain(Duration timeout) throws InterruptedException {
        var until = System.nanoTime() + timeout.toNanos();
        synchronized (lock) {
            closed = true;
            while (shares.running() > 0) {
                var left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                lock.wait(left);
            }
            return true;
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            bulkheads.values().forEach(bulkhead -> bulkhead.queue.clear());
        }
        schedule.close();
        workers.forEach(worker -> LockSupport.unpark(worker.thread));
    }
}
