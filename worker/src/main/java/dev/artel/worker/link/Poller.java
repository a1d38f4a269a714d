package dev.artel.worker.link;

import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.TaskAssignment;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks for work while there is room for it and for its outcome: one request at a time.
final class Poller implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

    /// An empty answer that comes sooner was not held; asking again at once would be a flood.
    private static final Duration HELD = Duration.ofMillis(500);

    /// How far polls are apart on average that bring less than they could.
    private static final Duration GAP = Duration.ofMillis(6);

    /// So many tasks are worth a poll of their own.
    private static final int PLENTY = 50;

    private final Link link;
    private final Channel channel;
    private final Crew crew;
    private final LinkSettings settings;
    private final Registration registration;
    private final Outbox outbox;
    private final Signal wake = new Signal();
    private final Pace pace = new Pace(GAP);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isStopping;
    private int failures;

    /// The most that was ever asked for.
    private int most;

    Poller(
            Link link,
            Channel channel,
            Crew crew,
            LinkSettings settings,
            Registration registration,
            Outbox outbox) {
        this.link = link;
        this.channel = channel;
        this.crew = crew;
        this.settings = settings;
        this.registration = registration;
        this.outbox = outbox;
    }

    /// Begins no further poll.
    void stop() {
        isStopping = true;
        wake.raise();
    }

    /// Waits for the end of the poll that is in flight.
    boolean awaitEnd(Duration longest) throws InterruptedException {
        return ended.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public boolean isDone() {
        if (isStopping) {
            ended.countDown();
        }
        return isStopping;
    }

    @Override
    public void turn() throws InterruptedException {
        if (!registration.isKnown()) {
            registration.await(LOOK_AGAIN);
        } else if (outbox.isFull()) {
            rest(LOOK_AGAIN);
        } else {
            rest(pace.left());
            var free = crew.awaitFreeSlots(LOOK_AGAIN);
            if (free > 0 && !isStopping) {
                poll(Math.min(free, settings.maxBatch()));
            }
        }
    }

    private void poll(int max) throws InterruptedException {
        var began = System.nanoTime();
        pace.begin();
        try {
            on(
                    max,
                    channel.poll(max, settings.inline(), settings.poll()),
                    Duration.ofNanos(System.nanoTime() - began));
        } catch (IOException e) {
            failed(e.toString());
        } catch (MalformedMessage unreadable) {
            failed("task not understood: " + unreadable.getMessage());
        }
    }

    private void on(int max, Answer answer, Duration held) throws InterruptedException {
        switch (answer.status()) {
            case 200 -> {
                var tasks = TaskAssignment.readAll(answer.json());
                failures = 0;
                pace.carried(tasks.size());
                tasks.forEach(this::take);
                if (isWorthAPoll(tasks.size(), max)) {
                    pace.forgive();
                }
                if (tasks.isEmpty()) {
                    empty(held);
                }
            }
            case 204 -> empty(held);
            case 401, 403, 404 -> {
                registration.lose();
                failed(answer.text());
            }
            case 429 -> {
                failures++;
                rest(settings.silence(answer, registration.dialect(), failures));
            }
            default -> failed(answer.text());
        }
    }

    /// Whether polling less often would bring no more: it brought plenty, or all that a small or idle worker takes.
    private boolean isWorthAPoll(int brought, int max) {
        most = Math.max(most, max);
        return brought >= PLENTY
                || registration.dialect() == Dialect.PLAIN
                || (brought == max && 2 * max >= most);
    }

    private void take(TaskAssignment task) {
        var lease = task.terms().lease();
        if (lease != null) {
            link.shortened(lease);
        }
        crew.assign(link, task);
    }

    private void empty(Duration held) throws InterruptedException {
        if (held.compareTo(HELD) < 0) {
            failures++;
            rest(settings.backoff().after(failures));
        } else {
            failures = 0;
        }
    }

    private void failed(String cause) throws InterruptedException {
        failures++;
        LOG.atWarn()
                .addKeyValue("orchestrator", channel)
                .addKeyValue("cause", cause)
                .log("poll failed; trying again");
        rest(settings.backoff().after(failures));
    }

    private void rest(Duration time) throws InterruptedException {
        if (time.isPositive()) {
            wake.await(time);
        }
    }
}
