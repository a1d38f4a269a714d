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

    private final OrchestratorConnection orchestratorConnection;
    private final OrchestratorClient orchestratorClient;
    private final ConnectionCallbacks connectionCallbacks;
    private final LinkSettings settings;
    private final RegistrationState registration;
    private final PendingResults outbox;
    private final Wakeup wake = new Wakeup();
    private final BatchPacer batchPacer = new BatchPacer(GAP);
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isStopping;
    private int failures;

    /// The most that was ever asked for.
    private int most;

    Poller(
            OrchestratorConnection orchestratorConnection,
            OrchestratorClient orchestratorClient,
            ConnectionCallbacks connectionCallbacks,
            LinkSettings settings,
            RegistrationState registration,
            PendingResults outbox) {
        this.orchestratorConnection = orchestratorConnection;
        this.orchestratorClient = orchestratorClient;
        this.connectionCallbacks = connectionCallbacks;
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
        } else if (outbox.isFull() || orchestratorClient.pushes()) {
            rest(LOOK_AGAIN);
        } else {
            rest(batchPacer.left());
            var free = connectionCallbacks.awaitFreeSlots(LOOK_AGAIN);
            if (free > 0 && !isStopping) {
                poll(Math.min(free, settings.maxBatch()));
            }
        }
    }

    private void poll(int max) throws InterruptedException {
        var began = System.nanoTime();
        batchPacer.begin();
        try {
            on(
                    max,
                    orchestratorClient.poll(max, settings.inline(), settings.poll(), this::take),
                    Duration.ofNanos(System.nanoTime() - began));
        } catch (IOException e) {
            failed(e.toString());
        } catch (MalformedMessage unreadable) {
            failed("task not understood: " + unreadable.getMessage());
        }
    }

    private void on(int max, OrchestratorClient.Polled polled, Duration held)
            throws InterruptedException {
        var orchestratorResponse = polled.answer();
        switch (orchestratorResponse.status()) {
            case 200 -> {
                failures = 0;
                batchPacer.carried(polled.tasks());
                if (isWorthAPoll(polled.tasks(), max)) {
                    batchPacer.forgive();
                }
                if (polled.tasks() == 0) {
                    empty(held);
                }
            }
            case 204 -> {
                if (!orchestratorClient.pushes()) {
                    empty(held);
                }
            }
            case 401, 403, 404 -> {
                registration.lose();
                failed(orchestratorResponse.text());
            }
            case 429 -> {
                failures++;
                rest(
                        settings.silence(
                                orchestratorResponse, registration.protocolVersion(), failures));
            }
            default -> failed(orchestratorResponse.text());
        }
    }

    /// Whether polling less often would bring no more: it brought plenty, or all that a small or idle worker takes.
    private boolean isWorthAPoll(int brought, int max) {
        most = Math.max(most, max);
        return brought >= PLENTY
                || registration.protocolVersion() == ProtocolVersion.PLAIN
                || (brought == max && 2 * max >= most);
    }

    private void take(TaskAssignment task) {
        var lease = task.terms().lease();
        if (lease != null) {
            orchestratorConnection.shortened(lease);
        }
        connectionCallbacks.assign(orchestratorConnection, task);
    }

    /// Takes a task in that came by itself, if the worker is to have more.
    ///
    /// @return whether it does
    boolean takePushed(TaskAssignment task) {
        if (isStopping || outbox.isFull()) {
            return false;
        }
        take(task);
        return true;
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
                .addKeyValue("orchestrator", orchestratorClient)
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
