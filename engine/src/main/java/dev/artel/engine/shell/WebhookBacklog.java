package dev.artel.engine.shell;

import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoreException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Loads calls of webhooks for which there was no room from the store: the state of a job is its
/// outbox, so nothing is kept here. Goes round the open jobs until a whole round finds nothing left; asleep otherwise.
final class WebhookBacklog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookBacklog.class);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int JOBS = 200;

    /// One part in so many of the time is spent on reading.
    private static final int PARTS = 5;

    private final EventStore store;
    private final Function<JobId, Optional<Job>> jobs;
    private final WebhookRelay relay;
    private final Consumer<JobId> repeat;
    private final AtomicBoolean isAwake = new AtomicBoolean();
    private final Schedule schedule = new Schedule("artel-late-calls");

    // Of the schedule's thread alone.
    private long place;
    private long seen;
    private boolean foundSome;

    /// @param jobs reads a job
    /// @param repeat has a job send again what it asks for
    WebhookBacklog(
            EventStore store,
            Function<JobId, Optional<Job>> jobs,
            WebhookRelay relay,
            Consumer<JobId> repeat) {
        this.store = store;
        this.jobs = jobs;
        this.relay = relay;
        this.repeat = repeat;
        relay.onPutOff(this::wake);
    }

    private void wake() {
        if (isAwake.compareAndSet(false, true)) {
            LOG.atWarn()
                    .log(
                            "more webhooks are to be called than there is room for; the rest waits in"
                                    + " the store");
            later(PAUSE);
        }
    }

    private void later(Duration pause) {
        // What is not sent before the end is sent after the next start.
        var _ = schedule.once(pause, this::page);
    }

    private void page() {
        var begun = System.nanoTime();
        try {
            if (look()) {
                sleep();
                return;
            }
        } catch (StoreException unreadable) {
            LOG.atDebug().setCause(unreadable).log("webhooks cannot be read from the store now");
            foundSome = true;
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("loading webhooks from the store failed; retrying");
            foundSome = true;
        }
        var rest = Duration.ofNanos((PARTS - 1) * (System.nanoTime() - begun));
        later(place == 0 && rest.compareTo(PAUSE) < 0 ? PAUSE : rest);
    }

    /// Looks at some jobs.
    ///
    /// @return whether a whole round has found nothing left
    private boolean look() {
        if (place == 0) {
            seen = relay.putOffs();
            foundSome = false;
        }
        var page = store.open(place, JOBS);
        for (var id : page.jobs()) {
            jobs.apply(id).ifPresent(this::look);
        }
        place = page.next().orElse(0);
        return place == 0 && !foundSome && relay.settled(seen);
    }

    private void look(Job job) {
        var late =
                Jobs.pending(job).stream()
                        .filter(Effect.CallWebhook.class::isInstance)
                        .map(Effect.CallWebhook.class::cast)
                        .filter(call -> !relay.isUnderWay(job.id(), call.id()))
                        .toList();
        if (!late.isEmpty()) {
            // Whether it goes well is for the next round to see.
            foundSome = true;
            var client = job.spec().client();
            if (late.stream().anyMatch(call -> relay.hasRoom(client, call.webhookEvent()))) {
                repeat.accept(job.id());
            }
        }
    }

    private void sleep() {
        LOG.atInfo().log("the webhooks that waited in the store are being called");
        isAwake.set(false);
        if (relay.isPuttingOff()) {
            wake();
        }
    }

    @Override
    public void close() {
        schedule.close();
    }
}
