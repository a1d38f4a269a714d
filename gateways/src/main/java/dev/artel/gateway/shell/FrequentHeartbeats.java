package dev.artel.gateway.shell;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.HeartbeatAnswer;
import dev.artel.session.SessionReply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Puts heartbeats together that come more often than [WorkerLimits] allow: each is answered at once, and the conversation hears
/// the latest one as soon as it may. Busy workers send one with each change, and the last one is the one that holds. Safe for
/// use by many threads.
public final class FrequentHeartbeats {
    private static final Logger LOG = LoggerFactory.getLogger(FrequentHeartbeats.class);

    /// Of how many workers one may wait; beyond that they are refused.
    private static final int MOST = 20_000;

    /// Which part of the heap the large ones may take: one divided by it.
    private static final int PART = 16;

    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final SessionShell shell;

    private final WaitingHeartbeats waiting =
            new WaitingHeartbeats(MOST, Runtime.getRuntime().maxMemory() / PART);

    /// Those of the workers of `shell`.
    public FrequentHeartbeats(SessionShell shell) {
        this.shell = shell;
    }

    /// A heartbeat of `worker` is processed at once: its earlier ones are of no interest any more.
    public void heard(WorkerId worker) {
        var _ = waiting.remove(worker);
    }

    /// Takes in a heartbeat that comes too soon.
    ///
    /// @param wait after how long the worker may send the next one
    /// @return the answer
    public SessionReply tooSoon(WorkerId worker, Heartbeat heartbeat, Duration wait) {
        switch (waiting.put(worker, heartbeat)) {
            case REFUSED -> {
                return new SessionReply.TooMany(wait, "Too Many Requests");
            }
            case LATER -> {}
            case FIRST -> {
                var pause = wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
                CompletableFuture.delayedExecutor(
                                pause.toNanos(),
                                TimeUnit.NANOSECONDS,
                                FrequentHeartbeats::onItsThread)
                        .execute(() -> deliver(worker));
            }
        }
        return new SessionReply.Refreshed(HeartbeatAnswer.REFRESHED, JsonObject.EMPTY);
    }

    private static void onItsThread(Runnable delivery) {
        Thread.ofVirtual().name("artel-heartbeat").start(delivery);
    }

    private void deliver(WorkerId worker) {
        var latest = waiting.remove(worker);
        if (latest != null) {
            var _ =
                    shell.send(worker, latest)
                            .exceptionally(bug -> {
                                LOG.atError()
                                        .addKeyValue("worker", worker)
                                        .setCause(bug)
                                        .log("cannot pass on a heartbeat that had to wait");
                                return new SessionReply.Done();
                            });
        }
    }
}
