package dev.artel.engine.shell;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.StoreWatch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Watches the parts of an engine: a part reports when it begins with something and when it has done it, and one that
/// takes too long is named, with its stack. Safe for use by many threads.
public final class Vitals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Vitals.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int FRAMES = 12;

    /// How long a part may be at one thing.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Supervision supervision;
    private final Duration limit;
    private final List<Heart> hearts = new CopyOnWriteArrayList<>();
    private final List<Runnable> besides = new CopyOnWriteArrayList<>();
    private final Thread watchdog;
    private volatile List<StuckPart> stuck = List.of();
    private volatile boolean closed;

    /// For how long the watchdog has been running: a pause of the whole process does not count.
    private Duration ran = Duration.ZERO;

    /// When the watchdog last looked, by [System#nanoTime].
    private long looked = System.nanoTime();

    /// @param limit how long a part may be at one thing
    Vitals(Supervision supervision, Duration limit) {
        this.supervision = supervision;
        this.limit = limit;
        watchdog = Thread.ofPlatform().daemon().name("artel-watchdog").unstarted(this::watch);
    }

    /// Watches from now on, and reports to `supervision`.
    public static Vitals watching(Supervision supervision) {
        var vitals = new Vitals(supervision, LIMIT);
        vitals.start();
        return vitals;
    }

    /// Begins to watch. To be called once.
    void start() {
        // It waits for a thread of those that carry virtual ones.
        var carriers = heart("virtual threads");
        watchdog.start();
        Thread.ofPlatform()
                .daemon()
                .name("artel-carriers")
                .start(() -> {
                    while (!closed) {
                        carriers.begin();
                        try {
                            Thread.ofVirtual().start(carriers::rest).join();
                            Thread.sleep(LOOK);
                        } catch (InterruptedException stop) {
                            return;
                        }
                    }
                });
    }

    /// What a part is at.
    public static final class Heart implements StoreWatch.Pulse {
        private static final long RESTS = 0;

        private final String part;
        private final Duration limit;
        private @Nullable Thread thread;
        private volatile long since = RESTS;

        /// Those of the watchdog: what it saw last, when it saw that first, and what it has reported.
        private long seen = RESTS;

        private Duration seenAt = Duration.ZERO;
        private long reported = RESTS;

        Heart(String part, Duration limit) {
            this.part = part;
            this.limit = limit;
        }

        @Override
        public void begin() {
            thread = Thread.currentThread();
            since = System.nanoTime() | 1; // never that of one that rests
        }

        @Override
        public void rest() {
            since = RESTS;
        }
    }

    /// Runs `look` each second from now on. It must not block.
    void beside(Runnable look) {
        besides.add(look);
    }

    /// A part that is watched from now on.
    public Heart heart(String part) {
        return heart(part, limit);
    }

    /// A part that is watched from now on.
    ///
    /// @param most how long it may be at one thing
    public Heart heart(String part, Duration most) {
        var heart = new Heart(part, most);
        hearts.add(heart);
        return heart;
    }

    /// See [Supervision#fatal].
    public void fatal(String part, Throwable error, List<JobId> workedOn) {
        supervision.fatal(part, error, workedOn);
    }

    /// Who decides about the process.
    Supervision supervision() {
        return supervision;
    }

    private void watch() {
        try {
            while (!closed) {
                look(System.nanoTime());
                besides.forEach(Runnable::run);
                Thread.sleep(LOOK);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /// Looks at all parts.
    ///
    /// @param now by [System#nanoTime]; what is much longer ago than the last look was a standstill of the whole process
    void look(long now) {
        var since = Duration.ofNanos(now - looked);
        looked = now;
        ran = ran.plus(since.compareTo(LOOK.multipliedBy(2)) < 0 ? since : LOOK);
        stuck = hearts.stream().flatMap(this::stuckAt).toList();
    }

    /// Where a thread is at this moment, for people: its innermost frames.
    static String placeOf(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .limit(FRAMES)
                .map(StackTraceElement::toString)
                .collect(Collectors.joining(" < "));
    }

    private Stream<StuckPart> stuckAt(Heart heart) {
        var since = heart.since;
        var thread = heart.thread;
        if (heart.seen != since) {
            heart.seen = since;
            heart.seenAt = ran;
        }
        var age = ran.minus(heart.seenAt);
        if (since == Heart.RESTS || thread == null || age.compareTo(heart.limit) < 0) {
            return Stream.empty();
        }
        var stack = placeOf(thread);
        var found = new StuckPart(heart.part, age, stack);
        if (heart.reported != since) {
            heart.reported = since;
            LOG.atError()
                    .addKeyValue("part", heart.part)
                    .addKeyValue("thread", thread.getName())
                    .addKeyValue("seconds", found.since().toSeconds())
                    .addKeyValue("at", stack)
                    .log("a part of the engine is stuck");
        }
        return Stream.of(found);
    }

    /// The parts that have been at one thing for too long.
    public List<StuckPart> stuck() {
        return stuck;
    }

    @Override
    public void close() {
        closed = true;
        watchdog.interrupt();
    }
}
